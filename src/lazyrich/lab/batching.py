"""Many members through one compiled program: in a loop, mapped in chunks, or all at once, whichever a timed probe prefers."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput

How = Literal["auto", "loop", "map", "vmap"]
# Fewer members than this are not worth compiling a second program for.
FEW = 16
# Members in a probe of the programs that take several at once: at least so many, and as many as a loop does in so many seconds.
PROBE, ENOUGH = 8, 0.5
# A member that takes so many seconds on a CPU is looped over: to time the other ways would take longer than they could save.
SLOW = 1.0
# A loop that takes less than so many times its compilation is not worth compiling two more programs to beat it.
WORTH = 8


@dataclass(frozen=True)
class Many:
    """Results stacked along a first axis, and how they were made: the way, members at a time, seconds a member in the probe."""

    results: Any
    how: str
    chunk: int
    probe: dict[str, float]


@dataclass(frozen=True)
class Ready:
    """A function of one member, compiled for several: the way that was chosen, and seconds a member of all that were probed."""

    how: str
    probe: dict[str, float]
    run: Callable[[Any], Any]

    def upon(self, members: Any, begin: int, size: int) -> tuple[Any, int]:
        """Results of so many members from `begin` on, halved until they fit in memory; with the number that was taken."""
        return _careful(self.run, members, begin, size)

    def room(self, members: Any) -> float:
        """Bytes that one member takes while it is computed with others at once; 0 where members come one by one."""
        few = _cut(members, 0, PROBE)
        if self.how != "vmap":
            return 0.0
        analysis = self.run.lower(few).compile().memory_analysis()  # pyright: ignore[reportFunctionMemberAccess]
        return 0.0 if analysis is None else analysis.temp_size_in_bytes / _count(few)


def prepare(
    function: Callable[[Any], Any], members: Any, *, how: How = "auto", threads: int = 2, total: int | None = None
) -> Ready:
    """The function in the way that is asked for, or in the one that is fastest on a few of the members.

    On two CPU cores a loop over one compiled member is often fastest, since members that step differently wait for
    each other under `vmap`; on an accelerator `vmap` wins. `auto` compiles each way and times it, unless a loop over all of them
    (`total`, if these are only some) takes less time than to compile a few more programs; few members are looped over.
    """
    count = _count(members)
    ways = ("loop", "map", "vmap") if how == "auto" and count >= FEW else ("loop",) if how == "auto" else (how,)
    runners = {way: _loop(function, threads) if way == "loop" else _RUNNERS[way](function) for way in ways}
    probe: dict[str, float] = {}
    if len(runners) > 1:
        compiling, alone = _seconds(runners["loop"], _spread(members, 1))
        slow = alone > SLOW and jax.default_backend() == "cpu"
        if slow or alone * (total or count) < WORTH * compiling:
            return Ready("loop", {"loop": alone}, runners["loop"])
        some = _spread(members, min(count, max(PROBE, int(ENOUGH / max(alone, 1e-6)))))
        probe = {way: _seconds(run, some)[1] for way, run in runners.items()}
    best = min(probe, key=probe.__getitem__) if probe else ways[0]
    return Ready(best, probe, runners[best])


def many(
    function: Callable[[Any], Any],
    members: Any,
    *,
    how: How = "auto",
    chunk: int | None = None,
    notify: Callable[[int, int], None] = lambda done, total: None,
) -> Many:
    """Apply a function of one member to all of them; `members` is a tree of arrays with one first axis.

    Members never share anything, so one that fails leaves the others alone. What does not fit in memory is tried again in
    halves.
    """
    count, ready = _count(members), prepare(function, members, how=how)
    size = chunk or (count if ready.how == "vmap" else max(1, -(-count // 20)))
    parts, done = [], 0
    while done < count:
        part, size = ready.upon(members, done, min(size, count - done))
        parts.append(part)
        done += size
        notify(done, count)
        size = min(chunk or size, count)
    results = jax.tree.map(lambda *each: np.concatenate(each), *parts)
    return Many(results, ready.how, size, ready.probe)


def _careful(run: Callable, members: Any, begin: int, size: int) -> tuple[Any, int]:
    """A part of the members, halved until it fits in memory; with the number that was taken."""
    while True:
        try:
            part = run(_cut(members, begin, begin + size))
            return jax.tree.map(np.asarray, part), size
        except Exception as error:
            if "RESOURCE_EXHAUSTED" not in str(error) or size == 1:
                raise
            size = -(-size // 2)


def _spread(members: Any, size: int) -> Any:
    """So many of the members, from the first to the last: neighbors step alike, and `vmap` waits for the slowest."""
    at = np.linspace(0, _count(members) - 1, size).round().astype(int)
    return jax.tree.map(lambda part: part[at], members)


def _seconds(run: Callable, some: Any) -> tuple[float, float]:
    """Seconds of the first call, which compiles, and then a member; infinite where it does not fit in memory."""
    try:
        moments = [time.perf_counter()]
        for _ in range(2):
            jax.block_until_ready(run(some))
            moments.append(time.perf_counter())
        return moments[1] - moments[0], (moments[2] - moments[1]) / _count(some)
    except Exception as error:
        if "RESOURCE_EXHAUSTED" not in str(error):
            raise
        return float("inf"), float("inf")


def _loop(function: Callable, threads: int) -> Callable:
    """One compiled member after another; some at a time on a CPU, whose small programs keep one core busy each."""
    compiled = jax.jit(function)
    threads = threads if jax.default_backend() == "cpu" else 1

    def run(members):
        def one(at):
            return jax.tree.map(np.asarray, compiled(jax.tree.map(lambda part: part[at], members)))

        count = _count(members)
        if threads == 1 or count < 3:
            found = [one(at) for at in range(count)]
        else:
            first = one(0)  # compiles; the others then find the program ready
            with ThreadPoolExecutor(threads) as pool:
                found = [first, *pool.map(one, range(1, count))]
        return jax.tree.map(lambda *each: np.stack(each), *found)

    return run


def _map(function: Callable) -> Callable:
    return jax.jit(lambda members: jax.lax.map(function, members))


def _vmap(function: Callable) -> Callable:
    return jax.jit(jax.vmap(function))


_RUNNERS = {"map": _map, "vmap": _vmap}


def _count(members: Any) -> int:
    lengths = {jnp.shape(part)[0] if jnp.ndim(part) else None for part in jax.tree.leaves(members)}
    if len(lengths) != 1 or None in lengths or 0 in lengths:
        raise BadInput(
            needed="the members are a tree of arrays with one first axis, at least 1 long",
            given=f"first axes {sorted(map(str, lengths))}",
            cure="Stack what varies, and close over what does not.",
        )
    return lengths.pop()  # pyright: ignore[reportReturnType]


def _cut(members: Any, begin: int, end: int) -> Any:
    return jax.tree.map(lambda part: part[begin:end], members)

"""One piece of a sweep: some points that share a compiled program, computed wherever a Python with JAX is."""

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..runner import trial_key
from ..simulation import Simulation, trial_of

# A point that raises an error is tried alone so many times.
TRIES = 3
# Programs that are kept compiled; more are of no use to sweeps in order of their groups.
_KEPT = 64
_programs: dict[tuple, Any] = {}


@dataclass(frozen=True)
class Piece:
    """Points of one group: their numbers, static values, and traced values as one array a name.

    `token` names the sweep: pieces of one sweep find the program of their group compiled. `how` is loop, map or vmap, and
    `size` the number of points that a program of the latter two is compiled for.
    """

    token: str
    simulation: Simulation
    statics: tuple[tuple[str, Any], ...]
    index: np.ndarray
    traced: dict[str, np.ndarray]
    trials: int | None
    seed: int
    how: str = "loop"
    size: int = 1
    threads: int = 2
    double: bool = True

    def only(self, at: int) -> "Piece":
        """One of its points."""
        one = slice(at, at + 1)
        return replace(self, index=self.index[one], traced={name: values[one] for name, values in self.traced.items()}, size=1)


@dataclass(frozen=True)
class Found:
    """What came of a piece: arrays over (point, trial, own axes) of those that went well, and why the others did not."""

    index: np.ndarray
    arrays: dict[str, np.ndarray]
    failures: dict[int, str]
    seconds: float
    how: str
    kept: str | None = None
    broken: bool = False


@dataclass(frozen=True)
class Pace:
    """What a probe found: the way, seconds and bytes a point."""

    how: str
    seconds: float
    size: float
    ways: dict[str, float] = field(default_factory=dict)


def probe(piece: Piece, how: str, points: int) -> Pace:
    """Time the ways on some of so many points, or take the one that is asked for."""
    configure(piece)
    if piece.simulation.host:
        return Pace("loop", 0.0, 0.0)
    members, draws = _members(piece, len(piece.index)), piece.trials or 1
    ready = _ready(replace(piece, how=how), members, points * draws)
    if not ready.probe and ready.how == "loop":
        return Pace(ready.how, 0.0, 0.0)
    count = len(members["trial"])
    first, _ = ready.upon(members, 0, count) if not ready.probe else ready.upon(members, 0, 1)
    begin = time.perf_counter()
    seconds = ready.probe.get(ready.how)
    if seconds is None:
        ready.upon(members, 0, count)
        seconds = (time.perf_counter() - begin) / count
    size = max(sum(np.asarray(part).nbytes / len(part) for part in first.values()), ready.room(members))
    return Pace(ready.how, float(seconds) * draws, float(size) * draws, ready.probe)


def compute(piece: Piece) -> Found:
    """All points of a piece; if together they raise an error, each alone, some times over."""
    configure(piece)
    begin = time.perf_counter()
    try:
        arrays, index, failures, broken = _arrays(piece), piece.index, {}, False
    except Exception:
        arrays, index, failures, broken = _one_by_one(piece)
    return Found(index, arrays, failures, time.perf_counter() - begin, piece.how, broken=broken)


def configure(piece: Piece) -> None:
    """Bring this process to the precision of the one that planned the sweep; a fresh worker keeps programs on disk too."""
    import jax

    from ..machine import prepare

    if bool(jax.config.jax_enable_x64) != piece.double:  # pyright: ignore[reportAttributeAccessIssue]
        prepare()
        jax.config.update("jax_enable_x64", piece.double)


def _arrays(piece: Piece) -> dict[str, np.ndarray]:
    """The results, stacked by name over (point, trial)."""
    points, draws = len(piece.index), piece.trials or 1
    flat = _on_host(piece) if piece.simulation.host else _compiled(piece)
    returned = piece.simulation.returns
    if returned and set(flat) != set(returned):
        raise TypeError(f"{piece.simulation.simulate.__qualname__} returned {sorted(flat)}, not {sorted(returned)}")
    outer = (points,) if piece.trials is None else (points, draws)
    return {name: part[: points * draws].reshape(outer + part.shape[1:]) for name, part in flat.items()}


def _on_host(piece: Piece) -> dict[str, np.ndarray]:
    statics, found = dict(piece.statics), []
    for at in range(len(piece.index)):
        values = {name: part[at].item() for name, part in piece.traced.items()} | statics
        for draw in range(piece.trials or 1):
            key = trial_key(piece.seed, draw) if piece.simulation.random else None
            found.append(piece.simulation.program(key, values))
    return {name: np.stack([np.asarray(one[name]) for one in found]) for name in found[0]}


def _compiled(piece: Piece) -> dict[str, np.ndarray]:
    """All members, in as many parts as memory asks for; a program for many is always given as many."""
    points = len(piece.index) if piece.how == "loop" else max(len(piece.index), piece.size)
    members = _members(piece, points)
    ready, count = _ready(piece, members), points * (piece.trials or 1)
    parts, done, size = [], 0, count
    while done < count:
        part, size = ready.upon(members, done, min(size, count - done))
        parts.append(part)
        done += size
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _one_by_one(piece: Piece) -> tuple[dict[str, np.ndarray], np.ndarray, dict[int, str], bool]:
    """Each point alone; a program that cannot even be traced fails at all of them at once."""
    if not piece.simulation.host and (why := _untraceable(piece)):
        return {}, piece.index[:0], dict.fromkeys(piece.index.tolist(), why), True
    failures, found, index = {}, [], []
    for at, number in enumerate(piece.index.tolist()):
        for _ in range(TRIES):
            try:
                found.append(_arrays(replace(piece.only(at), how="loop")))
            except Exception as error:
                failures[number] = said(error)
            else:
                index.append(number)
                failures.pop(number, None)
                break
    arrays = {name: np.concatenate([one[name] for one in found]) for name in found[0]} if found else {}
    return arrays, np.array(index, dtype=piece.index.dtype), failures, False


def _untraceable(piece: Piece) -> str | None:
    import jax

    try:
        jax.eval_shape(_one(piece), jax.tree.map(lambda part: part[0], _members(piece, len(piece.index))))
    except Exception as error:
        return said(error)
    return None


def said(error: BaseException) -> str:
    """An error in a line or two."""
    return f"{type(error).__name__}: {error}".strip()[:500]


def _ready(piece: Piece, members: dict[str, Any], total: int | None = None):
    """The program of a group in one way, compiled once for all pieces of a sweep in this process."""
    from ..batching import prepare

    name = (piece.token, piece.statics, piece.threads)
    if (*name, piece.how) not in _programs:
        if len(_programs) >= _KEPT:
            _programs.clear()
        ready = prepare(_one(piece), members, how=piece.how, threads=piece.threads, total=total)  # pyright: ignore
        _programs[*name, ready.how] = ready
        return ready
    return _programs[*name, piece.how]


def _members(piece: Piece, points: int) -> dict[str, Any]:
    """Every trial of every point, the trial fastest; a piece that is short of so many points repeats its last one."""
    draws = piece.trials or 1
    at = np.minimum(np.arange(points), len(piece.index) - 1)
    return {
        "values": {name: np.repeat(part[at], draws, axis=0) for name, part in piece.traced.items()},
        "trial": np.tile(np.arange(draws), points),
        "seed": np.full(points * draws, piece.seed, dtype=np.int64),
    }


def _one(piece: Piece):
    """One trial as a function of a member."""
    simulation, statics = piece.simulation, dict(piece.statics)
    once = trial_of(simulation.simulate, simulation.make_problem, simulation.random)

    def one(member):
        key = trial_key(member["seed"], member["trial"]) if simulation.random else None
        return once(key, {**member["values"], **statics})

    return one

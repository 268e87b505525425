"""The coordinator of a sweep: plans it, hands out the missing points, keeps what comes back, and makes one run of it."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...errors import StoreFault
from ..store.store import Store
from .engines import AbstractEngine, engine_at
from .grid import Grid, Group
from .growing import Growing
from .plan import require_same_code
from .reuse import known
from .work import Found, Pace, Piece

if TYPE_CHECKING:
    import xarray as xr

# A part is written about so often, in seconds, and is about so many bytes at most.
RHYTHM, LARGE = 3.0, 64e6
# The most points in one piece, and the points that a probe may choose from.
MOST, PROBED = 4_096, 64


class Progress(NamedTuple):
    """Where a sweep stands: points computed, failed, taken from the store, in all; seconds since it began."""

    done: int
    failed: int
    skipped: int
    points: int
    seconds: float

    @property
    def rate(self) -> float:
        """Points a second."""
        return (self.done + self.failed) / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Swept:
    """What came of a sweep. `done` points were computed now, `skipped` were in the store already, `failed` have an error each."""

    run: str
    points: int
    done: int
    failed: int
    skipped: int
    axes: dict[str, list]
    store: str
    seconds: float
    failures: dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    place: Store | None = field(default=None, repr=False, compare=False)

    def as_json(self) -> dict[str, Any]:
        """The shape that other programs read."""
        names = ("run", "points", "done", "failed", "skipped", "axes", "store", "seconds")
        return {name: getattr(self, name) for name in names}

    @cached_property
    def data(self) -> "xr.Dataset":
        """Its Dataset, from the store."""
        return (self.place or Store(self.store)).load(self.run)


@dataclass
class _Tally:
    """What is known of the points while they are computed."""

    grid: Grid
    growing: Growing
    missing: np.ndarray
    began: float
    notify: Callable[[Progress], None]
    each: Callable[[dict[str, Any]], None]
    skipped: int = 0
    done: int = 0
    failures: dict[int, str] = field(default_factory=dict)
    broken: dict[tuple, str] = field(default_factory=dict)
    pace: float = 0.0  # seconds a point of the last piece

    def take(self, piece: Piece, found: Found) -> None:
        """Keep what came of a piece."""
        if len(found.index) and found.kept is None:
            self.growing.parts.write(found.index, found.arrays, found.seconds)
        self.growing.note(found.failures)
        self.failures |= found.failures
        self.missing[found.index] = False
        self.missing[list(found.failures)] = False
        self.done += len(found.index)
        self.pace = found.seconds / len(piece.index)
        if found.broken:
            self.broken[piece.statics] = next(iter(found.failures.values()))
        self.say()

    def give_up(self, group: Group) -> None:
        """The rest of a group whose program cannot be made."""
        rest = group.index[self.missing[group.index]]
        failures = dict.fromkeys(rest.tolist(), self.broken[group.statics])
        self.growing.note(failures)
        self.failures |= failures
        self.missing[rest] = False
        self.say()

    def say(self) -> None:
        """Tell where it stands."""
        self.notify(self.now)

    @property
    def now(self) -> Progress:
        """Where it stands."""
        return Progress(self.done, len(self.failures), self.skipped, len(self.grid), time.perf_counter() - self.began)


def carry_out(
    grid: Grid,
    growing: Growing,
    store: Store,
    *,
    engine: str = "local",
    how: str = "auto",
    notify: Callable[[Progress], None] = lambda progress: None,
    each: Callable[[dict[str, Any]], None] = lambda group: None,
) -> Swept:
    """Compute what is missing of a sweep, and make one run of it when nothing is."""
    began, remarks = time.perf_counter(), []
    with growing.held():
        require_same_code(grid, growing)
        growing.parts.claim(growing.run)
        missing, failures = ~growing.done(), growing.failures()
        missing[list(failures)] = False
        tally = _Tally(grid, growing, missing, began, notify, each, int((~missing).sum()) - len(failures))
        tally.failures |= failures
        for there in known(grid, growing.record, store, missing):
            growing.parts.write(there.index, there.arrays)
            missing[there.index] = False
            tally.skipped += len(there.index)
            remarks.append(f"{len(there.index)} of {len(grid)} points are taken from the sweep {there.run} of this store")
        tally.say()
        if missing.any():
            with engine_at(engine) as place:
                _compute(tally, place, how)
        left_out = finish(grid, growing, store, {str(point): why for point, why in tally.failures.items()}, engine)
    if left_out:
        remarks.append(f"{', '.join(left_out)}: left out, since the shape changes along an axis or some points lack it")
    return swept(grid, growing, store, tally, remarks)


def _compute(tally: _Tally, engine: AbstractEngine, how: str) -> None:
    """Hand out the missing points group by group, and say when each group is done."""
    grid, groups = tally.grid, [one for one in tally.grid.groups() if tally.missing[one.index].any()]
    largest = max(groups, key=lambda group: tally.missing[group.index].sum())
    pace = _pace(tally, engine, largest, how)
    open_groups = dict(enumerate(groups))

    def pieces() -> Iterator[Piece]:
        for group in groups:
            index = group.index[tally.missing[group.index]]
            size = piece_size(pace, tally.pace, len(index), engine.slots)
            while len(index) and group.statics not in tally.broken:
                yield piece_of(grid, group, index[:size], tally.growing, engine, pace.how, size)
                index = index[size:]
                # Programs for many points at once keep the size they were compiled for.
                size = piece_size(pace, tally.pace, len(index), engine.slots) if pace.how == "loop" else size

    for piece, found in engine.work(pieces(), tally.growing.parts):
        tally.take(piece, found)
        for number, group in list(open_groups.items()):
            if group.statics in tally.broken:
                tally.give_up(group)
            if not tally.missing[group.index].any():
                tally.each(_told(tally, open_groups.pop(number), number, len(groups)))


def _told(tally: _Tally, group: Group, number: int, groups: int) -> dict[str, Any]:
    """A finished group in the shape that other programs read."""
    failed = sum(int(point) in tally.failures for point in group.index)
    return {
        "group": number + 1,
        "groups": groups,
        "static": dict(group.statics),
        "points": len(group.index),
        "failed": failed,
        "seconds": round(tally.now.seconds, 3),
    }


def _pace(tally: _Tally, engine: AbstractEngine, group: Group, how: str) -> Pace:
    """The way and the time of a point, by a probe on some points of the largest group; a crash leaves it to the pieces."""
    index = group.index[tally.missing[group.index]][:PROBED]
    piece = piece_of(tally.grid, group, index, tally.growing, engine, "loop", len(index))
    try:
        return engine.probe(piece, how, int(tally.missing.sum()))
    except Exception as error:
        if isinstance(error, StoreFault) or how not in ("auto", "loop"):
            raise
        return Pace("loop", 0.0, 0.0)


def piece_of(grid: Grid, group: Group, index: np.ndarray, growing: Growing, engine: AbstractEngine, how: str, size: int) -> Piece:
    """Some points of a group, ready to travel."""
    import jax

    return Piece(
        token=growing.run,
        simulation=replace(grid.simulation),  # without what it has compiled
        statics=group.statics,
        index=index,
        traced=grid.traced(index),
        trials=grid.trials,
        seed=growing.record["seed"],
        how=how,
        size=size,
        threads=engine.threads,
        double=bool(jax.config.jax_enable_x64),  # pyright: ignore[reportAttributeAccessIssue]
    )


def piece_size(pace: Pace, lately: float, points: int, slots: int) -> int:
    """Points a piece: some seconds of work, not too large to hold, and enough pieces for everybody.

    Where no probe measured how long a point takes, the last piece does; the first is of one point.
    """
    seconds = pace.seconds or lately
    if seconds <= 0:
        return 1
    fits = max(1, int(min(RHYTHM / seconds, LARGE / max(pace.size, 1), MOST)))
    pieces = max(-(-points // fits), 1 if slots == 1 else 2 * slots)
    return max(1, -(-points // pieces))


def finish(grid: Grid, growing: Growing, store: Store, failures: Mapping[str, str], engine: str) -> list[str]:
    """Make one whole run of the parts, then let go of them; gives the arrays that cannot be part of it."""
    data, there = growing.gathered()
    there[[int(point) for point in failures]] = True
    if not there.all():
        raise StoreFault(
            needed="a sweep is made a run when all its points can be read back",
            given=f"{int((~there).sum())} of {len(grid)} that cannot, in {growing.parts.where}",
            cure=f"What is there is kept: see that it can be read, then resume with --resume {growing.run}.",
        )
    named = {point: {"at": grid.place(int(point)), "error": why} for point, why in failures.items()}
    attributes = {name: value for name, value in data.attrs.items() if name not in ("growing", "run")}
    store.add(data, {**attributes, "failures": named, "engine": engine}, run=growing.run)
    growing.remove()
    return attributes["left_out"]


def swept(grid: Grid, growing: Growing, store: Store, tally: _Tally, remarks: list[str]) -> Swept:
    """The finished sweep."""
    now = tally.now
    return Swept(
        run=growing.run,
        points=now.points,
        done=now.done,
        failed=now.failed,
        skipped=now.skipped,
        axes={name: list(values) for name, values in grid.axes.items()},
        store=store.shown,
        place=store,
        seconds=round(now.seconds, 3),
        failures={grid.said(point): why for point, why in tally.failures.items()},
        remarks=tuple(remarks),
    )

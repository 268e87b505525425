"""The points of a sweep: every combination of the values of its axes, in order, with all parameters settled at each."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadInput
from ..formula import is_formula
from ..params import Param, Params, Size, canonical
from ..simulation import Simulation

# More points than this are computed only if somebody says that they are meant.
MANY = 10**6


class Group(NamedTuple):
    """Points that share one compiled program: the static values, by name, and which points they are."""

    statics: tuple[tuple[str, Any], ...]
    index: np.ndarray


@dataclass(frozen=True)
class Grid:
    """A simulation at settled values, some of which are axes: point i is the i-th of their product, the last axis fastest."""

    simulation: Simulation
    params: Params

    @classmethod
    def of(
        cls,
        simulation: Simulation,
        over: Mapping[str, Any],
        *,
        fixed: Mapping[str, Any] | None = None,
        defaults: Mapping[str, Any] | None = None,
        size: Size = "quick",
        yes: bool = False,
    ) -> "Grid":
        """The grid over these values; a parameter that is no axis of the experiment becomes one.

        A name that is no parameter, or a value out of its range anywhere in the grid, is refused with the point; and so are
        too many points, before anybody looks at each, unless `yes` says that they are meant.
        """
        over = {name: tuple(values) if np.ndim(values) else (values,) for name, values in over.items()}
        if not over:
            raise BadInput(needed="a sweep needs an axis", given="none", cure="Write for example --over alpha=0.1,1,10.")
        over, fixed = canonical(simulation.params, over), canonical(simulation.params, fixed or {})
        if twice := set(over) & set(fixed):
            raise BadInput(
                needed="a parameter is swept or set", given=f"{', '.join(sorted(twice))} both ways", cure="Leave out one."
            )
        require_few(math.prod(map(len, over.values())), yes=yes)
        _require_finite({**fixed, **over})
        params = tuple(_axis(param) if param.name in over else param for param in simulation.params)
        _require_admitted(simulation.params, over)
        resolved = Params.of(params, size, defaults=defaults, changes={**fixed, **over})
        grid = cls(simulation, resolved)
        grid._require_effect(over)
        require_few(len(grid), yes=yes)
        grid._require_range()
        return grid

    @cached_property
    def axes(self) -> dict[str, tuple]:
        """The axes that a trial depends on."""
        return self.params.axes_of(self.simulation.wants)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(values) for values in self.axes.values())

    def __len__(self) -> int:
        """How many points there are."""
        return math.prod(self.shape)

    @property
    def trials(self) -> int | None:
        """Draws at each point; None where nothing is drawn."""
        return self.simulation.trials(self.params)

    def place(self, index: int) -> dict[str, Any]:
        """The values of the axes at a point."""
        at = np.unravel_index(index, self.shape)
        return {name: values[place] for (name, values), place in zip(self.axes.items(), at, strict=True)}

    def values(self, index: int, asked: Iterable[str] | None = None) -> dict[str, Any]:
        """All that a trial asks for, settled at a point."""
        wanted = self.simulation.wants if asked is None else asked
        return self.params.solve({**self.params.values, **self.place(index)}, wanted)

    def columns(self, index: np.ndarray, names: Iterable[str]) -> dict[str, np.ndarray]:
        """The settled values at these points, as one array a name; only formulas along an axis are settled point by point."""
        places = dict(zip(self.axes, np.unravel_index(index, self.shape), strict=True))
        found = {name: np.array(self.axes[name])[places[name]] for name in names if name in self.axes}
        others = [name for name in names if name not in found]
        moved = [name for name in others if self.params.axes_of([name])]
        still = self.values(0, [name for name in others if name not in moved])
        found |= {name: np.full(len(index), value) for name, value in still.items()}
        if moved:
            each = [self.values(int(at), moved) for at in index]
            found |= {name: np.array([values[name] for values in each]) for name in moved}
        return found

    def traced(self, index: np.ndarray) -> dict[str, np.ndarray]:
        """What the compiled program is given at these points."""
        return self.columns(index, [name for name in self.simulation.wants if name not in self.params.statics])

    def groups(self) -> list[Group]:
        """The points by what shapes and programs depend on."""
        names = sorted(name for name in self.simulation.wants if name in self.params.statics)
        if not self.params.axes_of(names):
            return [Group(tuple(self.values(0, names).items()), np.arange(len(self)))]
        members: dict[tuple, list[int]] = {}
        found = self.columns(np.arange(len(self)), names)
        for at, values in enumerate(zip(*(found[name].tolist() for name in names), strict=True)):
            members.setdefault(tuple(zip(names, values, strict=True)), []).append(at)
        return [Group(statics, np.array(index)) for statics, index in members.items()]

    def keys(self, index: np.ndarray) -> list[tuple]:
        """What makes points of this grid the same as those of another: their values, whole numbers or not."""
        found = self.columns(index, self.simulation.wants)
        kinds = tuple(found[name].dtype.kind for name in self.simulation.wants)
        return [(kinds, *each) for each in zip(*(found[name].tolist() for name in self.simulation.wants), strict=True)]

    def said(self, index: int) -> str:
        """A point in words."""
        return ", ".join(f"{name}={value:g}" for name, value in self.place(index).items())

    def _require_effect(self, over: Mapping[str, Any]) -> None:
        if idle := [name for name in over if name not in self.axes]:
            raise BadInput(
                needed=f"a sweep varies what the simulation depends on: {', '.join(self.simulation.wants)}",
                given=", ".join(idle),
                cure="Set it with --set, or leave it out.",
            )

    def _require_range(self) -> None:
        """Refuse a formula that leaves its parameter's range at some point."""
        reached = self.params.reach(self.simulation.wants)
        bounded = [
            param
            for param in self.simulation.params
            if param.name in reached and is_formula(self.params.values[param.name]) and param.bounded
        ]
        moved = self.params.axes_of(param.name for param in bounded)
        for at in range(len(self)) if moved else (0,) if bounded else ():
            found = self.values(at, [param.name for param in bounded])
            for param in bounded:
                if not param.inside(found[param.name]):
                    raise BadInput(
                        needed=f"{param.name} takes {param.range}",
                        given=f"{found[param.name]:g} by the formula {self.params.values[param.name]} "
                        f"at the point {self.said(at)}",
                        cure="Narrow the axes, or set it to a number.",
                    )


def _axis(param: Param) -> Param:
    return param if param.axis else replace(param, quick=(param.quick,))


def _require_admitted(params: Iterable[Param], over: Mapping[str, tuple]) -> None:
    """Refuse the first value that its parameter does not take, naming a point that has it."""
    known = {param.name: param for param in params}
    for name, values in over.items():
        for value in values if name in known else ():
            try:
                known[name].validate(value)
            except BadInput as error:
                point = {other: each[0] for other, each in over.items()} | {name: value}
                said = ", ".join(f"{other}={number!r}" for other, number in point.items())
                raise BadInput(needed=error.needed, given=f"{error.given} at the point {said}", cure=error.cure) from None


def _require_finite(values: Mapping[str, Any]) -> None:
    """Refuse an axis without values, and numbers that are none."""
    for name, given in values.items():
        each = given if isinstance(given, tuple) else (given,)
        strange = [one for one in each if isinstance(one, float | np.floating) and not math.isfinite(one)]
        if strange or not each:
            raise BadInput(
                needed=f"{name} takes finite numbers, at least one",
                given=repr(strange[0]) if strange else "none",
                cure="Give numbers.",
            )


def require_few(points: int, *, yes: bool) -> None:
    """Refuse more points than anybody means by accident."""
    if points > MANY and not yes:
        raise BadInput(
            needed=f"a sweep of more than {MANY:,} points is computed only with --yes",
            given=f"{points:,} points",
            cure="Take fewer values of an axis, or say --yes (in Python yes=True).",
        )

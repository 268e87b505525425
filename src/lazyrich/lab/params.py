"""Parameters of an experiment: their sizes, ranges, axes and formulas, and how they are resolved."""

import difflib
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ..errors import BadInput
from .formula import evaluate, is_formula, names

Size = Literal["smoke", "quick", "paper"]
# Short forms and older names of parameters, accepted on input by every claim that has them.
SHORT_FORMS = {
    "learning_rate": ("lr", "rate"),
    "weight_decay": ("wd", "decay"),
    "strength": ("lambda",),
    "init_scale": ("start",),
    "log_weight_decay": ("log_decay",),
    "adam_learning_rate": ("adam_rate",),
    "adamw_learning_rate": ("adamw_rate",),
    "shallow_init_scale": ("shallow_start",),
    "train_fraction": ("seen",),
    "label_scale": ("answers", "labels"),
    "relative_time": ("share",),
    "relative_learning_rate": ("share",),
    "sampling_ratio": ("share",),
    "force_factor": ("share",),
    "restarts": ("starts",),
}
Value = int | float | str | tuple


@dataclass(frozen=True)
class Param:
    """One parameter: its value at each size, its range, its unit.

    A tuple is an axis: the experiment runs at each of its values. A string that starts with "=" is a
    formula of other parameters, settled at each point. `static` marks what shapes or programs depend on:
    each value compiles anew. Whole numbers stay whole: the type is that of the quick value. `aliases` are other names on input.
    """

    name: str
    quick: Value
    paper: Value | None = None
    smoke: Value | None = None
    low: int | float | None = None
    high: int | float | None = None
    unit: str = ""
    static: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def other_names(self) -> tuple[str, ...]:
        """Its other names on input: its own aliases, and the short forms of canonical names."""
        return (*self.aliases, *SHORT_FORMS.get(self.name, ()))

    def at(self, size: Size) -> Value:
        """The value at a size; sizes that are not given are as the quick one."""
        given = {"smoke": self.smoke, "quick": self.quick, "paper": self.paper}[size]
        return self.quick if given is None else given

    @property
    def axis(self) -> bool:
        """Whether the experiment runs along this parameter."""
        return isinstance(self.quick, tuple)

    @property
    def whole(self) -> bool:
        """Whether only whole numbers will do."""
        return isinstance(self.quick[0] if isinstance(self.quick, tuple) else self.quick, int)

    def validate(self, value: Any, *, least: int = 1) -> Value:
        """The value in the parameter's own type, or a refusal that says what is accepted."""
        if is_formula(value):
            return value
        if self.axis:
            each = tuple(self._number(part) for part in (value if isinstance(value, tuple | list) else (value,)))
            if len(each) < least or len(set(each)) < len(each):
                raise self._refusal(value, f"at least {least} different values")
            return each
        if isinstance(value, tuple | list):
            raise self._refusal(value, "one value: it is no axis here (`lazyrich sweep` varies parameters of claims)")
        return self._number(value)

    def _number(self, value: Any) -> int | float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self._refusal(value, "a whole number" if self.whole else "a number") from None
        if isinstance(value, bool) or not self.inside(number) or (self.whole and number != int(number)):
            raise self._refusal(value, self.range)
        return int(number) if self.whole else number

    @property
    def bounded(self) -> bool:
        """Whether some numbers are out of its range."""
        return self.low is not None or self.high is not None

    def inside(self, number: int | float) -> bool:
        """Whether a number is in its range."""
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    @property
    def range(self) -> str:
        """The accepted values in words."""
        kind = "a whole number" if self.whole else "a number"
        low = "" if self.low is None else f" from {self.low:g}"
        high = "" if self.high is None else f" up to {self.high:g}"
        return kind + low + high

    def _refusal(self, value: Any, needed: str) -> BadInput:
        return BadInput(needed=f"{self.name} takes {needed}", given=repr(value), cure=f"Its usual value is {self.quick}.")


def names_of(params: Iterable[Param]) -> dict[str, str]:
    """Every name on input with its parameter; a name for two parameters is an error."""
    found: dict[str, str] = {}
    params = tuple(params)
    own = {param.name for param in params}
    for param in params:
        for name in (param.name, *param.other_names):
            if found.setdefault(name, param.name) != param.name or (name in own and name != param.name):
                raise TypeError(f"{name!r} names two parameters: {found[name]} and {param.name}")
    return found


def canonical(params: Iterable[Param], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values by the parameters' own names; an unknown name, or two names for one parameter, are refused."""
    known, found = names_of(params), {}
    for name, value in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise BadInput(
                needed=f"the parameters here are {', '.join(sorted(set(known.values())))}",
                given=repr(name),
                cure=f"Did you mean {known[near[0]]}?" if near else "Choose one of these.",
            )
        if known[name] in found:
            raise BadInput(
                needed="a parameter is given once",
                given=f"{known[name]} twice, as {name} too",
                cure="Leave out one of the two names.",
            )
        found[known[name]] = value
    return found


@dataclass(frozen=True)
class Params:
    """Resolved values of all parameters: what one check or run is made with."""

    values: Mapping[str, Any]
    statics: frozenset[str]

    @classmethod
    def of(
        cls,
        params: Iterable[Param],
        size: Size,
        *,
        defaults: Mapping[str, Any] | None = None,
        changes: Mapping[str, Any] | None = None,
        least: Mapping[str, int] | None = None,
    ) -> "Params":
        """The values at a size, with a claim's own defaults and then a user's changes on top, all validated."""
        params, least = tuple(params), least or {}
        changes = canonical(params, changes or {})
        given = {param.name: param.at(size) for param in params} | dict(defaults or {}) | dict(changes)
        values = {param.name: param.validate(given[param.name], least=least.get(param.name, 1)) for param in params}
        return cls(values, frozenset(param.name for param in params if param.static))

    @cached_property
    def axes(self) -> dict[str, tuple]:
        """The parameters that take several values."""
        return {name: value for name, value in self.values.items() if isinstance(value, tuple)}

    def shown(self) -> dict[str, Any]:
        """All values for people: formulas as plain numbers, unless they depend on an axis."""
        fixed = [name for name in self.values if not self.axes_of([name])]
        found = self.solve(self.values, fixed)
        return {**self.values, **found}

    def reach(self, asked: Iterable[str]) -> set[str]:
        """The asked parameters and all that their formulas depend on."""
        found, queue = set(), list(asked)
        while queue:
            name = queue.pop()
            if name not in found and name in self.values:
                found.add(name)
                queue += names(self.values[name]) if is_formula(self.values[name]) else []
        return found

    def axes_of(self, asked: Iterable[str]) -> dict[str, tuple]:
        """The axes that matter to someone who asks for these parameters."""
        reached = self.reach(asked)
        return {name: value for name, value in self.axes.items() if name in reached}

    def points(self, asked: Iterable[str]) -> list[dict[str, Any]]:
        """One dict of plain values for each point of the axes that matter, in order."""
        axes = self.axes_of(asked)
        plain = {name: value for name, value in self.values.items() if name not in self.axes}
        return [self.solve(plain | dict(zip(axes, point, strict=True)), asked) for point in itertools.product(*axes.values())]

    def solve(self, values: Mapping[str, Any], asked: Iterable[str]) -> dict[str, Any]:
        """The asked values with every formula evaluated, numbers or labelled arrays."""
        settled = dict(values)
        pending = [name for name in self.reach(asked) if is_formula(settled.get(name))]
        while pending:
            ready = [n for n in pending if not any(is_formula(settled.get(m)) for m in names(settled[n]))]
            if not ready:
                raise BadInput(needed="formulas may not go in a circle", given=", ".join(pending), cure="Fix one of them.")
            for name in ready:
                found = evaluate(settled[name], settled)
                # As a number that was given: NumPy's own would be another type to the compiler.
                settled[name] = found.item() if isinstance(found, np.generic) else found
                pending.remove(name)
        return {name: settled[name] for name in asked if name in settled}

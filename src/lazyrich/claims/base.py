"""What a claim is made of: a simulation, a prediction, a judge, controls, and the readings they are judged by."""

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ..lab import Params, Simulation, datasets
from ..lab.params import Size
from ..lab.provenance import dependencies
from ..lab.simulation import asked
from .drawing import Drawing

Kind = Literal["figure", "table", "theorem", "lemma", "corollary", "proposition", "statement", "derived", "erratum", "drawing"]
# What `check` takes beside a claim's own parameters.
RESERVED = {"claim", "size", "seed", "store", "reuse"}
# JSON has no infinity: above every number stands "never", below it the most negative float.
_LARGEST = sys.float_info.max

Verdict = Literal["holds", "fails", "inconclusive", "skipped"]


@dataclass(frozen=True)
class Reading:
    """One number beside its bound, with the reason for the bound.

    `key` names it to programs and stays when the words of `name` change: a slug of the name unless said. Infinity is a value
    ("never by the horizon"); NaN is a broken instrument and is never ok.
    """

    name: str
    value: float
    bound: Literal["at_most", "at_least", "near"]
    target: float
    tolerance: float
    why: str
    key: str = ""

    def __post_init__(self):
        """A reading without a key gets a slug of its name."""
        if not self.key:
            object.__setattr__(self, "key", slug(self.name))

    @property
    def ok(self) -> bool:
        """Whether the number keeps its bound."""
        if math.isnan(self.value):
            return False
        if self.bound == "near":
            return abs(self.value - self.target) <= self.tolerance
        return self.value <= self.target if self.bound == "at_most" else self.value >= self.target

    def as_json(self) -> dict[str, Any]:
        """The reading in the shape that other programs read."""
        value: Any = "nan" if math.isnan(self.value) else self.value
        if value == math.inf:
            value = "never"
        elif value == -math.inf:
            value = -_LARGEST
        return {
            "key": self.key,
            "name": self.name,
            "value": value,
            "bound": self.bound,
            "target": self.target,
            "tolerance": self.tolerance,
            "ok": self.ok,
            "why": self.why,
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> "Reading":
        """The reading that `as_json` wrote."""
        numbers = (found["bound"], found["target"], found["tolerance"])
        return cls(found["name"], cls.number(found["value"]), *numbers, found["why"], found.get("key", ""))

    @staticmethod
    def number(written: int | float | str) -> float:
        """The number behind a value in JSON."""
        words = {"nan": math.nan, "never": math.inf}
        value = float(words.get(written, written)) if isinstance(written, str) else float(written)
        return -math.inf if value == -_LARGEST else value


def slug(name: str) -> str:
    """The words of a name, lower case, joined by underscores."""
    return "_".join(re.findall(r"[a-z0-9]+", name.lower()))


def at_most(name: str, value: Any, target: Any, *, why: str, key: str = "") -> Reading:
    """The number may not exceed the target."""
    return Reading(name, float(value), "at_most", float(target), 0.0, why, key)


def at_least(name: str, value: Any, target: Any, *, why: str, key: str = "") -> Reading:
    """The number may not fall below the target."""
    return Reading(name, float(value), "at_least", float(target), 0.0, why, key)


def near(name: str, value: Any, target: Any, tolerance: Any, *, why: str, key: str = "") -> Reading:
    """The number must lie within the tolerance of the target."""
    return Reading(name, float(value), "near", float(target), float(tolerance), why, key)


@dataclass(frozen=True)
class Evidence:
    """What a judge found: sanity checks of the instrument (`sound`) and tests of the statement (`holds`)."""

    sound: Sequence[Reading] = ()
    holds: Sequence[Reading] = ()

    @property
    def verdict(self) -> Verdict:
        """Inconclusive when the instrument is unsound or any number is NaN; else whether all readings hold."""
        broken = any(not r.ok for r in self.sound) or any(math.isnan(r.value) for r in self.holds)
        if broken or not self.holds:
            return "inconclusive"
        return "holds" if all(r.ok for r in self.holds) else "fails"


@dataclass(frozen=True)
class Control:
    """The same check where it must fail: a hypothesis broken, or a false variant of the statement.

    `changes` replaces parameters (simulates again) or constants (judges the same data again); `breaks` names, by key or
    name, the readings that must not hold there. A control may be run at another `size` than its claim.
    """

    says: str
    changes: Mapping[str, Any]
    breaks: Sequence[str]
    size: Size | None = None

    def spares(self, evidence: Evidence) -> list[str]:
        """The readings that it names and did not break."""
        broken = {word for reading in evidence.holds if not reading.ok for word in (reading.key, reading.name)}
        return [word for word in self.breaks if word not in broken]


def _nothing() -> dict[str, Any]:
    return {}


def _unjudged(data) -> Evidence:
    return Evidence()


@dataclass(frozen=True)
class Claim:
    """A statement of a paper as a check that can fail.

    `id` is the paper's key and the item: `lyu2024/figure_1a`. `predict(problem, ...)`, `judge(data, theory, ...)` and
    `draw(data, theory, ...)` ask for parameters and constants by name. `constants` belong to the statement and are not settable.
    `sizes` are this claim's own values for the simulation's parameters, `least` the fewest values an axis needs for the check
    to mean anything, `seconds` the measured time. `needs` names data sets without which it is skipped, at the sizes `needs_at`.
    `edges` are formulas of the parameters that are 1 where theory puts a transition: lines on the map of a sweep. A claim of
    kind drawing shows a model: it has a `draw` without arguments and nothing to check.
    """

    id: str
    kind: Kind
    title: str
    says: str
    source: str
    simulation: Simulation = Simulation(_nothing, params=(), returns={}, random=False)
    judge: Callable[..., Evidence] = _unjudged
    controls: Sequence[Control] = ()
    predict: Callable[..., Mapping[str, Any]] | None = None
    draw: Callable[..., Drawing] | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)
    aliases: Sequence[str] = ()
    needs: Sequence[str] = ()
    needs_at: Sequence[Size] = ("quick", "paper")
    seconds: Mapping[str, int | float] = field(default_factory=dict)
    edges: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self):
        """Refuse an id without a paper, names that nobody provides, and a control that changes or breaks nothing."""
        if not re.fullmatch(r"\w+/\w+", self.id):
            raise TypeError(f"a claim's id is paper/item, of letters, digits and underscores; got {self.id!r}")
        params = {param.name for param in self.simulation.params}
        if taken := params & RESERVED:
            raise TypeError(f"{self.id}: {sorted(taken)} are options of every check; name its parameters otherwise")
        known = params | set(self.constants)
        for function in (self.predict, self.judge, self.draw):
            if missing := set(asked(function)) - known:
                raise TypeError(f"{self.id}: {_name(function)} asks for {sorted(missing)}, which nobody provides")
        changed = {name for control in self.controls for name in control.changes}
        unknown = changed - known | {name for size in self.sizes.values() for name in size} - params
        if unknown or set(self.least) - params or params & set(self.constants):
            raise TypeError(f"{self.id}: {sorted(unknown)} are not its parameters or constants")
        if (self.kind != "drawing") != bool(self.controls) or not (self.controls or self.draw):
            raise TypeError(f"{self.id}: a claim needs a control, and a drawing has none")
        if any(not control.changes or not control.breaks for control in self.controls):
            raise TypeError(f"{self.id}: a control must change something and break a reading")

    @cached_property
    def digest(self) -> str:
        """A digest of all that its readings depend on beside its parameters: the code of its functions, constants, controls.

        What draws it does not count: a picture is that of the commit that its record names.
        """
        return dependencies.digest(self.makes)

    @property
    def makes(self) -> dict[str, Any]:
        """What makes its readings, beside its parameters."""
        simulation = self.simulation
        return {
            "problem": simulation.make_problem,
            "simulate": simulation.simulate,
            "random": simulation.random,
            "host": simulation.host,
            "predict": self.predict,
            "judge": self.judge,
            "constants": self.constants,
            "controls": [self._world(control) for control in self.controls],
        }

    def _world(self, control: Control) -> dict[str, Any]:
        """What a control changes; at a size of its own, all its parameters."""
        own = {name: value for name, value in control.changes.items() if name not in self.constants}
        params = self.resolve(control.size, own).values if control.size else {}
        return {"changes": control.changes, "params": params}

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.id.partition("/")[0]

    @property
    def other_ids(self) -> list[str]:
        """The full ids of its aliases; one with a paper in it belongs to that paper's list."""
        return [alias if "/" in alias else f"{self.paper}/{alias}" for alias in self.aliases]

    def missing(self, size: Size) -> list[str]:
        """The data sets that it needs at this size and that are not there, each with where they were looked for."""
        return [why for name in self.needs if size in self.needs_at and (why := datasets.why_missing(name))]

    def resolve(self, size: Size, changes: Mapping[str, Any] | None = None) -> Params:
        """All parameters at a size with a user's changes, or a refusal before any work."""
        return Params.of(self.simulation.params, size, defaults=self.sizes.get(size), changes=changes, least=self.least)

    def described(self) -> dict[str, Any]:
        """The claim in the shape that `lazyrich list --json` prints."""
        return {
            "id": self.id,
            "aliases": self.other_ids,
            "paper": self.paper,
            "kind": self.kind,
            "title": self.title,
            "says": self.says,
            "source": self.source,
            "sizes": {size: self._described(size) for size in ("quick", "paper")},
            "needs": list(self.needs),
        }

    def _described(self, size: Size) -> dict[str, Any]:
        values = self.resolve(size).values
        params = {
            param.name: {
                "value": plain(values[param.name]),
                "axis": isinstance(values[param.name], tuple),
                "least": self.least.get(param.name, 1),
                "low": param.low,
                "high": param.high,
                "unit": param.unit,
                "aliases": list(param.other_names),
            }
            for param in self.simulation.params
        }
        return {"params": params, "seconds": self.seconds.get(size)}


def _name(function: Callable | None) -> str:
    """What a function is called, a partial one by what it is a part of."""
    return getattr(function, "__name__", None) or getattr(getattr(function, "func", None), "__name__", "a function")


def plain(value: Any) -> Any:
    """A resolved value as JSON can hold it; formulas stay formulas."""
    return list(value) if isinstance(value, tuple) else value

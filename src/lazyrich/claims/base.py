"""What a claim is made of: parameters and a simulation, a judge, a control, and the readings they are judged by."""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ..lab import Settings, Simulation, datasets
from ..lab.params import Size
from ..lab.simulation import asked
from .drawing import Drawing

Kind = Literal[
    "figure", "table", "theorem", "lemma", "corollary", "proposition", "statement", "derived", "erratum", "drawing"
]
# What `check` takes beside a claim's own parameters.
RESERVED = {"identity", "size", "seed", "store", "reuse"}
# JSON has no infinity: below every number stands the least float.
_LARGEST = sys.float_info.max

Verdict = Literal["holds", "fails", "inconclusive", "skipped"]


@dataclass(frozen=True)
class Reading:
    """One number beside its bound, with the reason for the bound.

    Infinity is a value ("never by the horizon"); NaN is a broken instrument and is never ok.
    """

    name: str
    value: float
    bound: Literal["at_most", "at_least", "near"]
    target: float
    tolerance: float
    why: str

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
            "name": self.name,
            "value": value,
            "bound": self.bound,
            "target": self.target,
            "tolerance": self.tolerance,
            "ok": self.ok,
            "why": self.why,
        }

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Reading":
        """The reading that `as_json` told of."""
        words = {"nan": math.nan, "never": math.inf}
        value = float(words[told["value"]] if told["value"] in words else told["value"])
        value = -math.inf if value == -_LARGEST else value
        return cls(told["name"], value, told["bound"], told["target"], told["tolerance"], told["why"])


def at_most(name: str, value, target, *, why: str) -> Reading:
    """The number may not exceed the target."""
    return Reading(name, float(value), "at_most", float(target), 0.0, why)


def at_least(name: str, value, target, *, why: str) -> Reading:
    """The number may not fall below the target."""
    return Reading(name, float(value), "at_least", float(target), 0.0, why)


def near(name: str, value, target, tolerance, *, why: str) -> Reading:
    """The number must lie within the tolerance of the target."""
    return Reading(name, float(value), "near", float(target), float(tolerance), why)


@dataclass(frozen=True)
class Evidence:
    """What a judge found: readings of the instrument (`sound`) and of the statement (`holds`)."""

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

    `changes` replaces parameters (simulates again) or constants (judges the same data again); `breaks` names
    the readings that must not hold there. A control may be run at another `size` than its claim.
    """

    says: str
    changes: Mapping[str, Any]
    breaks: Sequence[str]
    size: Size | None = None


def _nothing() -> dict[str, Any]:
    return {}


def _unjudged(data) -> Evidence:
    return Evidence()


@dataclass(frozen=True)
class Claim:
    """A statement of a paper as a check that can fail.

    `judge(data, told, ...)`, `refer(problem, ...)` and `draw(data, told, ...)` ask for parameters and
    constants by name. `constants` belong to the statement and are not settable. `sizes` are this claim's own values for the
    simulation's parameters, `least` the fewest values an axis needs for the check to mean anything, `seconds` the measured time.
    `needs` names data sets without which it is skipped, at the sizes `needs_at`. A claim of kind drawing shows a model: it has
    a `draw` without arguments and nothing to check. The id is the paper's folder and the file's name.
    """

    kind: Kind
    title: str
    says: str
    source: str
    simulation: Simulation = Simulation(_nothing, params=(), returns={}, random=False)
    judge: Callable[..., Evidence] = _unjudged
    control: Control = Control("none: there is nothing to check", {}, ())
    refer: Callable[..., Mapping[str, Any]] | None = None
    draw: Callable[..., Drawing] | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)
    aliases: Sequence[str] = ()
    needs: Sequence[str] = ()
    needs_at: Sequence[Size] = ("quick", "paper")
    seconds: Mapping[str, int | float] = field(default_factory=dict)

    def __post_init__(self):
        """Refuse names that nobody provides, and a control that changes or breaks nothing."""
        params = {param.name for param in self.simulation.params}
        if taken := params & RESERVED:
            raise TypeError(f"{self.id}: {sorted(taken)} are options of every check; name its parameters otherwise")
        known = params | set(self.constants)
        for function in (self.refer, self.judge, self.draw):
            if missing := set(asked(function)) - known:
                raise TypeError(f"{self.id}: {function.__name__} asks for {sorted(missing)}, which nobody provides")  # pyright: ignore
        unknown = set(self.control.changes) - known | {n for s in self.sizes.values() for n in s} - params
        if unknown or set(self.least) - params or params & set(self.constants):
            raise TypeError(f"{self.id}: {sorted(unknown)} are not its parameters or constants")
        checked = self.kind != "drawing"
        if checked != bool(self.control.changes) or checked != bool(self.control.breaks) or not (checked or self.draw):
            raise TypeError(f"{self.id}: a control must change something and break a reading")

    @property
    def module(self) -> str:
        """Where it is written."""
        return (self.judge if self.kind != "drawing" or self.draw is None else self.draw).__module__

    @property
    def paper(self) -> str:
        """The paper's key."""
        return self.module.rpartition(".")[0].rpartition(".")[2]

    @property
    def id(self) -> str:
        """The paper's key and the item: `lyu2024/figure_1a`."""
        return f"{self.paper}/{self.module.rpartition('.')[2]}"

    @property
    def other_ids(self) -> list[str]:
        """The full ids of its aliases; one with a paper in it belongs to that paper's list."""
        return [alias if "/" in alias else f"{self.paper}/{alias}" for alias in self.aliases]

    def missing(self, size: Size) -> list[str]:
        """The data sets that it needs at this size and that are not there, each with where they were looked for."""
        return [told for name in self.needs if size in self.needs_at and (told := datasets.why_missing(name))]

    def settle(self, size: Size, changes: Mapping[str, Any] | None = None) -> Settings:
        """All parameters at a size with a user's changes, or a refusal before any work."""
        return Settings.of(
            self.simulation.params, size, defaults=self.sizes.get(size), changes=changes, least=self.least
        )

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
        values = self.settle(size).values
        params = {
            param.name: {
                "value": plain(values[param.name]),
                "axis": isinstance(values[param.name], tuple),
                "least": self.least.get(param.name, 1),
                "low": param.low,
                "high": param.high,
                "unit": param.unit,
            }
            for param in self.simulation.params
        }
        return {"params": params, "seconds": self.seconds.get(size)}


def plain(value: Any) -> Any:
    """A settled value as JSON can hold it; formulas stay formulas."""
    return list(value) if isinstance(value, tuple) else value

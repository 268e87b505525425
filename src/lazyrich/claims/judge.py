"""How a claim becomes a verdict: its own evidence, and that of its controls."""

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..lab import Params, Runner
from ..lab.params import Size
from ..lab.simulation import asked, takes
from .base import Claim, Control, Evidence, Reading, Verdict, at_least, at_most, plain
from .drawing import Drawing


@dataclass(frozen=True)
class Controlled:
    """What a control came out as: its evidence, and the readings it broke."""

    says: str
    evidence: Evidence

    @property
    def verdict(self) -> Verdict:
        """The verdict of the same check in the control's setting."""
        return self.evidence.verdict

    @property
    def sound(self) -> Sequence[Reading]:
        """The readings of the instrument."""
        return self.evidence.sound

    @property
    def holds(self) -> Sequence[Reading]:
        """The readings of the statement, some of which must not hold here."""
        return self.evidence.holds

    @property
    def broke(self) -> list[str]:
        """The keys of the readings of the statement that do not hold here."""
        return [reading.key for reading in self.holds if not reading.ok]

    def as_json(self) -> dict[str, Any]:
        """The control in the shape that other programs read."""
        return {"says": self.says, "verdict": self.verdict, "broke": self.broke, **_readings(self.evidence)}


@dataclass(frozen=True)
class Result:
    """A checked claim: verdict and reason, readings, the controls' evidence, the data and the drawing."""

    claim: Claim = field(repr=False)
    id: str
    size: Size
    seed: int
    params: Mapping[str, Any]
    verdict: Verdict
    reason: str
    evidence: Evidence = field(default_factory=Evidence, repr=False)
    controls: Sequence[Controlled] = field(default=(), repr=False)
    data: Any = field(default=None, repr=False)
    theory: Mapping[str, Any] = field(default_factory=dict, repr=False)
    drawing: Drawing | None = field(default=None, repr=False)
    seconds: float = 0.0
    run: str | None = None
    files: tuple[str, ...] = field(default=(), repr=False)

    @property
    def sound(self) -> Sequence[Reading]:
        """The readings of the instrument."""
        return self.evidence.sound

    @property
    def holds(self) -> Sequence[Reading]:
        """The readings of the statement."""
        return self.evidence.holds

    def with_files(self, files: Iterable[Any]) -> "Result":
        """The same result with the files that were written of it."""
        return replace(self, files=tuple(str(file) for file in files))

    def with_run(self, run: str | None) -> "Result":
        """The same result with the name it is stored by."""
        return replace(self, run=run)

    def as_json(self) -> dict[str, Any]:
        """The result in the shape that other programs read."""
        return {
            "id": self.id,
            "size": self.size,
            "seed": self.seed,
            "params": {name: plain(value) for name, value in self.params.items()},
            "verdict": self.verdict,
            "reason": self.reason,
            **_readings(self.evidence),
            "controls": [control.as_json() for control in self.controls],
            "seconds": round(self.seconds, 3),
            "run": self.run,
            "files": list(self.files),
        }


def check(
    claim: Claim,
    *,
    size: Size = "quick",
    seed: int = 0,
    changes: Mapping[str, Any] | None = None,
    runner: Runner | None = None,
    as_id: str | None = None,
    draw: bool = True,
) -> Result:
    """Judge a claim and its controls. Bad parameters are refused before any work."""
    begun = time.perf_counter()
    params = claim.resolve(size, changes)
    runner = runner or Runner()
    known = {"claim": claim, "id": as_id or claim.id, "size": size, "seed": seed, "params": params.shown()}
    if claim.kind == "drawing":
        drawing = claim.draw() if claim.draw else None
        reason = "a drawing of a model: there is nothing to check"
        return Result(**known, verdict="skipped", reason=reason, drawing=drawing)
    # Runs that were made where the data sets are can be judged without them.
    if claim.missing(size) and None in runner.known(claim.simulation, params, seed):
        return Result(**known, verdict="skipped", reason="; ".join(claim.missing(size)))
    settings = [control_params(claim, control, size, params) for control in claim.controls]
    evidence, data, theory = observe(claim, params, claim.constants, seed, runner)
    controls = [
        Controlled(control.says, observe(claim, *setting, seed, runner)[0])
        for control, setting in zip(claim.controls, settings, strict=True)
    ]
    verdict, reason = conclude(claim, evidence, controls)
    drawing = claim.draw(**_handed(claim.draw, params, claim.constants, data, theory)) if draw and claim.draw else None
    return Result(
        **known,
        verdict=verdict,
        reason=reason,
        evidence=evidence,
        controls=controls,
        data=data,
        theory=theory,
        drawing=drawing,
        seconds=time.perf_counter() - begun,
    )


def control_params(claim: Claim, control: Control, size: Size, params: Params) -> tuple[Params, Mapping[str, Any]]:
    """A control's parameters and constants. At a size of its own it takes none of the user's changes."""
    own = {name: value for name, value in control.changes.items() if name not in claim.constants}
    constants = {**claim.constants, **{n: v for n, v in control.changes.items() if n in claim.constants}}
    if control.size is not None and control.size != size:
        return claim.resolve(control.size, own), constants
    return claim.resolve(size, {**params.values, **own}), constants


def observe(
    claim: Claim, params: Params, constants: Mapping[str, Any], seed: int, runner: Runner
) -> tuple[Evidence, Any, Mapping[str, Any]]:
    """The evidence at these parameters, with the data and the references it was judged from."""
    data = runner.simulate(claim.simulation, params, seed)
    theory = {} if claim.predict is None else runner.predict(claim.predict, claim.simulation, params, constants, seed)
    evidence = claim.judge(**_handed(claim.judge, params, constants, data, theory))
    return replace(evidence, sound=[*_instruments(data, theory), *evidence.sound]), data, theory


def conclude(claim: Claim, evidence: Evidence, controls: Sequence[Controlled]) -> tuple[Verdict, str]:
    """The verdict with its reason: the claim's own, but inconclusive where a control did not fail."""
    if evidence.verdict == "inconclusive":
        bad, missing = [r.name for r in evidence.sound if not r.ok], [r.name for r in evidence.holds if math.isnan(r.value)]
        said = [
            f"{what}: {', '.join(names)}" for what, names in (("a sanity check failed", bad), ("not a number", missing)) if names
        ]
        return "inconclusive", "; ".join(said) or "there is no reading"
    for control, found in zip(claim.controls, controls, strict=True):
        if found.verdict != "fails":
            return (
                "inconclusive",
                f"the control ({control.says}) came out as {found.verdict}: the check cannot tell the two apart",
            )
        if spared := control.spares(found.evidence):
            return "inconclusive", f"the control ({control.says}) did not break {', '.join(spared)}"
    if evidence.verdict == "fails":
        return "fails", f"out of bounds: {', '.join(r.name for r in evidence.holds if not r.ok)}"
    words = "; ".join(control.says for control in claim.controls)
    each = "the control fails" if len(claim.controls) == 1 else "each control fails"
    return "holds", f"every reading is within its bound, and {each} as it must ({words})"


def _handed(function, params: Params, constants: Mapping[str, Any], data: Any, theory: Any) -> dict[str, Any]:
    """What a judge or a drawing asked for: data, references, constants, and parameters (axes as arrays with labels)."""
    import xarray as xr

    named = {name: xr.DataArray(list(v), dims=name, coords={name: list(v)}) for name, v in params.axes.items()}
    wanted = [name for name in asked(function) if name not in constants]
    handed: dict[str, Any] = {"data": data} | ({"theory": theory} if takes(function, "theory") else {})
    handed |= params.solve({**params.values, **named}, wanted)
    return handed | {name: constants[name] for name in asked(function) if name in constants}


def _instruments(data: Any, theory: Mapping[str, Any]) -> Iterator[Reading]:
    """The readings that solvers and certificates make by themselves."""
    if "outcome" in data:
        bad = float((data["outcome"] > 1).sum())
        yield at_most("runs that did not end as they should", bad, 0, why="a run cut short or not finite refutes nothing")
    for name, found in theory.items():
        if "ok" in getattr(found, "data_vars", ()):
            share = float(found["ok"].mean())
            yield at_least(f"certified references: {name}", share, 1, why="theory's answer must be known before it is compared")


def _readings(evidence: Evidence) -> dict[str, Any]:
    return {"sound": [r.as_json() for r in evidence.sound], "holds": [r.as_json() for r in evidence.holds]}

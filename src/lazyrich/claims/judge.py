"""How a claim becomes a verdict: its own evidence, and that of its control."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..lab import Bench, Settings
from ..lab.params import Size
from ..lab.simulation import asked, takes
from .base import Claim, Evidence, Verdict, at_least, at_most, plain
from .drawing import Drawing


@dataclass(frozen=True)
class Result:
    """A checked claim: verdict and reason, readings, the control's evidence, the data and the drawing."""

    id: str
    size: Size
    seed: int
    params: Mapping[str, Any]
    verdict: Verdict
    reason: str
    evidence: Evidence
    control: Evidence
    control_says: str
    curves: Any
    told: Mapping[str, Any]
    drawing: Drawing | None
    seconds: float
    run: str | None = None
    files: tuple[str, ...] = field(default=())

    @property
    def sound(self):
        """The readings of the instrument."""
        return self.evidence.sound

    @property
    def holds(self):
        """The readings of the statement."""
        return self.evidence.holds

    def with_files(self, files) -> "Result":
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
            "control": {
                "says": self.control_says,
                "verdict": "skipped" if self.verdict == "skipped" else self.control.verdict,
                **_readings(self.control),
            },
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
    bench: Bench | None = None,
    as_id: str | None = None,
    draw: bool = True,
) -> Result:
    """Judge a claim and its control. Bad parameters are refused before any work."""
    start = time.perf_counter()
    settings = claim.settle(size, changes)
    bench = bench or Bench()
    # Runs that were made where the data sets are can be judged without them.
    if claim.kind == "drawing" or (claim.missing(size) and None in bench.known(claim.simulation, settings, seed)):
        return _skipped(claim, settings, size, seed, as_id)
    contrast, constants = control_settings(claim, size, settings)
    evidence, data, told = observe(claim, settings, claim.constants, seed, bench)
    control, _, _ = observe(claim, contrast, constants, seed, bench)
    verdict, reason = conclude(claim, evidence, control)
    drawing = (
        claim.draw(**_handed(claim.draw, claim, settings, claim.constants, data, told)) if draw and claim.draw else None
    )
    return Result(
        id=as_id or claim.id,
        size=size,
        seed=seed,
        params=settings.shown(),
        verdict=verdict,
        reason=reason,
        evidence=evidence,
        control=control,
        control_says=claim.control.says,
        curves=data,
        told=told,
        drawing=drawing,
        seconds=time.perf_counter() - start,
    )


def _skipped(claim: Claim, settings: Settings, size: Size, seed: int, as_id: str | None) -> Result:
    """A drawing of a model, or a claim whose data sets are not here."""
    drawn = claim.draw() if claim.draw is not None and claim.kind == "drawing" else None
    return Result(
        id=as_id or claim.id,
        size=size,
        seed=seed,
        params=settings.shown(),
        verdict="skipped",
        reason="; ".join(claim.missing(size)) or "a drawing of a model: there is nothing to check",
        evidence=Evidence(),
        control=Evidence(),
        control_says=claim.control.says,
        curves=None,
        told={},
        drawing=drawn,
        seconds=0.0,
    )


def control_settings(claim: Claim, size: Size, settings: Settings) -> tuple[Settings, Mapping[str, Any]]:
    """The control's parameters and constants. At a size of its own it takes none of the user's changes."""
    control = claim.control
    params = {name: value for name, value in control.changes.items() if name not in claim.constants}
    constants = {**claim.constants, **{n: v for n, v in control.changes.items() if n in claim.constants}}
    if control.size is not None and control.size != size:
        return claim.settle(control.size, params), constants
    return claim.settle(size, {**settings.values, **params}), constants


def observe(claim: Claim, settings: Settings, constants: Mapping[str, Any], seed: int, bench: Bench):
    """The evidence at these settings, with the data and the references it was judged from."""
    data = bench.simulate(claim.simulation, settings, seed)
    told = {} if claim.refer is None else bench.refer(claim.refer, claim.simulation, settings, constants, seed)
    evidence = claim.judge(**_handed(claim.judge, claim, settings, constants, data, told))
    return replace(evidence, sound=[*_instruments(data, told), *evidence.sound]), data, told


def conclude(claim: Claim, evidence: Evidence, control: Evidence) -> tuple[Verdict, str]:
    """The verdict with its reason: the claim's own, unless the check could not have told."""
    if evidence.verdict == "inconclusive":
        bad = [r.name for r in evidence.sound if not r.ok] + [r.name for r in evidence.holds if math.isnan(r.value)]
        return "inconclusive", f"the instrument is unsound: {', '.join(bad)}"
    if control.verdict != "fails":
        return (
            "inconclusive",
            f"the control ({claim.control.says}) came out as {control.verdict}: the check cannot tell",
        )
    broken = {reading.name for reading in control.holds if not reading.ok}
    if spared := [name for name in claim.control.breaks if name not in broken]:
        return "inconclusive", f"the control ({claim.control.says}) did not break {', '.join(spared)}"
    if evidence.verdict == "fails":
        return "fails", f"does not keep its bound: {', '.join(r.name for r in evidence.holds if not r.ok)}"
    return "holds", f"every reading keeps its bound, and the control ({claim.control.says}) fails as it must"


def _handed(function, claim: Claim, settings: Settings, constants: Mapping[str, Any], data, told) -> dict[str, Any]:
    """What a judge or a drawing asked for: data, references, constants, and parameters (axes as arrays with labels)."""
    import xarray as xr

    named = {name: xr.DataArray(list(v), dims=name, coords={name: list(v)}) for name, v in settings.axes.items()}
    wanted = [name for name in asked(function) if name not in constants]
    handed: dict[str, Any] = {"data": data} | ({"told": told} if takes(function, "told") else {})
    handed |= settings.solve({**settings.values, **named}, wanted)
    return handed | {name: constants[name] for name in asked(function) if name in constants}


def _instruments(data, told):
    """The readings that solvers and certificates make by themselves."""
    if "outcome" in data:
        bad = float((data["outcome"] > 1).sum())
        yield at_most(
            "runs that did not end as they should", bad, 0, why="a run cut short or not finite refutes nothing"
        )
    for name, found in told.items():
        if "ok" in getattr(found, "data_vars", ()):
            share = float(found["ok"].mean())
            yield at_least(
                f"certified references: {name}", share, 1, why="theory's answer must be known before it is compared"
            )


def _readings(evidence: Evidence) -> dict[str, Any]:
    return {"sound": [r.as_json() for r in evidence.sound], "holds": [r.as_json() for r in evidence.holds]}

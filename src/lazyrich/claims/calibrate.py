"""How far readings stand from their bounds over many seeds: whether a bound was well chosen."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadInput
from ..lab import Runner
from ..lab.params import Size
from .base import Claim, Evidence, Reading
from .judge import control_params, observe


def calibrate(
    claim: Claim,
    *,
    seeds: int = 20,
    size: Size = "quick",
    runner: Runner | None = None,
    notify: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Any]]:
    """Every reading of the claim and of its controls over seeds 0, 1, ...: one row each, in plain numbers.

    A reading is `clear` when over all seeds the claim is within the bound by at least one spread (a standard
    deviation over the seeds), and the control, where it must break the reading, is beyond it by as much. Ratios may do so in
    their logarithms.
    """
    if claim.kind == "drawing" or claim.missing(size):
        raise BadInput(
            needed="calibrate needs a claim that can be checked here",
            given="; ".join(claim.missing(size)) or f"{claim.id}, a drawing of a model",
            cure="Choose another, or give its data set.",
        )
    params = claim.resolve(size)
    settings = [control_params(claim, control, size, params) for control in claim.controls]
    own: list[Evidence] = []
    controlled: list[list[Evidence]] = [[] for _ in settings]
    for seed in range(seeds):
        runner_now = runner or Runner()
        own.append(observe(claim, params, claim.constants, seed, runner_now)[0])
        for found, setting in zip(controlled, settings, strict=True):
            found.append(observe(claim, *setting, seed, runner_now)[0])
        notify(seed + 1)
    rows = []
    for kind in ("sound", "holds"):
        for at, reading in enumerate(getattr(own[0], kind)):
            must = [kind == "holds" and bool({reading.key, reading.name} & set(control.breaks)) for control in claim.controls]
            # Beside the claim stands the first control that must break the reading, else the first.
            beside = must.index(True) if any(must) else 0
            rows.append(_row(kind, at, own, controlled[beside], must_break=must[beside]))
    return rows


def margin(reading: Reading) -> float:
    """How far the value is inside its bound; negative outside, NaN if it is not a number."""
    if reading.bound == "near":
        return reading.tolerance - abs(reading.value - reading.target)
    gap = reading.value - reading.target
    return gap if reading.bound == "at_least" else -gap


def _row(kind: str, at: int, own: list[Evidence], control: list[Evidence], *, must_break: bool) -> dict[str, Any]:
    mine = [getattr(evidence, kind)[at] for evidence in own]
    theirs = [getattr(evidence, kind)[at] for evidence in control]
    first = mine[0]
    clear = stands(mine, sign=1) and (not must_break or stands(theirs, sign=-1))
    return {
        "key": first.key,
        "name": first.name,
        "kind": kind,
        "bound": first.bound,
        "target": first.target,
        "tolerance": first.tolerance,
        "claim": _summary(mine),
        "control": _summary(theirs),
        "must_break": must_break,
        "clear": bool(clear),
    }


def stands(readings: list[Reading], *, sign: int) -> bool:
    """Whether all readings are on one side of their bound, the nearest by at least the spread: as numbers or as ratios."""
    ratios = [replace(r, value=math.log(r.value), target=math.log(r.target)) for r in readings if _is_ratio(r)]
    return _apart(readings, sign=sign) or (len(ratios) == len(readings) and _apart(ratios, sign=sign))


def _is_ratio(reading: Reading) -> bool:
    """Whether value and bound have logarithms."""
    return reading.bound != "near" and 0 < reading.value < math.inf and reading.target > 0


def _apart(readings: Sequence[Reading], *, sign: int) -> bool:
    margins = np.array([sign * margin(reading) for reading in readings])
    finite = margins[np.isfinite(margins)]
    spread = finite.std() if finite.size else 0.0
    # A bound that is met exactly and always (a count of 0, a fraction of 1) has neither margin nor spread.
    inside = margins >= spread if sign > 0 else margins > max(spread, 0.0)
    return bool(np.all(inside))


def _summary(readings: list[Reading]) -> dict[str, Any]:
    numbers = np.array([reading.value for reading in readings])
    finite = numbers[np.isfinite(numbers)]
    spread = float(finite.std()) if finite.size else math.nan
    low, middle, high = np.quantile(numbers, [0, 0.5, 1], method="nearest")
    return {name: _plain(v) for name, v in (("low", low), ("median", middle), ("high", high), ("spread", spread))}


def _plain(value: float) -> float | str:
    return "nan" if math.isnan(value) else "never" if math.isinf(value) else float(value)

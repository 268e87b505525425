"""How far readings stand from their bounds over many seeds: whether a bound was well chosen."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import BadInput
from ..lab import Bench
from ..lab.params import Size
from .base import Claim, Evidence, Reading
from .judge import control_settings, observe


def calibrate(
    claim: Claim,
    *,
    seeds: int = 20,
    size: Size = "quick",
    bench: Bench | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> list[dict[str, Any]]:
    """Every reading of the claim and of its control over seeds 0, 1, ...: one row each, in plain numbers.

    A reading is `clear` when over all seeds the claim keeps the bound with room of at least one spread (a standard
    deviation over the seeds), and the control, where it must break the reading, misses it by as much. Ratios may do so in
    their logarithms.
    """
    if claim.kind == "drawing" or claim.missing(size):
        raise BadInput(
            needed="calibrate needs a claim that can be checked here",
            given="; ".join(claim.missing(size)) or f"{claim.id}, a drawing of a model",
            cure="Choose another, or give its data set.",
        )
    settings = claim.settle(size)
    contrast, constants = control_settings(claim, size, settings)
    own, control = [], []
    for seed in range(seeds):
        bench_now = bench or Bench()
        own.append(observe(claim, settings, claim.constants, seed, bench_now)[0])
        control.append(observe(claim, contrast, constants, seed, bench_now)[0])
        tell(seed + 1)
    return [
        _row(kind, at, own, control, must_break=kind == "holds" and reading.name in claim.control.breaks)
        for kind in ("sound", "holds")
        for at, reading in enumerate(getattr(own[0], kind))
    ]


def room(reading: Reading) -> float:
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
    rooms = np.array([sign * room(reading) for reading in readings])
    finite = rooms[np.isfinite(rooms)]
    spread = finite.std() if finite.size else 0.0
    # A bound that is met exactly and always (a count of 0, a share of 1) has neither room nor spread.
    inside = rooms >= spread if sign > 0 else rooms > max(spread, 0.0)
    return bool(np.all(inside))


def _summary(readings: list[Reading]) -> dict[str, Any]:
    numbers = np.array([reading.value for reading in readings])
    finite = numbers[np.isfinite(numbers)]
    spread = float(finite.std()) if finite.size else math.nan
    low, middle, high = np.quantile(numbers, [0, 0.5, 1], method="nearest")
    return {name: _plain(v) for name, v in (("low", low), ("median", middle), ("high", high), ("spread", spread))}


def _plain(value: float) -> float | str:
    return "nan" if math.isnan(value) else "never" if math.isinf(value) else float(value)

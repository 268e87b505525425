"""A small picture of a reading: the allowed range, the measured value, the control's value."""

import html
import math
from collections.abc import Mapping
from typing import Any

from ...claims import Reading
from ..tables import bound_text, number_text

WIDE, TALL, SIDE = 200, 26, 9.0
# Values farther apart than this factor are shown on a logarithmic axis.
APART = 30.0


def gauge(reading: Mapping[str, Any], control: Mapping[str, Any] | None) -> str:
    """The picture as inline SVG; a value that is not a number is left out."""
    value = Reading.from_json(reading).value
    other = math.nan if control is None else Reading.from_json(control).value
    low, high = _allowed(reading)
    place = _axis([x for x in (value, other, low, high) if math.isfinite(x)])
    left = 0.0 if low == -math.inf else place(low)
    right = float(WIDE) if high == math.inf else place(high)
    parts = [
        f'<rect class="track" x="0" y="11" width="{WIDE}" height="4" rx="2"/>',
        f'<rect class="allowed" x="{left:.1f}" y="7" width="{max(right - left, 2):.1f}" height="12" rx="2"/>',
        *(f'<line class="bound" x1="{x:.1f}" x2="{x:.1f}" y1="3" y2="23"/>' for x in _ends(low, high, place)),
    ]
    if not math.isnan(other):
        parts.append(_diamond(place(other)))
    if not math.isnan(value):
        kept = "kept" if reading["ok"] else "broken"
        parts.append(f'<circle class="{kept}" cx="{place(value):.1f}" cy="13" r="5.5"/>')
    text = f"measured {number_text(reading['value'])}, must be {bound_text(reading)}"
    text += "" if control is None else f", control {number_text(control['value'])}"
    return (
        f'<svg class="gauge" viewBox="0 0 {WIDE} {TALL}" role="img" aria-label="{html.escape(text)}">'
        f"<title>{html.escape(text)}</title>{''.join(parts)}</svg>"
    )


def _allowed(reading: Mapping[str, Any]) -> tuple[float, float]:
    target = reading["target"]
    if reading["bound"] == "near":
        return target - reading["tolerance"], target + reading["tolerance"]
    return (-math.inf, target) if reading["bound"] == "at_most" else (target, math.inf)


def _ends(low: float, high: float, place) -> list[float]:
    return [place(x) for x in (low, high) if math.isfinite(x)]


def _axis(values: list[float]):
    """Where a value stands: linear, or logarithmic if positive values are far apart; what is beyond stands at the edge."""
    positive = [x for x in values if x > 0]
    logarithmic = min(values) >= 0 and len(positive) > 1 and max(positive) > APART * min(positive)
    largest = max(map(abs, values)) or 1.0
    scale = math.log10 if logarithmic else lambda x: x / largest
    known = [scale(x) for x in (positive if logarithmic else values)]
    low, high = min(known), max(known)
    if high == low:
        low, high = low - 1, high + 1
    room = WIDE - 2 * SIDE - 24

    def place(x: float) -> float:
        if logarithmic and x <= 0 or x == -math.inf:
            return SIDE
        if x == math.inf:
            return WIDE - SIDE
        return min(max(SIDE, SIDE + 12 + room * (scale(x) - low) / (high - low)), WIDE - SIDE)

    return place


def _diamond(x: float) -> str:
    return f'<path class="control" d="M{x - 5:.1f} 13 L{x:.1f} 8 L{x + 5:.1f} 13 L{x:.1f} 18 Z"/>'

"""One color for each role, one ramp for each family: the same in every figure.

The four base colors differ under every common kind of color blindness, and roles differ by stroke too:
theory is dashed, a control is dotted. Plain data, so that the page can use the same colors.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..claims.drawing import Band, Line, Mark, Panel, Points, Role

BASE: dict[str, str] = {"measured": "#0069a8", "second": "#0a9a76", "theory": "#d0580c", "control": "#808080"}

# From light to dark, through the base color or near it: lightness alone orders the members of a family.
RAMP: dict[str, tuple[str, ...]] = {
    "measured": ("#86c5d8", "#2f8fc4", "#155a9c", "#26185c"),
    "second": ("#9bd5a8", "#2ca581", "#0b6e5b", "#06352f"),
    "theory": ("#f3b562", "#e07a1f", "#b5420b", "#5e1a06"),
    "control": ("#b9b9b9", "#8c8c8c", "#636363", "#3b3b3b"),
}

DASHES: dict[str, str | tuple] = {"measured": "-", "second": "-", "theory": (0, (4.2, 2.2)), "control": (0, (1, 1.7))}
MARKERS: dict[str, str] = {"measured": "o", "second": "s", "theory": "D", "control": "^"}
ORDER: dict[str, float] = {"control": 2.1, "second": 2.2, "measured": 2.3, "theory": 2.4}

VERDICTS: dict[str, str] = {"holds": "#1a7f4b", "fails": "#b3261e", "inconclusive": "#9a6700", "skipped": "#6e7781"}
HEAT = "cividis"  # even in lightness, and the same to color-blind eyes
UNKNOWN_VERDICT = "#6e7781"

TEXT, SOFT, FAINT, GRID = "#1f2328", "#57606a", "#8c959f", "#e7eaed"


@dataclass(frozen=True)
class Ink:
    """How one mark is drawn: its color, its stroke, the width of that stroke and what it lies above."""

    color: str
    dash: str | tuple
    width: float
    marker: str
    order: float


def inks(panel: Panel) -> list[Ink]:
    """One ink per mark of a panel, in their order.

    Curves and points of one role are a family: a single one has the role's base color, several are spread
    along its ramp in the order they come. A band takes the color of the curve it belongs to.
    """
    families = {role: _family(panel.marks, role) for role in BASE}
    return [_ink(mark, families[mark.role], panel.marks) for mark in panel.marks]


def _family(marks: Sequence[Mark], role: Role | str) -> dict[str, str]:
    names = list(dict.fromkeys(m.name for m in marks if isinstance(m, Line | Points) and m.role == role))
    if len(names) == 1:
        return {names[0]: BASE[role]}
    return {name: _along(RAMP[role], i / (len(names) - 1)) for i, name in enumerate(names)}


def _ink(mark: Mark, family: dict[str, str], marks: Sequence[Mark]) -> Ink:
    color = family.get(mark.name, BASE[mark.role])
    if isinstance(mark, Band) and mark.name not in family:
        color = _of_its_curve(mark, family, marks)
    width = 1.2
    if isinstance(mark, Line):
        # The first of a family is the widest: where all lie on one another, each can still be seen.
        place = list(family).index(mark.name) / max(1, len(family) - 1)
        width = 1.9 if len(family) == 1 else 2.9 - 1.6 * place
    return Ink(color, DASHES[mark.role], width, MARKERS[mark.role], ORDER[mark.role])


def _of_its_curve(band: Band, family: dict[str, str], marks: Sequence[Mark]) -> str:
    """The curve whose name begins the band's name, else the one at the same place in the order."""
    named = [name for name in family if name and band.name.startswith(name)]
    if named:
        return family[max(named, key=len)]
    bands = [m for m in marks if isinstance(m, Band) and m.role == band.role]
    place = next(i for i, m in enumerate(bands) if m is band)
    return list(family.values())[place] if len(bands) == len(family) else BASE[band.role]


def _along(ramp: Sequence[str], share: float) -> str:
    """The color at a share (0 to 1) of the way along a ramp of hexadecimal colors."""
    place = share * (len(ramp) - 1)
    left = min(int(place), len(ramp) - 2)
    pairs = zip(_channels(ramp[left]), _channels(ramp[left + 1]), strict=True)
    mixed = (round(a + (place - left) * (b - a)) for a, b in pairs)
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)

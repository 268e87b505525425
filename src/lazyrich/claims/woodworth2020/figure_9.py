"""Figure 9: diagonal linear nets, biased and unbiased."""

from ..base import Claim
from ..drawing import Drawing, Panel
from .wiring import between, column, sheet, units, wires, words

NAMES = ("1", "2", "3", "d")


def biased() -> Panel:
    """One hidden unit for each input: f = sum_i u_i v_i x_i."""
    inputs, hidden, output = column(0.0, 4), column(0.5, 4), (1.0, 0.5)
    names = [("\u22ee", (x - 0.04, 1 / 6)) for x in (0.0, 0.5)] + [("f", (1.0, 0.5))]
    for i, unit, one in zip(NAMES, inputs, hidden, strict=True):
        names += [(f"x_{i}", (-0.18, unit[1])), (f"u_{i}", between(unit, one, 0.4, 0.05))]
        names += [(f"v_{i}", between(one, output, 0.25, 0.04))]
    marks = [
        wires("weights u", list(zip(inputs, hidden, strict=True)), role="measured"),
        wires("weights v", [(one, output) for one in hidden], role="second"),
        units("inputs", inputs, role="theory"),
        units("hidden units", hidden, role="measured"),
        units("output", [output], role="second"),
        *words(names),
    ]
    return sheet(marks, "(a) biased: f = sum_i u_i v_i x_i")


def unbiased() -> Panel:
    """Two hidden units for each input, of opposite signs: f = sum_i (w_+i^2 - w_-i^2) x_i."""
    names, inputs, output = NAMES[:2] + NAMES[3:], column(0.0, 3, top=0.9, low=0.1), (1.0, 0.5)
    pairs = [((0.5, y + 0.12), (0.5, y - 0.12)) for _, y in inputs]
    told = [("\u22ee", (x - 0.04, 0.3)) for x in (0.0, 0.5)] + [("f", (1.0, 0.5))]
    for i, unit, (up, down) in zip(names, inputs, pairs, strict=True):
        told += [(f"x_{i}", (-0.18, unit[1]))]
        told += [(f"w_+{i}", between(unit, up, 0.4, 0.05)), (f"w_-{i}", between(unit, down, 0.4, -0.05))]
    told += [("+w_+1", between(pairs[0][0], output, 0.3, 0.03)), ("-w_-d", between(pairs[-1][1], output, 0.3, -0.03))]
    plus = [part for unit, (up, _) in zip(inputs, pairs, strict=True) for part in ((unit, up), (up, output))]
    minus = [part for unit, (_, down) in zip(inputs, pairs, strict=True) for part in ((unit, down), (down, output))]
    marks = [
        wires("w_+, added", plus, role="measured"),
        wires("w_-, subtracted", minus, role="control"),
        units("inputs", inputs, role="theory"),
        units("w_+, added", [up for up, _ in pairs], role="measured"),
        units("w_-, subtracted", [down for _, down in pairs], role="control"),
        units("output", [output], role="second"),
        *words(told),
    ]
    return sheet(marks, "(b) unbiased: f = sum_i (w_+i^2 - w_-i^2) x_i")


def draw() -> Drawing:
    """Both nets side by side."""
    return Drawing(
        panels=[biased(), unbiased()],
        caption="(a) If |u_i| = |v_i| at the start, they stay equal and keep their signs, so that one weight w_i for both is "
        "enough: f = sum_i w_i^2 x_i up to signs. (b) A second set of units that is subtracted reaches every linear function, "
        "and starts at zero with w_+ = w_- without resting at a saddle.",
    )


CLAIM = Claim(
    kind="drawing",
    title="Diagonal linear nets",
    says="A diagonal linear net has one hidden unit for each input; the unbiased one has two, whose outputs are subtracted.",
    source="woodworth2020, figure 9",
    draw=draw,
)

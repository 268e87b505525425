"""Figure 4: a wide parallel net, which is the diagonal of a matrix factorization."""

from ..base import Claim
from ..drawing import Drawing
from .wiring import between, column, sheet, units, wires, words

INPUTS = ("1", "2", "d")


def draw() -> Drawing:
    """Three of d inputs, each with three of its own k hidden units, and one output."""
    inputs, output = column(0.0, 3, top=0.85, low=0.15), (1.0, 0.5)
    groups = [column(0.5, 3, top=y + 0.13, low=y - 0.13) for _, y in inputs]
    hidden = [place for group in groups for place in group]
    first = [(unit, one) for unit, group in zip(inputs, groups, strict=True) for one in group]
    names = [(f"X_{i}{i}", (x - 0.2, y)) for i, (x, y) in zip(INPUTS, inputs, strict=True)]
    names += [("\u22ee", (x - 0.04, 0.325)) for x in (0.0, 0.5)] + [("f", (1.0, 0.5))]
    for i, unit, group in zip(INPUTS, inputs, groups, strict=True):
        names += [(f"U_{i}1", between(unit, group[0], 0.45, 0.04)), (f"U_{i}k", between(unit, group[-1], 0.45, -0.04))]
    names += [("V_11", between(hidden[0], output, 0.3, 0.02)), ("V_dk", between(hidden[-1], output, 0.3, -0.02))]
    marks = [
        wires("weights U_ij", first, role="measured"),
        wires("weights V_ij", [(one, output) for one in hidden], role="second"),
        units("inputs: the diagonal of X", inputs, role="theory"),
        units("hidden units, k for each input", hidden, role="measured"),
        units("output", [output], role="second"),
        *words(names),
    ]
    return Drawing(
        panels=[sheet(marks, "f = sum_i X_ii (sum_j U_ij V_ij)")],
        columns=1,
        caption="Each input has k hidden units of its own. Measurements with diagonal matrices see of U V' only its diagonal, "
        "sum_j U_ij V_ij for input i: factorizing a matrix is then to train this net. Started at N(0, alpha^2), its output is of "
        "size alpha^2 sqrt(k), while the scale that decides its bias is alpha^2 k.",
    )


CLAIM = Claim(
    kind="drawing",
    title="A wide parallel net",
    says="The diagonal of a matrix factorization of width k is a net with k hidden units of its own for each input.",
    source="woodworth2020, figure 4",
    draw=draw,
)

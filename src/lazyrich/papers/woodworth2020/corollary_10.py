r"""Corollary 10: wide factors of any scale $\alpha\gg k^{-1/2}$ hardly move, even where their output vanishes."""

import numpy as np

from ...lab.settings.matrix_sensing import ALONG_WIDTH
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .kernel_bounds import slope


def bound(data, width, mu, d):
    r"""$\frac{4\sqrt\Lambda}{\lambda\alpha\sqrt k} + \frac{32d^{3/2}\Lambda^{3/2}\alpha}\lambda$: equation 98, $Y = 1$."""
    alpha = np.sqrt(mu / width)
    return 4 * np.sqrt(data.high) / (data.low * np.sqrt(mu)) + 32 * (d * data.high) ** 1.5 * alpha / data.low


def judge(data, width, mu, d, n, exponent) -> Evidence:
    """Within the explicit bound, and falling as 1/(alpha sqrt(k)) + alpha does."""
    move = data.move.max("t", skipna=False)
    alpha = np.sqrt(mu / width)
    law = 1 / (alpha * width**exponent) + alpha
    return Evidence(
        holds=[
            at_most(
                "largest move over the bound of equation 98",
                (move / bound(data, width, mu, d)).max(),
                1,
                why="the corollary with the constants of its proof; k is above what equation 94 asks for",
            ),
            at_most(
                "largest move over 1/(alpha sqrt(k)) + alpha",
                (move / law).max(),
                np.sqrt(n * data.high / (2 * data.low)).max(),
                why="the first order is |r|/sqrt(2 mu lambda), |r| <= 1 + alpha^2 sqrt(k) sqrt(n Lambda): sqrt(n Lambda / "
                "(2 lambda)) at most, if all of the output had to be undone in the slowest direction",
            ),
            at_least(
                "least move over 1/(alpha sqrt(k)) + alpha",
                (move / law).min(),
                0.2,
                why="tightness: |r|/sqrt(2 mu Lambda) >= 0.4 where targets dominate, half of it for chance",
            ),
            at_most(
                "exponent of the move in 1/(alpha sqrt(k)) + alpha, less one, the worst law of the scale",
                abs(slope(move, law, "width").mean("trial") - 1).max(),
                0.1,
                why="both terms carry constants of order one, 0.6 and 1.5: where they cross, the slope may be off by a tenth",
            ),
        ],
    )


def draw(data, width, mu) -> Drawing:
    """The move against the width, one line for each law of the scale."""
    move = data.move.max("t").mean("trial")
    law = 1 / np.sqrt(mu) + np.sqrt(mu / width)
    x = width.values
    marks = []
    for p in data.power.values:
        name = f"alpha = k^-{float(p):g}"
        marks += [
            Line(name, x, move.sel(power=p).values),
            Line(f"1/(alpha sqrt(k)) + alpha, {name}", x, law.sel(power=p).values, role="theory"),
        ]
    return Drawing(
        [Panel(marks, x=Axis("width k", scale="log"), y=Axis("largest move of the weights", scale="log"))],
        columns=1,
        caption="How far all weights together go from their start. The size of the start's output is 1 for alpha = k^(-1/4) and "
        "vanishes for alpha = k^(-3/8): the net is in its kernel regime all the same.",
    )


CLAIM = Claim(
    kind="corollary",
    title="Wide nets hardly move, at vanishing output too",
    says="With N(0, alpha^2) factors of width k, alpha^2 k large, the weights move at most O(1/(alpha sqrt(k)) + "
    "alpha): the kernel "
    "regime is reached with alpha^2 sqrt(k) of order one or tending to zero.",
    source="woodworth2020, corollary 10",
    simulation=ALONG_WIDTH,
    judge=judge,
    draw=draw,
    constants={"exponent": 0.5},
    least={"width": 2},
    control=Control(
        "1/(alpha k) + alpha: the width without its root",
        changes={"exponent": 1.0},
        breaks=("exponent of the move in 1/(alpha sqrt(k)) + alpha, less one, the worst law of the scale",),
    ),
    seconds={"quick": 10, "paper": 60},
)

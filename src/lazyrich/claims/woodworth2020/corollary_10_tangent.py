"""Corollary 10, second part (equation 70): wide factors stay near their tangent model."""

import numpy as np

from ...lab.settings.matrix_sensing import ALONG_WIDTH
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .kernel_bounds import slope


def law(width, mu, exponent):
    r"""What is measured: $(1 + \alpha^2\sqrt k)^2/(\alpha\sqrt k)^3$, the square of the first residual over $\mu^{3/2}$."""
    return (1 + mu / np.sqrt(width)) ** 2 / mu**exponent


def judge(data, width, mu, exponent) -> Evidence:
    """Within equation 70 with a constant of one, and in truth of second order."""
    apart = data.apart.max("t", skipna=False)
    alpha = np.sqrt(mu / width)
    printed = mu**-1.5 + mu**-0.5 + alpha
    found = slope(apart, law(width, mu, exponent), "width").mean("trial")
    return Evidence(
        holds=[
            at_most(
                "distance from the tangent model over 1/(alpha^3 k^(3/2)) + 1/(alpha sqrt(k)) + alpha",
                (apart / printed).max(),
                1,
                why="equation 70; its proof has a constant above 8 sqrt(Lambda) / lambda, one is sharper",
            ),
            at_most(
                "exponent in (1 + alpha^2 sqrt(k))^2 / (alpha sqrt(k))^3, less one, the worst law of the scale",
                abs(found - 1).max(),
                0.15,
                why="tightness: only the first term is real. The constants of targets and of the start's output differ by up to "
                "sqrt(n Lambda): the slope may be off by a tenth where they cross",
            ),
            at_least(
                "orders of magnitude by which equation 70 is loose at the largest width",
                np.log10(printed / apart).isel(width=-1).min(),
                1,
                why="its first-order terms are not needed: at mu = 1000 they are 30 times too large",
            ),
        ],
    )


def draw(data, width, mu) -> Drawing:
    """The distance from the tangent model against the width, with the printed bound."""
    apart = data.apart.max("t").mean("trial")
    printed = mu**-1.5 + mu**-0.5 + np.sqrt(mu / width)
    x = width.values
    marks = []
    for p in data.power.values:
        name = f"alpha = k^-{float(p):g}"
        marks += [
            Line(name, x, apart.sel(power=p).values),
            Line(f"equation 70, {name}", x, printed.sel(power=p).values, role="theory"),
        ]
    return Drawing(
        [Panel(marks, x=Axis("width k", scale="log"), y=Axis("largest distance from the tangent model", scale="log"))],
        columns=1,
        caption="How far the weights get from those of the tangent model. Equation 70 holds, but its terms of "
        "first order are not "
        "needed: the distance is of second order.",
    )


CLAIM = Claim(
    kind="corollary",
    title="Wide nets stay near their tangent model",
    says="With N(0, alpha^2) factors of width k, alpha^2 k large, the weights stay within O(1/(alpha^3 k^(3/2)) "
    "+ 1/(alpha sqrt(k)) + "
    "alpha) of those of the tangent model; in truth within the first term times (1 + alpha^2 sqrt(k))^2.",
    source="woodworth2020, corollary 10, equation 70",
    simulation=ALONG_WIDTH,
    judge=judge,
    draw=draw,
    constants={"exponent": 1.5},
    least={"width": 2},
    control=Control(
        "first order, 1/(alpha sqrt(k)), as the law",
        changes={"exponent": 0.5},
        breaks=("exponent in (1 + alpha^2 sqrt(k))^2 / (alpha sqrt(k))^3, less one, the worst law of the scale",),
    ),
    seconds={"quick": 10, "paper": 60},
)

r"""Corollary 10 and its erratum: wide factors of any scale $\alpha \gg k^{-1/2}$ hardly move, even if their output vanishes."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line
from ...claims.marks import RAMP, family, log_axis, one_panel
from .shared.marks import in_turn
from .shared.readings import power
from .simulations.matrix_sensing import ALONG_WIDTH

WIDTH = log_axis("width $k$")


def bound(data, width, mu, d):
    r"""$\frac{4\sqrt\Lambda}{\lambda\alpha\sqrt k} + \frac{32d^{3/2}\Lambda^{3/2}\alpha}\lambda$: equation 98, $Y = 1$."""
    alpha = np.sqrt(mu / width)
    return 4 * np.sqrt(data.high) / (data.low * np.sqrt(mu)) + 32 * (d * data.high) ** 1.5 * alpha / data.low


def printed(width, mu):
    r"""Equation 70 with a constant of 1: $1/(\alpha^3 k^{3/2}) + 1/(\alpha\sqrt k) + \alpha$."""
    return mu**-1.5 + mu**-0.5 + np.sqrt(mu / width)


def slope_off(values, law):
    """The largest deviation from 1 of an exponent in a law along the width, over the scalings."""
    return abs(power(values, law, "width").mean("trial") - 1).max()


def draw_law(values, law, y: str, name: str, caption: str) -> Drawing:
    """A distance against the width with its law, one line for each scaling."""
    x, scaling = values.width.values, r"$\alpha = k^{-{}}$"
    curves = family(scaling, x, values.mean("trial"), "power", roles=RAMP)
    laws = family(f"{name}, {scaling}", x, law, "power", roles=("theory",))
    return one_panel(in_turn(curves, laws), WIDTH, log_axis(y), caption)


def judge_move(data, width, mu, d, n, exponent) -> Evidence:
    r"""Within the explicit bound, and falling as $1/(\alpha\sqrt k) + \alpha$ does."""
    move, alpha = data.move.max("t", skipna=False), np.sqrt(mu / width)
    law = 1 / (alpha * width**exponent) + alpha
    ratio, most = move / law, (move / bound(data, width, mu, d)).max()
    proof = "the corollary with the constants of its proof; $k$ is above what equation 94 requires"
    return Evidence(
        holds=[
            at_most("largest move of the weights over the bound of equation 98", most, 1, key="bound", why=proof),
            at_most(
                r"largest move over $1/(\alpha \sqrt{k}) + \alpha$",
                ratio.max(),
                np.sqrt(n * data.high / (2 * data.low)).max(),
                key="largest",
                why=r"first order: $\|r\|/\sqrt{2 \mu \lambda}$, $\|r\| \leq 1 + \alpha^2 \sqrt{k} \sqrt{n \Lambda}$: at most "
                r"$\sqrt{n \Lambda/(2 \lambda)}$, if all of the output had to be undone in the slowest direction",
            ),
            at_least(
                r"smallest move over $1/(\alpha \sqrt{k}) + \alpha$",
                ratio.min(),
                0.2,
                key="tightness",
                why=r"tightness: $\|r\|/\sqrt{2 \mu \Lambda} \geq 0.4$ where targets dominate, half of it for randomness",
            ),
            at_most(
                r"exponent of the move in $1/(\alpha \sqrt{k}) + \alpha$, less 1, largest over scalings",
                slope_off(move, law),
                0.1,
                key="exponent",
                why="both terms have constants of order one, 0.6 and 1.5: where they cross, the slope may be off by a tenth",
            ),
        ]
    )


def draw_move(data, width, mu) -> Drawing:
    """The move against the width, one line for each scaling."""
    return draw_law(
        data.move.max("t"),
        1 / np.sqrt(mu) + np.sqrt(mu / width),
        "largest move of the weights",
        r"$1/(\alpha \sqrt{k}) + \alpha$",
        r"How far all weights together move. The initial output is of size 1 for $\alpha = k^{-1/4}$ and vanishes for $\alpha = "
        r"k^{-3/8}$: the net is in its kernel regime all the same.",
    )


def judge_tangent(data, width, mu, exponent) -> Evidence:
    """Within equation 70 with a constant of one, and in truth of second order."""
    apart, bounds = data.apart.max("t", skipna=False), printed(width, mu)
    # The square of the first residual over mu^(3/2).
    law = (1 + mu / np.sqrt(width)) ** 2 / mu**exponent
    return Evidence(
        holds=[
            at_most(
                r"distance to the tangent model over $1/(\alpha^3 k^{3/2}) + 1/(\alpha \sqrt{k}) + \alpha$",
                (apart / bounds).max(),
                1,
                key="bound",
                why=r"equation 70; its proof has a constant above $8 \sqrt{\Lambda}/\lambda$, 1 is sharper",
            ),
            at_most(
                r"exponent in $(1 + \alpha^2 \sqrt{k})^2/(\alpha \sqrt{k})^3$, less 1, largest over scalings",
                slope_off(apart, law),
                0.15,
                key="exponent",
                why=r"tightness: only the first term is real; the constants of targets and initial output differ by up to "
                r"$\sqrt{n \Lambda}$, so the slope may be off by a tenth where they cross",
            ),
            at_least(
                "orders of magnitude by which equation 70 is loose at the largest width",
                np.log10(bounds / apart).isel(width=-1).min(),
                1,
                key="looseness",
                why=r"its first-order terms are not needed: at $\mu = 1000$ they are 30 times too large",
            ),
        ]
    )


def draw_tangent(data, width, mu) -> Drawing:
    """The distance to the tangent model against the width, with the printed bound."""
    return draw_law(
        data.apart.max("t"),
        printed(width, mu),
        "largest distance to the tangent model",
        "equation 70",
        "The distance of the weights to those of the tangent model. Equation 70 holds, but its first-order terms are not needed: "
        "the distance is second order.",
    )


def judge_rate(data, width) -> Evidence:
    """Whether the move of the weights and the distance to the tangent model vanish as the width grows."""
    move, apart = (data[name].max("t", skipna=False) for name in ("move", "apart"))
    exponent, fraction = power(move, width, "width").mean(), (apart / move).isel(width=-1).mean()
    vanishes = "the kernel regime: it vanishes, like $k^{p - 1/2}$, with exponent -0.05 for $p = 0.45$"
    second = r"the kernel regime: second order, $\|r\|/\mu$ times a constant below 2, $\mu = 16$ there"
    name = "distance to the tangent model over the move, at the largest width"
    return Evidence(
        holds=[
            at_most("exponent of the move in the width", exponent, -0.02, key="move", why=vanishes),
            at_most(name, fraction, 0.2, key="tangent", why=second),
        ]
    )


def draw_rate(data, width) -> Drawing:
    """Both distances against the width."""
    move, apart = (data[name].max("t").mean("trial").isel(power=0).values for name in ("move", "apart"))
    return one_panel(
        [Line("to the initialization", width.values, move), Line("to the tangent model", width.values, apart, role="second")],
        WIDTH,
        log_axis("largest distance of the weights"),
        r"Distances of the weights to their initialization and to the tangent model for $\alpha = k^{-0.45}$, which vanishes "
        r"slightly slower than $1/\sqrt{k}$: both vanish.",
    )


claim = partial(Claim, simulation=ALONG_WIDTH, least={"width": 2}, seconds={"quick": 10, "paper": 60})

CLAIMS = (
    claim(
        id="woodworth2020/corollary_10",
        kind="corollary",
        title="Wide nets hardly move, even if their output vanishes",
        says=r"With $N(0, \alpha^2)$ factors of width $k$, $\alpha^2 k$ large, the weights move at most $O(1/(\alpha \sqrt{k}) + "
        r"\alpha)$: the kernel regime is reached with $\alpha^2 \sqrt{k}$ of order one or tending to zero.",
        source="woodworth2020, corollary 10",
        judge=judge_move,
        draw=draw_move,
        constants={"exponent": 0.5},
        controls=[Control(r"$1/(\alpha k) + \alpha$: the width without its root", {"exponent": 1.0}, breaks=("exponent",))],
    ),
    claim(
        id="woodworth2020/corollary_10_tangent",
        kind="corollary",
        title="Wide nets stay near their tangent model",
        says=r"With $N(0, \alpha^2)$ factors of width $k$, $\alpha^2 k$ large, the weights stay within $O(1/(\alpha^3 k^{3/2}) + "
        r"1/(\alpha \sqrt{k}) + \alpha)$ of those of the tangent model; in truth within the first term times $(1 + \alpha^2 "
        r"\sqrt{k})^2$.",
        source="woodworth2020, corollary 10, equation 70",
        judge=judge_tangent,
        draw=draw_tangent,
        constants={"exponent": 1.5},
        controls=[Control(r"first order, $1/(\alpha \sqrt{k})$, as the law", changes={"exponent": 0.5}, breaks=("exponent",))],
    ),
    claim(
        id="woodworth2020/corollary_10_rate",
        kind="erratum",
        title=r"The kernel regime needs $\alpha \gg 1/\sqrt{k}$, not $1/k$",
        says=r"The net enters its kernel regime as $k \to \infty$ if $\alpha$ tends to zero slower than $1/\sqrt{k}$; the remark "
        r"after corollary 10 prints $1/k$, but $\alpha = k^{-3/4}$ is slower than that and its net is rich.",
        source="woodworth2020, appendix H",
        judge=judge_rate,
        draw=draw_rate,
        sizes={size: {"power": (0.45,)} for size in ("quick", "paper", "smoke")},
        controls=[
            Control(r"as printed: $\alpha = k^{-3/4}$", {"power": (0.75,), "width": (1e4, 1e5, 1e6)}, breaks=("move", "tangent"))
        ],
    ),
)

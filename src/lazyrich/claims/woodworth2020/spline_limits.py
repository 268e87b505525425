"""Appendix B.1: from a small start the linear spline whatever the layers, from a large one a kernel's; and where that ends."""

import numpy as np

from ...lab.settings.relu_line import SIMULATION, refer
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Rule
from ..labelled import spread
from .curves import RICH, SPAN, away, distances, nearest, small_scale

# The layer ratio from which the first layer is the heavy one.
HEAVY = 1.0


def judge(data, told, level, width, rich, lazy, tiny) -> Evidence:
    """Both limits at every ratio, how much the ratio matters in each, the bend, and the drift at tiny scale."""
    straight, smooth, _ = distances(data, told, width, rich, lazy)
    at = [nearest(data.alpha, scale) for scale in (small_scale(rich, width), lazy, small_scale(tiny, width))]
    small, large = (spread(data.curve.sel(alpha=scale), "ratio").max("x") / SPAN for scale in at[:2])
    bend = (data.bend / told["rich"].value).mean("trial")
    drift = away(data.curve, told["dots"].rename(d="x")).sel(alpha=at[2]).mean("trial")
    return Evidence(
        sound=[
            at_most(
                "loss at the end",
                data.loss.max(),
                10 * level,
                why="the limits are of curves that interpolate; runs stop at a tenth",
            )
        ],
        holds=[
            at_most(
                "from connect-the-dots, small start",
                straight.mean("trial").max(),
                0.04,
                why="a share of the answers' span, the mean over draws; the kernel's curve is 0.13 to 0.3 away",
            ),
            at_most(
                "between ratios, small start",
                small.mean("trial"),
                0.08,
                why="two curves near a third",
            ),
            near(
                "bend over the least bend, small start",
                bend.sel(alpha=at[0]).max(),
                1.0,
                0.03,
                why="no slope varies less than the linear spline's; 0.04 off it at one place costs 0.02 of its bend",
            ),
            at_most(
                "from the kernel's interpolant, large start",
                smooth.mean("trial").max(),
                0.02,
                why="features turn by 1/alpha^2 of themselves, but for a few units that switch among the samples",
            ),
            at_least(
                "between ratios, large start",
                large.mean("trial"),
                0.08,
                why="kernels of different layers bend differently: as much as small starts are allowed to",
            ),
            at_least(
                "from connect-the-dots, tiny start, heavy first layer",
                drift.sel(ratio=drift.ratio >= HEAVY).min(),
                0.05,
                why="the limit is not monotone: units line up before they grow, and the curve leaves the spline again",
            ),
            at_most(
                "bend over the least bend, tiny start",
                bend.sel(alpha=at[2]).max(),
                1.15,
                why="it still bends little more than needed; the kernel's curve bends half as much again or more",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """Distance from connect-the-dots and bend against the scale, a line each ratio."""
    alpha = data.alpha.values
    off = away(data.curve, told["dots"].rename(d="x")).mean("trial")
    bend = (data.bend / told["rich"].value).mean("trial")

    def lines(values):
        return [
            Line(f"layer ratio {float(r):g}", alpha, values.sel(ratio=r).values) for r in np.sort(data.ratio.values)
        ]

    return Drawing(
        panels=[
            Panel(
                [*lines(off), Rule("bound at alpha^2 k near 0.5", 0.04, role="control")],
                x=Axis("alpha", scale="log"),
                y=Axis("largest distance over span", scale="log"),
                title="From connect-the-dots",
            ),
            Panel(
                [*lines(bend), Rule("least bend", 1.0)],
                x=Axis("alpha", scale="log"),
                y=Axis("bend over least bend", scale="log"),
                title="Total variation of the slope",
            ),
        ],
        caption="How far the learned curve lies from the linear spline (left) and how much it bends (right), means over draws. "
        "The spline is reached in a window of scales at every layer ratio. Below it starts with a heavy first layer leave it "
        "again, at hardly more bend; above it the curve is the kernel's, which depends on the ratio.",
    )


CLAIM = Claim(
    kind="statement",
    title="Linear splines from small starts, kernel splines from large ones",
    says="A wide two-layer ReLU net of one variable learns the linear spline from a start of alpha^2 k near 0.5 whatever "
    "the ratio of its layers, and the interpolant of its tangent kernel, which depends on the ratio, from a large one. The "
    "limit alpha to 0 is not the spline at a fixed width: at alpha^2 k = 5e-4 nets with a heavy first layer lie off it at "
    "hardly more bend.",
    source="woodworth2020, appendix B.1",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"rich": RICH, "lazy": 100.0, "tiny": 0.0224},
    sizes={
        "quick": {"alpha": (0.001, 0.01, 0.03, 0.1, 1.0, 100.0)},
        "paper": {"alpha": (2e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0, 100.0)},
        "smoke": {"alpha": (0.001, 0.1), "ratio": (3.0, 1.0)},
    },
    control=Control(
        "the large start taken for the small one",
        changes={"rich": 1e4},
        breaks=(
            "from connect-the-dots, small start",
            "between ratios, small start",
            "bend over the least bend, small start",
        ),
    ),
    least={"alpha": 2, "ratio": 2},
    seconds={"quick": 25, "paper": 3000},
)

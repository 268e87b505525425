r"""Property F.2: every saddle of matrix completion with decay has a direction of negative curvature, zero or not."""

import numpy as np

from ...lab.settings.completion_minima import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from .convex import least_value


def refer(problem, decay):
    """The least value of the convex problem."""
    return {"least": least_value(problem, decay)}


def judge(data, told, steep) -> Evidence:
    """At resting points of narrow factors, which are saddles of the wide ones: curvature against the proof's direction."""
    gap = data["value"] / told["least"].value - 1
    saddle = gap > 0.01
    falls = data.curvature / (steep * (1 - data.price))
    return Evidence(
        sound=[
            at_least(
                "share of resting points above the least value by a hundredth",
                saddle.mean(),
                0.25,
                why="where one column is enough there is no saddle to look at",
            ),
            at_most(
                "gradient at rest over decay times the length, the largest",
                data.gradient.max(),
                1e-2,
                why="the property speaks of points where the gradient is zero",
            ),
            at_least("length of the parameters, the least", data.length.min(), 0.1, why="saddles that are not zero"),
        ],
        holds=[
            at_least(
                "decimal logarithm of the steepest way down at saddles, in units of the decay, the least",
                np.log10(np.maximum(-data.curvature, 1e-9)).where(saddle).min(),
                np.log10(0.02),
                why="negative at every saddle; a gradient of a hundredth of the decay leaves as much in doubt",
            ),
            at_least(
                "that curvature over the one of the proof's direction, the least",
                falls.where(saddle).min(),
                0.99,
                why="an empty column moved along the largest price has curvature decay - |M|; a hundredth for the gradient left",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """The least curvature against the height above the least value."""
    gap = (data["value"] / told["least"].value - 1).transpose("decay", "trial")
    x, y = gap.values.ravel(), data.curvature.transpose("decay", "trial").values.ravel()
    price = (1 - data.price).transpose("decay", "trial").values.ravel()
    ends = [float(min(price.min(), y.min())), 0.0]
    return Drawing(
        panels=[
            Panel(
                [Points("each resting point", x, y)],
                x=Axis("value over the least, less 1"),
                y=Axis("least curvature / decay"),
                title="Above the least value, a way down",
            ),
            Panel(
                [Points("each resting point", price, y), Line("equal", ends, ends, role="theory")],
                x=Axis("1 - |M| / decay"),
                y=Axis("least curvature / decay"),
                title="The proof's direction",
            ),
        ],
        caption="Resting points of factors with one column, seen as points of the full problem: each that is above the least "
        "value has a direction of negative curvature, at least as steep as that of the proof.",
    )


CLAIM = Claim(
    kind="statement",
    title="Saddles of completion are strict",
    says="At every critical point of matrix completion with decay that is no global minimizer the Hessian has a negative "
    "eigenvalue, at most decay - |M|: checked at saddles that are not zero, the resting points of factors of one column.",
    source="lyu2024, property F.2",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    sizes={name: {"width": 1} for name in ("smoke", "quick", "paper")},
    constants={"steep": 1.0},
    control=Control(
        "twice the curvature of the proof's direction",
        changes={"steep": 2.0},
        breaks=("that curvature over the one of the proof's direction, the least",),
    ),
    seconds={"quick": 30, "paper": 120},
)

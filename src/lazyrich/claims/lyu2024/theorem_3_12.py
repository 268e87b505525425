r"""Theorem 3.12: from a noisy identity the flow of matrix completion with decay ends at a global minimizer."""

import numpy as np

from ...lab.settings.completion_minima import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from .convex import least_value


def refer(problem, decay):
    """The least value of the convex problem."""
    return {"least": least_value(problem, decay)}


def judge(data, told) -> Evidence:
    """The value at rest against the convex optimum; prices, balance and curvature there."""
    gap = abs(data["value"] / told["least"].value - 1)
    return Evidence(
        sound=[
            at_most(
                "gradient at rest over decay times the length, the largest",
                data.gradient.max(),
                1e-4,
                why="the theorem speaks of limits; prices are then right to as much, values to its square",
            ),
        ],
        holds=[
            at_most(
                "log10 of what the value exceeds the least one by, relative, the largest",
                _digits(gap.max()),
                -6,
                why="optima are certified to 1e-6; the square of the gradient that is left is less",
            ),
            at_most(
                "log10 of what the largest price exceeds the decay by, relative",
                _digits((data.price - 1).max()),
                -3,
                why="nothing at a global minimizer; ten times the gradient that may be left",
            ),
            at_most(
                "squared length over the nuclear norm less 1, the largest",
                data.balance.max(),
                1e-6,
                why="zero at a minimizer: no part of U U^T and V V^T cancels",
            ),
            at_most(
                "log10 of the most negative curvature over the decay",
                _digits((-data.curvature).max()),
                -3,
                why="no direction leads down from a minimizer; ten times the gradient that may be left",
            ),
        ],
    )


def _digits(number):
    """The logarithm to base ten, of the flow's own tolerance at least."""
    return np.log10(np.maximum(number, 1e-9))


def draw(data, told) -> Drawing:
    """Values at rest against the convex optimum."""
    x, y = (part.transpose("decay", "trial").values for part in (told["least"].value, data["value"]))
    ends = [float(x.min()), float(x.max())]
    marks = [Points(f"decay {rate:g}", x[at], y[at]) for at, rate in enumerate(data.decay.values)]
    panel = Panel(
        [*marks, Line("equal", ends, ends, role="theory")],
        x=Axis("least value of the convex problem", scale="log"),
        y=Axis("value where the flow rests", scale="log"),
    )
    return Drawing(
        panels=[panel],
        columns=1,
        caption="Matrix completion by U U^T - V V^T with decay from a noisy identity: every run ends at the least value of the "
        "convex problem with the nuclear norm.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Completion with decay ends at a global minimizer",
    says="From alpha I with noise the flow of the mean squared loss of entries of U U^T - V V^T with decay converges to a global "
    "minimizer: the least value of the convex problem with half the decay times the nuclear norm. There |M| <= decay, the "
    "squared length is the nuclear norm, and no curvature is negative.",
    source="lyu2024, theorem 3.12 and theorem F.3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    aliases=("theorem_f_3",),
    control=Control(
        "factors of a single column, which cannot reach every matrix",
        changes={"width": 1},
        breaks=(
            "log10 of what the value exceeds the least one by, relative, the largest",
            "log10 of what the largest price exceeds the decay by, relative",
            "log10 of the most negative curvature over the decay",
        ),
    ),
    seconds={"quick": 30, "paper": 120},
)

r"""The residual of the kernel phase: $s = -\frac{nD\lambda}2(\alpha e^{-\lambda t})^{-2(D-1)}K^{-1}y$ to leading order."""

import numpy as np

from ...lab.settings.diagonal_decay import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from ..labelled import norm, relative_distance


def law(data, depth, power, log_alpha, strength, n, factor):
    """The residuals that the law says at the end, from the tangent kernel of the start."""
    pull = factor * n * depth * strength * np.exp(-power * log_alpha)
    return -pull * np.exp(-2 * (depth - 1) * data.log_size.isel(t=-1)) * data.dual


def judge(data, depth, power, log_alpha, strength, n, factor) -> Evidence:
    """Residuals at the end against the law, by the kernel of the start and by that of the moment."""
    end = data.residual.isel(t=-1)
    told = law(data, depth, power, log_alpha, strength, n, factor)
    return Evidence(
        sound=[
            at_most(
                "move of the normalized parameters, the largest",
                data.moved.isel(t=-1).max(),
                0.1,
                why="the kernel phase: features of the start are those of the moment to its square, a hundredth",
            ),
            at_least(
                "residuals that the decay holds, over the answers, the least",
                (norm(data.held.isel(t=-1), "n") / norm(data.answers, "n")).min(),
                1e-9,
                why="the flow's own errors fade to some 1e-11 of the answers, which must be a hundredth",
            ),
        ],
        holds=[
            at_most(
                "residuals against the kernel of the start, relative",
                relative_distance(end, told, "n").max(),
                1e-2,
                why="the square of a move of 0.1, the next order of a mirrored net",
            ),
            at_most(
                "residuals against the kernel of the moment, relative",
                relative_distance(end, 2 * factor * data.held.isel(t=-1), "n").max(),
                1e-2,
                why="the lag behind a slow motion is smaller; the flow's tolerance of 1e-6 meets residuals as small, and fades",
            ),
        ],
    )


def draw(data, depth, power, away, log_alpha, strength, n) -> Drawing:
    """The residuals of one draw in time beside the law, and all residuals at the end against it."""
    one = data.isel(trial=0, fall=-1, depth=0, away=-1, power=-1)
    size = (one.residual**2).sum("n") ** 0.5
    held = (one.held**2).sum("n") ** 0.5
    told = law(data, depth, power, log_alpha, strength, n, 0.5)
    end = data.residual.isel(t=-1)
    x, y = (abs(part.transpose(*end.dims)).values.ravel() for part in (told, end))
    ends = [float(x.min()), float(x.max())]
    late = one.time.values > 0
    panels = [
        Panel(
            [
                Line("flow", one.time.values[late], size.values[late]),
                Line("held against the decay", one.time.values[late], held.values[late], role="theory"),
            ],
            x=Axis("time", scale="log"),
            y=Axis("length of the residuals", scale="log"),
            title="One draw: fitted, then held",
        ),
        Panel(
            [Points("each sample", x, y), Line("the law", ends, ends, role="theory")],
            x=Axis("what the law says", scale="log"),
            y=Axis("residual", scale="log"),
            title="All depths, powers, scales and draws",
        ),
    ]
    return Drawing(
        panels=panels,
        caption="After the fit the data hold the outputs against the decay: residuals are decay times multipliers that the "
        "tangent kernel of the start tells beforehand.",
    )


CLAIM = Claim(
    kind="derived",
    title="Residuals of the kernel phase, to leading order",
    says="Under the squared loss with decay the residuals of the kernel phase are f - y = -(n D decay / 2) (alpha "
    "exp(-decay t))^(-2(D-1)) K^-1 y, with K the tangent kernel of the start: the loss bound of lemma D.1 made sharp.",
    source="lyu2024, section 3.3 (lemma D.1 sharpened)",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 0.5},
    # From scales where both next orders are e^-5 upwards, by steps in which no order falls below what the flow can see.
    sizes={
        "paper": {
            "fall": (5.0, 6.5, 8.0),
            "strength": 1.0,
            "log_alpha": "=5/rate+(fall-5)/maximum(2*away*depth, 2*(depth-1)*away+power)",
        }
    },
    control=Control(
        "twice the multipliers",
        changes={"factor": 1.0},
        breaks=(
            "residuals against the kernel of the start, relative",
            "residuals against the kernel of the moment, relative",
        ),
    ),
    seconds={"quick": 30, "paper": 90},
)

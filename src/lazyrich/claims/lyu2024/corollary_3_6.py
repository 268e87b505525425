r"""Corollary 3.6: at $(1 - c)\log\alpha/\lambda$ a diagonal net has the direction of the largest l2 margin."""

import numpy as np

from ...lab.settings.diagonal_limits import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest, last_power, norm
from .margins import shortfall


def refer(problem):
    """The classifier of largest l2 margin: the kernel's answer, since the tangent kernel is a multiple of the inputs'."""
    from ...predictors import MaxMargin

    return {"kernel": MaxMargin("l2").solve(problem.train)}


def measured(data, told):
    r"""$1-\cos(w, w_2^*)$, the shortfall of the l2 margin, and that over $\|w\|_2\gamma_2$: what is missing of a margin of 1.

    The first is half the squared distance of the unit vectors, which does not cancel.
    """
    kernel = told["kernel"]
    size = norm(data.effective)
    apart = norm(data.effective / size - kernel.effective / kernel.value) ** 2 / 2
    short = shortfall(size, data.margins.min("n"), kernel)
    return apart, short, short / (size / kernel.value)


def judge(data, told, n) -> Evidence:
    """How the cosine's and the margin's deficits fall between the last two scales; and the margin's shortfall itself."""
    apart, short, deficit = measured(data, told)
    turn, close = (last_power(part, "log_alpha").median("trial") for part in (apart, deficit))
    return Evidence(
        holds=[
            near(
                "power of log(alpha) at which 1 - cosine falls",
                farthest(turn, 2),
                2,
                0.25,
                why="an angle like 1/M, with outputs of size M - O(log M), M = (2(D-1)c + p) log(alpha): log(M)/M is 0.1 at the "
                "smaller of the last two scales, and counts twice in the power of an angle squared",
            ),
            near(
                "power of log(alpha) at which 1 - margin falls",
                farthest(close, 1),
                1,
                0.15,
                why="a shortfall that stays, over outputs of size M - O(log M): the same correction, counted once",
            ),
            at_most(
                "shortfall of the l2 margin, in units of log(n)",
                (short / np.log(n)).max(),
                1,
                why="where loss and decay balance it is a difference of entropies of n multipliers",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power, away) -> Drawing:
    """Both deficits against the size of the outputs: all depths, powers, times and scales on one line."""
    apart, _, deficit = (part.median("trial") for part in measured(data, told))
    clock = (2 * (depth - 1) * away + power) * log_alpha
    panels = []
    for title, part, exponent in (("1 - cosine", apart, -2), ("1 - margin", deficit, -1)):
        marks = []
        for layers in depth.values:
            x, y = (a.sel(depth=layers).transpose(*part.sel(depth=layers).dims).values.ravel() for a in (clock, part))
            role = "measured" if layers == depth.values[-1] else "second"
            marks.append(Points(f"depth {int(layers)}", x, y, role=role))
        last = int(np.argmax(marks[0].x))
        through = (float(marks[0].x[last]), float(marks[0].y[last]))
        ends = [min(m.x.min() for m in marks), max(m.x.max() for m in marks)]
        panels.append(
            Panel(
                [*marks, Slope(f"M^{exponent}", ends, through, exponent)],
                x=Axis("M = (2(D-1)c + p) log(alpha)", scale="log"),
                y=Axis(title, scale="log"),
                title=f"{title} with the largest l2 margin" if exponent == -2 else "1 - l2 margin over the largest",
            )
        )
    return Drawing(
        panels=panels,
        caption="At (1 - c) log(alpha)/decay with decay = alpha^-p, the median over draws: one point for each depth D, p, c and "
        "scale. All lie on one line, since the direction depends on them through the size M of the outputs alone.",
    )


CLAIM = Claim(
    kind="corollary",
    title="Before the transition: the largest l2 margin",
    says="At (1 - c) log(alpha)/decay with decay = alpha^-p the normalized linear map of a diagonal net, trained on the "
    "exponential loss, tends to the direction of largest l2 margin: 1 - cosine falls like 1/log(alpha)^2 and the normalized "
    "margin nears 1 like 1/log(alpha), for each depth, p and c.",
    source="lyu2024, corollary 3.6",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    # With many more unknowns than samples all samples carry weights of one size, and the angle's next order is small.
    sizes={"quick": {"d": 96}, "paper": {"d": 96}},
    least={"log_alpha": 2},
    control=Control(
        "after the transition, at (1 + c) log(alpha)/decay, for two layers",
        changes={"share": "=1+away", "depth": (2,)},
        breaks=(
            "power of log(alpha) at which 1 - cosine falls",
            "power of log(alpha) at which 1 - margin falls",
            "shortfall of the l2 margin, in units of log(n)",
        ),
    ),
    seconds={"quick": 20, "paper": 120},
)

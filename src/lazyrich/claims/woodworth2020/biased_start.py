r"""Footnote 2: from a start off zero the flow ends at the least $\sum_i c_iq(\beta_i/c_i) - \theta_i\beta_i$."""

import numpy as np

from ...lab.settings.diagonal_starts import MISS, SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import relative_distance

TINY = 1e-100


def refer(problem, alpha, known):
    """The least shifted entropy at this scale and at a tiny one; least l1; `known` is 1 where theory knows the bias."""
    from ...predictors import MinL1, MinShiftedEntropy

    square, theta = np.asarray(problem.shape) ** 2, np.asarray(problem.theta)
    return {
        "shifted": MinShiftedEntropy(alpha**2 * square, known * theta).solve(problem.train),
        "tiny": MinShiftedEntropy(TINY**2 * square, theta).solve(problem.train),
        "l1": MinL1(np.exp((1 - known) * theta)).solve(problem.train),
    }


def judge(data, told) -> Evidence:
    """The flow's end against theory's answer, and that answer at a tiny scale against least l1."""
    return Evidence(
        sound=[
            at_most(
                "loss at the end over the answers squared",
                data.loss.max(),
                10 * MISS,
                why="the statement is about interpolating limits; ten times the level at which runs stop",
            )
        ],
        holds=[
            at_most(
                "relative distance",
                relative_distance(data.end, told["shifted"].effective).max(),
                1e-6,
                why="the run stops at a residual of 1e-8; ten times that for the condition of the inputs, ten to spare",
            ),
            at_most(
                "distance from least l1 at alpha = 1e-100",
                relative_distance(told["tiny"].effective, told["l1"].effective).median(),
                0.05,
                why="it falls like alpha^(2 - 2 rho), rho the largest price off the support: 1e-2 for a rho of 0.99",
            ),
        ],
    )


def draw(data, told, scale) -> Drawing:
    """The flow's end against theory's answers with and without the bias."""
    alpha = scale.values**0.5
    shifted = relative_distance(data.end, told["shifted"].effective).max("trial").isel(depth=0).values
    rich = relative_distance(data.end, told["l1"].effective).median("trial").isel(depth=0).values
    return Drawing(
        panels=[
            Panel(
                [
                    Points("from least shifted entropy, worst draw", alpha, shifted),
                    Line("from least l1, median", alpha, rich, role="second"),
                    Rule("bound", 1e-6, role="control"),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("relative distance of the flow's end", scale="log"),
            )
        ],
        columns=1,
        caption="Starts with u and v apart by random factors: theory's answer takes the bias into account as a "
        "linear term, and its "
        "influence vanishes with the scale.",
    )


CLAIM = Claim(
    kind="statement",
    title="Starts off zero shift the entropy",
    says="From any positive u(0) and v(0) the flow of the depth-2 diagonal net ends, if it interpolates, at argmin "
    "sum_i c_i "
    "q(beta_i / c_i) - theta_i beta_i subject to X beta = y with c = u(0) v(0) and theta = log(u(0) / v(0)); as the "
    "scale vanishes "
    "that is least l1 still.",
    source="woodworth2020, footnote 2",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"known": 1.0},
    # At large scales the map starts far off the answers, whose last digits are then out of reach.
    sizes={size: {"tilt": 2.0, "spread": 2.0, "scale": (1e-3, 1e-2, 0.1, 1.0)} for size in ("smoke", "quick", "paper")},
    control=Control(
        "theory that leaves the bias out of the entropy and puts it into l1",
        changes={"known": 0.0},
        breaks=("relative distance", "distance from least l1 at alpha = 1e-100"),
    ),
    seconds={"quick": 15, "paper": 30},
)

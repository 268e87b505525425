r"""Theorem 1 for every shape: the flow from $\alpha w_0$ ends at the interpolant of least $Q_{\alpha, w_0}$."""

import numpy as np

from ...lab.settings.diagonal_starts import MISS, SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule, Slope
from ..labelled import last_power, relative_distance

# So small a scale is out of reach for a flow in time, but not for theory's answer, which the flow is shown to agree with.
TINY = 1e-100


def refer(problem, alpha, depth, known):
    """The least entropy at this scale and at a tiny one, and both limits; `known` is 1 where the shape stands where it should."""
    from ...predictors import MinHyperbolicEntropy, MinL1, MinL2

    shape = np.asarray(problem.shape) ** known
    return {
        "entropy": MinHyperbolicEntropy(alpha, depth=depth, shape=shape).solve(problem.train),
        "tiny": MinHyperbolicEntropy(TINY, depth=depth, shape=np.asarray(problem.shape)).solve(problem.train),
        "l1": MinL1(np.asarray(problem.shape) ** (2 * known - 2)).solve(problem.train),
        "l2": MinL2(shape**-2.0).solve(problem.train),
    }


def judge(data, told) -> Evidence:
    """The flow's end against theory's answer; how it nears the weighted l2 answer; that the tiny one is near plain l1."""
    lazy = last_power(relative_distance(data.end, told["l2"].effective), "scale")
    rich = relative_distance(told["tiny"].effective, told["l1"].effective)
    return Evidence(
        sound=[
            at_most(
                "loss at the end over the loss of zero",
                data.loss.max(),
                10 * MISS,
                why="the theorem speaks of interpolating limits; ten times the level at which runs stop",
            )
        ],
        holds=[
            at_most(
                "relative distance",
                relative_distance(data.end, told["entropy"].effective).max(),
                1e-6,
                why="the run stops at a residual of 1e-8; ten times that for the condition of the inputs, ten to spare",
            ),
            near(
                "power of alpha^2 at which the distance from weighted l2 falls",
                lazy.median(),
                2,
                0.15,
                why="q(z) = z^2/4 - z^4/192 + ...: the share of the second term, at z = beta/(alpha w)^2; the next "
                "one and the "
                "residual of the run, 1e-8 beside a distance of 1e-6, are some hundredths",
            ),
            at_most(
                "distance from least l1 at alpha = 1e-100",
                rich.median(),
                0.05,
                why="it falls like alpha^(2 - 2 rho), rho the largest price off the support: 1e-2 for a rho of 0.99",
            ),
        ],
    )


def draw(data, told, scale) -> Drawing:
    """Where the flow ends between the limits, and its distance from theory's answer, with and without the shape."""
    ends, alpha = data.end.isel(depth=0), scale.values**0.5
    from_l1, from_l2, from_theory = (
        relative_distance(ends, told[name].effective.isel(depth=0, missing_dims="ignore"))
        for name in ("l1", "l2", "entropy")
    )
    lazy = from_l2.median("trial").values
    axis = Axis("alpha", scale="log")
    return Drawing(
        panels=[
            Panel(
                [
                    Points("from weighted l2", alpha, lazy),
                    Line("from plain l1", alpha, from_l1.median("trial").values, role="second"),
                    Slope("alpha^-4", alpha[-3:], (float(alpha[-1]), float(lazy[-1])), -4),
                ],
                x=axis,
                y=Axis("relative distance", scale="log"),
                title="From l1 to weighted l2",
            ),
            Panel(
                [
                    Points("flow from least entropy", alpha, from_theory.max("trial").values),
                    Rule("bound", 1e-6, role="control"),
                ],
                x=axis,
                y=Axis("relative distance", scale="log"),
                title="From the flow's end to theory's answer",
                legend=False,
            ),
        ],
        caption="Starts of random shape. Left: the medians of the distances from the two limits; the l2 norm is "
        "weighted by the "
        "shape, l1 is not. Right: the flow's end is theory's answer, in the worst of the draws.",
    )


CLAIM = Claim(
    kind="theorem",
    title="The shape of the start weighs the entropy, and l2, but not l1",
    says="For every shape w_0 the flow from u = v = alpha w_0 ends, if it interpolates, at argmin sum_i alpha^2 "
    "w_i^2 q(beta_i / "
    "(alpha w_i)^2) subject to X beta = y: as alpha grows the least l2 norm with weights 1/w_i^2 (eq. 6), as it "
    "vanishes the "
    "least l1 norm, whatever the shape (eq. 7).",
    source="woodworth2020, theorem 1, equations 5 to 7",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"known": 1.0},
    sizes={"smoke": {"spread": 3.0}, "quick": {"spread": 3.0}, "paper": {"spread": 3.0}},
    least={"scale": 2},
    control=Control(
        "the shape left out of entropy and l2, and its square put under l1",
        changes={"known": 0.0},
        breaks=(
            "relative distance",
            "power of alpha^2 at which the distance from weighted l2 falls",
            "distance from least l1 at alpha = 1e-100",
        ),
    ),
    seconds={"quick": 15, "paper": 30},
)

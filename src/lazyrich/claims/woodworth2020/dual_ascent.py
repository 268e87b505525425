r"""The flow is gradient ascent on the concave dual of its own end, $\dot\nu = 8\nabla g(\nu)$: it always interpolates."""

import numpy as np

from ...lab.settings.diagonal_dual import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from .prices import answer


def refer(problem, scale, depth):
    """The least entropy, whose value no dual value exceeds, and the square of the way to the best dual."""
    from ...predictors import MinHyperbolicEntropy

    told = MinHyperbolicEntropy(scale ** (1 / depth), depth=depth).solve(problem)
    return {"entropy": told, "way": np.sum(np.asarray(told.dual) ** 2)}


def judge(data, told, depth, scale, speed) -> Evidence:
    """That the map is the dual's at every moment, that the dual rises, and how fast it nears the least entropy."""
    expected = answer(speed * data.price, depth, scale)
    size = abs(data.effective).max(("t", "d"))
    value = told["entropy"].value
    late = (value - data.dual) * 2 * data.clock / told["way"]
    return Evidence(
        holds=[
            at_most(
                "distance of the map from the dual's, along the flow",
                (abs(data.effective - expected).max(("t", "d")) / size).max(),
                1e-6,
                why="weights and integral are followed to 1e-10 a step, multiplied by at most 1/(1 - p), some "
                "hundred, in the map",
            ),
            at_least(
                "least rise of the dual between two moments, over the least entropy",
                (data.dual.diff("t").min("t") / value).min(),
                -1e-9,
                why="ascent never falls; the followed integral is good to 1e-10",
            ),
            at_most(
                "what the dual misses of the least entropy, over |nu*|^2 / (2 pace t)",
                late.max(),
                1,
                why="the rate of every gradient ascent of a concave function: it misses nothing in the end",
            ),
            at_least(
                "the same at its largest, the median of the runs",
                late.max("t").median(),
                0.1,
                why="ascent at one rate attains 1/e of the bound, at 1/(2 rate); a tenth shows that it says something",
            ),
        ],
    )


def draw(data, told, depth, scale) -> Drawing:
    """What the dual misses of the least entropy against time."""
    data = data.isel(weight=0)
    miss = np.maximum(1 - data.dual / told["entropy"].value, 1e-16).median("trial")
    panels = [
        Panel(
            [
                Line(
                    f"alpha^D = {float(c):g}",
                    data.time.sel(depth=k, scale=c).isel(trial=0, t=slice(1, None)).values,
                    miss.sel(depth=k, scale=c).isel(t=slice(1, None)).values,
                    role=role,
                )
                for c, role in zip(scale.values, SERIES, strict=False)
            ],
            x=Axis("time over the escape time", scale="log"),
            y=Axis("1 - g(nu(t)) / Q", scale="log"),
            title=f"Depth {int(k)}",
        )
        for k in depth.values
    ]
    return Drawing(
        panels=panels,
        columns=3,
        caption="The dual value at the integrated residual rises along the flow until it is the least entropy, the "
        "median over draws.",
    )


CLAIM = Claim(
    kind="derived",
    title="The flow climbs the dual of its own answer",
    says="With nu = -8 int r (2D(D-2) alpha^(D-2) for 8 at depth D) the flow has beta = grad Q*(X^T nu) and nu' = 8 "
    "grad g(nu), g the "
    "concave dual of min Q subject to X beta = y: g misses at most |nu*|^2/(16 t) of the least Q, and the flow "
    "interpolates whenever "
    "the equations can be met.",
    source="woodworth2020, appendix D",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"speed": 1.0},
    control=Control(
        "half the pace, as printed for half the loss",
        changes={"speed": 0.5},
        breaks=("distance of the map from the dual's, along the flow",),
    ),
    seconds={"quick": 25, "paper": 90},
)

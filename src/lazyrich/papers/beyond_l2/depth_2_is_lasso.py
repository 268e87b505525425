r"""Two factors with decay $\lambda$ end at the lasso of strength $\lambda$: $\min_{B_1B_2=b}\frac12(B_1^2+B_2^2) = |b|$."""

import numpy as np

from ...lab import Param
from ...lab.settings.few_rows import trimmed
from ...lab.settings.hadamard import LARGE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import relative_distance
from .depth import far_from_edge

SIMULATION = LARGE.with_params(
    Param("depth", 2, low=1, high=8, unit="factors", static=True),
    Param("n", (30, 50), (20, 30, 50, 70), smoke=(10, 14), low=1, high=1_000, unit="measurements"),
    Param("decay", (3e-2, 1e-2), (1e-2, 3e-3, 1e-3), smoke=(3e-2,), low=1e-8, high=10.0, unit="of the l2 penalty"),
    Param("reach", 60.0, 200.0, smoke=5.0, low=0.01, high=1e3, unit="steps times rate times decay"),
)


def refer(problem, n, decay):
    """The lasso whose strength is the decay."""
    from ...losses import HALF_SUM
    from ...predictors import Lasso

    return {"lasso": Lasso(decay, HALF_SUM).solve(trimmed(problem, int(n), 0.0).train)}


def judge(data, told) -> Evidence:
    """The end of descent beside the lasso: place, cost, and what the decay charges for it."""
    lasso = told["lasso"]
    apart = relative_distance(data.end, lasso.effective)
    last = data.isel(t=-1)
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_least(
                "share of draws within a thousandth of the lasso, relative",
                (apart <= 1e-3).mean(),
                0.75,
                why="entries that the lasso has at zero fall like exp(-2(1 - q) T) in slow time T, where q < 1 is the slope over "
                "the strength: after 60 less than 1e-3 is left unless q is above 0.94; some draws have such an entry",
            ),
            at_most(
                "distance from the lasso, relative, the median draw",
                apart.median(),
                1e-3,
                why="the specification's tolerance",
            ),
            at_most(
                "half the square of the weights over the l1 norm of their product, less one, the farthest",
                abs(last.weights**2 / (2 * last.l1) - 1).max(skipna=False),
                1e-3,
                why="what factors differ by falls like exp(-2T); entries on their way to zero count with their size",
            ),
        ],
    )


def draw(data, told, decay) -> Drawing:
    """Entries of one draw beside the lasso's, and the distance of every draw against the decay."""
    one = {"trial": 0, "n": 0, "decay": 0}
    end, lasso = data.end.isel(one).values, told["lasso"].effective.isel(one).values
    ends = [float(lasso.min()), float(lasso.max())]
    apart = relative_distance(data.end, told["lasso"].effective).stack(draw=("n", "trial"))
    curves = [
        Line(name, data.steps.isel(one).values[1:], data[key].isel(one).values[1:], role=role)
        for role, (name, key) in zip(SERIES, {"recovery": "recovery", "fit": "train"}.items(), strict=False)
    ]
    return Drawing(
        [
            Panel(
                [Points("entries", lasso, end), Line("equal", ends, ends, role="theory")],
                x=Axis("entry of the lasso"),
                y=Axis("entry of the product"),
                title="One draw, at the end",
            ),
            Panel(curves, x=Axis("steps", scale="log"), y=Axis("relative error", scale="log"), title="On the way"),
            Panel(
                [
                    Points(
                        "draws",
                        np.repeat(decay.values, apart.sizes["draw"]),
                        np.maximum(apart.transpose("decay", "draw").values.ravel(), 1e-16),
                    ),
                    Rule("a thousandth", 1e-3),
                ],
                x=Axis("decay", scale="log"),
                y=Axis("distance from the lasso, relative", scale="log"),
                title="All draws",
            ),
        ],
        columns=3,
        caption="Products of two vectors with weight decay end at the lasso whose strength is the decay. The data are fitted "
        "first; then the decay moves the product as an l1 penalty would.",
    )


CLAIM = Claim(
    kind="derived",
    title="Two factors with decay are the lasso",
    says="Descent on the entrywise product of two vectors with weight decay ends at the minimizer of the same loss with an l1 "
    "penalty of the same strength, and the two factors of every entry end alike in size.",
    source="beyond_l2, appendix C.11",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "one factor: the decay is then the ridge's",
        changes={"depth": 1},
        breaks=(
            "share of draws within a thousandth of the lasso, relative",
            "distance from the lasso, relative, the median draw",
            "half the square of the weights over the l1 norm of their product, less one, the farthest",
        ),
    ),
    seconds={"quick": 12, "paper": 200},
)

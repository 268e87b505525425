r"""Two factors with weight decay $\lambda$ are the lasso of that strength: $\min_{B_1B_2=b}\frac12(B_1^2+B_2^2) = |b|$."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Rule
from ...claims.labelled import relative_distance
from ...claims.marks import equal, log_axis
from ...lab import Param
from .shared.depth import far_from_edge
from .shared.phases import ERROR, STEPS, curve
from .simulations.few_rows import trimmed
from .simulations.hadamard import LARGE

SIMULATION = LARGE.with_params(
    Param("depth", 2, low=1, high=8, unit="factors", static=True),
    Param("n", (30, 50), (20, 30, 50, 70), smoke=(10, 14), low=1, high=1_000, unit="measurements"),
    Param("weight_decay", (3e-2, 1e-2), (1e-2, 3e-3, 1e-3), smoke=(3e-2,), low=1e-8, high=10.0, unit=r"$\lambda$"),
    Param("reach", 60.0, 200.0, smoke=5.0, low=0.01, high=1e3, unit=r"horizon $\alpha\lambda t$"),
)


def predict(problem, n, weight_decay):
    """The lasso whose strength is the weight decay."""
    from ...predictors import Lasso

    return {"lasso": Lasso(weight_decay, "half_sum").solve(trimmed(problem, int(n), 0.0).train)}


def judge(data, theory) -> Evidence:
    """The limit of gradient descent compared to the lasso: distance, cost, and balance of the factors."""
    apart, last = relative_distance(data.end, theory["lasso"].effective), data.isel(t=-1)
    name, why = "relative distance from the lasso, median", "half of the trials are where three quarters must be"
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_least(
                "fraction of trials within a relative distance of 1e-3 of the lasso",
                (apart <= 1e-3).mean(),
                0.75,
                key="within",
                why=r"entries off the lasso fall as $e^{-2(1-q)T}$ in $T = \alpha\lambda t$, with gradient $q\lambda$: "
                "to below 1e-3 at $T = 60$ unless $q > 0.94$, as in some trials",
            ),
            at_most(name, apart.median(), 1e-3, key="distance", why=why),
            at_most(
                r"$\frac12\|B\|_2^2$ of the factors over $\|b\|_1$ of their product, minus one, maximum",
                abs(last.weights**2 / (2 * last.l1) - 1).max(skipna=False),
                1e-3,
                key="balance",
                why="the imbalance of the factors falls as $e^{-2T}$; entries converging to zero count by their size",
            ),
        ],
    )


def draw(data, theory, weight_decay) -> Drawing:
    """Entries of one trial compared to the lasso's, and the distance of every trial against weight decay."""
    one = {"trial": 0, "n": 0, "weight_decay": 0}
    run, lasso = data.isel(one), theory["lasso"].effective.isel(one).values
    apart = relative_distance(data.end, theory["lasso"].effective).stack(draw=("n", "trial"))
    distances = np.maximum(apart.transpose("weight_decay", "draw").values.ravel(), 1e-16)
    entries = [Points("entries", lasso, run.end.values), equal(lasso)]
    curves = [curve("recovery", run.steps, run.recovery), curve("training", run.steps, run.train, role="second")]
    trials = [Points("trials", np.repeat(weight_decay.values, apart.sizes["draw"]), distances), Rule("1e-3", 1e-3)]
    x, y = log_axis(r"weight decay $\lambda$"), log_axis("relative distance from the lasso")
    return Drawing(
        [
            Panel(entries, Axis("entry of the lasso"), Axis("entry of the product"), title="One trial, at the end"),
            Panel(curves, STEPS, ERROR, title="Trajectory"),
            Panel(trials, x, y, title="All trials"),
        ],
        columns=3,
        caption=r"Products of two vectors with weight decay $\lambda$ converge to the lasso of strength $\lambda$. The data are "
        r"fitted first; then weight decay moves the product as an $\ell_1$ penalty would.",
    )


CLAIM = Claim(
    id="beyond_l2/depth_2_is_lasso",
    kind="derived",
    title="Two factors with weight decay are the lasso",
    says="Gradient descent on the entrywise product of two vectors with weight decay converges to the minimizer of the same loss "
    r"with an $\ell_1$ penalty of the same strength, and the two factors of each entry converge to equal magnitudes.",
    source="beyond_l2, appendix C.11",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    controls=[Control("one factor: the penalty is then ridge's", changes={"depth": 1}, breaks=("within", "distance", "balance"))],
    seconds={"quick": 12, "paper": 200},
)

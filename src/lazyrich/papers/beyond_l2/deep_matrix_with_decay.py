r"""Products of matrices from a large initialization with weight decay grok; two factors converge to the nuclear-norm lasso."""

from dataclasses import replace

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Panel, Points
from ...claims.labelled import relative_distance
from ...claims.marks import equal
from .shared.depth import delay, error_at_fit, far_from_edge, named
from .shared.limits import SAME
from .shared.nuclear_limits import least_norm
from .shared.phases import ERROR, STEPS, curve
from .simulations.matrix_factors import DEEP

NEAR = 1e-3  # relative distance of two factors from the nuclear-norm lasso where nothing converges slowly
NOTHING = 1e-6  # singular values below this fraction of the largest count as zero; those of the lasso were 0.04 or more


def predict(problem, weight_decay, reach):
    """The recovery error of the minimum nuclear norm, the nuclear-norm lasso of the same strength, and what remains beside it."""
    from ...predictors import NuclearLasso

    lasso = NuclearLasso(weight_decay, "half_sum").solve(problem.train)
    return {
        "recovery_error": least_norm(problem)["recovery_error"],
        "lasso": replace(lasso, effective=lasso.effective.ravel()),
        "left": left(problem, lasso.effective, weight_decay, reach),
    }


def left(problem, lasso, weight_decay, reach) -> float:
    r"""$e^{-2(1-q)T}$: what remains at time $T$ of the slowest direction that the lasso does not have.

    With $G$ the negative gradient of the loss at the lasso, two balanced factors along a singular pair of $G$ outside the lasso
    decay as $e^{-(1-q)T}$ each, with $q$ its singular value over the weight decay; on the lasso's own pairs $q = 1$.
    """
    data = problem.train
    slope = np.zeros(data.shape)
    np.add.at(slope, (data.rows, data.cols), np.asarray(data.y) - lasso[data.rows, data.cols])
    sizes = np.linalg.svd(lasso, compute_uv=False)
    beside = np.linalg.svd(slope, compute_uv=False)[int((sizes > NOTHING * sizes[0]).sum()) :]
    return float(np.exp(-2 * (1 - beside.max(initial=0.0) / weight_decay) * reach))


def judge(data, theory, level) -> Evidence:
    """Over trials whose ground truth has minimum nuclear norm: recovery, its time, and the distance from the lasso."""
    good = theory["recovery_error"] < SAME
    seen = data.sortby("depth").where(good, drop=True)
    first, fewest = seen.isel(depth=0), "two factors"
    apart = relative_distance(first.end, theory["lasso"].effective.where(good, drop=True))
    allowed = np.maximum(theory["left"].where(good, drop=True), NEAR)
    trials = "trials whose ground truth has minimum nuclear norm"
    why = "the others are not recovered by weight decay; two trials are enough for a median"
    fast = r"observed entries are fitted in a hundred steps, weight decay acts in $1/(\alpha\lambda)$, 2,500 steps"
    return Evidence(
        sound=[far_from_edge(data), at_least(trials, good.sum(), 2, key="testable", why=why)],
        holds=[
            at_most(
                "relative distance of the product of two factors from the nuclear-norm lasso, over the predicted one, median",
                (apart / allowed).median(),
                1,
                key="distance",
                why=r"$\frac12\sum\|W_i\|_F^2$ of two factors is at least $\|W_1W_2\|_*$; 1e-3, or $e^{-2(1-q)T}$ if larger, "
                "along the slowest direction outside the lasso, whose gradient is $q$ times the weight decay",
            ),
            at_least(
                "fraction of trials recovered, minimum over depths",
                np.isfinite(seen.generalization).mean("trial").min(),
                0.7,
                key="recovers",
                why="the paper: it converges to the sought matrix; the bias is a few times the weight decay",
            ),
            delay(fewest, first, fast),
            at_least(
                "recovery time over memorization time, median, minimum over depths",
                (seen.generalization / seen.memorization).median("trial").min(),
                2,
                key="delay_by_depth",
                why="the same, with less to recover after memorization the more factors there are",
            ),
            error_at_fit(fewest, first, level, 3, "unobserved entries keep their initialization until then"),
        ],
    )


def draw(data, theory, depth) -> Drawing:
    """Errors of one trial for each depth, and final entries compared to those of the nuclear-norm lasso."""
    shown = int((theory["recovery_error"] < SAME).values.argmax())
    errors = []
    for layers in depth.values[:2]:
        one = data.isel(trial=shown).sel(depth=layers)
        lines = [curve("recovery", one.steps, one.recovery), curve("training", one.steps, one.train, role="second")]
        errors.append(Panel(lines, STEPS, ERROR, title=named(layers).capitalize()))
    lasso = theory["lasso"].effective.isel(trial=shown).values
    entries = [
        Points(named(layers), lasso, data.end.sel(depth=layers).isel(trial=shown).values, role=role)
        for role, layers in zip(SERIES, depth.values, strict=False)
    ]
    x, y = Axis("entry of the nuclear-norm lasso"), Axis("final entry")
    return Drawing(
        [*errors, Panel([*entries, equal(lasso)], x, y, title="At the end")],
        columns=3,
        caption="One trial of completion by products of matrices from a large initialization with small weight decay. Observed "
        "entries are fitted first; then weight decay moves the product to the low-rank matrix (two factors: to the lasso).",
    )


CLAIM = Claim(
    id="beyond_l2/deep_matrix_with_decay",
    kind="statement",
    title="Deep factorization with weight decay groks",
    says="From a large initialization with small weight decay a product of two matrices or more fits the observed entries first "
    "and recovers the low-rank matrix long after, if it has minimum nuclear norm; two factors converge to the nuclear-norm lasso "
    "whose strength is the weight decay.",
    source="beyond_l2, appendix D.11",
    simulation=DEEP,
    predict=predict,
    judge=judge,
    draw=draw,
    controls=[Control("one factor", changes={"depth": (1,)}, breaks=("distance", "recovers"))],
    seconds={"quick": 25, "paper": 300},
)

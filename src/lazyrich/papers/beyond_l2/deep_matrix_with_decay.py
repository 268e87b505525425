r"""Products of matrices from a large start with decay: fitted first, found late; two factors end at the nuclear lasso."""

from dataclasses import replace

import numpy as np

from ...lab.settings.matrix_factors import DEEP
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import relative_distance
from .depth import far_from_edge, named
from .limits import SAME
from .nuclear_limits import least_norm

NEAR = 1e-3  # how near two factors come to the nuclear lasso where nothing is slow
NOTHING = 1e-6  # singular values below this share of the largest are none; those of the lasso were 0.04 or more


def refer(problem, decay, reach):
    """How far the least nuclear norm is from the truth, the nuclear lasso whose strength is the decay, and what may be left."""
    from ...losses import HALF_SUM
    from ...predictors import NuclearLasso

    lasso = NuclearLasso(decay, HALF_SUM).solve(problem.train)
    return {
        "missed": least_norm(problem)["missed"],
        "lasso": replace(lasso, effective=lasso.effective.ravel()),
        "left": left(problem, lasso.effective, decay, reach),
    }


def left(problem, lasso, decay, reach) -> float:
    r"""$e^{-2(1-q)T}$: what is left at time $T$ of a direction that the lasso does not have, the slowest to leave.

    With $G$ minus the slope of the data at the lasso, two balanced factors along a singular pair of $G$ beside the lasso
    go like $e^{-(1-q)T}$ each, with $q$ its singular value over the decay; on the lasso's own pairs $q = 1$, beside them less.
    """
    data = problem.train
    slope = np.zeros(data.shape)
    np.add.at(slope, (data.rows, data.cols), np.asarray(data.y) - lasso[data.rows, data.cols])
    sizes = np.linalg.svd(lasso, compute_uv=False)
    beside = np.linalg.svd(slope, compute_uv=False)[int((sizes > NOTHING * sizes[0]).sum()) :]
    return float(np.exp(-2 * (1 - beside.max(initial=0.0) / decay) * reach))


def judge(data, told, level) -> Evidence:
    """Draws whose truth has the least nuclear norm: whether it is found, when, and how near the nuclear lasso."""
    good = told["missed"] < SAME
    seen = data.sortby("depth").where(good, drop=True)
    first = seen.isel(depth=0)
    apart = relative_distance(first.end, told["lasso"].effective.where(good, drop=True))
    allowed = np.maximum(told["left"].where(good, drop=True), NEAR)
    return Evidence(
        sound=[
            far_from_edge(data),
            at_least(
                "draws whose truth has the least nuclear norm",
                good.sum(),
                2,
                why="where it has not, decay does not find it; two draws are enough for a median",
            ),
        ],
        holds=[
            at_most(
                "distance of the fewest factors, two, from the nuclear lasso over what may be left, the median draw",
                (apart / allowed).median(),
                1,
                why="half the squares of two factors cost at least the nuclear norm: 1e-3 in relative distance, or where that is "
                "more exp(-2(1 - q) T), to which a direction beside the lasso has fallen, q its slope over the decay",
            ),
            at_least(
                "share of draws found, the least over depths",
                np.isfinite(seen.finds).mean("trial").min(),
                0.7,
                why="the paper: it converges to the sought matrix; the bias is some times the decay",
            ),
            at_least(
                "time of recovery over that of the fit with the fewest factors, two, the median draw",
                (first.finds / first.fits).median(),
                4,
                why="known entries are fitted in some inverse curvatures, a hundred steps; decay acts in 1/(rate x decay), 2,500",
            ),
            at_least(
                "time of recovery over that of the fit, the median draw, the least over depths",
                (seen.finds / seen.fits).median("trial").min(),
                2,
                why="the same, with less to find after the fit the more factors there are",
            ),
            at_least(
                "error at the fit with the fewest factors, two, over the level, the median draw",
                first.at_fit.median() / level,
                3,
                why="the fit keeps what the start has in unknown entries",
            ),
        ],
    )


def draw(data, told, depth) -> Drawing:
    """Errors of one draw for each depth, and entries at the end beside those of the nuclear lasso."""
    shown = int((told["missed"] < SAME).values.argmax())
    one = data.isel(trial=shown, t=slice(1, None))
    errors = [
        Panel(
            [
                Line("recovery", one.steps.sel(depth=layers).values, one.recovery.sel(depth=layers).values),
                Line("fit", one.steps.sel(depth=layers).values, one.train.sel(depth=layers).values, role="second"),
            ],
            x=Axis("steps", scale="log"),
            y=Axis("relative error", scale="log"),
            title=named(layers).capitalize(),
        )
        for layers in depth.values[:2]
    ]
    lasso = told["lasso"].effective.isel(trial=shown).values
    ends = [float(lasso.min()), float(lasso.max())]
    return Drawing(
        [
            *errors,
            Panel(
                [
                    *(
                        Points(named(layers), lasso, data.end.sel(depth=layers).isel(trial=shown).values, role=role)
                        for role, layers in zip(SERIES, depth.values, strict=False)
                    ),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("entry of the nuclear lasso"),
                y=Axis("entry at the end"),
                title="At the end",
            ),
        ],
        columns=3,
        caption="One draw of completion by products of matrices from a large start with small decay. Known entries are fitted "
        "first; the decay then moves the product to the matrix of low rank, with two factors to the nuclear lasso.",
    )


CLAIM = Claim(
    kind="statement",
    title="Deep factorization with decay groks",
    says="From a large start with small decay a product of two matrices or more fits the known entries first and finds the "
    "matrix of low rank long after, where it has the least nuclear norm; two factors end at the nuclear lasso whose strength "
    "is the decay.",
    source="beyond_l2, appendix D.11",
    simulation=DEEP,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "one factor",
        changes={"depth": (1,)},
        breaks=(
            "distance of the fewest factors, two, from the nuclear lasso over what may be left, the median draw",
            "share of draws found, the least over depths",
        ),
    ),
    seconds={"quick": 25, "paper": 300},
)

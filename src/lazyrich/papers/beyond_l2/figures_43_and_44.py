r"""Figures 43 and 44: matrix sensing with a small nuclear penalty, by projected and by proximal descent."""

from functools import partial

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing
from .shared import nuclear_figures as curves
from .shared.figure_claim import figure
from .shared.nuclear_limits import enough, readable, sensed
from .shared.times import on_time
from .simulations.nuclear_descent import SENSING


def judge_projected(data, theory, learning_rate, strength, rank, level, reach) -> Evidence:
    """The training error after one step, and the final matrix."""
    good = readable(theory, reach)
    seen = curves.strongest(data, theory, good, "projected")
    later = seen.steps >= 1
    return Evidence(
        sound=[enough(good)],
        holds=[
            *curves.at_truth(seen, rank, level),
            curves.right_rank(seen, learning_rate * strength, rank),
            on_time(seen.generalization / seen.predicted, 0.02),
            at_most(
                "training error from the first step on, maximum",
                seen.train.where(later).max(),
                1e-8,
                key="interpolates",
                why="every step ends at an interpolant; rounding error times the condition number of the measurements",
            ),
            at_least(
                "nuclear norm over that of the ground truth from the first step on, minimum",
                (seen.sigma.sum("k") / rank).where(later).min(),
                1 - 1e-8,
                key="norm_from_above",
                why="no interpolant has a smaller norm; the same rounding error",
            ),
        ],
    )


def draw_projected(data, theory, learning_rate, strength, rank, reach) -> Drawing:
    """Errors, norm and singular values of one trial."""
    one = curves.strongest(data, theory, curves.shown(theory, reach), "projected").isel(trial=0)
    errors = curves.error_panel(one, found=float(one.predicted / (learning_rate * strength)), fit=False)
    return Drawing(
        [errors, curves.norm_panel(one, rank), curves.sigma_panel(one, rank)],
        columns=3,
        caption="One trial of matrix sensing. Projected descent fits the data in one step, then moves along the interpolants to "
        "the minimum nuclear norm, which is attained by the ground truth.",
    )


def judge_proximal(data, theory, strength, rank, level, reach) -> Evidence:
    """Both phases, and the singular values at the end."""
    good = readable(theory, reach)
    seen = curves.strongest(data, theory, good, "proximal")
    lasso = theory["sizes"].where(good, drop=True).rename(d="k")
    return Evidence(
        sound=[enough(good)],
        holds=[
            *curves.at_truth(seen, rank, level),
            on_time(seen.generalization / seen.predicted, 0.2),
            at_most(
                "final singular values minus those of the nuclear-norm lasso, over the strength, maximum",
                (abs(seen.sigma.isel(t=-1) - lasso) / strength).max(skipna=False),
                0.3,
                key="nuclear_lasso",
                why="proximal descent minimizes the lasso's objective; after twice the slow flow's time it has not converged",
            ),
            at_most(
                "penalty gradient over loss gradient at initialization, maximum",
                seen.ratio.isel(t=0).max(skipna=False),
                0.1,
                key="ratio_at_init",
                why=r"$\beta_*\sqrt{6}$ over a loss gradient of order one",
            ),
            at_least(
                r"$\log_{10}$ of recovery time over memorization time, minimum",
                np.log10(seen.generalization / seen.memorization).min(skipna=False),
                0.5,
                key="delay",
                why="the slowest direction is memorized in a few hundred steps; recovery takes thousands",
            ),
        ],
    )


def draw_proximal(data, theory, learning_rate, strength, rank, reach) -> Drawing:
    """Errors, gradients, norm and singular values of one trial."""
    one = curves.strongest(data, theory, curves.shown(theory, reach), "proximal").isel(trial=0)
    return Drawing(
        curves.panels(one, rank, found=float(one.predicted / (learning_rate * strength))),
        caption="One trial of matrix sensing by proximal descent. After memorization the nuclear norm decreases to that of the "
        "ground truth, and the singular values beyond its rank vanish one after another.",
    )


WEIGHT_DECAY = partial(Control, "weight decay instead of the nuclear penalty", {"nuclear": 0.0, "strength": 3e-3})
claim = partial(figure, simulation=SENSING, predict=sensed, seconds={"quick": 20, "paper": 3600})
CLAIMS = (
    claim(
        43,
        "Matrix sensing by projected descent",
        "Projected subgradient descent fits the data from the first step on, and recovers the matrix when the slow flow of the "
        "nuclear norm does, with its norm and its rank.",
        judge_projected,
        draw_projected,
        controls=[WEIGHT_DECAY(("final_error", "rank", "recovery_time"))],
    ),
    claim(
        44,
        "Matrix sensing by proximal descent",
        "Proximal descent fits the data first, then recovers the matrix when the slow flow of the nuclear norm does, up to the "
        "bias of the penalty, and converges to the nuclear-norm lasso.",
        judge_proximal,
        draw_proximal,
        controls=[WEIGHT_DECAY(("final_error", "nuclear_lasso", "recovery_time"))],
    ),
)

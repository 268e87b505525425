r"""Figures 4, 5, 42: matrix completion by subgradient descent with a small nuclear penalty $\beta_*\|A\|_*$."""

from functools import partial

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most, near
from ...claims.drawing import Drawing, Panel
from ...claims.labelled import farthest
from ...claims.marks import family
from .shared.figure_claim import figure
from .shared.nuclear_figures import ALIVE, at_truth, panels, right_rank, shown, strongest
from .shared.nuclear_limits import enough, readable, slow
from .shared.phases import ERROR, STEPS, curve
from .shared.scaling import against_product, fitted_power
from .simulations.nuclear_descent import COMPLETION

METHOD = "subgradient"
BOTH = ("learning_rate", "strength")


def judge_phases(data, theory, learning_rate, strength, rank, level, reach) -> Evidence:
    """Both phases of every trial at the smallest strength: gradients, times, and the singular values."""
    good = readable(theory, reach)
    seen = strongest(data, theory, good, METHOD)
    step = float(learning_rate[0] * strength[-1])
    between = (seen.slow > 0.1 * seen.predicted) & (seen.slow < 0.9 * seen.predicted)
    ratio = seen.ratio.where(between).median("t")
    vanish = seen.slow.where(seen.sigma > ALIVE * step).max("t").isel(k=slice(rank, None))
    least = seen.sigma.isel(k=rank - 1)
    rise = least.isel(t=-1) / least.isel(t=(seen.slow >= seen.memorization).argmax("t"))
    return Evidence(
        sound=[enough(good)],
        holds=[
            *at_truth(seen, rank, level),
            right_rank(seen, step, rank),
            at_least(
                r"$\log_{10}$ of recovery time over memorization time, minimum",
                np.log10(seen.generalization / seen.memorization).min(skipna=False),
                0.5,
                key="delay",
                why="a time of order one over ten steps of 5e-4 is two decades; the minimum over trials is at least one less",
            ),
            at_most(
                "penalty gradient over loss gradient before memorization, maximum",
                seen.ratio.where(seen.train > level).max(),
                0.3,
                key="ratio_before",
                why=r"at most $\beta_*\sqrt{6}$ over the level times the norm of the data: 0.1",
            ),
            at_least(
                "penalty gradient over loss gradient between memorization and recovery, median over time, minimum",
                ratio.min(skipna=False),
                0.95,
                key="ratio_between_low",
                why="the loss gradient then balances the penalty gradient on observed entries: the ratio is at least one",
            ),
            at_most(
                "penalty gradient over loss gradient between memorization and recovery, median over time, maximum",
                ratio.max(skipna=False),
                3,
                key="ratio_between_high",
                why="most entries are observed and hold most of the penalty gradient",
            ),
            at_most(
                "first time at which a singular value vanishes over the last, median",
                (vanish.min("k") / vanish.max("k")).median(),
                0.7,
                key="one_by_one",
                why="they vanish at different times; together the ratio would be one",
            ),
            at_least(
                "smallest singular value of the ground truth's at the end over that at memorization, median",
                rise.median(),
                1.02,
                key="rise",
                why="with zeros at the unobserved entries they are too small; the penalty makes them grow, not vanish",
            ),
        ],
    )


def draw_phases(data, theory, learning_rate, strength, rank, reach) -> Drawing:
    """Errors, gradients, norm and singular values of one trial."""
    one = strongest(data, theory, shown(theory, reach), METHOD).isel(trial=0)
    return Drawing(
        panels(one, rank, found=float(one.predicted / (learning_rate[0] * strength[-1]))),
        caption="One trial of matrix completion with a small nuclear penalty. Observed entries are fitted at once; then the "
        "nuclear norm falls, singular values vanish one by one, and with the last of them the matrix is recovered.",
    )


def curves_of(data, theory, learning_rate, strength, reach):
    """Steps until recovery and the final error, of readable trials."""
    good = readable(theory, reach)
    steps = (data.subgradient_generalization / (learning_rate * strength)).where(good, drop=True)
    return good, steps, data.subgradient_recovery.isel(t=-1).where(good, drop=True)


def judge_powers(data, theory, learning_rate, strength, reach, exponent) -> Evidence:
    """The exponents of learning rate x strength in the recovery time, and of the strength in the final error."""
    good, steps, error = curves_of(data, theory, learning_rate, strength, reach)
    product = learning_rate * strength
    return Evidence(
        sound=[enough(good)],
        holds=[
            near(
                r"exponent of $\alpha\beta_*$ in the recovery time, farthest trial",
                farthest(fitted_power(steps, product), -exponent),
                -exponent,
                0.05,
                key="time_power",
                why=r"$T/(\alpha\beta_*)$; three times the bias over a factor of three is 0.05",
            ),
            near(
                r"exponent of $\beta_*$ in the final error, farthest trial",
                farthest(fitted_power(error, strength), exponent),
                exponent,
                0.15,
                key="error_power",
                why="the penalty's bias is linear in the strength; oscillations by a step add to it and vary",
            ),
            at_most(
                "recovery time relative to the slow flow's, minus one, median",
                abs(steps * product / theory["generalization"].where(good, drop=True) - 1).median(),
                0.05,
                key="recovery_time",
                why="the penalty's bias over the level",
            ),
        ],
    )


def draw_powers(data, theory, learning_rate, strength, reach) -> Drawing:
    """Recovery times and final errors of all trials."""
    good = shown(theory, reach)
    steps, error = data.subgradient_generalization / (learning_rate * strength), data.subgradient_recovery.isel(t=-1)
    return Drawing(
        [
            against_product(steps, good, name="recovery time (steps)", exponent=-1, at=-1),
            against_product(error, good, name="final recovery error", exponent=1, at=-1),
        ],
        caption="Subgradient descent in matrix completion, medians of all trials whose ground truth has minimum nuclear norm. "
        r"The recovery time depends on $\alpha\beta_*$; the final error on $\beta_*$, and less on $\alpha$.",
    )


def judge_neighbors(data, theory, learning_rate, strength, reach, towards) -> Evidence:
    """Recovery times and errors at neighboring learning rates and strengths, the larger over the smaller."""
    good, steps, error = curves_of(data, theory, learning_rate, strength, reach)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                "recovery time at the larger learning rate or strength over that at the smaller, maximum",
                max(float(_growth(steps, axis, towards).max(skipna=False)) for axis in BOTH),
                0.7,
                key="faster",
                why="learning rates differ by two, strengths by three: a half and a third, and a bias of 5%",
            ),
            at_least(
                "final error at the larger strength over that at the smaller, minimum",
                _growth(error, "strength", towards).min(skipna=False),
                2,
                key="strength_error",
                why="the penalty's bias: three times",
            ),
            at_least(
                "final error at the larger learning rate over that at the smaller, minimum",
                _growth(error, "learning_rate", towards).min(skipna=False),
                0.9,
                key="rate_error",
                why="oscillations add to the bias, more at a larger learning rate; a tenth for their phase at the end",
            ),
        ],
    )


def _growth(a, axis: str, towards: int):
    """Each value along an axis over that at the next smaller place, or larger for `towards` = -1."""
    a = a.sortby(axis)
    low, high = a.isel({axis: slice(None, -1)}), a.isel({axis: slice(1, None)})
    ratio = high.drop_vars(axis) / low.drop_vars(axis)
    return ratio if towards > 0 else 1 / ratio


def draw_neighbors(data, theory, learning_rate, strength, reach) -> Drawing:
    """Errors of one trial: a panel for each learning rate, a color for each strength."""
    one, panels = data.where(shown(theory, reach), drop=True).isel(trial=0), []
    for name, title in (("train", "Training error"), ("recovery", "Recovery error")):
        for at, rate in enumerate(learning_rate):
            run = one.isel(learning_rate=at)
            marks = family(r"$\beta_* = {}$", run.steps, run[f"subgradient_{name}"], "strength", mark=curve)
            panels.append(Panel(marks, STEPS, ERROR, title=rf"{title}, $\alpha$ = {float(rate):g}"))
    return Drawing(
        panels,
        columns=learning_rate.size,
        caption="One trial of matrix completion: larger learning rates and strengths recover sooner, with a larger final error.",
    )


completion = partial(figure, simulation=COMPLETION, predict=slow, seconds={"quick": 20, "paper": 3600})
WEAK = {"nuclear": 0.0, "learning_rate": (0.5,), "strength": (1e-3,)}
GRID = {"learning_rate": 2, "strength": 2}
CLAIMS = (
    completion(
        4,
        "Matrix completion: memorization first, then low rank",
        "Subgradient descent with a small nuclear penalty first fits the observed entries. Then the singular values beyond "
        r"the rank of $A^*$ vanish one after another, the others grow, and the matrix is recovered once $\|A\|_*=\|A^*\|_*$.",
        judge_phases,
        draw_phases,
        controls=[Control("weight decay instead of the nuclear penalty", WEAK, ("final_error", "rank"))],
    ),
    completion(
        5,
        "Smaller nuclear penalties: later recovery, smaller error",
        r"In matrix completion the recovery time $t_2$ is proportional to $1/\alpha\beta_*$, the final error to $\beta_*$.",
        judge_powers,
        draw_powers,
        constants={"exponent": 1.0},
        least=GRID,
        controls=[Control("half the exponents", changes={"exponent": 0.5}, breaks=("time_power", "error_power"))],
    ),
    completion(
        42,
        "Learning rates and strengths in matrix completion",
        "At larger learning rates and strengths subgradient descent recovers the matrix sooner, with a larger final error.",
        judge_neighbors,
        draw_neighbors,
        constants={"towards": 1},
        least=GRID,
        controls=[Control("slower, and with a smaller error", {"towards": -1}, ("faster", "strength_error"))],
    ),
)

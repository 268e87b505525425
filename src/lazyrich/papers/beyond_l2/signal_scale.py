r"""Erratum: entries $N(0,1/n)$ are too small for the printed strength and threshold; the figures show entries $N(0,1)$."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Drawing, Event, Points, Rule
from ...claims.marks import log_axis, one_panel
from ...lab import Param, Simulation
from ...lab.simulations.l1_descent import make_problem
from ...problems import Problem, Split
from .shared.limits import SAME, recoverable, slow


def sizes(key, problem: Problem[Split]):
    """The largest entry of the ground truth."""
    return {"largest": abs(problem.truth).max()}


def predict(problem, strength, level):
    """The error of the lasso, the limit of descent; the same for all twice as large; and when the slow flow recovers."""
    from ...predictors import Lasso

    truth, data = np.asarray(problem.truth), problem.train
    twice = Split(data.x, 2 * data.y)
    theory, double = (Lasso(c * strength, "half_sum").solve(part) for c, part in ((1, data), (2, twice)))
    predicted, size = slow(problem, level), np.linalg.norm(truth)
    return {
        "error": np.linalg.norm(theory.effective - truth) / size,
        "doubled": np.linalg.norm(double.effective / 2 - truth) / size,
        "certified": float(theory.ok and double.ok),
        "generalization": predicted["generalization"],
        "recovery_error": predicted["recovery_error"],
    }


def judge(data, theory, learning_rate, strength, level) -> Evidence:
    """The bias of the penalty beside the threshold, and the time of recovery beside the time axis of the figures."""
    good = theory["recovery_error"] < SAME
    steps = theory["generalization"].where(good) / (learning_rate * strength)
    name, why = "fraction of certified references", "biases are compared, so they must be exact"
    certified = at_least(name, theory["certified"].mean(), 1, key="certified", why=why)
    return Evidence(
        sound=[certified, recoverable(good)],
        holds=[
            at_least(
                "fraction of trials with a bias below the threshold",
                (theory["error"] < level).where(good).mean(),
                0.3,
                key="bias",
                why="figures show errors that fall below it; with entries of the printed size none does",
            ),
            near(
                r"$\log_{10}$ of the steps to recovery, median",
                np.log10(steps).median(),
                6,
                0.4,
                key="steps",
                why="the time axis of the figures ends at 2e6 steps, and recovery happens near 1e6",
            ),
            at_most(
                "bias with ground truth and strength doubled over the bias, minus one, maximum",
                abs(theory["doubled"] / theory["error"] - 1).max(),
                1e-6,
                key="homogeneity",
                why="the problem is homogeneous of degree one: rounding error over a bias of 1e-4",
            ),
        ],
    )


def draw(data, theory, learning_rate, strength, level, d) -> Drawing:
    """Bias and time of each trial, at unit size and at the printed one, where both follow by homogeneity."""
    good = (theory["recovery_error"] < SAME).values
    steps = theory["generalization"].values[good] / (learning_rate * strength)
    error, small = theory["error"].values[good], d**-0.5
    return one_panel(
        [
            Points("entries of size 1", steps, error),
            Points("entries of the printed size, to first order", small * steps, error / small, role="control"),
            Rule("threshold", level),
            Event("end of the time axis of the figures", 2e6),
        ],
        log_axis("steps to recovery"),
        log_axis("final relative error"),
        caption=rf"$\beta_1$ = {strength:g} and $\alpha$ = {learning_rate:g} as printed. With entries of the printed size the "
        "bias of the penalty alone is above the threshold, and recovery would come ten times too early.",
    )


CLAIM = Claim(
    id="beyond_l2/signal_scale",
    kind="erratum",
    title="The printed size of the signal is too small",
    says="With nonzeros of standard deviation 1 the printed strength, threshold and number of steps fit together; with the "
    "printed $n^{-1/2}$ the bias of the penalty is above the threshold in every trial.",
    source="beyond_l2, appendix C.4",
    simulation=Simulation(
        sizes,
        make_problem=make_problem,
        params=[
            Param("n", 30, smoke=12, low=2, high=1_000, unit="measurements", static=True),
            Param("d", 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
            Param("sparsity", 5, smoke=1, low=1, high=500, unit="nonzeros of the ground truth", static=True),
            Param("deviation", 1.0, low=1e-6, high=1e6, unit="standard deviation of the nonzeros", static=True),
            Param("coherence", 0.0, low=0.0, high=1.0, unit="fraction of rows that read one entry", static=True),
            Param("learning_rate", 0.1, low=1e-5, high=1.0, unit=r"$\alpha$"),
            Param("strength", 1e-5, low=1e-8, high=1.0, unit=r"$\beta_1$"),
            Param("level", 1e-4, low=1e-6, high=0.5, unit="relative error that counts as recovery"),
            Param("trials", 16, 60, smoke=2, low=1, high=10_000, unit="trials", static=True),
        ],
        returns={"largest": ""},
    ),
    predict=predict,
    judge=judge,
    draw=draw,
    controls=[Control("entries of the printed size, a tenth", changes={"deviation": 0.1}, breaks=("bias", "steps"))],
    seconds={"quick": 10, "paper": 30},
)

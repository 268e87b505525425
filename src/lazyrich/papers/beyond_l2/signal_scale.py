r"""Erratum: entries $N(0, 1/n)$ are too small for the printed strength and threshold; figures show entries $N(0, 1)$."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.l1_descent import pose
from ...losses import HALF_SUM
from ...problems import Problem, Split
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Event, Panel, Points, Rule
from .limits import SAME, slow


def sizes(key, problem: Problem):
    """The largest entry of the truth."""
    return {"largest": abs(problem.truth).max()}


SIMULATION = Simulation(
    sizes,
    pose=pose,
    params=[
        Param("n", 30, smoke=12, low=2, high=1_000, unit="measurements", static=True),
        Param("d", 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
        Param("sparsity", 5, smoke=1, low=1, high=500, unit="entries of the truth", static=True),
        Param("deviation", 1.0, low=1e-6, high=1e6, unit="of those entries", static=True),
        Param("coherence", 0.0, low=0.0, high=1.0, unit="share of rows that read one entry", static=True),
        Param("rate", 0.1, low=1e-5, high=1.0, unit="step"),
        Param("strength", 1e-5, low=1e-8, high=1.0, unit="of the l1 penalty"),
        Param("level", 1e-4, low=1e-6, high=0.5, unit="relative error that counts as found"),
        Param("trials", 16, 60, smoke=2, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={"largest": ""},
)


def refer(problem, strength, level):
    """Where descent ends, the lasso's answer; the same for all twice as large; and when the slow flow finds the truth."""
    from ...predictors import Lasso

    truth, data = np.asarray(problem.truth), problem.train
    twice = Split(data.x, 2 * data.y)
    told, double = (Lasso(c * strength, HALF_SUM).solve(part) for c, part in ((1, data), (2, twice)))
    said = slow(problem, level)
    size = np.linalg.norm(truth)
    return {
        "error": np.linalg.norm(told.effective - truth) / size,
        "doubled": np.linalg.norm(double.effective / 2 - truth) / size,
        "certified": float(told.ok and double.ok),
        "finds": said["finds"],
        "missed": said["missed"],
    }


def judge(data, told, rate, strength, level) -> Evidence:
    """What the penalty's bias is beside the threshold, and when the truth is found beside the figures' axis."""
    good = told["missed"] < SAME
    steps = told["finds"].where(good) / (rate * strength)
    return Evidence(
        sound=[
            at_least(
                "certified references", told["certified"].mean(), 1, why="biases are compared, so they must be known"
            ),
            at_least(
                "share of draws whose truth has the least l1 norm",
                good.mean(),
                0.5,
                why="where it has not, no strength finds it; half of the draws is enough to judge by",
            ),
        ],
        holds=[
            at_least(
                "share of draws whose bias is below the threshold",
                (told["error"] < level).where(good).mean(),
                0.3,
                why="figures show errors that fall below it; printed sizes have none",
            ),
            near(
                "decimal logarithm of the steps to the truth, the median draw",
                np.log10(steps).median(),
                6,
                0.4,
                why="the figures' axis ends at 2e6 steps, and the truth is found near 1e6",
            ),
            at_most(
                "bias with truth and strength twice as large over the bias, less one, the largest",
                abs(told["doubled"] / told["error"] - 1).max(),
                1e-6,
                why="the problem is homogeneous of degree one: rounding over a bias of 1e-4",
            ),
        ],
    )


def draw(data, told, rate, strength, level, d) -> Drawing:
    """Bias and time of each draw, at unit size and at the printed one, where both follow by homogeneity."""
    good = (told["missed"] < SAME).values
    steps = told["finds"].values[good] / (rate * strength)
    error = told["error"].values[good]
    small = d**-0.5
    return Drawing(
        [
            Panel(
                [
                    Points("entries of size 1", steps, error),
                    Points("entries of the printed size, to first order", small * steps, error / small, role="control"),
                    Rule("threshold", level),
                    Event("end of the figures' axis", 2e6),
                ],
                x=Axis("steps until the truth is found", scale="log"),
                y=Axis("relative error at the end", scale="log"),
            )
        ],
        columns=1,
        caption=f"Strength {strength:g} and rate {rate:g} as printed. With entries of the printed size the penalty's bias alone "
        "is above the threshold, and all is over ten times too early.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The printed signal is too small",
    says="With entries of the truth of standard deviation 1 the printed strength, threshold and number of steps fit together; "
    "with the printed n^(-1/2) the penalty's bias is above the threshold in every draw.",
    source="beyond_l2, appendix C.4",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "entries of the printed size, a tenth",
        changes={"deviation": 0.1},
        breaks=(
            "share of draws whose bias is below the threshold",
            "decimal logarithm of the steps to the truth, the median draw",
        ),
    ),
    seconds={"quick": 10, "paper": 30},
)

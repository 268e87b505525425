"""What the two phases of sparse recovery come to by theory alone, and the curves and draws that their figures share."""

import numpy as np

from ...dynamics.limits import SlowFlow
from ...losses import HALF_SUM, Squared
from ...models import Linear
from ...objective import Objective
from ...problems import Problem, Split
from ...regularizers import L1
from ..base import Reading, at_least, at_most
from ..drawing import Axis, Line, Panel, Points, Role
from .limits import SAME

EARLY = 0.05  # of the horizon: what theory places earlier is not yet slow beside the fit
LATE = 0.8  # of the horizon: what theory places later is not judged
BIAS = 0.1  # of the level: where the penalty's own bias is larger, times are not those of a vanishing penalty


def slow_path(problem: Problem):
    """The slow flow of the l1 norm from the least-squares answer, event by event."""
    goal = Objective(problem.train, Squared(), factor=HALF_SUM, penalties=[(L1(), 1.0)])
    return SlowFlow().path(goal, Linear.at_scale(0.0, dim=problem.truth.size))


def refer(problem: Problem, level):
    """Both ends of the slow flow, its times, the sizes of the truth, and the bias of a penalty of strength one."""
    data, truth = problem.train, np.asarray(problem.truth)
    assert isinstance(data, Split), "sparse recovery measures vectors"
    path, support, size = slow_path(problem), truth != 0, np.linalg.norm(truth)
    first, last = path.positions[0], path.end
    columns = np.asarray(data.x)[:, support]
    bias = np.linalg.lstsq(columns.T @ columns, np.sign(truth[support]), rcond=1e-9)[0]
    return {
        "finds": path.first_within(truth, float(level)),
        "extinction": path.extinction,
        "missed": np.linalg.norm(last - truth) / size,
        "least_squares": np.linalg.norm(first - truth) / size,
        "first_inside": np.linalg.norm(first[support]),
        "first_outside": np.linalg.norm(first[~support]),
        "last_inside": np.linalg.norm(last[support]),
        "last_outside": np.linalg.norm(last[~support]),
        "l1": np.abs(truth).sum(),
        "l2": size,
        "bias": np.linalg.norm(bias) / size,
    }


def clear(told, strength, level):
    """Draws whose penalty is weak enough for its own bias not to count."""
    return strength * told["bias"] <= BIAS * level


def judged(told, *, strength, level, reach):
    """Draws whose truth the slow flow finds, after the start and well before the horizon, by a weak penalty."""
    return (
        (told["missed"] < SAME)
        & (told["finds"] > EARLY * reach)
        & (told["finds"] < LATE * reach)
        & clear(told, strength, level)
    )


def once(curve, step, when):
    """A curve on the first step read at or after a time, which must have come."""
    return curve.isel(t=(step >= when).argmax("t"))


def enough(good) -> Reading:
    """That some draws can be judged."""
    return at_least(
        "share of draws with a truth that the slow flow finds in time, by a weak penalty",
        good.mean(),
        0.2,
        why="where it does not there is no time to compare; a fifth of the draws is enough to judge by",
    )


def clock(data, told, good, *, rate, strength, power) -> Reading:
    """The slow time of recovery beside the slow flow's."""
    times = rate * strength**power * data.finds
    return at_most(
        "time of recovery over the slow flow's, less one, the farthest",
        abs((times / told["finds"]).where(good) - 1).max(),
        0.05,
        why="times are off by the fit, which the slow flow leaves out, a hundredth of it or a few, and by the penalty's bias "
        "over the level, a tenth at most, times the share of the time in which the error falls from there",
    )


def agreement(data, told, *, strength, level, reach, answer) -> Reading:
    """Whether the truth is found where, and only where, theory's answer is the truth."""
    found = data.finds < np.inf
    sure = clear(told, strength, level) & (told["finds"] < LATE * reach)
    never = told[answer] > 2 * level
    right = (found & sure & (told[answer] < SAME)) | (~found & never)
    counted = never | (sure & (told[answer] < SAME))
    return at_least(
        "share of draws whose truth is found if and only if it is the answer of theory",
        right.where(counted).mean(),
        0.97,
        why="the slow flow ends at the least l1 norm: no draw should differ, one in 30 may lie at a boundary",
    )


def at_fit(data, told, good) -> Reading:
    """The recovery error when the data are just fitted, beside that of least squares."""
    then = once(data.recovery, data.step, data.fits)
    return at_most(
        "recovery error once fitted, less that of least squares, the median",
        abs(then - told["least_squares"]).where(good).median(),
        0.05,
        why="the way to the fit leads to least squares; meanwhile the penalty moves by rate x strength x sqrt(n) a step at "
        "most, a few hundredths in all",
    )


def along_draws(name: str, x, times, *, role: Role = "measured") -> Points:
    """The median over the draws in which it happened, bars to the quartiles; places where it never did are left out."""
    happened = np.isfinite(times).any("trial").values
    shown = times.transpose(..., "trial").values[happened]
    kept = [row[np.isfinite(row)] for row in shown]
    low, middle, high = (np.array([np.quantile(row, q) for row in kept]) for q in (0.25, 0.5, 0.75))
    return Points(name, np.asarray(x)[happened], middle, error=(high - low) / 2, role=role)


def errors(one, *, title: str = "", events=()) -> Panel:
    """Errors of one run against steps."""
    shown = one.step.values > 0
    return Panel(
        [
            Line("training", one.step.values[shown], one.train.values[shown], role="second"),
            Line("recovery", one.step.values[shown], one.recovery.values[shown]),
            *events,
        ],
        x=Axis("steps", scale="log"),
        y=Axis("relative error", scale="log"),
        title=title,
    )

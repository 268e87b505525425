r"""The two phases of sparse recovery: what theory predicts, and the readings and curves that several figures share."""

import numpy as np

from ....claims.axes import places
from ....claims.base import Reading, at_least, at_most
from ....claims.drawing import Line, Panel, Points, Role
from ....claims.marks import log_axis
from ....problems import Problem, Split
from .limits import SAME, slow_path

EARLY = 0.05  # of the horizon: below it the predicted recovery is not yet slow compared to memorization
LATE = 0.8  # of the horizon: predictions beyond it are not tested
BIAS = 0.1  # of the level: with a larger penalty bias, times are not those of a vanishing penalty
STEPS, ERROR = log_axis("steps"), log_axis("relative error")


def predict(problem: Problem[Split], level):
    """Both ends of the slow flow, its times, norms of the ground truth, and the bias of a penalty of strength one."""
    data, truth = problem.train, np.asarray(problem.truth)
    path, support, size = slow_path(problem), truth != 0, np.linalg.norm(truth)
    first, last = path.positions[0], path.end
    columns = np.asarray(data.x)[:, support]
    bias = np.linalg.lstsq(columns.T @ columns, np.sign(truth[support]), rcond=1e-9)[0]
    return {
        "generalization": path.first_within(truth, float(level)),
        "extinction": path.extinction,
        "recovery_error": np.linalg.norm(last - truth) / size,
        "least_squares": np.linalg.norm(first - truth) / size,
        "first_inside": np.linalg.norm(first[support]),
        "first_outside": np.linalg.norm(first[~support]),
        "last_inside": np.linalg.norm(last[support]),
        "last_outside": np.linalg.norm(last[~support]),
        "l1": np.abs(truth).sum(),
        "l2": size,
        "bias": np.linalg.norm(bias) / size,
    }


def clear(theory, strength, level):
    """Trials whose penalty is weak enough that its bias is negligible."""
    return strength * theory["bias"] <= BIAS * level


def judged(theory, *, strength, level, reach):
    """Trials with a weak penalty in which the slow flow recovers the ground truth, not too early and well before the horizon."""
    generalization = theory["generalization"]
    in_time = (generalization > EARLY * reach) & (generalization < LATE * reach)
    return (theory["recovery_error"] < SAME) & in_time & clear(theory, strength, level)


def once(curve, step, when):
    """A curve at the first saved step at or after a time; some step must be."""
    return curve.isel(t=(step >= when).argmax("t"))


def when_fitted(data, name: str, level):
    """A curve where the training error first reaches the level."""
    when = (data.train <= level).argmax("t")
    return data[name].where(places(data, "t") == when).max("t")


def enough(good) -> Reading:
    """That some trials can be tested."""
    return at_least(
        "fraction of trials that the slow flow recovers in time, with a weak penalty",
        good.mean(),
        0.2,
        key="testable",
        why="the other trials have no recovery time to compare; a fifth of the trials is enough",
    )


def clock(data, theory, good, *, learning_rate, strength, power) -> Reading:
    """The rescaled recovery time compared to the slow flow's."""
    times = learning_rate * strength**power * data.generalization
    return at_most(
        "recovery time relative to the slow flow's, minus one, maximum",
        abs((times / theory["generalization"]).where(good) - 1).max(),
        0.05,
        key="recovery_time",
        why="the slow flow neglects memorization, a few hundredths of the time, and the penalty's bias: at most a tenth of the "
        "level, times the fraction of time over which the error falls from there",
    )


def agreement(data, theory, *, strength, level, reach, answer) -> Reading:
    """Whether the ground truth is recovered exactly where it is the predicted solution."""
    found = data.generalization < np.inf
    sure = clear(theory, strength, level) & (theory["generalization"] < LATE * reach)
    never = theory[answer] > 2 * level
    right = (found & sure & (theory[answer] < SAME)) | (~found & never)
    counted = never | (sure & (theory[answer] < SAME))
    return at_least(
        "fraction of trials recovered if and only if the predicted solution is the ground truth",
        right.where(counted).mean(),
        0.97,
        key="recovered_iff_predicted",
        why=r"the slow flow ends at the minimum $\ell_1$ norm: no trial should differ, one in 30 may lie at a boundary",
    )


def at_fit(data, theory, good) -> Reading:
    """The recovery error at memorization compared to that of least squares."""
    then = once(data.recovery, data.step, data.memorization)
    return at_most(
        "recovery error at memorization minus that of least squares, median",
        abs(then - theory["least_squares"]).where(good).median(),
        0.05,
        key="error_at_memorization",
        why=r"memorization leads to least squares, the penalty at most $\alpha\beta_1\sqrt{n}$ a step away: a few hundredths",
    )


def quartiles(name: str, x, times, *, role: Role = "measured") -> Points:
    """The median over the trials in which it happened, bars to the quartiles; places where it never did are left out."""
    happened = np.isfinite(times).any("trial").values
    kept = [row[np.isfinite(row)] for row in times.transpose(..., "trial").values[happened]]
    low, middle, high = (np.array([np.quantile(row, q) for row in kept]) for q in (0.25, 0.5, 0.75))
    return Points(name, np.asarray(x)[happened], middle, error=(high - low) / 2, role=role)


def curve(name: str, x, y, *, role: Role = "measured", above: int | float = 0.0) -> Line:
    """A curve where `x` is above 0, or another number: step 0 has no place on a logarithmic axis."""
    x = np.asarray(x)
    return Line(name, x[x > above], np.asarray(y)[x > above], role=role)


def errors(one, *, title: str = "", events=()) -> Panel:
    """Errors of one run against steps."""
    train, recovery = curve("training", one.step, one.train, role="second"), curve("recovery", one.step, one.recovery)
    return Panel([train, recovery, *events], STEPS, ERROR, title=title)

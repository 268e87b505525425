"""What figures of signals share: two phases in errors, gradients and norm, and the slow flow beside them."""

import numpy as np

from ..base import Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Rule
from .limits import SAME, slow


def slow_signal(problem, level):
    """What the slow flow says of a signal, in units of its largest coefficient."""
    told = slow(problem, level)
    top = float(np.abs(np.asarray(problem.truth)).max())
    return {**told, "finds": told["finds"] / top, "extinction": told["extinction"] / top}


def recoverable(told):
    """Whether the least l1 norm is the signal."""
    return told["missed"] < SAME


def between(data, curve):
    """A curve in slow times well after the fit and before recovery, or before the end of the run."""
    end = np.minimum(data.finds, data.slow.max("t"))
    late = (data.slow > (data.fits * end) ** 0.5) & (data.slow < 0.9 * end)
    return data[curve].where(late)


def two_phases(data, told, n, level) -> Evidence:
    """The fit, then the slow flow's way to the signal: when, at which gradients, and with which norm it ends."""
    good = recoverable(told)
    known = data.where(good, drop=True)
    wide = (data.sizes["d"] / n) ** 0.5
    early = known.ratio.where((known.slow > 0) & (known.slow < 0.5 * known.fits))
    return Evidence(
        sound=[
            at_least(
                "share of draws whose signal has the least l1 norm",
                good.mean(),
                0.5,
                why="where it has not, no strength finds it; half of the draws is enough to judge by",
            )
        ],
        holds=[
            at_most(
                "recovery error at the end over the level, the median draw",
                known.recovery.isel(t=-1).median() / level,
                1,
                why="the penalty's bias is some times its strength over the largest coefficient, 1e-3",
            ),
            at_most(
                "time of recovery over the slow flow's, less one, the median draw",
                abs(known.finds / told["finds"].where(good, drop=True) - 1).median(),
                0.1,
                why="off by the bias over the level where the error falls steeply, and by steps",
            ),
            at_most(
                "time of fit over time of recovery, the median draw",
                (known.fits / known.finds).median(),
                0.2,
                why="the fit takes a multiple of the inverse curvature, recovery 1/(rate x strength)",
            ),
            at_most(
                "penalty's gradient over the data's before half of the time of the fit, the median draw",
                early.max("t").median(),
                0.3,
                why="the paper: the data's gradient dominates until the fit",
            ),
            at_least(
                "penalty's gradient over the data's between fit and recovery, the median, over the root of d/n",
                between(known, "ratio").median() / wide,
                0.65,
                why="the data's gradient balances the penalty's in the rows alone, n directions of d: the root of d/n if signs "
                "are as good as random; a third for those that are not",
            ),
            at_most(
                "l1 norm at the end over the signal's, less one, the median draw",
                abs(known.l1.isel(t=-1) - 1).median(),
                0.05,
                why="the paper: it converges to the signal's; off by the bias",
            ),
        ],
    )


def curves(data, told, what: str) -> Drawing:
    """Errors, the ratio of gradients, and the norm of one draw, with the slow flow's time."""
    one = data.isel(trial=0, t=slice(1, None))
    steps = one.steps.values
    per_step = float(one.slow[-1] / one.steps[-1])
    told_at = Event("slow flow", float(told["finds"].isel(trial=0)) / per_step)
    fit = Event("data fitted", float(one.fits) / per_step, role="control")
    x = Axis("steps", scale="log")
    return Drawing(
        [
            Panel(
                [
                    Line("fit", steps, one.train.values, role="second"),
                    Line("recovery", steps, one.recovery.values),
                    fit,
                    told_at,
                ],
                x=x,
                y=Axis("relative error", scale="log"),
                title="Errors",
            ),
            Panel(
                [Line("ratio", steps, one.ratio.values), Rule("equal", 1.0), fit, told_at],
                x=x,
                y=Axis("penalty's gradient over the data's", scale="log"),
                title="Gradients",
                legend=False,
            ),
            Panel(
                [Line("l1 norm", steps, one.l1.values), Rule("that of the signal", 1.0), fit, told_at],
                x=x,
                y=Axis("l1 norm over the signal's"),
                title="Norm",
                legend=False,
            ),
        ],
        columns=3,
        caption=f"{what}, one draw of the measurements: first the data are fitted, then the l1 norm falls to that of the signal, "
        "and the signal is found when the slow flow says.",
    )


def moments_of(one, told) -> dict[str, int]:
    """Places on a run's axis of time: the fit, half of the slow flow's way, its end, and the end of the run."""
    slow_times = one.slow.values
    wanted = {
        "fit": float(one.fits),
        "half of the way": 0.5 * float(told["finds"].isel(trial=0)),
        "end": float(slow_times[-1]),
    }
    return {name: int(min(np.searchsorted(slow_times, time), slow_times.size - 1)) for name, time in wanted.items()}

"""What the figures of descent with a nuclear penalty share: one draw at one rate and strength, their readings and panels."""

import numpy as np

from ..base import Reading, at_most
from ..drawing import SERIES, Axis, Event, Line, Panel, Rule
from .nuclear_limits import readable

ALIVE = 10  # steps of rate x strength above which a singular value counts as one


def strongest(data, told, good, method: str):
    """The curves of one method, by plain names, at the first rate and the least strength, of the draws that can be read.

    `told` is when the slow flow finds the truth, `rests` when it comes to rest there.
    """
    one = data.isel({axis: at for axis, at in (("rate", 0), ("strength", -1)) if axis in data.dims})
    own = {name: one[f"{method}_{name}"] for name in ("train", "recovery", "sigma", "ratio", "fits", "finds")}
    return one[["steps", "slow"]].assign(own | {"told": told["finds"], "rests": told["rests"]}).where(good, drop=True)


def shown(told, reach: float):
    """The draws that can be read, or all where there are none: something must be drawn."""
    good = readable(told, reach)
    return good if good.any() else told["missed"] >= 0


def at_truth(seen, rank: int, level: float) -> list[Reading]:
    """What all methods share: at the end the error is below the level, and the nuclear norm is that of the truth."""
    last = seen.isel(t=-1)
    return [
        at_most(
            "relative error at the end, the largest",
            last.recovery.max(skipna=False),
            level,
            why="what counts as found; the penalty's bias is some strengths",
        ),
        at_most(
            "nuclear norm at the end over the truth's, less one, the farthest",
            abs(last.sigma.sum("k") / rank - 1).max(skipna=False),
            0.05,
            why="the truth's singular values are one; the penalty takes some strengths, steps add one each",
        ),
    ]


def right_rank(seen, step, rank: int) -> Reading:
    """As many singular values as the truth has."""
    return at_most(
        "singular values above ten steps at the end, less the rank of the truth, the farthest",
        abs((seen.sigma.isel(t=-1) > ALIVE * step).sum("k") - rank).max(skipna=False),
        0,
        why="others are down at the size of a step, a hundredth of those of the truth",
    )


def on_time(seen, tolerance: float) -> Reading:
    """Whether the truth is found when the slow flow says."""
    return at_most(
        "time of recovery over the slow flow's, less one, the median",
        abs(seen.finds / seen.told - 1).median(),
        tolerance,
        why="the bias of the penalty over the level, times the share of the time spent near it",
    )


def last_alive(seen, step):
    """The last slow time at which each singular value beyond ten steps was there."""
    return seen.slow.where(seen.sigma > ALIVE * step).max("t")


def error_panel(seen, *, found: float, fit: bool = True) -> Panel:
    """Errors of one draw against steps."""
    x = seen.steps.values
    seen_at = x > 0
    return Panel(
        [
            *([Line("data", x[seen_at], seen.train.values[seen_at], role="second")] if fit else []),
            Line("matrix", x[seen_at], seen.recovery.values[seen_at]),
            *([Event("slow flow", found)] if np.isfinite(found) else []),
        ],
        x=Axis("steps", scale="log"),
        y=Axis("relative error", scale="log", low=1e-5),
        title="Errors",
    )


def ratio_panel(seen) -> Panel:
    """The penalty's slope over that of the data."""
    x = seen.steps.values
    seen_at = x > 0
    return Panel(
        [Line("ratio", x[seen_at], seen.ratio.values[seen_at]), Rule("one", 1.0)],
        x=Axis("steps", scale="log"),
        y=Axis("penalty's slope over the data's", scale="log"),
        title="Who pulls",
        legend=False,
    )


def norm_panel(seen, rank: int) -> Panel:
    """The nuclear norm of one draw against steps."""
    x = seen.steps.values
    seen_at = x > 0
    return Panel(
        [Line("descent", x[seen_at], seen.sigma.sum("k").values[seen_at]), Rule("truth", float(rank))],
        x=Axis("steps", scale="log"),
        y=Axis("nuclear norm", low=0.0),
        title="Norm",
    )


def sigma_panel(seen, rank: int) -> Panel:
    """All singular values of one draw against steps: those that the truth has, and the others."""
    x = seen.steps.values
    seen_at = x > 0
    values = seen.sigma.transpose("t", "k").values[seen_at]
    marks = [
        Line(
            ("of the truth" if k < rank else "others") + f" {k + 1}",
            x[seen_at],
            np.maximum(values[:, k], 1e-16),
            role=SERIES[0] if k < rank else SERIES[1],
        )
        for k in range(values.shape[1])
    ]
    return Panel(
        marks,
        x=Axis("steps", scale="log"),
        y=Axis("singular values", scale="log", low=1e-5),
        title="Singular values",
        legend=False,
    )


def panels(seen, rank: int, *, found: float) -> list[Panel]:
    """All four."""
    return [error_panel(seen, found=found), ratio_panel(seen), norm_panel(seen, rank), sigma_panel(seen, rank)]

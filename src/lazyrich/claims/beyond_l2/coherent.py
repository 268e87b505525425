"""What figures of coherence in recovery share: the slow flow of the same measurements, and times of descent beside it."""

import numpy as np

from ...lab.settings.few_rows import trimmed
from ..axes import places
from ..base import Reading, at_most
from .limits import slow


def slow_times(problem, n, coherence, level):
    """What the slow flow says of these measurements."""
    return slow(trimmed(problem, int(n), coherence), level)


def found_in_time(told, reach):
    """Whether the slow flow finds the truth well before the horizon, or not even well after: what lies between is not judged."""
    early, late = told["finds"] < 0.8 * reach, told["finds"] > 1.25 * reach
    return early, late


def agreement(data, told, rate, strength, reach) -> list[Reading]:
    """Descent beside the slow flow: which draws are found, and when."""
    early, late = found_in_time(told, reach)
    wrong = (early & np.isinf(data.finds)) | (late & np.isfinite(data.finds))
    ratio = (data.finds * rate * strength / told["finds"]).where(early)
    return [
        at_most(
            "share of draws that descent finds and the slow flow does not, or the other way round",
            wrong.mean(),
            0.1,
            why="one flow; draws found near the horizon are left out, and some in a hundred have a bias above the level",
        ),
        at_most(
            "time of recovery over the slow flow's, less one, the median draw",
            abs(ratio - 1).median(),
            0.1,
            why="off by the penalty's bias over the level, about a hundredth over a twentieth, where the error falls "
            "steeply, and by steps",
        ),
    ]


def growth(told, reach):
    """The slow flow's time at the largest coherence over that at the least, the median draw for each number of rows."""
    by_share = told["finds"].clip(max=reach).sortby("coherence")
    return (by_share.isel(coherence=-1) / by_share.isel(coherence=0)).median("trial")


def at_fit(data, curve, level):
    """A curve where the data are first fitted to the level."""
    when = (data.train <= level).argmax("t")
    return data[curve].where(places(data, "t") == when).max("t")


def middle(a, high):
    """The median over draws, with a top for what never happens."""
    return a.clip(max=high).median("trial")

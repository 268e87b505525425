"""What figures 4a and 4b share: the check of the descent, and curves against logarithms of time."""

from ..base import Reading, at_most
from ..drawing import Band, Line, Mark


def instruments(data) -> list[Reading]:
    """How often a step raised the loss, after which steps are shorter."""
    return [
        at_most(
            "share of steps that raised the loss, the largest",
            (data.rises / data.taken.isel(t=-1)).max(),
            0.1,
            why="each shortens all later steps by 0.7; more would be no flow",
        )
    ]


def curves(data, clock) -> list[Mark]:
    """Train and test accuracy of the first draw against a function of log10 of time, and the range of all draws by steps."""
    one = data.isel(trial=0)
    shown = one.log_time.values > 1
    time = clock(one.log_time.values[shown])
    test = data.test.isel(t=shown)
    return [
        Line("train accuracy", time, one.train.values[shown], role="second"),
        Band("test accuracy, all draws at the same step", time, test.min("trial").values, test.max("trial").values),
        Line("test accuracy", time, one.test.values[shown]),
    ]

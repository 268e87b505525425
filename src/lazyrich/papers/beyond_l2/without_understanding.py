"""What claims on decay alone share: a rate that is stable, and a fall of the error that ends far from the truth."""

from ..base import Reading, at_least, at_most


def stable(data) -> Reading:
    """The rate over the largest that descent bears."""
    return at_most(
        "rate over its stability bound, 2/(largest curvature + decay)",
        data.stability.max(),
        1,
        why="descent at a larger rate diverges whatever the penalty",
    )


def fall(data) -> list[Reading]:
    """The error of recovery falls long after the fit, at the ridge answer, and ends at what is no recovery."""
    return [
        at_least(
            "recovery error when the data are fitted over that at the end, the least",
            data.fall.min(),
            1.5,
            why="outside the rows only decay forgets the start: the root of 1 + (start/size of the truth)^2, whose square has a "
            "chi-squared law of five: 4.9 in the median, 2.4 in one draw of a thousand; a start that does not matter gives 1",
        ),
        at_least(
            "recovery error at the end, the least",
            data.recovery.isel(t=-1).min(),
            0.5,
            why="the ridge answer misses 1 - N/n of the truth's square: at least 0.7 here, 0.84 of its size, with a "
            "deviation of 0.04",
        ),
        at_most(
            "distance from the ridge answer at the end, relative, the largest",
            data.from_ridge.max(),
            1e-3,
            why="exp(-20) of the start is left, a share of 1e-7 of the answer",
        ),
    ]

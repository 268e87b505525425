"""Marks and axes that figures of this paper share."""

from ....claims.drawing import Axis, Band, Event, Line, Mark, Points, Slope

NORMALIZED = Axis(r"$\lambda t/\log\alpha$")
TRANSITION = Event(r"$\log(\alpha)/\lambda$", 1.0)
TIME = Axis("time", unit=r"learning rate $\times$ steps", scale="log")


def each_trial(x, y, law: str, exponent, through: tuple[float, float], name: str = "each trial") -> list[Mark]:
    """A point for each trial, and a power law over their range."""
    return [Points(name, x, y), Slope(law, [float(x.min()), float(x.max())], through, exponent)]


def accuracies(time, train, test) -> list[Mark]:
    """Train and test accuracy of the median trial, and the range of the latter over all trials."""
    return [
        Line("train accuracy", time, train.median("trial").values, role="second"),
        Band("test accuracy, all trials", time, test.min("trial").values, test.max("trial").values),
        Line("test accuracy", time, test.median("trial").values),
    ]

"""Readings that several claims share."""

import numpy as np

from ....claims.base import Reading, at_least, at_most, near
from ....claims.labelled import farthest


def all_near(name: str, values, target, tolerance, *, key: str, why: str) -> Reading:
    """Whether every value is within the tolerance of the target: the farthest is shown."""
    return near(name, farthest(values, target), target, tolerance, key=key, why=why)


def below_entropy(name: str, short, n) -> Reading:
    """How far margins are from their maximum, in units of what theory allows."""
    why = "where loss and weight decay balance it is a difference of entropies of $n$ multipliers"
    return at_most(rf"{name}, in units of $\log n$", (short / np.log(n)).max(), 1, key="shortfall", why=why)


def kkt_residual(name: str, ratio) -> Reading:
    r"""A KKT residual over $(2c\log\alpha)^{-1/2}$, the bound of the proof of theorem 3.5."""
    why = (
        r"the integral of the squared gradient over $c\log(\alpha)/\lambda$ is at most the objective at its beginning, "
        r"$\lambda\|\theta\|^2/2$ to leading order"
    )
    return at_most(rf"{name}, in units of $(2c\log\alpha)^{{-1/2}}$", ratio.max(), 1, key="residual", why=why)


def crossed(data, level, why: str) -> Reading:
    """Whether runs have the times whose ratios are read."""
    found = (data.passes < np.inf).all("m").mean()
    return at_least("fraction of runs that cross every level", found, level, key="crossed", why=why)


def at_chance(data, modulus) -> Reading:
    """Test accuracy on modular addition when the training data are fitted."""
    name = "test accuracy when the data are fitted, minus chance, mean over trials"
    why = "random guessing; three standard errors of 200 test pairs at the small size"
    return at_most(name, data.fitted_test.mean() - 1 / modulus, 0.06, key="chance", why=why)


def final_accuracy(data, level, why: str) -> Reading:
    """Whether the median trial generalizes in the end, at every point."""
    accuracy = data.test.isel(t=-1).median("trial").min()
    return at_least("final test accuracy, median over trials", accuracy, level, key="final", why=why)

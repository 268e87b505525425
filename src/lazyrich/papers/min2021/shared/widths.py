"""What claims on the width share: the closed form of the distance, its mean square over draws, and theorem 12's own numbers."""

import numpy as np

from ..axes import along
from ..labelled import norm


def refer(problem, width, exponent):
    """The closed form of the distance from the least norm."""
    from ...predictors.linear_rates import width_distance

    return {"law": width_distance(problem.train, width=int(width), exponent=exponent)}


def root_mean_square(a):
    """Over draws and over the unseen parts of each."""
    return (a**2).mean(("trial", "s"), skipna=False) ** 0.5


def unfinished(data, width, exponent):
    """What the fit still lacks, over the larger of the least-norm map and the layers' Gram matrix."""
    return (data.unfitted / np.maximum(norm(data.least, "k") ** 0.5, width ** (1 - 2 * exponent))).max()


def powers(distance):
    """The power of the width in a distance, between each width and the next; labelled by the larger."""
    change = np.log(distance).diff("width")
    return change / along(np.diff(np.log(distance.width.values)), "width", change.width.values)


def radius(outputs, d, delta):
    r"""$s(\delta) = \sqrt{m + n} + \tfrac12\log(2/\delta)$, how far Gaussian singular values stray."""
    return np.sqrt(outputs + d) + np.log(2 / delta) / 2


def log_bound(data, width, exponent, *, n, d, outputs, delta, rate):
    r"""The logarithm of $2C^{1/h^{1-2a}}\sqrt{m + r}\,s(\delta)\,h^{-(2a-1/2)}$, its last power times `rate`.

    $C = \exp(1 + \sqrt{\lambda_1}\|Y\|_F/\lambda_r)$.
    """
    log_c = 1 + np.sqrt(data.top) / data.bottom * data.answers
    front = np.log(2 * np.sqrt(outputs + n) * radius(outputs, d, delta))
    return log_c / width ** (1 - 2 * exponent) + front - rate * (2 * exponent - 0.5) * np.log(width)


def asked(data, exponent, *, d, outputs, delta):
    r"""The width above which theorem 12 speaks: $h^{4a-1}$ over $16s^2$ and over $4(\lambda_1/\lambda_r^3)ms^2$."""
    s = radius(outputs, d, delta)
    least = np.maximum(16 * s**2, 4 * data.top / data.bottom**3 * outputs * s**2)
    return least ** (1 / (4 * exponent - 1))

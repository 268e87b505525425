"""What claims on the width share: the closed form of the distance, its mean square, and the constants of theorem 12."""

import numpy as np

from ....claims.axes import along
from ....claims.base import Reading, at_most
from ....claims.drawing import Axis
from ....claims.labelled import norm

WIDTH = Axis("width $h$", scale="log")
DISTANCE = "distance to minimum norm"
EDGES = {"$h^{1-2a} = 1$": "=width**(1-2*exponent)"}


def predict(problem, width, exponent):
    """The closed form of the distance to the minimum-norm solution."""
    from ....predictors.linear_rates import width_distance

    return {"law": width_distance(problem.train, width=int(width), exponent=exponent)}


def root_mean_square(a):
    """Over trials and over the samples of $U_2$ of each."""
    return (a**2).mean(("trial", "s"), skipna=False) ** 0.5


def fitted(data, width, exponent) -> Reading:
    """That the runs have converged, relative to the minimum-norm solution or the Gram matrix of the layers."""
    size = np.maximum(norm(data.min_norm, "k") ** 0.5, width ** (1 - 2 * exponent))
    return at_most(
        "distance in the span of the inputs, over the minimum-norm solution or the layers, maximum",
        (data.unfitted / size).max(),
        1e-4,
        key="fit",
        why="the error at which runs stop, 1e-6, times the squared condition number of the inputs",
    )


def powers(distance):
    """The exponent of the width in a distance, between each width and the next; labelled by the larger."""
    change = np.log(distance).diff("width")
    return change / along(np.diff(np.log(distance.width.values)), "width", change.width.values)


def radius(outputs, d, delta):
    r"""$s(\delta) = \sqrt{m + n} + \frac{1}{2}\log(2/\delta)$, how far Gaussian singular values deviate."""
    return np.sqrt(outputs + d) + np.log(2 / delta) / 2


def log_bound(data, width, exponent, *, n, d, outputs, delta, rate):
    r"""The logarithm of $2C^{1/h^{1-2a}}\sqrt{m + r}\,s(\delta)\,h^{1/2-2a}$, its last exponent times `rate`.

    $C = \exp(1 + \sqrt{\lambda_1}\|Y\|_F/\lambda_r)$.
    """
    log_c = 1 + np.sqrt(data.top) / data.bottom * data.target_norm
    front = np.log(2 * np.sqrt(outputs + n) * radius(outputs, d, delta))
    return log_c / width ** (1 - 2 * exponent) + front - rate * (2 * exponent - 0.5) * np.log(width)


def required_width(data, exponent, *, d, outputs, delta):
    r"""The width that theorem 12 requires: $h^{4a-1}$ above $16s^2$ and above $4(\lambda_1/\lambda_r^3)ms^2$."""
    s = radius(outputs, d, delta)
    least = np.maximum(16 * s**2, 4 * data.top / data.bottom**3 * outputs * s**2)
    return least ** (1 / (4 * exponent - 1))

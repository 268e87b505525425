"""Readings and fits that several claims share."""

import numpy as np

from ....claims.base import Reading, at_most
from ....claims.labelled import relative_distance

STOPS = "runs stop at a residual of 1e-8; times 10 for the condition number of the inputs, times 10 for safety"


def power(values, scale, axis: str):
    """The exponent of positive values in a scale that varies along an axis, by least squares in logarithms."""
    x = np.log(scale) - np.log(scale).mean(axis)
    return (np.log(values) * x).sum(axis, skipna=False) / (x**2).sum(axis)


def fitted(data, level: int | float, why: str = "10 times the level at which runs stop") -> Reading:
    """Sanity check: the runs interpolate."""
    name = "final training loss over the loss of the zero predictor"
    return at_most(name, data.loss.max(), level, key="loss", why=why)


def at_prediction(end, reference, bound: int | float = 1e-6, why: str = STOPS) -> Reading:
    """The distance of gradient flow solutions from the predicted interpolants, the largest over scales and trials."""
    distance = relative_distance(end, reference.effective).max()
    name = "relative distance between the gradient flow solution and the predicted interpolant"
    return at_most(name, distance, bound, key="distance", why=why)

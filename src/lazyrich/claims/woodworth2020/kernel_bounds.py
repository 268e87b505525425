"""What theorem 9, its lemmas and its corollary share: the hypotheses, the bounds, and slopes against a scale."""

import numpy as np


def allowed(data, mu):
    r"""$\frac{\mu\lambda}{\sqrt\Lambda}(1 - \sqrt{(1+\gamma/\mu)/(1+\lambda/4\Lambda)})$, the largest first residual."""
    return mu * data.low / np.sqrt(data.high) * (1 - np.sqrt((1 + data.gamma / mu) / (1 + data.low / (4 * data.high))))


def applies(data, mu):
    r"""Both hypotheses: $\mu > 4\Lambda\gamma/\lambda$, and outputs near enough to their targets."""
    return (mu > 4 * data.high * data.gamma / data.low) & (data.miss.isel(t=0) <= allowed(data, mu))


def move_bound(data, mu):
    r"""$\sqrt{\Lambda+\lambda/4}\,\|y(0)-y^*\|/(\lambda\sqrt\mu)$."""
    return np.sqrt(data.high + data.low / 4) * data.miss.isel(t=0) / (data.low * np.sqrt(mu))


def apart_bound(data, mu):
    """The printed bound on the distance from the tangent model."""
    first = data.miss.isel(t=0)
    square = data.high * np.sqrt(1 + data.low / (4 * data.high)) * first**2 / (data.low**2 * mu**1.5)
    return square + 2 * np.sqrt(data.high * (1 + data.gamma / mu)) * first / (data.low * np.sqrt(mu))


def slope(values, scale, axis: str):
    """The exponent of positive values along an axis on which the scale varies."""
    x = np.log(scale) - np.log(scale).mean(axis)
    return (np.log(values) * x).sum(axis, skipna=False) / (x**2).sum(axis)

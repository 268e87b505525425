"""The convex problem behind matrix completion with decay."""

from dataclasses import replace

import numpy as np


def least_value(problem, decay):
    r"""$\min_W\frac1n\sum(W_{ij} - y)^2 + \frac\lambda2\|W\|_*$ over symmetric matrices, its answer row by row.

    Measurements are made symmetric; then a matrix and its symmetric part fit alike, and the latter has the smaller norm.
    """
    import jax.numpy as jnp

    from ...losses import MEAN
    from ...predictors import NuclearLasso
    from ...problems import Split

    data = problem.train
    rows, cols = np.asarray(data.rows), np.asarray(data.cols)
    x = np.zeros((rows.size, *data.shape))
    each = np.arange(rows.size)
    x[each, rows, cols] += 0.5
    x[each, cols, rows] += 0.5
    found = NuclearLasso(decay / 2, MEAN).solve(Split(jnp.asarray(x), data.y))
    return replace(found, effective=found.effective.ravel())

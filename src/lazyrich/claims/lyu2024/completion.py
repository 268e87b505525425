"""What figure 3 and its erratum share: the least nuclear norm that a symmetric matrix can have, and theory's window."""

import numpy as np

from ...predictors.timescale import LINGERS_FITTED, kernel_exit


def least_nuclear(problem):
    """The symmetric matrix of least nuclear norm with these entries, its largest singular value and its test loss.

    Every place is given with its transpose; then a matrix and its symmetric part fit alike, and the latter has no larger norm.
    """
    from dataclasses import replace

    import jax.numpy as jnp

    from ...predictors import MinNuclear
    from ...problems import Entries

    data, rest = problem.train, problem.test
    rows, cols = jnp.concatenate([data.rows, data.cols]), jnp.concatenate([data.cols, data.rows])
    found = MinNuclear().solve(Entries(rows, cols, jnp.concatenate([data.y, data.y]), data.shape))
    matrix = np.asarray(found.effective)
    return {
        "least": replace(found, effective=matrix.ravel()),
        "last": np.linalg.norm(matrix, 2),
        "error": np.mean((matrix[rest.rows, rest.cols] - np.asarray(rest.y)) ** 2),
    }


def window(data, told, alpha):
    r"""From the end of the kernel phase to the rich answer, in slow time.

    The phase ends when $2\kappa$ is down at the zero-filled matrix's norm; its direction is lost half a unit later; then the
    norm grows at rate 2 to that of the least nuclear norm.
    """
    leaves = kernel_exit(alpha, decay=1.0, top=data.top)
    return leaves, leaves + LINGERS_FITTED + np.log(told["last"] / data.top) / 2

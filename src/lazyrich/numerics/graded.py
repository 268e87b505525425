"""Singular values of matrices whose rows or columns differ in size by many decades."""

import numpy as np
from scipy.linalg import get_lapack_funcs

# Both the rows and the columns may be graded; vectors on both sides are wanted ("F", "U" and "V" of LAPACK).
_JOB = {"joba": 2, "jobu": 0, "jobv": 0}


def graded_svd(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""$X = U\Sigma V^\top$ by one-sided Jacobi: small singular values keep their digits when $X = D_1CD_2$ with $C$ tame.

    The usual algorithms keep digits relative to the largest one only, which says nothing of the small rows.
    """
    if x.shape[0] < x.shape[1]:
        right, sizes, left = graded_svd(x.T)
        return left.T, sizes, right.T
    (jacobi,) = get_lapack_funcs(("gejsv",), (x,))
    sizes, left, right, work, _, info = jacobi(x, **_JOB)
    if info != 0:  # the sweeps did not converge
        return np.linalg.svd(x, full_matrices=False)
    return left[:, : x.shape[1]], sizes * (work[0] / work[1]), right.T

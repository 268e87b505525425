r"""The shortest vector in a polyhedron, $\min\|z\|_2$ subject to $Gz \ge h$."""

import numpy as np
from scipy.optimize import nnls

# The last residual of the nonnegative least squares is 1/(1 + |z|^2): below this the length is not readable.
_READABLE = 1e-7
# A solution of length about one may violate its inequalities by rounding, not by more.
_MET = 1e-10
# Each retry divides h by this, which brings a vector 10,000 times as long into view.
_RETRY = 1e4


def least_distance(g: np.ndarray, h: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    r"""The shortest $z$ with $Gz \ge h$, or None when none was found, and multipliers $u \ge 0$.

    With a solution $z = G^\top u$. Without one $G^\top u \approx 0$ while $h^\top u > 0$: Farkas' proof, for the
    caller to verify. Lawson and Hanson's reduction to $\min_{u\ge 0}\|[G^\top; h^\top]u - e\|$, with rows
    brought to length one and $h$ scaled until the solution has length one, where the reduction is exact to
    rounding.
    """
    lengths = np.linalg.norm(g, axis=1)
    if ((lengths == 0) & (h > 0)).any():
        return None, np.where((lengths == 0) & (h > 0), 1.0, 0.0)
    lengths = np.where(lengths > 0, lengths, 1.0)
    unit, level = g / lengths[:, None], h / lengths
    top = float(level.max(initial=0.0))
    if top <= 0:
        return np.zeros(g.shape[1]), np.zeros(h.size)
    scale, u = 1 / top, np.zeros(h.size)
    for _ in range(4):
        u = _nonnegative(unit, scale * level)
        z, left = unit.T @ u, 1 - scale * (level @ u)
        if not z.any():
            break
        if left > _READABLE:
            length = np.linalg.norm(z) / left
            if 0.5 <= length <= 2:
                met = (unit @ z / left - scale * level).min() >= -_MET
                return z / (left * scale) if met else None, u / (left * scale * lengths)
            scale /= length
        else:
            scale /= _RETRY
    return None, u / lengths


def _nonnegative(unit: np.ndarray, level: np.ndarray) -> np.ndarray:
    """The nonnegative least squares; zeros when it runs out of steps."""
    matrix = np.vstack([unit.T, level])
    goal = np.zeros(matrix.shape[0])
    goal[-1] = 1.0
    try:
        return nnls(matrix, goal, maxiter=10 * sum(matrix.shape))[0]
    except RuntimeError:
        return np.zeros(level.size)

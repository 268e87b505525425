r"""Equations weighted coordinate by coordinate: $RS(e + R^\top\mu) = r$ for weights $S > 0$ of any range."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import get_lapack_funcs, qr, solve_triangular

# Below this share the pivots of the Cholesky factor, squared, say that it has lost half its digits: QR keeps them.
_TRUSTED = 1e-8
# Weights below this share of the largest are beyond what QR on their roots can tell from zero.
_SEEN = 1e-32
# Parts of the right side (of length about one) below this are rounding: no step is made for them.
_ROUNDING = 1e-14
_POTRF, _POTRS = get_lapack_funcs(("potrf", "potrs"), dtype=np.float64)


@dataclass(frozen=True)
class WeightedRows:
    r"""Rows $R$ of full rank with weights $S$, the largest of them one.

    By Cholesky on $RSR^\top$ where that is well conditioned. Where the weights fall into groups of different size, as
    when fewer coordinates carry the solution than there are equations, by QR of $S^{1/2}R^\top$ with sorted rows and
    pivoted columns, which keeps the digits of every group.
    """

    rows: np.ndarray
    weights: np.ndarray

    def solve(self, residual: np.ndarray, error: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        r"""$\mu$ and the change $S(e + R^\top\mu)$, which brings $R$ times it to `residual`."""
        roots = np.sqrt(self.weights)
        if not residual.size:  # no equations: prices go where they should
            return residual, np.zeros_like(roots) if error is None else error * self.weights
        half = self.rows * roots
        scaled = np.zeros_like(roots) if error is None else error * roots
        gram = half @ half.T
        scale = 1 / np.sqrt(np.maximum(np.diag(gram), 1e-300))
        factor, failed = _POTRF(gram * scale * scale[:, None], lower=True)
        if failed or np.diag(factor).min() ** 2 < _TRUSTED:
            return self._by_qr(residual, half, roots, scaled)
        mu = scale * _POTRS(factor, scale * (residual - half @ scaled), lower=True)[0]
        return mu, roots * (scaled + mu @ half)

    def _by_qr(
        self, residual: np.ndarray, half: np.ndarray, roots: np.ndarray, scaled: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same from the factor of the graded matrix itself: the heavy rows first, rank read from the pivots."""
        order = np.argsort(-roots)
        order = order[self.weights[order] > _SEEN]
        graded = half[:, order].T
        q, r, pivots = qr(graded, mode="economic", pivoting=True, check_finite=False)  # pyright: ignore[reportAssignmentType]
        q, r, pivots = (np.asarray(part) for part in (q, r, pivots))
        sizes = np.abs(np.diag(r))
        rank = int((sizes > 1e-15 * sizes[0]).sum())
        q, r = q[:, :rank], r[:rank, :rank]
        steps = solve_triangular(r, residual[pivots[:rank]], trans=1, check_finite=False)
        steps = np.where(np.abs(steps) * sizes[:rank] > _ROUNDING, steps, 0.0) - q.T @ scaled[order]
        mu, change = np.zeros(residual.size), np.zeros(roots.size)
        mu[pivots[:rank]] = solve_triangular(r, steps, check_finite=False)
        change[order] = roots[order] * (scaled[order] + q @ steps)
        return mu, change

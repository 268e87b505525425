r"""Margins $y_i\langle w, x_i\rangle$: references from a direction and weights on samples, and Gordan's alternative.

Either some $w$ has every margin positive, or some $\mu \ge 0$ with sum one has $X^\top(y\odot\mu) = 0$.
"""

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, cholesky

from ..base import Certificate, Reference
from .least_distance import least_distance
from .linear_system import cancels, relative_gap, row_lengths

# The order of each norm and of its dual, as numpy calls them.
NORMS = {"l1": (1, np.inf), "l2": (2, 2)}
# A proof of no separation must vanish to this share of the samples it mixes, in every column.
VANISHED = 1e-12
# A Gram matrix is trusted while the diagonal of its Cholesky factor spans no more than this.
_SPAN = 1e-3


def lower_bound(x: np.ndarray, y: np.ndarray, mu: np.ndarray, *, norm: str) -> float:
    r"""$\mathbf 1^\top\mu / \|X^\top(y\odot\mu)\|_*$: no $w$ with margins of at least 1 has a smaller norm.

    Valid for every $\mu$: negative entries are set to zero first.
    """
    weights = np.maximum(mu, 0.0)
    price = np.linalg.norm((y * weights) @ x, NORMS[norm][1])
    return float(weights.sum() / price) if price > 0 else 0.0


def margin_reference(x: np.ndarray, y: np.ndarray, direction: np.ndarray, mu: np.ndarray, *, norm: str) -> Reference:
    """The direction scaled to least margin 1, certified by the weights; never ok when it does not separate."""
    least = float((y * (x @ direction)).min())
    if not least > 0:
        return Reference(direction, float("inf"), Certificate(1.0, float("inf")), mu)
    effective = direction / least
    value = float(np.linalg.norm(effective, NORMS[norm][0]))
    residual = max(0.0, 1 - float((y * (x @ effective)).min()))
    weights = np.maximum(mu, 0.0)
    price = np.linalg.norm((y * weights) @ x, NORMS[norm][1])
    dual = weights / price if price > 0 else weights
    return Reference(effective, value, Certificate(residual, relative_gap(float(dual.sum()), value)), dual)


def separation(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    r"""The max-l2-margin direction, the multipliers $a \ge 0$ that make it $X^\top(y\odot a)$, and a proof.

    The proof is Gordan's $\mu$ when no direction separates, else None. When every sample is a support vector, as
    usual for $n \ll d$, the multipliers solve $Qa = \mathbf 1$ with the signed Gram matrix $Q$; otherwise
    nonnegative least squares finds which samples are. Where that leaves open whether they separate, or its proof does
    not vanish in every column, all is asked again with samples and columns of size one, which does not change the solution.
    """
    direction, a, proof = _separation(x, y)
    if (y * (x @ direction)).min() > 0 or (proof is not None and cancels(y * proof, x, share=VANISHED)):
        return direction, a, proof
    units = np.abs(x).max(axis=0)
    units = np.where(units > 0, units, 1.0)
    lengths = row_lengths(x / units)
    direction, a, proof = _separation(x / units / lengths[:, None], y)
    direction, a = direction / units, a / lengths
    if proof is None or not cancels(y * proof / lengths, x, share=VANISHED):
        return direction, a, None
    return direction, a, (proof / lengths) / (proof / lengths).sum()


def _separation(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The same, in one attempt."""
    rows, basis = _signed_rows(x, y)
    if basis is None:
        a = cho_solve((rows, True), np.ones(y.size))
        a += cho_solve((rows, True), 1 - rows @ (rows.T @ a))
        if (a >= 0).all():
            return (y * a) @ x, a, None
    solution, a = least_distance(rows, np.ones(y.size))
    mu = a / a.sum() if a.any() else np.full(y.size, 1 / y.size)
    if solution is None and np.linalg.norm((y * mu) @ x) <= VANISHED * float(mu @ row_lengths(x)):
        return np.zeros(x.shape[1]), a, mu
    candidates = [((y * a) @ x, a)]
    if basis is not None and a.any():
        candidates.append(_tightened(rows, basis, a))
    return *min(candidates, key=lambda pair: margin_reference(x, y, *pair, norm="l2").certificate.gap), None


def _tightened(rows: np.ndarray, basis: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The direction and multipliers from the equations that margins of support vectors are exactly 1.

    The direction does not pass through the multipliers, which cancel when the samples are nearly dependent.
    """
    support = np.flatnonzero(a)
    short = np.linalg.lstsq(rows[support], np.ones(support.size), rcond=None)[0]
    better = np.zeros(a.size)
    better[support] = np.linalg.lstsq(rows[support].T, short, rcond=None)[0]
    return basis @ short, better


def _signed_rows(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    r"""Rows in few columns with the inner products of $y_i x_i$, and the basis that leads back, if one was needed.

    Cholesky of the Gram matrix when there are more inputs than samples and it is far from singular, else QR. With no more
    inputs than samples the columns themselves, large ones first: then small ones keep their digits.
    """
    if x.shape[1] < x.shape[0]:
        order = np.argsort(-np.abs(x).max(axis=0), kind="stable")
        return (y[:, None] * x)[:, order], np.eye(x.shape[1])[:, order]
    if x.shape[1] >= x.shape[0]:
        try:
            rows = cholesky((x @ x.T) * np.outer(y, y), lower=True)
        except LinAlgError:
            rows = np.zeros((1, 1))
        if rows.diagonal().min() > _SPAN * rows.diagonal().max():
            return rows, None
    basis, triangle = np.linalg.qr((y[:, None] * x).T)
    return triangle.T, basis

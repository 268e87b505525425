r"""What a candidate for $\min\sum_i c_i\varphi(w_i\beta_i/c_i) - \theta_i\beta_i$, $X\beta = y$, is worth, from it alone."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...numerics.entropy_links import Link
from ..base import Certificate, Reference
from .linear_system import feasibility, relative_gap, row_lengths
from .weighted_rows import WeightedRows

# Tighter than the house limits: the gap is quadratic in the distance to the minimizer.
_FEASIBILITY, _GAP = 1e-10, 1e-9
# Prices within this of one are known to be on the support.
_SURE = 1e-6
# Signs met by a dual to this are met exactly.
_EXACT = 1e-12
_OVERFLOW = 600.0
# With shifts, terms below this share of what the initialization itself is worth are as good as zero.
_SPECK = 1e-10
# How far inside the range of prices a dual is drawn, as shares: rounding may have put it on the edge.
_INSIDE = (0.0, *(10.0**-k for k in range(16, 8, -1)))


@dataclass(frozen=True)
class Entropies:
    r"""$\sum_i c_i\varphi(w_i\beta_i/c_i) - \theta_i\beta_i$ by its link, $w$, $\log c$ and $\theta$."""

    link: Link
    weights: np.ndarray
    log_scale: np.ndarray
    shift: np.ndarray

    def terms(self, effective: np.ndarray) -> np.ndarray:
        """One a coordinate."""
        return self.link.entropies(self.weights * effective, self.log_scale) - self.shift * effective

    def bound(self, x: np.ndarray, y: np.ndarray, nu: np.ndarray) -> float:
        r"""$y^\top\nu - \sum_i c_i\varphi^*((x_i^\top\nu + \theta_i)/w_i)$: never above the least value, for any $\nu$."""
        sigma = self.link.at_price((nu @ x + self.shift) / self.weights)
        if not np.isfinite(sigma).all():
            return -np.inf
        with np.errstate(over="ignore"):
            return float(y @ nu - np.exp(self.link.log_conjugate(np.abs(sigma)) + self.log_scale).sum())

    def best(self, x: np.ndarray, y: np.ndarray, duals: Iterable[np.ndarray]) -> tuple[np.ndarray, float]:
        """The dual of the largest bound, among these and these drawn into the range of prices."""
        tried = []
        for nu in duals:
            top = float(np.abs((nu @ x) / self.weights).max())
            limit = min(1.0, self.link.limit / top) if top > 0 else 1.0
            shares = {1.0, *(limit * (1 - inside) for inside in _INSIDE)} if np.isfinite(self.link.limit) else {1.0}
            tried += [(share * nu, self.bound(x, y, share * nu)) for share in shares]
        return max(tried, key=lambda one: one[1])

    def reference(self, x: np.ndarray, y: np.ndarray, effective: np.ndarray, duals: Iterable[np.ndarray]) -> Reference:
        """The solution with its value and its certificate; the gap is relative to the terms' sizes."""
        terms = self.terms(effective)
        nu, bound = self.best(x, y, duals)
        value, size = float(terms.sum()), max(float(np.abs(terms).sum()), _SPECK * self._start())
        gap = relative_gap(bound + (size - value), size)
        certificate = Certificate(_missed(x, y, effective), gap, None, _FEASIBILITY, _GAP)
        return Reference(effective, value, certificate, nu)

    def _start(self) -> float:
        r"""$\sum_i c_i\varphi^*(\theta_i/w_i)$: how far the least of all values is below that at $\beta = 0$."""
        sigma = self.link.at_price(self.shift / self.weights)
        return float(np.exp(self.link.log_conjugate(np.abs(sigma)) + self.log_scale).sum())

    def stationarity(self, rows: np.ndarray, effective: np.ndarray) -> float:
        r"""$\|S\odot(p - R^\top\nu)\|_2/\|\beta\|_2$ at the $\nu$ of least squares weighted by $S = d\beta/dp$.

        Where prices are within rounding of one, only what they lack to one is weighed: a dual that gives the support
        its signs exactly is taken away first, if there is one.
        """
        size = float(np.linalg.norm(effective))
        if size == 0:
            return 0.0
        sigma = self.link.sigma(self.weights * effective, self.log_scale)
        logs = self.link.log_slope(np.abs(sigma)) + self.log_scale
        unit = float(logs.max())
        slope, error = np.exp(logs - unit), self._error(rows, sigma, unit)
        change = WeightedRows(rows, slope).solve(np.zeros(rows.shape[0]), error)[1]
        with np.errstate(over="ignore"):  # infinitely far, to first order
            return float(np.linalg.norm(change / self.weights) / size)

    def _error(self, rows: np.ndarray, sigma: np.ndarray, unit: float) -> np.ndarray:
        r"""$R^\top\nu + \theta/w - p$ times $e^u$ for some $\nu$; where $e^u$ overflows, prices off the support do not count."""
        error = self.shift / self.weights - self.link.price(sigma)
        on = self.link.room(sigma, 0.0) < _SURE
        if on.any():
            nu = np.linalg.lstsq(rows[:, on].T, np.sign(sigma[on]), rcond=None)[0]
            shared = np.abs(np.sign(sigma) - nu @ rows)[on].max() < _EXACT
            if shared:
                error = error + nu @ rows
                error = error * np.exp(unit) if unit < _OVERFLOW else np.zeros_like(error)
                error[on] = np.sign(sigma[on]) * self.link.room(sigma[on], unit)
                return error
        return error * np.exp(min(unit, _OVERFLOW))


def _missed(x: np.ndarray, y: np.ndarray, effective: np.ndarray) -> float:
    """The residual of the equations; relative to the sizes of inputs and solution where every y is zero."""
    if y.any():
        return feasibility(x, y, effective)
    size = np.linalg.norm(row_lengths(x)) * np.linalg.norm(effective)
    return float(np.linalg.norm(x @ effective) / size) if size > 0 else 0.0

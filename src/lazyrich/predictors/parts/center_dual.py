r"""The duals of least l1: which of them small scales choose, and how fast the norm then falls to its least.

At $\hat\beta$ of least l1 norm the optimal duals are the $\nu$ with $x_i^\top\nu = \mathrm{sign}\,\hat\beta_i$ on the support and
$|x_i^\top\nu| \le 1$ off it: many, where the support is smaller than the number of equations.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import linprog

from ...errors import BadInput
from ...numerics.entropy_links import PowerLink
from ...problems import Split
from ..min_l1 import MinL1
from .arguments import require_depth, require_vector
from .linear_system import LinearSystem

# Entries of the solution below this share of the largest are off its support.
_ABSENT = 1e-9
# A price this near to one is one: HiGHS and the certificate of least l1 know it no better.
_NO_ROOM = 1e-9
# Newton's decrement, squared, from which one full step more ends at rounding; and most of its steps.
_CENTERED, _STEPS = 1e-12, 200


@dataclass(frozen=True)
class OptimalDuals:
    r"""Prices $X^\top\nu$ of all optimal duals off the support: $P = P_0 + zF$ for any $z$ that leaves $|P| \le 1$.

    `off` says which coordinates these are, `prices` are $P_0$, `free` are the rows $F$ (none where the dual is the
    only one).
    """

    off: np.ndarray
    prices: np.ndarray
    free: np.ndarray

    @classmethod
    def of(cls, data: Split) -> "OptimalDuals":
        """Those of the data, from a certified solution of least l1 norm."""
        predictor = MinL1()
        x, y = predictor.numbers(data)
        reference = predictor.solve(data)
        if not reference.ok or not reference.effective.any():
            raise BadInput(
                needed="the duals of least l1 need equations with a solution other than zero",
                given="a least l1 solution that is zero or not certified",
                cure="Give consistent equations with targets y that are not all zero.",
            )
        rows = LinearSystem.of(x, y).rows
        on = np.abs(reference.effective) > _ABSENT * np.abs(reference.effective).max()
        left, sizes, right = np.linalg.svd(rows[:, on], full_matrices=True)
        rank = int((sizes > _ABSENT * sizes[0]).sum())
        nu = left[:, :rank] @ ((right[:rank] @ np.sign(reference.effective[on])) / sizes[:rank])
        return cls(~on, nu @ rows[:, ~on], left[:, rank:].T @ rows[:, ~on])

    def level(self) -> tuple[float, np.ndarray]:
        r"""$\rho^* = \min_\nu\max_{\text{off}}|x_i^\top\nu|$ over optimal duals, by a linear program, and a $z$ of it."""
        free, count = self.free, self.free.shape[0]
        if not self.prices.size:
            return 0.0, np.zeros(count)
        if not count:
            return float(np.abs(self.prices).max()), np.zeros(0)
        ones = -np.ones((self.prices.size, 1))
        sides = np.vstack([np.hstack([free.T, ones]), np.hstack([-free.T, ones])])
        cost = np.append(np.zeros(count), 1.0)
        bounds = [(None, None)] * count + [(0, None)]
        found = linprog(cost, A_ub=sides, b_ub=np.append(-self.prices, self.prices), bounds=bounds, method="highs")
        z = found.x[:count]
        return float(np.abs(self.prices + z @ free).max()), z

    def excess(self, effective: np.ndarray) -> np.ndarray | float:
        r"""$\sum_{\text{off}}|\beta_i| - \beta_i\,x_i^\top\nu$ along the last axis: the excess l1 norm of a solution."""
        prices = self.prices + self.level()[1] @ self.free
        beta = effective[..., self.off]
        return (np.abs(beta) * (1 - np.sign(beta) * prices)).sum(-1)

    def center(self, depth: int) -> np.ndarray:
        r"""The prices off the support of $\arg\min_\nu\sum_{\text{off}}q_D^*(x_i^\top\nu)$, the dual that small scales choose."""
        link, (level, z) = PowerLink(require_depth(depth, least=3)), self.level()
        prices = self.prices + z @ self.free
        if level >= 1 - _NO_ROOM or not self.free.size:
            return prices
        for _ in range(_STEPS):
            sigma = link.at_price(prices)
            slope = np.exp(link.log_slope(np.abs(sigma)))
            pull = self.free @ link.value(sigma, np.zeros_like(sigma))
            change = -cho_solve(cho_factor((self.free * slope) @ self.free.T), pull) @ self.free
            if (slope * change) @ change <= _CENTERED:
                return prices + change
            prices = _lower(link, prices, change)
        return prices


def planted_rate(data: Split) -> float:
    r"""$2(1 - \rho^*)$: at depth 2 the excess $\|\beta_\alpha\|_1 - \|\hat\beta\|_1$ falls like $\alpha$ to this power.

    With $\rho^* = \min_\nu\max_{\text{off}}|x_i^\top\nu|$ over the optimal duals of least l1; zero where they leave no room,
    as when the solution of least l1 norm is not the only one.
    """
    room = 1 - OptimalDuals.of(data).level()[0]
    return 2 * room if room > _NO_ROOM else 0.0


def excess_l1_law(data: Split, depth: int) -> float:
    r"""$\sum_{\text{off}}|h_D(\hat p_i)|(1 - |\hat p_i|)$: at depth $D \ge 3$ the excess l1 norm over $\alpha^D$ tends to this.

    The $\hat p$ are the prices of the center dual. Infinite where every optimal dual has a price of one off the support, as when
    the solution of least l1 norm is not the only one.
    Source: woodworth2020, theorem 3.
    """
    prices = OptimalDuals.of(data).center(depth)
    if not (1 - np.abs(prices) > _NO_ROOM).all():
        return float("inf")
    sigma = PowerLink(depth).at_price(prices)
    return float(np.abs(PowerLink(depth).value(sigma, np.zeros_like(sigma))) @ (1 - np.abs(prices)))


def excess_l1(data: Split, effective: ArrayLike) -> float:
    r"""$\|\beta\|_1 - \|\hat\beta\|_1 = \sum_{\text{off}}|\beta_i| - \beta_i\,x_i^\top\nu$ for $\beta$ that meet the equations.

    Any optimal dual serves. Nothing is subtracted from the norms, so an excess far below their rounding is still read.
    """
    duals = OptimalDuals.of(data)
    return float(duals.excess(require_vector("effective", effective, duals.off.size)))


def _lower(link: PowerLink, prices: np.ndarray, change: np.ndarray) -> np.ndarray:
    """The prices after the change, shortened until the sum of conjugates falls; the same where rounding forbids it."""

    def total(values: np.ndarray) -> float:
        sigma = link.at_price(values)
        return float(np.exp(link.log_conjugate(np.abs(sigma))).sum()) if np.isfinite(sigma).all() else np.inf

    now, share = total(prices), 1.0
    while not total(prices + share * change) < now and share > 1e-14:
        share /= 2
    return prices + share * change if share > 1e-14 else prices

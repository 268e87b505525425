"""Whether a given direction has the largest margin: a certificate without a large linear program."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import null_space

from ...problems import Split
from ..base import AbstractVectorPredictor, Reference
from .arguments import require_choice, require_vector
from .least_distance import least_distance
from .margin import NORMS, margin_reference, separation

# Samples whose margin is the least to this share carry weight.
_LEAST = 1e-9
# Prices must not pass these levels. The first leaves room for rounding, the second is for prices that can only be
# 1 exactly, the others are for directions that are not optimal.
_LEVELS = (1 - 1e-9, 1 + 1e-8, *(1 + 0.01 * 2.0**k for k in range(12)))
# Weights may differ from zero by this share of their mean before they are clipped: some can only be 0 exactly.
_SLACK = 1e-10
# Prices and weights that move by less than this share of their size are fixed by the support.
_FIXED = 1e-12
# Prices above the level by no more than this are rounding.
_OVER = 1e-9
_ROUNDS = 20
_COLUMNS = 100


def certify_margin(data: Split, effective: ArrayLike, norm: str) -> Reference:
    r"""The candidate scaled to least margin 1, with a lower bound on the norm of every $w$ of that margin.

    `value` is the candidate's norm (infinite if it does not separate); ok when the bound meets it: then the
    candidate is the max-margin direction. The bound $\mathbf 1^\top\mu/\|X^\top(y\odot\mu)\|_*$ is valid whatever
    $\mu$ was found, so a direction that is not optimal is never called so.
    Assumes: labels -1 and +1.
    Source: lyu2024, section 3.2.3.
    """
    return CandidateMargin(effective, norm).solve(data)


@dataclass(frozen=True, eq=False)
class CandidateMargin(AbstractVectorPredictor):
    """A direction proposed as the max-margin one, as a predictor; see `certify_margin`."""

    effective: ArrayLike
    norm: str

    signs_only = True

    def __post_init__(self):
        """The norm must be known."""
        require_choice("norm", self.norm, tuple(NORMS))

    def _solve(self, x: np.ndarray, y: np.ndarray) -> Reference:
        """The candidate, certified."""
        direction = require_vector("effective", self.effective, x.shape[1])
        mu = l1_weights(x, y, direction) if self.norm == "l1" else separation(x, y)[1]
        return margin_reference(x, y, direction, mu, norm=self.norm)


def l1_weights(x: np.ndarray, y: np.ndarray, direction: np.ndarray) -> np.ndarray:
    r"""Weights $\mu$ on the samples of least margin whose prices $X^\top(y\odot\mu)$ show the direction optimal.

    Optimal means prices equal to the signs on the support, at most 1 elsewhere, and $\mu \ge 0$. The first guess is the
    uniform weight with the least correction that gets the support right. It has small prices elsewhere when
    samples are many; the few too large are then brought below 1 by the least further correction, round by
    round. Where that is impossible the level is raised: the bound stays valid and is not tight.
    """
    margins = y * (x @ direction)
    if not margins.min() > 0:
        return np.zeros(y.size)
    samples = np.flatnonzero(margins <= (1 + _LEAST) * margins.min())
    return _PriceSearch.of(x, y, direction, samples).best()


@dataclass
class _PriceSearch:
    r"""The search for $\mu = \mu_0 + Nz$ with small $z$: $N$ spans the changes that keep prices on the support."""

    x: np.ndarray
    y: np.ndarray
    samples: np.ndarray
    support: np.ndarray
    guess: np.ndarray
    free: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, y: np.ndarray, direction: np.ndarray, samples: np.ndarray) -> "_PriceSearch":
        """The least correction of uniform weights that prices the support right, and the freedom left.

        A support larger than the samples leaves no freedom: then the weights come from the normal equations,
        which are small.
        """
        support = np.flatnonzero(direction)
        part, signs = x[np.ix_(samples, support)], np.sign(direction[support])
        if support.size > samples.size:
            gram = (part @ part.T) * np.outer(y[samples], y[samples])
            guess = np.linalg.lstsq(gram, y[samples] * (part @ signs), rcond=None)[0]
            return cls(x, y, samples, support, guess, np.zeros((samples.size, 0)))
        signed = (part * y[samples, None]).T
        sums = signed.sum(axis=1)
        uniform = np.full(samples.size, (signs @ sums) / (sums @ sums))
        guess = uniform + np.linalg.lstsq(signed, signs - signed @ uniform, rcond=None)[0]
        return cls(x, y, samples, support, guess, null_space(signed))

    def best(self) -> np.ndarray:
        """The weights of the largest bound over the rounds."""
        columns, low, level = np.zeros(0, int), np.zeros(0, int), 0
        mu, bound, best = self.guess, 0.0, np.zeros(self.y.size)
        for _ in range(_ROUNDS):
            weights, prices = self._priced(mu)
            if weights.sum() > bound * prices.max():
                bound, best = weights.sum() / prices.max(), weights
            dear = _newly_above(prices, _LEVELS[level], np.concatenate([self.support, columns]))
            negative = np.setdiff1d(np.flatnonzero(mu < 0), low)
            if dear.size + negative.size == 0 or self.free.shape[1] == 0:
                break
            columns, low = np.concatenate([columns, dear]), np.concatenate([low, negative])
            found = self._corrected(columns, low, _LEVELS[level])
            while found is None and level + 1 < len(_LEVELS):
                level += 1
                found = self._corrected(columns, low, _LEVELS[level])
            if found is None:
                break
            mu = found
        return best

    def _priced(self, mu: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The weights on all samples, none negative, and the prices of all columns."""
        weights = np.zeros(self.y.size)
        weights[self.samples] = np.maximum(mu, 0.0)
        return weights, np.abs((self.y * weights) @ self.x)

    def _corrected(self, columns: np.ndarray, low: np.ndarray, level: float) -> np.ndarray | None:
        """The weights nearest the first guess with these prices below the level and these weights nonnegative."""
        signed = (self.x[np.ix_(self.samples, columns)] * self.y[self.samples, None]).T
        prices = signed @ self.guess
        turn, slack = signed @ self.free, _SLACK * np.abs(self.guess).mean()
        change = np.vstack([-turn, turn, self.free[low]])
        sizes = np.concatenate([np.linalg.norm(signed, axis=1)] * 2 + [np.ones(low.size)])
        change[np.linalg.norm(change, axis=1) <= _FIXED * sizes] = 0.0
        needed = np.concatenate([prices - level, -prices - level, -self.guess[low] - slack])
        z, _ = least_distance(change, needed)
        return None if z is None else self.guess + self.free @ z


def _newly_above(prices: np.ndarray, level: float, known: np.ndarray) -> np.ndarray:
    """The dearest columns above the level that are not known yet, a hundred at most."""
    above = np.flatnonzero(prices > level + _OVER)
    above = np.setdiff1d(above, known)
    return above[np.argsort(-prices[above], kind="stable")][:_COLUMNS]

r"""Margins of several classes: $\langle w, \phi_{y_i}(x_i) - \phi_j(x_i)\rangle \ge 1$ for every rival $j \ne y_i$.

Features $\phi_j(x_i)$ are the inputs put at the place of class $j$, or the tangent features of the $j$-th output.
Weights $\mu_{ij}\ge 0$ on pairs of a sample and a rival stand for $\sum_{ij}\mu_{ij}(\phi_{y_i}(x_i) - \phi_j(x_i))$.
"""

import abc
from dataclasses import dataclass

import numpy as np

from ...errors import BadInput
from ..base import Certificate, Reference
from .linear_system import relative_gap
from .margin import separation

# Margins short of 1 by no more than this are rounding: the certificate counts them all.
_SHORT = 1e-10


class AbstractFeatures(abc.ABC):
    r"""$\phi_j(x_i)$ of samples $i$ and classes $j$: products with directions, sums with weights, differences."""

    @abc.abstractmethod
    def scores(self, w: np.ndarray) -> np.ndarray:
        r"""$\langle w, \phi_j(x_i)\rangle$, one row a sample."""

    @abc.abstractmethod
    def gather(self, weights: np.ndarray) -> np.ndarray:
        r"""$\sum_{ij} c_{ij}\phi_j(x_i)$."""

    @abc.abstractmethod
    def ahead(self, samples: np.ndarray, own: np.ndarray, rivals: np.ndarray) -> np.ndarray:
        r"""$\phi_{y_i}(x_i) - \phi_j(x_i)$, one flat row for each of the pairs."""


@dataclass(frozen=True)
class InputFeatures(AbstractFeatures):
    r"""$\phi_j(x) = x\,e_j^\top$: directions are matrices with one column a class."""

    x: np.ndarray
    k: int

    def scores(self, w: np.ndarray) -> np.ndarray:
        """The inputs times the matrix."""
        return self.x @ w

    def gather(self, weights: np.ndarray) -> np.ndarray:
        """The matrix whose columns are weighted sums of inputs."""
        return self.x.T @ weights

    def ahead(self, samples: np.ndarray, own: np.ndarray, rivals: np.ndarray) -> np.ndarray:
        """The input in the column of its class, its negative in that of the rival."""
        signs = np.zeros((samples.size, self.k))
        places = np.arange(samples.size)
        signs[places, own], signs[places, rivals] = 1.0, -1.0
        return (self.x[samples][:, :, None] * signs[:, None, :]).reshape(samples.size, -1)


@dataclass(frozen=True)
class OutputFeatures(AbstractFeatures):
    """One vector for each sample and each of its outputs, as a table."""

    table: np.ndarray

    def scores(self, w: np.ndarray) -> np.ndarray:
        """The table times the direction."""
        return self.table @ w

    def gather(self, weights: np.ndarray) -> np.ndarray:
        """The weighted sum of the vectors."""
        return np.tensordot(weights, self.table, axes=2)

    def ahead(self, samples: np.ndarray, own: np.ndarray, rivals: np.ndarray) -> np.ndarray:
        """The vector of the class less that of the rival."""
        return self.table[samples, own] - self.table[samples, rivals]


def classes_of(who: str, y: np.ndarray, k: int | None = None) -> tuple[np.ndarray, int]:
    """Classes from whole numbers 0, 1, ... or from rows with a single one, and how many there are; else refused."""
    hot = y.ndim == 2 and y.shape[1] > 1 and np.isin(y, (0.0, 1.0)).all() and (y.sum(axis=1) == 1).all()
    numbered = y.ndim == 1 and (y == np.round(y)).all() and (y >= 0).all()
    count = y.shape[1] if hot else int(y.max()) + 1 if numbered else 0
    if count < 1 or (k or max(count, 2)) < count or (hot and k not in (None, count)) or (k or count) < 2:
        raise BadInput(
            needed=f"{who} needs classes from 0 to {f'{k - 1}' if k else 'k - 1, at least two'}, or rows with a single 1",
            given=f"targets of shape {y.shape} with values from {y.min():g} to {y.max():g}",
            cure="Number the classes from 0; for labels -1 and +1 use a two-class predictor.",
        )
    return (y.argmax(axis=1) if hot else y.astype(int)), k or count


def separate(features: AbstractFeatures, own: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """The direction of least length with margins of 1 (up to its scale), weights on all pairs, whether none exists.

    Each sample meets first the rival that the class means find nearest, then those that the last direction leaves
    short, until none is: few pairs matter. Where none separates, the weights are Gordan's proof: their sum vanishes.
    """
    mine = np.eye(k, dtype=bool)[own]
    met = np.zeros_like(mine)
    direction, weights, clash = features.gather(mine - 1 / k), np.zeros(mine.shape), False
    count = 1
    while not clash:
        ahead = lead(features.scores(direction), own)
        least = ahead[met].min() if met.any() else np.inf
        short = ~met & (ahead < (1 - _SHORT) * least)
        if not short.any() or not least > 0:
            break
        met |= short & (ahead <= np.sort(np.where(short, ahead, np.inf), axis=1)[:, count - 1 : count])
        count = min(2 * count, k)
        samples, rivals = np.nonzero(met)
        flat, each, proof = separation(features.ahead(samples, own[samples], rivals), np.ones(samples.size))
        weights[samples, rivals], clash = each if proof is None else proof, proof is not None
        direction = flat.reshape(direction.shape)
    return direction, weights, clash


def lead(scores: np.ndarray, own: np.ndarray) -> np.ndarray:
    """How far each class is ahead of each rival; infinite against itself."""
    ahead = scores[np.arange(own.size), own][:, None] - scores
    ahead[np.arange(own.size), own] = np.inf
    return ahead


def spread(weights: np.ndarray, own: np.ndarray) -> np.ndarray:
    r"""Weights on pairs as weights on outputs: $\sum_j\mu_{ij}$ on the class, $-\mu_{ij}$ on each rival."""
    table = -weights
    table[np.arange(own.size), own] = weights.sum(axis=1)
    return table


def rival_reference(features: AbstractFeatures, own: np.ndarray, direction: np.ndarray, mu: np.ndarray) -> Reference:
    """The direction scaled to least margin 1, certified by the weights; never ok when it does not separate."""
    least = float(lead(features.scores(direction), own).min())
    if not least > 0:
        return Reference(direction, float("inf"), Certificate(1.0, float("inf")), mu)
    effective = direction / least
    value = float(np.linalg.norm(effective))
    residual = max(0.0, 1 - float(lead(features.scores(effective), own).min()))
    weights = np.maximum(mu, 0.0)
    price = float(np.linalg.norm(features.gather(spread(weights, own))))
    dual = weights / price if price > 0 else weights
    return Reference(effective, value, Certificate(residual, relative_gap(float(dual.sum()), value)), dual)

"""A small separable problem, and its plain flow written in numpy and followed by scipy."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lazyrich.losses import Logistic
from lazyrich.models import AbstractLinearModel
from lazyrich.objective import Objective
from lazyrich.problems import Split, sparse_classification
from lazyrich.regularizers import L2

N, D = 5, 20


class Weights(NamedTuple):
    u: np.ndarray
    v: np.ndarray
    depth: int

    @property
    def effective(self) -> np.ndarray:
        return self.u**self.depth - self.v**self.depth


class NumpyFlow:
    """The flow of the mean loss of u^D - v^D with decay, from the formulas of lyu2024, section 6.1."""

    def __init__(self, data: Split):
        self.x, self.y = np.asarray(data.x), np.asarray(data.y)

    def slope(self, loss: str, f: np.ndarray) -> np.ndarray:
        margin = self.y * f
        return {
            "Squared": 2 * (f - self.y),
            "Logistic": -self.y / (1 + np.exp(margin)),
            "Exponential": -self.y * np.exp(-margin),
        }[loss]

    def force(self, u, v, *, loss: str, depth: int, weight_decay: float) -> tuple[np.ndarray, np.ndarray]:
        pull = self.x.T @ self.slope(loss, self.x @ (u**depth - v**depth)) / self.y.size
        return -depth * u ** (depth - 1) * pull - weight_decay * u, depth * v ** (depth - 1) * pull - weight_decay * v

    def follow(self, u, v, times, *, loss: str, depth: int, weight_decay: float) -> Weights:
        """The weights at these times, to a relative 1e-12 a step."""

        def field(_, theta):
            return np.concatenate(self.force(*np.split(theta, 2), loss=loss, depth=depth, weight_decay=weight_decay))

        init = np.concatenate([u, v])
        found = solve_ivp(field, (0, times[-1]), init, method="DOP853", t_eval=times, rtol=1e-12, atol=1e-14)
        assert found.success
        return Weights(*np.split(found.y.T, 2, axis=1), depth)


class Plain(AbstractLinearModel):
    """Weights or a matrix as they are."""

    weights: jax.Array

    @property
    def degree(self) -> int:
        return 1

    def parameters(self):
        return self.weights

    def effective(self):
        return self.weights

    def __call__(self, x):
        return x @ self.weights


@pytest.fixture(scope="package")
def plain():
    """Makes a model of weights, linear in them."""
    return lambda weights: Plain(jnp.asarray(weights, float))


@pytest.fixture(scope="package")
def data() -> Split:
    return sparse_classification(jr.key(0), n=N, d=D, sparsity=3, test=0).train


@pytest.fixture(scope="package")
def numpy_flow(data) -> NumpyFlow:
    return NumpyFlow(data)


@pytest.fixture(scope="package")
def objective(data) -> Objective:
    return Objective(data, Logistic(), reduction="mean", penalties=[(L2(), 0.05)])


@pytest.fixture(scope="package")
def times():
    return jnp.array([0.0, 0.3, 1.0, 4.0])

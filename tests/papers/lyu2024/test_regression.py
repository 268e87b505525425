"""Formulas of the regression claims of lyu2024, each against what computes the same in another way."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.measures.kkt import interpolation_kkt
from lazyrich.models import LogDiagonalNet, SymmetricNet, tangent
from lazyrich.papers.lyu2024.completion_minimizers import least_value
from lazyrich.papers.lyu2024.simulations.completion_minima import objective
from lazyrich.papers.lyu2024.simulations.diagonal_decay import _stationary, tangent_kernel
from lazyrich.papers.lyu2024.simulations.symmetric_completion import known, make_problem
from lazyrich.problems import Entries, Split


def net_and_data(depth):
    middle, half, x, y = (jr.normal(jr.fold_in(jr.key(3), at), shape) for at, shape in enumerate(((7,), (7,), (4, 7), (4,))))
    return LogDiagonalNet(0.3 * middle, 0.2 * half, depth), Split(x, y)


@pytest.mark.parametrize("depth", [2, 3])
def test_tangent_kernel_is_that_of_the_model(depth):
    net, data = net_and_data(depth)
    np.testing.assert_allclose(tangent_kernel(net, data.x, 0.0), tangent.kernel(net, data.x), rtol=1e-12)
    shrunk = tangent_kernel(net, data.x, 0.5)
    np.testing.assert_allclose(shrunk, np.exp(-(depth - 1)) * tangent.kernel(net, data.x), rtol=1e-12)


@pytest.mark.parametrize("depth", [2, 3])
def test_stationarity_is_the_kkt_measure(depth):
    net, data = net_and_data(depth)
    reference = _stationary(net, data, 0.1)
    np.testing.assert_allclose(reference["stationarity"], interpolation_kkt(net, data).stationarity, rtol=1e-10)
    assert reference["slope"] >= reference["stationarity"]


def test_least_value_is_below_every_net():
    """No factors cost less than the convex optimum, and those of its own matrix cost the same."""
    problem, weight_decay = make_problem(jr.key(5), d=5, rank=2, negative=1, train_fraction=0.5), 0.02
    least = least_value(problem, weight_decay)
    assert least.ok
    values, basis = np.linalg.eigh(least.effective.reshape(5, 5))
    halves = [jnp.asarray(basis * np.sqrt(np.maximum(sign * values, 0.0))) for sign in (1, -1)]
    cost = objective(problem, weight_decay)
    np.testing.assert_allclose(cost(SymmetricNet(*halves)), least.value, rtol=1e-6)
    for at in range(20):
        moved = [half + 0.1 * jr.normal(jr.fold_in(jr.key(at), side), (5, 5)) for side, half in enumerate(halves)]
        assert cost(SymmetricNet(*moved)) > least.value


def test_known_entries_count_their_transposes():
    problem = make_problem(jr.key(1), d=6, rank=2, negative=1, train_fraction=0.3)
    mask = np.asarray(known(problem))
    assert isinstance(problem.train, Entries)
    seen = {(int(i), int(j)) for i, j in zip(problem.train.rows, problem.train.cols, strict=True)}
    expected = [[float((i, j) in seen or (j, i) in seen) for j in range(6)] for i in range(6)]
    np.testing.assert_array_equal(mask, expected)


def test_curvature_of_an_empty_column():
    r"""The Hessian at zero along $U = ba^\top$ is $b^\top(M + \lambda I)b$ with $M = -\frac4n\sum y_iP_i$."""
    problem, weight_decay = make_problem(jr.key(2), d=4, rank=2, negative=1, train_fraction=0.6), 0.1
    data, cost = problem.train, objective(problem, weight_decay)
    assert isinstance(data, Entries)
    half = np.zeros((4, 4))
    np.add.at(half, (np.asarray(data.rows), np.asarray(data.cols)), -2 * np.asarray(data.y) / data.n)
    b, a = (np.asarray(jr.normal(jr.fold_in(jr.key(9), at), (4,))) for at in range(2))
    along = jnp.asarray(np.outer(b, a))
    zero = jnp.zeros((4, 4))
    second = jax.jvp(jax.grad(lambda s: cost(SymmetricNet(s * along, zero))), (0.0,), (1.0,))[1]
    np.testing.assert_allclose(second, a @ a * (b @ (half + half.T + weight_decay * np.eye(4)) @ b), rtol=1e-10)

"""The closed forms inside the shared experiments on factorizations, against autodiff and an independent integrator."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from scipy.integrate import solve_ivp

from lazyrich.models import tangent
from lazyrich.papers.woodworth2020.simulations import lifted, matrix_sensing


def test_the_tangent_model_is_that_of_a_linear_flow():
    data = matrix_sensing.make_problem(jr.key(0), 3, 4, 2.0)
    init = matrix_sensing.init_factors(jr.key(1), d=3, width=20.0, mu=2.0)
    residual = jax.vmap(init)(data.x) - data.y
    features = np.asarray(tangent.features(init, data.x))
    times = jnp.array([0.1, 0.7])
    moves, left = matrix_sensing.tangent_moves(init, data, residual, times)

    def field(t, move):
        return -features.T @ (features @ move + np.asarray(residual))

    zero = np.zeros(features.shape[1])
    found = solve_ivp(field, (0, 0.7), zero, t_eval=np.asarray(times), rtol=1e-10, atol=1e-12).y.T
    # The integrator's error: 1e-10 a step over a hundred steps.
    np.testing.assert_allclose(moves, found, atol=1e-8)
    np.testing.assert_allclose(left, np.asarray(residual) + found @ features.T, atol=1e-8)


def test_measurements_have_the_spectrum_asked_for():
    flat = np.asarray(matrix_sensing.make_problem(jr.key(2), 4, 6, 9.0).x).reshape(6, -1)
    np.testing.assert_allclose(np.linalg.eigvalsh(flat @ flat.T)[[0, -1]], [1, 9], rtol=1e-10)


def test_the_slope_of_the_lifted_loss_is_its_gradient():
    problem = lifted.make_problem(jr.key(0), 3, 5)
    matrix = jr.normal(jr.key(1), (6, 6))
    matrix = matrix + matrix.T

    def loss(lifted_matrix):
        # Both blocks say the same of a symmetric matrix: half of each.
        block = (lifted_matrix[:3, 3:] + lifted_matrix[3:, :3].T) / 2
        return jnp.sum((block[problem.train.rows, problem.train.cols] - problem.train.y) ** 2)

    np.testing.assert_allclose(lifted.slope(problem, matrix), jax.grad(loss)(matrix), atol=1e-13)

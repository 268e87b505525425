import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from sklearn.linear_model import ElasticNet

from lazyrich.dynamics import ProximalDescent
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Entries, sparse_recovery
from lazyrich.regularizers import L1, L2, Nuclear

N, D = 8, 12
DATA = sparse_recovery(jr.key(1), n=N, d=D, sparsity=2, noise=0.1, test=0).train
RATE = float(0.9 / np.linalg.norm(DATA.x, 2) ** 2)


@pytest.fixture(scope="module")
def descend(plain):
    """One compiled program for all strengths."""

    @jax.jit
    def run(strength, weight_decay, when):
        objective = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L1(), strength), (L2(), weight_decay)])
        return ProximalDescent(RATE).run(objective, plain(jnp.ones(D)), when, read={"f": objective})

    return run


@pytest.mark.parametrize(("strength", "weight_decay"), [(0.5, 0.0), (0.5, 1.0), (0.1, 0.3)])
def test_its_fixed_point_is_the_lasso_or_the_elastic_net(descend, strength, weight_decay):
    path = descend(strength, weight_decay, jnp.array([0, 100, 60_000]))
    total = (strength + weight_decay) / N
    other = ElasticNet(alpha=total, l1_ratio=strength / (N * total), fit_intercept=False, tol=1e-14, max_iter=10**6)
    wanted = other.fit(np.asarray(DATA.x), np.asarray(DATA.y)).coef_
    np.testing.assert_allclose(path.end.weights, wanted, rtol=0, atol=1e-7)
    np.testing.assert_array_equal(np.asarray(path.end.weights) == 0, wanted == 0)
    assert (wanted == 0).any()


def test_it_falls_at_least_as_fast_as_theorem_c_15(descend):
    when = jnp.array([0, 1, 3, 10, 100, 1000, 60_000])
    path = descend(0.1, 0.0, when)
    values, radius = np.asarray(path.reads["f"]), np.linalg.norm(1 - np.asarray(path.end.weights))
    assert (np.diff(values) <= 1e-12).all()
    assert (values[1:] - values[-1] <= radius**2 / (2 * RATE * np.asarray(when[1:])) + 1e-12).all()


def test_one_step_is_soft_thresholding(descend):
    path = descend(0.5, 0.2, jnp.array([0, 1, 2]))
    x, y = np.asarray(DATA.x), np.asarray(DATA.y)
    moved = (1 - RATE * x.T @ (x @ np.ones(D) - y)) / (1 + 0.2 * RATE)
    wanted = np.sign(moved) * np.maximum(np.abs(moved) - 0.5 * RATE / (1 + 0.2 * RATE), 0)
    objective = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L1(), 0.5), (L2(), 0.2)])
    fit, size = 0.5 * np.sum((x @ wanted - y) ** 2), 0.5 * np.abs(wanted).sum() + 0.1 * np.sum(wanted**2)
    np.testing.assert_allclose(path.reads["f"][1], fit + size, rtol=1e-12)
    assert objective.weight_decay is None


def test_nuclear_thresholds_the_singular_values_of_a_full_matrix(plain):
    answer = np.random.default_rng(0).standard_normal((3, 4))
    rows, cols = np.divmod(np.arange(12), 4)
    data = Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.asarray(answer.ravel()), (3, 4))
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(Nuclear(), 0.8)])
    path = ProximalDescent(0.5).run(objective, plain(np.zeros((3, 4))), [0, 100])
    left, values, right = np.linalg.svd(answer, full_matrices=False)
    np.testing.assert_allclose(path.end.weights, (left * np.maximum(values - 0.8, 0)) @ right, rtol=0, atol=1e-13)


def test_models_of_several_arrays_keep_the_place_of_each():
    objective = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L1(), 1.0)])
    net = DiagonalNet(jnp.full(D, 0.1), jnp.linspace(0.1, 0.4, D))
    path = ProximalDescent(1e-9).run(objective, net, [0, 1])
    np.testing.assert_allclose(path.end.v, net.v, rtol=1e-6)
    np.testing.assert_allclose(path.end.u, net.u, rtol=1e-6)


def test_two_penalties_with_kinks_are_refused_with_the_reason(plain):
    objective = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L1(), 0.1), (Nuclear(), 0.1)])
    with pytest.raises(BadInput, match="the prox of a sum is not known.*L1 and Nuclear"):
        ProximalDescent(0.1).run(objective, plain(np.zeros(D)), [0, 1])

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import InverseTime, ProjectedSubgradient
from lazyrich.errors import BadInput
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.predictors import MinL1
from lazyrich.problems import Entries, Split, sparse_recovery
from lazyrich.regularizers import L1, Nuclear

N, D = 10, 25
DATA = sparse_recovery(jr.key(2), n=N, d=D, sparsity=2, test=0).train
GOAL = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L1(), 0.5)])
START = np.random.default_rng(0).standard_normal(D)


def test_one_step_is_the_formula(plain):
    path = ProjectedSubgradient(0.1).run(GOAL, plain(START), [0, 1])
    x, y = np.asarray(DATA.x), np.asarray(DATA.y)
    moved = START - 0.05 * np.sign(START)
    np.testing.assert_allclose(path.end.weights, moved - np.linalg.pinv(x) @ (x @ moved - y), rtol=0, atol=1e-13)


def test_it_stays_on_the_data_and_descends_as_theorem_c_14_says(plain):
    size = {"misfit": lambda net: jnp.abs(DATA.x @ net.weights - DATA.y).max(), "norm": lambda net: L1().value(net.weights)}
    when, expected = np.arange(0, 2001, 10), MinL1().solve(DATA)
    runs = {"constant": 0.01, "vanishing": InverseTime(2.0, 20.0)}
    for name, learning_rate in runs.items():
        path = ProjectedSubgradient(learning_rate).run(GOAL, plain(START), when, read=size)
        assert np.asarray(path.reads["misfit"])[1:].max() < 1e-12, name
        assert path.certificates["feasibility"] < 1e-13
        steps = 0.5 * np.array([learning_rate(k) if callable(learning_rate) else learning_rate for k in range(2000)])
        first = START - np.linalg.pinv(DATA.x) @ (DATA.x @ START - DATA.y)
        radius = np.linalg.norm(first - expected.effective)
        best = np.minimum.accumulate(np.asarray(path.reads["norm"])[1:])
        bound = (radius**2 + D * np.cumsum(steps**2)) / (2 * np.cumsum(steps))
        gap = best - expected.value
        assert (gap >= -1e-9).all() and (gap <= bound[when[1:] - 1]).all()
    assert gap[-1] < 0.02


def test_observed_entries_of_a_matrix_are_overwritten(plain):
    matrix = np.random.default_rng(1).standard_normal((4, 3))
    data = Entries(jnp.array([0, 2, 3, 3]), jnp.array([1, 2, 0, 0]), jnp.array([5.0, -1.0, 2.0, 2.0]), (4, 3))
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(Nuclear(), 0.2)])
    path = ProjectedSubgradient(0.5).run(objective, plain(matrix), [0, 1])
    left, _, right = np.linalg.svd(matrix, full_matrices=False)
    wanted = matrix - 0.1 * left @ right
    wanted[[0, 2, 3], [1, 2, 0]] = [5.0, -1.0, 2.0]
    np.testing.assert_allclose(path.end.weights, wanted, rtol=0, atol=1e-13)


def test_two_halves_are_linear_weights_too():
    net = DiagonalNet(jnp.asarray(START), jnp.zeros(D), 1)
    path = ProjectedSubgradient(0.01).run(GOAL, net, [0, 200])
    assert np.abs(DATA.x @ path.end.effective() - DATA.y).max() < 1e-12


def test_data_that_clash_show_in_the_certificate(plain):
    data = Split(jnp.ones((2, 3)), jnp.array([1.0, 3.0]))
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), 0.1)])
    path = jax.jit(lambda init: ProjectedSubgradient(0.1).run(objective, plain(init), jnp.array([0, 5])))(jnp.ones(3))
    np.testing.assert_allclose(path.certificates["feasibility"], np.sqrt(2 / 10), rtol=1e-12)


def test_what_does_not_fit_is_refused_by_name(plain):
    init = plain(START)
    for model, name in ((DiagonalNet.at_scale(0.1, dim=D), "a DiagonalNet of degree 2"), (eqx.nn.Identity(), "Identity")):
        with pytest.raises(BadInput, match=f"linear in the parameters; got .*{name}"):
            ProjectedSubgradient(0.1).run(GOAL, model, [0, 1])
    with pytest.raises(BadInput, match="without any"):
        ProjectedSubgradient(0.1).run(Objective(DATA, Squared(), reduction="half_sum"), init, [0, 1])
    labels = Objective(Split(DATA.x, jnp.sign(DATA.y)), Logistic(), reduction="half_sum", penalties=[(L1(), 1.0)])
    with pytest.raises(BadInput, match="Logistic, a loss of labels"):
        ProjectedSubgradient(0.1).run(labels, init, [0, 1])

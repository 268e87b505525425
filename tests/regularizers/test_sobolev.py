import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent, ProximalDescent
from lazyrich.errors import BadInput
from lazyrich.inits import gaussian, he
from lazyrich.losses import Squared
from lazyrich.models import Linear, ReluNet, parameters
from lazyrich.objective import Objective
from lazyrich.problems import relu_teacher
from lazyrich.regularizers import Sobolev


def posed():
    problem = relu_teacher(jr.key(0), n=6, d=4, units=5, outputs=3)
    return problem, Sobolev(problem.train.x, problem.law.slopes(problem.train.x))


@pytest.mark.parametrize("sizes", [(4, 3), (4, 7, 3), (4, 7, 5, 3)])
@pytest.mark.parametrize("bias", ["none", "first", "all"])
def test_value_is_that_of_the_derivatives_by_autodiff(sizes, bias):
    problem, penalty = posed()
    net = gaussian(jr.key(1), ReluNet.at_zero(sizes, bias=bias), scale=1.0)
    slopes = jax.vmap(jax.jacfwd(net))(problem.train.x)
    wanted = np.mean(np.sum((np.asarray(slopes) - np.asarray(penalty.slopes)) ** 2, axis=(1, 2)))
    np.testing.assert_allclose(penalty.value(parameters(net)), wanted, rtol=1e-13)


def test_the_teacher_costs_nothing():
    problem, penalty = posed()
    net = ReluNet((problem.law.inner, problem.law.outer), (None, None))
    np.testing.assert_allclose(penalty.value(parameters(net)), 0, atol=1e-28)


def test_the_gradient_is_the_difference_quotient():
    _, penalty = posed()
    net = he(jr.key(2), (4, 7, 3))
    along = gaussian(jr.key(3), net, scale=1.0)

    def at(step):
        return penalty.value(parameters(jax.tree.map(lambda a, b: a + step * b, net, along)))

    slope = penalty.subgradient(parameters(net))
    wanted = sum(jnp.sum(a * b) for a, b in zip(jax.tree.leaves(slope), jax.tree.leaves(along), strict=True))
    np.testing.assert_allclose((at(1e-5) - at(-1e-5)) / 2e-5, wanted, rtol=1e-8)


def test_descent_lowers_it():
    problem, penalty = posed()
    objective = Objective(problem.train, Squared(), reduction="mean", penalties=[(penalty, 0.5)])
    read = {"cost": lambda net: penalty.value(parameters(net))}
    path = GradientDescent(0.01).run(objective, he(jr.key(4), (4, 20, 3)), jnp.array([0.0, 500.0]), read=read)
    assert path.reads["cost"][1] < 0.2 * path.reads["cost"][0]


def test_without_derivatives_it_is_refused():
    problem, penalty = posed()
    with pytest.raises(BadInput, match="derivatives"):
        Sobolev(problem.train.x, None)
    with pytest.raises(BadInput, match=r"\(n, k, d\)"):
        Sobolev(problem.train.x, penalty.slopes[:, :, :2])


def test_other_models_and_prox_are_refused():
    problem, penalty = posed()
    with pytest.raises(BadInput, match="ReluNet"):
        penalty.value(parameters(Linear(jnp.ones(4))))
    with pytest.raises(BadInput, match="ReluNet"):
        penalty.value(parameters(ReluNet.at_zero((4, 5, 2))))
    objective = Objective(problem.train, Squared(), reduction="mean", penalties=[(penalty, 0.5)])
    with pytest.raises(BadInput, match="GradientDescent"):
        ProximalDescent(0.1).run(objective, he(jr.key(0), (4, 5, 3)), jnp.array([0.0, 1.0]), read={"cost": objective})

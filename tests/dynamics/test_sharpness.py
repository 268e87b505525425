import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from lazyrich import Objective, Split
from lazyrich.dynamics import GradientDescent, edge, either, gradient_below, loss_below, sharpness
from lazyrich.dynamics.sharpness import fastest
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet, Linear

X = np.random.default_rng(0).standard_normal((6, 3)) * [3.0, 1.0, 0.1]
GOAL = Objective(Split(jnp.asarray(X), jnp.ones(6)), Squared(), reduction="mean")
LARGEST = np.linalg.eigvalsh(2 / 6 * X.T @ X)[-1]


def test_sharpness_of_a_quadratic_is_its_largest_eigenvalue():
    np.testing.assert_allclose(sharpness(GOAL, Linear(jnp.zeros(3))), LARGEST, rtol=1e-6)


def test_the_fastest_rate_of_a_linear_field_and_of_none():
    field = jnp.diag(jnp.array([-5.0, 1.0, 0.5]))
    np.testing.assert_allclose(fastest(lambda y: field @ y, jnp.zeros(3)), 5, rtol=1e-9)
    assert fastest(lambda y: 0 * y, jnp.zeros(3)) == 0


def test_sharpness_of_a_net_is_that_of_its_hessian():
    net = DiagonalNet(jr.normal(jr.key(0), (3,)), jr.normal(jr.key(1), (3,)))
    hessian = jax.hessian(lambda z: GOAL(DiagonalNet(z[:3], z[3:])))(jnp.concatenate([net.u, net.v]))
    np.testing.assert_allclose(sharpness(GOAL, net, products=300), np.abs(np.linalg.eigvalsh(hessian)).max(), rtol=1e-6)


def test_every_descent_says_how_near_its_edge_it_is():
    learning_rate = 1.9 / LARGEST
    path = GradientDescent(learning_rate).run(
        GOAL, Linear(jnp.ones(3)), jnp.array([0, 5]), read={"edge": edge(GOAL, learning_rate), "loss": GOAL}
    )
    np.testing.assert_allclose(path.reads["edge"], 1.9, rtol=1e-6)
    np.testing.assert_allclose(path.certificates["edge"], 1.9, rtol=1e-6)


def test_rules():
    near = Linear(jnp.linalg.lstsq(jnp.asarray(X), jnp.ones(6))[0])
    far = Linear(jnp.full(3, 10.0))
    assert gradient_below(GOAL, 1e-9)(near) and not gradient_below(GOAL, 1e-9)(far)
    level = GOAL(near) * 1.01
    assert loss_below(GOAL, level)(near) and not loss_below(GOAL, level)(far)
    both = either(loss_below(GOAL, 1e-300), gradient_below(GOAL, 1e-9))
    assert both(near) and not both(far)

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import OneSAM
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L1

X, Y = np.array([[1.0, -2.0, 0.5], [0.3, 1.0, -1.0]]), np.array([0.7, -0.2])


def slope(u, v, sample):
    pull = 2 * (X[sample] @ (u**2 - v**2) - Y[sample]) * X[sample]
    return np.stack([2 * u * pull, -2 * v * pull])


def test_one_sample_steps_are_the_formula():
    objective = Objective(Split(jnp.asarray(X[:1]), jnp.asarray(Y[:1])), Squared(), reduction="mean", penalties=[(L1(), 0.3)])
    net = DiagonalNet(jnp.array([1.0, 0.5, 0.2]), jnp.array([0.3, 0.4, -0.6]))
    path = OneSAM(jr.key(0), 0.01, 0.2).run(objective, net, [0, 1, 3])
    theta = np.stack([net.u, net.v])
    for _ in range(3):
        uphill = slope(*theta, 0)
        above = theta + 0.2 * uphill / np.linalg.norm(uphill)
        theta = theta - 0.01 * (slope(*above, 0) + 0.3 * np.sign(theta))
    np.testing.assert_allclose(np.stack([path.end.u, path.end.v]), theta, rtol=1e-13)


def test_samples_are_drawn_evenly():
    objective = Objective(Split(jnp.asarray(X), jnp.asarray(Y)), Squared(), reduction="mean")
    net = DiagonalNet(jnp.array([1.0, 0.5, 0.2]), jnp.array([0.3, 0.4, -0.6]))
    theta = np.stack([net.u, net.v])

    def move(key):
        end = OneSAM(key, 0.01, 0.2).run(objective, net, jnp.array([0, 1])).end
        return jnp.stack([end.u, end.v])

    moves = np.asarray(jax.jit(jax.vmap(move))(jr.split(jr.key(1), 400))) - theta
    wanted = []
    for sample in range(2):
        uphill = slope(*theta, sample)
        wanted.append(-0.01 * slope(*(theta + 0.2 * uphill / np.linalg.norm(uphill)), sample))
    near = np.stack([np.abs(moves - move).max(axis=(1, 2)) < 1e-13 for move in wanted])
    assert near.any(axis=0).all()
    assert abs(near[0].mean() - 0.5) < 0.1  # four standard deviations of 400 even draws


@pytest.mark.parametrize("loss", [Squared(), Logistic()], ids=lambda loss: type(loss).__name__)
def test_no_slope_no_step(loss):
    objective = Objective(Split(jnp.asarray(X), jnp.array([1.0, -1.0])), loss, reduction="mean")
    net = DiagonalNet(jnp.zeros(3), jnp.zeros(3))
    path = OneSAM(jr.key(0), 0.1, 0.2).run(objective, net, [0, 3])
    np.testing.assert_array_equal(path.end.u, np.zeros(3))
    assert path.outcome.ok

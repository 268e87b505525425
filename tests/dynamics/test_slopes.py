import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics.slopes import of_samples, penalty_slope
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet
from lazyrich.objective import Objective
from lazyrich.problems import Entries, Split
from lazyrich.regularizers import L1, L2

X, Y = jnp.arange(8.0).reshape(4, 2), jnp.array([1.0, -1.0, 2.0, 0.0])


def test_penalties_pull_where_the_parameters_lie():
    objective = Objective(Split(X, Y), Squared(), reduction="sum", penalties=[(L1(), 0.5), (L2(), 2.0)])
    net = DiagonalNet(jnp.array([3.0, -1.0]), jnp.array([0.0, 2.0]))
    found = penalty_slope(objective, net)
    np.testing.assert_allclose(found.u, [6.5, -2.5], rtol=1e-15)
    np.testing.assert_allclose(found.v, [0.0, 4.5], rtol=1e-15)


@pytest.mark.parametrize("reduction", ["sum", "mean", "half_sum"])
def test_samples_are_right_on_average(reduction, plain):
    objective, net = Objective(Split(X, Y), Squared(), reduction=reduction), plain([1.0, -0.5])

    def alone(index):
        part, scale = of_samples(objective, jnp.array([index, (index + 1) % 4]))
        return scale * part.data_loss(net)

    np.testing.assert_allclose(np.mean([alone(index) for index in range(4)]), objective(net), rtol=1e-14)


def test_entries_are_samples_too(plain):
    data = Entries(jnp.array([0, 1, 1]), jnp.array([1, 0, 1]), jnp.array([1.0, 2.0, 3.0]), (2, 2))
    part, scale = of_samples(Objective(data, Squared(), reduction="sum"), jnp.array([2]))
    assert part.data.shape == (2, 2) and scale == 3
    np.testing.assert_allclose(part.data_loss(plain(jnp.ones((2, 2)))), 4.0)
    assert jax.tree.leaves(part.data)[0].shape == (1,)

"""The measured degree is the declared one where there is one, whatever the output; else it depends on where one looks."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.inits import he
from lazyrich.models import DiagonalNet, Doubled, LogDiagonalNet, PowerNet, measured_degrees, parameters
from lazyrich.models.homogeneity import rescaled

X = jr.normal(jr.key(0), (5, 4))
DECLARED = [
    DiagonalNet.at_scale(0.7, dim=4, depth=3),
    LogDiagonalNet.at_scale(0.7, dim=4, depth=2),
    Doubled.of(PowerNet(jr.normal(jr.key(1), (4, 30)), jr.normal(jr.key(2), (30,)), 2, True)),
    he(jr.key(3), (4, 30, 30, 2)),
]


@pytest.mark.parametrize("factor", [0.5, 3.0])
@pytest.mark.parametrize("model", DECLARED, ids=lambda model: type(model).__name__)
def test_of_a_homogeneous_model_it_is_the_degree(model, factor):
    np.testing.assert_allclose(measured_degrees(model, X, factor), model.degree, rtol=1e-12)


def test_of_another_model_it_depends_on_the_factor():
    net = eqx.nn.MLP(4, "scalar", 30, 1, activation=jnp.tanh, dtype=jnp.float64, key=jr.key(4))
    found = np.concatenate([measured_degrees(net, X, factor) for factor in (0.5, 3.0)])
    assert np.ptp(found) > 0.1


def test_all_parameters_are_rescaled_and_nothing_else():
    net = rescaled(DECLARED[2], 3.0)
    assert net.plus.power == 2
    for part, expected in zip(*(np.concatenate([np.ravel(p) for p in _leaves(m)]) for m in (net, DECLARED[2])), strict=True):
        assert part == pytest.approx(3 * expected, rel=1e-14)


def _leaves(model):
    (inner, outer) = parameters(model.plus)
    return inner, outer

"""Two-layer nets of powers: their formula, their degree, and what they refuse."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import Doubled, PowerNet, outputs

INNER, OUTER = jr.normal(jr.key(0), (4, 3)), jr.normal(jr.key(1), (3,))
X = jr.normal(jr.key(2), (5, 4))


@pytest.mark.parametrize("rectified", [False, True])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_it_is_homogeneous_and_keeps_its_formula(power, rectified):
    net = PowerNet(INNER, OUTER, power, rectified)
    z = np.asarray(X) @ np.asarray(INNER)
    expected = (np.maximum(z, 0) if rectified else z) ** power @ np.asarray(OUTER)
    assert np.asarray(outputs(net, X)) == pytest.approx(expected, rel=1e-12)
    twice = PowerNet(2 * INNER, 2 * OUTER, power, rectified)
    assert np.asarray(outputs(twice, X)) == pytest.approx(2.0**net.degree * expected, rel=1e-12)


def test_twice_the_same_is_zero():
    assert not jnp.any(outputs(Doubled.of(PowerNet(INNER, OUTER)), X))


def test_a_power_of_zero_is_refused():
    with pytest.raises(BadInput, match="inner weights"):
        PowerNet(INNER, OUTER, 0)

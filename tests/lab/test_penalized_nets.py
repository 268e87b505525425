import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.lab.settings.penalized_nets import PENALTIES, OneOf, moments_of

PARAMETERS = (jr.normal(jr.key(0), (4, 3)), jr.normal(jr.key(1), (5,)))


@pytest.mark.parametrize("which", [1, 2, 3])
def test_the_chosen_penalty_is_that_penalty(which):
    own = PENALTIES[which - 1]
    value, slope = jax.jit(lambda which: jax.value_and_grad(OneOf(which).value)(PARAMETERS))(which)
    np.testing.assert_allclose(value, own.value(PARAMETERS), rtol=1e-13)
    shrunk = OneOf(which).prox(PARAMETERS, 0.1)
    for found, wanted in ((slope, own.subgradient(PARAMETERS)), (shrunk, own.prox(PARAMETERS, 0.1))):
        for part, expected in zip(found, wanted, strict=True):
            np.testing.assert_allclose(part, expected, rtol=1e-12, atol=1e-13)


def test_late_moments_are_at_the_same_slow_times():
    short, long = (moments_of(jnp.asarray(steps), 60) for steps in (1e4, 4e4))
    np.testing.assert_allclose(4 * short[-30:], long[-30:], atol=4)
    assert short[0] == 0 and short[-1] == 1e4 and (jnp.diff(short) >= 0).all()

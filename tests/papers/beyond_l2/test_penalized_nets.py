import jax.numpy as jnp
import numpy as np

from lazyrich.papers.beyond_l2.simulations.penalized_nets import moments_of


def test_late_moments_are_at_the_same_slow_times():
    short, long = (moments_of(jnp.asarray(steps), 60) for steps in (1e4, 4e4))
    np.testing.assert_allclose(4 * short[-30:], long[-30:], atol=4)
    assert short[0] == 0 and short[-1] == 1e4 and (jnp.diff(short) >= 0).all()

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from lazyrich.dynamics.forms import PlainForm
from lazyrich.models import DiagonalNet


class Counted(eqx.Module):
    """A model with an array that is no parameter."""

    weights: jax.Array
    power: jax.Array

    def __call__(self, x):
        return jnp.sum((self.weights @ x) ** self.power)


def test_the_field_is_minus_the_gradient(objective, numpy_flow):
    rng = np.random.default_rng(0)
    u, v = 0.3 + rng.random((2, 20))
    form = PlainForm(objective, DiagonalNet(jnp.asarray(u), jnp.asarray(v), 3))
    moved = form.field(jnp.asarray(0.7), form.state(), None)
    expected = numpy_flow.force(u, v, loss="Logistic", depth=3, weight_decay=0.05)
    # Sums of 20 terms by another route.
    np.testing.assert_allclose(np.stack([moved.u, moved.v]), np.stack(expected), rtol=1e-12, atol=1e-14)


def test_only_floating_arrays_move(objective):
    init = Counted(jnp.full(20, 0.1), jnp.array(3))
    form = PlainForm(objective, init)
    assert jax.tree.leaves(form.state()) == [init.weights]
    moved = form.model(jnp.asarray(0.0), jax.tree.map(lambda part: 2 * part, form.state()))
    np.testing.assert_array_equal(moved.weights, 2 * init.weights)
    assert moved.power == 3


def test_its_clock_is_time(objective, times):
    form = PlainForm(objective, Counted(jnp.full(20, 0.1), jnp.array(3)))
    np.testing.assert_array_equal(form.clock(times), times)
    np.testing.assert_array_equal(form.time(times), times)

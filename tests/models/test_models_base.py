import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from lazyrich.models import DiagonalNet, outputs, parameters


class Neuron(eqx.Module):
    """Any equinox module is a model."""

    weights: jax.Array
    count: jax.Array
    power: int = eqx.field(static=True)

    def __call__(self, x):
        return jnp.tanh(self.weights @ x) ** self.power


X = jnp.array([[1.0, 2.0], [-0.5, 0.25], [0.0, 3.0]])


def test_outputs_of_any_module():
    model = Neuron(jnp.array([0.3, -0.2]), jnp.array(7), 3)
    np.testing.assert_allclose(outputs(model, X), np.tanh(np.asarray(X) @ [0.3, -0.2]) ** 3, rtol=1e-14)


def test_outputs_of_a_linear_model():
    model = DiagonalNet(jnp.array([2.0, 1.0]), jnp.array([1.0, 3.0]))
    np.testing.assert_allclose(outputs(model, X), np.asarray(X) @ [3.0, -8.0], rtol=1e-15)


def test_parameters_are_declared_or_all_floating_arrays():
    model = DiagonalNet(jnp.array([2.0, 1.0]), jnp.array([1.0, 3.0]))
    assert parameters(model) == (model.u, model.v)
    (only,) = jax.tree.leaves(parameters(Neuron(jnp.array([0.3, -0.2]), jnp.array(7), 3)))
    np.testing.assert_array_equal(only, [0.3, -0.2])

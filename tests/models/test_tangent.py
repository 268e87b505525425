import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.models import DiagonalNet, Linear, LinearNet, LogDiagonalNet, PairNet, SymmetricMap, SymmetricNet, tangent

X, X2 = (jr.normal(jr.key(seed), (n, 5)) for seed, n in ((1, 7), (2, 4)))
PAIRS = jnp.array([[0.0, 1.0], [2.0, 2.0], [1.0, 0.0]])


def network(outputs=3):
    return eqx.nn.MLP(5, outputs, 8, 2, activation=jnp.tanh, key=jr.key(0))


def pairs():
    draw = [jr.normal(jr.key(i), shape) for i, shape in enumerate([(3, 6), (3, 6), (6,), (6, 4)])]
    return PairNet(*draw)


def jacobian(model, x):
    """By jax.jacobian on one long vector of parameters."""
    moving, fixed = eqx.partition(model, eqx.is_inexact_array)
    flat, back = jax.flatten_util.ravel_pytree(moving)
    return jax.jit(jax.jacobian(lambda w: jax.vmap(eqx.combine(back(w), fixed))(x)))(flat)


MODELS = {
    "diagonal": (DiagonalNet(X[0], X[1], 3), X),
    "linear": (Linear(X[0]), X),
    "linear net": (LinearNet(jr.normal(jr.key(3), (5, 4)), jr.normal(jr.key(4), (2, 4))), X),
    "symmetric": (SymmetricNet(jr.normal(jr.key(3), (5, 4)), jr.normal(jr.key(4), (5, 4))), X),
    "pairs": (pairs(), PAIRS),
    "network": (network(), X),
    "one column": (network(1), X),
}
each = pytest.mark.parametrize(("model", "x"), MODELS.values(), ids=MODELS)


@each
def test_features_are_the_jacobian(model, x):
    reference = jacobian(model, x)
    found = tangent.features(model, x)
    assert found.shape == reference.shape and found.dtype == jnp.float64
    np.testing.assert_allclose(found, reference, rtol=0, atol=1e-14 * np.abs(reference).max())


@each
@pytest.mark.parametrize("way", ["whole", "blocks of two", "gradient by gradient"])
def test_every_contraction_gives_the_same_kernel(model, x, way):
    reference = tangent.features(model, x)
    one = reference[0].size * 8
    memory = {"whole": 2**28, "blocks of two": 4 * one, "gradient by gradient": 2 * reference.shape[-1] * 8}[way]
    for other in (None, x[1:]):
        expected = jnp.tensordot(reference, reference if other is None else reference[1:], axes=(-1, -1))
        found = tangent.kernel(model, x, other, memory=memory)
        assert found.shape == expected.shape
        # Sums of p products: rounding of the largest entry, which the diagonal holds.
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.abs(reference).max() ** 2 * reference.shape[-1])


@pytest.mark.parametrize(("outputs", "share"), [("scalar", 0.1), (3, 0.2), (3, 0.5)])
def test_no_more_than_the_memory_is_held(outputs, share):
    model, x = eqx.nn.MLP(5, outputs, 64, 2, key=jr.key(0)), jr.normal(jr.key(1), (60, 5))
    sizes = tangent.Sizes.of(model, x)
    whole = 60 * sizes.k * sizes.p * 8
    memory = int(share * whole)
    compiled = jax.jit(lambda x: tangent.kernel(model, x, memory=memory)).lower(x).compile()
    held = compiled.memory_analysis().temp_size_in_bytes
    table = (60 * sizes.k) ** 2 * 8
    # Beside the blocks: the table, twice while it is put in order, and one backward pass, far smaller than a Jacobian.
    assert held <= memory + 2 * table + 0.1 * memory
    free = jax.jit(lambda x: tangent.kernel(model, x)).lower(x).compile().memory_analysis().temp_size_in_bytes
    assert free >= 0.9 * whole > memory + 2 * table + 0.1 * memory


def test_memory_for_less_than_two_gradients_is_refused():
    with pytest.raises(BadInput, match="at least two gradients of 10 parameters, 160 bytes"):
        tangent.kernel(DiagonalNet.at_scale(1.0, dim=5), X, memory=159)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_diagonal_nets_in_closed_form(depth):
    alpha, shape = 0.7, jnp.linspace(0.5, 1.5, 5)
    net = DiagonalNet(alpha * shape, alpha * shape, depth)
    reference = 2 * depth**2 * alpha ** (2 * depth - 2) * (X * shape ** (2 * depth - 2)) @ X2.T
    np.testing.assert_allclose(tangent.kernel(net, X, X2), reference, rtol=1e-13)
    plain = DiagonalNet.at_scale(alpha, dim=5)
    np.testing.assert_allclose(tangent.kernel(plain, X), 8 * alpha**2 * X @ X.T, rtol=1e-13)


@pytest.mark.parametrize("name", ["diagonal", "linear", "linear net", "symmetric", "pairs"])
@settings(max_examples=5)
@given(scale=st.floats(0.1, 10))
def test_the_kernel_of_a_homogeneous_model_scales(name, scale):
    model, x = MODELS[name]
    scaled = jax.tree.map(lambda leaf: scale * leaf, model)
    reference = tangent.kernel(model, x)
    found = tangent.kernel(scaled, x) / scale ** (2 * (model.degree - 1))
    np.testing.assert_allclose(found, reference, rtol=0, atol=1e-13 * np.abs(reference).max() * x.shape[1])
    assert tangent.kernel_distance(reference, tangent.kernel(scaled, x)) < 1e-28


def test_read_only_models_have_the_tangent_of_their_net():
    log = LogDiagonalNet(0.1 * X[0], 0.2 * X[1], 3)
    np.testing.assert_allclose(tangent.kernel(log, X), tangent.kernel(DiagonalNet(log.u, log.v, 3), X), rtol=1e-14)
    net = SymmetricMap((X[:5] + X[:5].T) / 2, jnp.asarray(0.3))
    reference = tangent.features(SymmetricNet(net.u, net.v), X)
    np.testing.assert_allclose(tangent.features(net, X), reference, rtol=1e-12)


@each
def test_weights_become_directions_and_directions_outputs(model, x):
    jac = tangent.features(model, x)
    weights, step = jr.normal(jr.key(5), jac.shape[:-1]), jr.normal(jr.key(6), jac.shape[-1:])
    np.testing.assert_allclose(tangent.combined(model, x, weights), jnp.tensordot(weights, jac, axes=weights.ndim), atol=1e-12)
    np.testing.assert_allclose(tangent.along(model, x, step), jac @ step, atol=1e-12)


def test_distances_are_of_directions():
    a, b = jr.normal(jr.key(0), (3, 4)), jr.normal(jr.key(1), (3, 4))
    reference = 1 - jnp.sum(a * b) / jnp.linalg.norm(a) / jnp.linalg.norm(b)
    assert tangent.kernel_distance(a, b) == pytest.approx(float(reference), rel=1e-13)
    assert tangent.feature_distance(a, 1e200 * b) == pytest.approx(float(reference), rel=1e-13)
    each = 1 - jnp.sum(a * b, axis=1) / jnp.linalg.norm(a, axis=1) / jnp.linalg.norm(b, axis=1)
    assert tangent.example_distance(a, b) == pytest.approx(float(each.mean()), rel=1e-13)
    assert tangent.kernel_distance(a, 3 * a) < 1e-30
    # An angle of 1e-9 is read although its cosine rounds to one.
    turned = jnp.array([1.0, 1e-9])
    assert tangent.kernel_distance(jnp.array([1.0, 0.0]), turned) == pytest.approx(5e-19, rel=1e-6)
    assert tangent.kernel_distance(a, jnp.zeros_like(a)) == 1


def test_models_that_do_not_fit_are_refused():
    with pytest.raises(BadInput, match="inputs of shape \\(5,\\)"):
        tangent.features(Linear(jnp.ones(4)), X)
    with pytest.raises(BadInput, match="0 such arrays"):
        tangent.kernel(eqx.nn.Lambda(jnp.sum), X)


def test_inside_a_compiled_program():
    reference = tangent.kernel(DiagonalNet(X[0], X[1], 3), X)
    found = jax.jit(jax.vmap(lambda u, v: tangent.kernel(DiagonalNet(u, v, 3), X)))(X[:1], X[1:2])
    np.testing.assert_allclose(found[0], reference, rtol=1e-13)

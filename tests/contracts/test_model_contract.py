"""Every model: homogeneous in its parameters, one function however it is called, zero where both halves agree."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.models import (
    ALL,
    AbstractLinearModel,
    DiagonalNet,
    LogDiagonalNet,
    SymmetricMap,
    SymmetricNet,
    outputs,
    parameters,
)

DIM = 4
X = np.random.default_rng(0).standard_normal((3, DIM))


def in_logarithms(u, v, depth):
    return LogDiagonalNet((jnp.log(u) + jnp.log(v)) / 2, (jnp.log(u) - jnp.log(v)) / 2, depth)


def as_matrices(u, v, _):
    return SymmetricNet(jnp.diag(u), jnp.diag(v))


def as_one_matrix(u, v, _):
    return SymmetricMap(jnp.diag((u - v) * (u + v)), u[0] * v[0])


# How to put each model at given positive parameters; matrices have them on the diagonal.
PLACED = {
    DiagonalNet: DiagonalNet,
    LogDiagonalNet: in_logarithms,
    SymmetricNet: as_matrices,
    SymmetricMap: as_one_matrix,
}
MATRICES = (SymmetricNet, SymmetricMap)

each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
each_depth = pytest.mark.parametrize(
    ("kind", "depth"),
    [(kind, depth) for kind in ALL for depth in ((2,) if kind in MATRICES else (2, 3))],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
POSITIVE = st.lists(st.floats(0.2, 3), min_size=DIM, max_size=DIM).map(np.array)


def placed(kind, u, v, depth):
    return PLACED[kind](jnp.asarray(u), jnp.asarray(v), depth)


def halves(kind, u, v):
    """The same numbers, or for a model with one product of its halves the nearest that has it."""
    return (u, u[0] * v[0] / u) if kind is SymmetricMap else (u, v)


def shaped(kind, numbers):
    return np.diag(numbers) if kind in MATRICES else numbers


@each
def test_it_can_be_placed(kind):
    assert kind in PLACED, f"say in PLACED how a {kind.__name__} is put at given parameters"


@each_depth
@given(u=POSITIVE, v=POSITIVE)
def test_its_parameters_are_where_it_was_placed(kind, depth, u, v):
    u, v = halves(kind, u, v)
    found = jax.tree.leaves(parameters(placed(kind, u, v, depth)))
    np.testing.assert_allclose(np.stack(found), [shaped(kind, u), shaped(kind, v)], rtol=1e-14)


@each_depth
@given(u=POSITIVE, v=POSITIVE, c=st.floats(0.1, 10))
def test_homogeneous(kind, depth, u, v, c):
    u, v = halves(kind, u, v)
    model = placed(kind, u, v, depth)
    assert model.degree == depth
    # The output is a difference of powers; each is good to a few roundings of its own size.
    size = c**depth * np.abs(X) @ shaped(kind, u**depth + v**depth)
    found = outputs(placed(kind, c * u, c * v, depth), jnp.asarray(X))
    assert (np.abs(found - c**depth * outputs(model, jnp.asarray(X))) <= 1e-13 * size).all()


@each_depth
@given(u=POSITIVE, v=POSITIVE)
def test_one_function_however_it_is_called(kind, depth, u, v):
    model, x = placed(kind, u, v, depth), jnp.asarray(X)
    together = outputs(model, x)
    np.testing.assert_allclose(jax.vmap(model)(x), together, rtol=1e-13, atol=1e-13 * np.abs(X).max() * 3**depth)
    if isinstance(model, AbstractLinearModel):
        np.testing.assert_allclose(x @ model.effective(), together, rtol=1e-14)


@each_depth
@given(u=POSITIVE, v=POSITIVE, order=st.permutations(range(DIM)))
def test_the_order_of_the_inputs_does_not_matter(kind, depth, u, v, order):
    order = np.array(order)
    u, v = halves(kind, u, v)
    model, turned = placed(kind, u, v, depth), placed(kind, u[order], v[order], depth)
    expected = np.asarray(model.effective())
    np.testing.assert_allclose(turned.effective(), expected[np.ix_(*[order] * expected.ndim)], rtol=1e-14)
    size = np.abs(X) @ shaped(kind, u**depth + v**depth)
    found, told = outputs(turned, jnp.asarray(X[:, order])), np.asarray(outputs(model, jnp.asarray(X)))
    told, size = (part[:, order] if kind in MATRICES else part for part in (told, size))
    assert (np.abs(found - told) <= 1e-14 * size).all()


@each_depth
def test_compiled_and_mapped_over_the_scale(kind, depth):
    alphas = jnp.array([0.1, 1.0, 5.0])
    more = {} if kind in MATRICES else {"depth": depth}
    nets = jax.jit(jax.vmap(lambda alpha: kind.at_scale(alpha, dim=DIM, **more)))(alphas)
    assert nets.degree == depth
    found = jax.jit(jax.vmap(lambda net: (outputs(net, jnp.asarray(X)), net.parameters())))(nets)
    # Compiled, u^D - v^D may keep one rounding of u^D.
    assert (np.abs(found[0]).reshape(3, -1) <= 1e-15 * np.asarray(alphas)[:, None] ** depth).all()
    told = np.stack([alpha * shaped(kind, np.ones(DIM)) for alpha in np.asarray(alphas)])
    np.testing.assert_allclose(np.stack(found[1]), [told, told], rtol=1e-14)

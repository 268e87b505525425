"""Every model: homogeneous in its parameters, one function however it is called, zero where both halves agree."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.models import ALL, AbstractLinearModel, DiagonalNet, LinearNet, LogDiagonalNet, outputs, parameters

DIM = 4
X = np.random.default_rng(0).standard_normal((3, DIM))


def in_logarithms(u, v, depth):
    return LogDiagonalNet((jnp.log(u) + jnp.log(v)) / 2, (jnp.log(u) - jnp.log(v)) / 2, depth)


def one_unit_an_input(u, v, depth):
    return LinearNet(jnp.diag(u), v[None])


# How to put each model at given positive parameters, and the depths it has.
PLACED = {DiagonalNet: DiagonalNet, LogDiagonalNet: in_logarithms, LinearNet: one_unit_an_input}
DEPTHS = {DiagonalNet: (2, 3), LogDiagonalNet: (2, 3), LinearNet: (2,)}

each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
each_depth = pytest.mark.parametrize(("kind", "depth"), [(kind, depth) for kind in DEPTHS for depth in DEPTHS[kind]])
POSITIVE = st.lists(st.floats(0.2, 3), min_size=DIM, max_size=DIM).map(np.array)


def placed(kind, u, v, depth):
    return PLACED[kind](jnp.asarray(u), jnp.asarray(v), depth)


def said(model, x):
    """One number an input, also from a model with a row of outputs."""
    return outputs(model, jnp.asarray(x)).reshape(len(x))


@each
def test_it_can_be_placed(kind):
    assert kind in PLACED, f"say in PLACED how a {kind.__name__} is put at given parameters"
    assert kind in DEPTHS, f"say in DEPTHS which depths a {kind.__name__} has"


@each_depth
@given(u=POSITIVE, v=POSITIVE)
def test_its_parameters_are_where_it_was_placed(kind, depth, u, v):
    found = jax.tree.leaves(parameters(placed(kind, u, v, depth)))
    rows = [part if part.ndim == 1 else part.sum(0) for part in found]
    np.testing.assert_allclose(np.stack(rows), [u, v], rtol=1e-14)


@each_depth
@given(u=POSITIVE, v=POSITIVE, c=st.floats(0.1, 10))
def test_homogeneous(kind, depth, u, v, c):
    model = placed(kind, u, v, depth)
    assert model.degree == depth
    # The output is a difference of powers; each is good to a few roundings of its own size.
    size = c**depth * np.abs(X) @ (u**depth + v**depth)
    found = said(placed(kind, c * u, c * v, depth), X)
    assert (np.abs(found - c**depth * said(model, X)) <= 1e-13 * size).all()


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
    model, turned = placed(kind, u, v, depth), placed(kind, u[order], v[order], depth)
    np.testing.assert_allclose(turned.effective(), model.effective()[order], rtol=1e-14)
    size = np.abs(X) @ (u**depth + v**depth)
    found = said(turned, X[:, order])
    assert (np.abs(found - said(model, X)) <= 1e-14 * size).all()


@pytest.mark.parametrize("kind", [DiagonalNet, LogDiagonalNet])
@pytest.mark.parametrize("depth", [2, 3])
def test_compiled_and_mapped_over_the_scale(kind, depth):
    alphas = jnp.array([0.1, 1.0, 5.0])
    nets = jax.jit(jax.vmap(lambda alpha: kind.at_scale(alpha, dim=DIM, depth=depth)))(alphas)
    assert nets.depth == depth
    found = jax.jit(jax.vmap(lambda net: (outputs(net, jnp.asarray(X)), net.parameters())))(nets)
    # Compiled, u^D - v^D may keep one rounding of u^D.
    assert (np.abs(found[0]) <= 1e-15 * np.asarray(alphas)[:, None] ** depth).all()
    np.testing.assert_allclose(np.stack(found[1])[..., 0], [alphas, alphas], rtol=1e-14)

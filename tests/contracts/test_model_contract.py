"""Every model: homogeneous in its parameters, one function however it is called; nets are zero where halves agree."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.models import (
    ALL,
    AbstractLinearModel,
    ConvNet,
    DiagonalNet,
    Difference,
    Doubled,
    Factorization,
    HadamardNet,
    Linear,
    LinearNet,
    LogDiagonalNet,
    Matrix,
    PairNet,
    PowerNet,
    ProductNet,
    ReluNet,
    Sensing,
    SymmetricMap,
    SymmetricNet,
    WideParallel,
    outputs,
    parameters,
)

DIM = 4
X = np.random.default_rng(0).standard_normal((3, DIM))


def in_logarithms(u, v, depth):
    return LogDiagonalNet((jnp.log(u) + jnp.log(v)) / 2, (jnp.log(u) - jnp.log(v)) / 2, depth)


# How to put each model at given positive parameters.
PLACED = {
    DiagonalNet: DiagonalNet,
    LogDiagonalNet: in_logarithms,
    Linear: lambda u, v, depth: Linear(u),
    ProductNet: lambda u, v, depth: ProductNet(u, v),
    HadamardNet: lambda u, v, depth: HadamardNet(jnp.stack([u, *[v] * (depth - 1)])),
    WideParallel: lambda u, v, depth: WideParallel(jnp.stack([u, v], axis=1), jnp.stack([v, v], axis=1)),
}
# The parameters it then has, if not u and v themselves.
PARTS = {
    Linear: lambda u, v: [u],
    WideParallel: lambda u, v: [np.stack([u, v], axis=1), np.stack([v, v], axis=1)],
    HadamardNet: lambda u, v: [np.stack([u, v])],
}
# The depths to look at, which are the degrees.
DEPTHS = {Linear: (1,), ProductNet: (2,), HadamardNet: (2,), WideParallel: (2,)}

# Models of several outputs or of layers, with tests of their own.
ELSEWHERE = (
    LinearNet,
    Factorization,
    Matrix,
    SymmetricNet,
    SymmetricMap,
    PairNet,
    PowerNet,
    ReluNet,
    Doubled,
    Difference,
    ConvNet,
    Sensing,
)
KINDS = [kind for kind in ALL if kind not in ELSEWHERE]
each = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
at_depths = pytest.mark.parametrize(
    ("kind", "depth"),
    [pytest.param(kind, depth, id=f"{kind.__name__}-{depth}") for kind in KINDS for depth in DEPTHS.get(kind, (2, 3))],
)
POSITIVE = st.lists(st.floats(0.2, 3), min_size=DIM, max_size=DIM).map(np.array)


def placed(kind, u, v, depth):
    return PLACED[kind](jnp.asarray(u), jnp.asarray(v), depth)


@each
def test_it_can_be_placed(kind):
    assert kind in PLACED, f"say in PLACED how a {kind.__name__} is put at given parameters"


@at_depths
@given(u=POSITIVE, v=POSITIVE)
def test_its_parameters_are_where_it_was_placed(kind, depth, u, v):
    found = jax.tree.leaves(parameters(placed(kind, u, v, depth)))
    for part, reference in zip(found, PARTS.get(kind, lambda u, v: [u, v])(u, v), strict=True):
        np.testing.assert_allclose(part, reference, rtol=1e-14)


@at_depths
@given(u=POSITIVE, v=POSITIVE, c=st.floats(0.1, 10))
def test_homogeneous(kind, depth, u, v, c):
    model = placed(kind, u, v, depth)
    assert model.degree == depth
    # The output is a difference of powers; each is good to a few roundings of its own size.
    size = c**depth * np.abs(X) @ (u**depth + v**depth)
    found = outputs(placed(kind, c * u, c * v, depth), jnp.asarray(X))
    assert (np.abs(found - c**depth * outputs(model, jnp.asarray(X))) <= 1e-13 * size).all()


@at_depths
@given(u=POSITIVE, v=POSITIVE)
def test_one_function_however_it_is_called(kind, depth, u, v):
    model, x = placed(kind, u, v, depth), jnp.asarray(X)
    together = outputs(model, x)
    np.testing.assert_allclose(jax.vmap(model)(x), together, rtol=1e-13, atol=1e-13 * np.abs(X).max() * 3**depth)
    if isinstance(model, AbstractLinearModel):
        np.testing.assert_allclose(x @ model.effective(), together, rtol=1e-14)


@at_depths
@given(u=POSITIVE, v=POSITIVE, order=st.permutations(range(DIM)))
def test_the_order_of_the_inputs_does_not_matter(kind, depth, u, v, order):
    order = np.array(order)
    model, turned = placed(kind, u, v, depth), placed(kind, u[order], v[order], depth)
    np.testing.assert_allclose(turned.effective(), model.effective()[order], rtol=1e-14)
    size = np.abs(X) @ (u**depth + v**depth)
    found = outputs(turned, jnp.asarray(X[:, order]))
    assert (np.abs(found - outputs(model, jnp.asarray(X))) <= 1e-14 * size).all()


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


@at_depths
def test_compiled_and_mapped_over_the_parameters(kind, depth):
    u, v = np.random.default_rng(1).uniform(0.2, 3, (2, 5, DIM))
    found = jax.jit(jax.vmap(lambda u, v: outputs(PLACED[kind](u, v, depth), jnp.asarray(X))))(u, v)
    reference = [outputs(placed(kind, *pair, depth), jnp.asarray(X)) for pair in zip(u, v, strict=True)]
    np.testing.assert_allclose(found, reference, rtol=0, atol=1e-14 * 3**depth * DIM * np.abs(X).max())

"""Every model linearized at its start: the kernel's answers are certified, fit, refuse bad data and prove contradictions."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import (
    ALL,
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
    tangent,
)
from lazyrich.predictors import ALL as PREDICTORS
from lazyrich.predictors import KERNELS, KernelInterpolant
from lazyrich.problems import Split

DIM, SAMPLES = 6, 4


def draw(i, *shape):
    return 0.5 * jr.normal(jr.key(i), shape)


# Each model at some start.
PLACED = {
    DiagonalNet: lambda: DiagonalNet(jnp.exp(draw(0, DIM)), jnp.exp(draw(1, DIM)), 3),
    LogDiagonalNet: lambda: LogDiagonalNet(draw(0, DIM), draw(1, DIM), 2),
    Linear: lambda: Linear(draw(0, DIM)),
    ProductNet: lambda: ProductNet(draw(0, DIM), draw(1, DIM)),
    HadamardNet: lambda: HadamardNet(draw(0, 3, DIM)),
    WideParallel: lambda: WideParallel(draw(0, DIM, 2), draw(1, DIM, 2)),
    LinearNet: lambda: LinearNet(draw(0, DIM, 8), draw(1, 3, 8)),
    Factorization: lambda: Factorization([draw(0, DIM, 8), draw(1, 8, 8), draw(2, 8, 3)]),
    SymmetricNet: lambda: SymmetricNet(draw(0, DIM, DIM), draw(1, DIM, DIM)),
    SymmetricMap: lambda: SymmetricMap(jnp.diag(draw(0, DIM)), jnp.asarray(0.4)),
    Matrix: lambda: Matrix(draw(0, DIM, 3)),
    PowerNet: lambda: PowerNet(draw(0, DIM, 9), draw(1, 9), power=2),
    ReluNet: lambda: ReluNet((draw(0, DIM, 9), draw(1, 9, 1)), (draw(2, 9), None)),
    Doubled: lambda: Doubled.of(ReluNet((draw(0, DIM, 9), draw(1, 9, 1)), (draw(2, 9), None))),
    Difference: lambda: Difference.of(PowerNet(draw(0, DIM, 9), draw(1, 9), power=2)),
    PairNet: lambda: PairNet(draw(0, DIM, 8), draw(1, DIM, 8), draw(2, 8), draw(3, 8, 3)),
}
each = pytest.mark.parametrize("kind", PLACED, ids=lambda kind: kind.__name__)
in_both_ways = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__)


def inputs(kind):
    """Pairs of symbols for the net on pairs, else vectors."""
    return jnp.array([[0, 1], [1, 0], [2, 3], [4, 4.0]]) if kind is PairNet else draw(7, SAMPLES, DIM)


def posed(kind, kernel) -> tuple:
    """A model, and data that its tangent can reach: those of some direction, or the labels of one."""
    model, x = PLACED[kind](), inputs(kind)
    step = draw(8, tangent.Sizes.of(model, x).p)
    reached = tangent.along(model, x, step)
    if kernel is KernelInterpolant:
        return model, Split(x, outputs(model, x) + reached)
    return model, Split(x, jnp.argmax(reached, axis=1).astype(float) if reached.ndim == 2 else jnp.sign(reached))


def test_they_are_listed():
    assert set(KERNELS) <= set(PREDICTORS) and set(PLACED) | {ConvNet, Sensing} == set(ALL)  # which take no vectors


@each
@in_both_ways
def test_certified(kind, kernel):
    model, data = posed(kind, kernel)
    reference = kernel(model).solve(data)
    assert reference.ok and reference.value > 0
    fitted, shape = reference.predict(data.x), np.shape(outputs(model, data.x))
    assert fitted.shape == reference.effective.shape == shape
    table = np.tensordot(np.asarray(tangent.kernel(model, data.x)), reference.effective, axes=reference.effective.ndim)
    if kernel is KernelInterpolant:
        np.testing.assert_allclose(fitted, data.y, atol=1e-8)
        np.testing.assert_allclose(table, np.asarray(data.y - outputs(model, data.x)), atol=1e-8)
    else:
        np.testing.assert_allclose(fitted, table, atol=1e-8 * np.abs(table).max())
        y = np.asarray(data.y)
        if fitted.ndim == 1:
            assert (y * fitted).min() >= 1 - 1e-8
        else:
            own = np.arange(shape[1]) == y[:, None]
            assert (fitted[own] - np.where(own, -np.inf, fitted).max(axis=1)).min() >= 1 - 1e-8
    # The norm of the dual weights' direction is the value: c' K c.
    assert (reference.effective * table).sum() == pytest.approx(reference.value**2, rel=1e-6)
    one = reference.predict(data.x[0])
    np.testing.assert_allclose(one, fitted[0], atol=1e-12 * np.abs(fitted).max())


@each
@in_both_ways
def test_a_kernel_too_large_for_memory_gives_the_same(kind, kernel):
    model, data = posed(kind, kernel)
    reference = kernel(model).solve(data)
    p = tangent.Sizes.of(model, data.x).p
    short = kernel(model, memory=2 * p * 8).solve(data)
    assert short.ok
    assert short.value == pytest.approx(reference.value, rel=1e-9)
    np.testing.assert_allclose(
        short.predict(data.x), reference.predict(data.x), atol=1e-7 * np.abs(reference.predict(data.x)).max()
    )


@each
@in_both_ways
def test_a_contradiction_is_proven(kind, kernel):
    model, data = posed(kind, kernel)
    x = jnp.concatenate([data.x, data.x[:1]])
    other = -data.y[:1] if data.y.ndim == 1 and tangent.Sizes.of(model, x).outputs == () else (data.y[:1] + 1) % 3
    clash = Split(x, jnp.concatenate([data.y, other]))
    reference = kernel(model).solve(clash)
    proof = reference.certificate.infeasibility
    assert not reference.ok and proof is not None and reference.value == np.inf
    jac = np.asarray(tangent.features(model, x))
    if kernel is KernelInterpolant:
        left = np.asarray(clash.y - outputs(model, x)).ravel()
        assert np.abs(proof @ jac.reshape(left.size, -1)).max() <= 1e-10 * abs(proof @ left)
    else:
        y = np.asarray(clash.y)
        if proof.ndim == 2:
            own = np.arange(proof.shape[1]) == y[:, None]
            mix = np.where(own, proof.sum(axis=1, keepdims=True), -proof)
        else:
            mix = y * proof
        assert proof.min() >= 0 and proof.sum() == pytest.approx(1)
        assert np.abs(np.tensordot(mix, jac, axes=mix.ndim)).max() <= 1e-10


@in_both_ways
def test_bad_data_are_refused(kernel):
    model, data = posed(DiagonalNet, kernel)
    name = kernel.__name__
    with pytest.raises(BadInput, match=f"x given to {name} must hold finite numbers"):
        kernel(model).solve(eqx.tree_at(lambda split: split.x, data, data.x.at[0, 0].set(jnp.nan)))
    with pytest.raises(BadInput, match=f"the model given to {name} must hold finite numbers"):
        kernel(DiagonalNet(model.u.at[0].set(jnp.inf), model.v, 3)).solve(data)
    with pytest.raises(BadInput, match="must hold double-precision numbers"):
        kernel(jax.tree.map(lambda leaf: leaf.astype(jnp.float32), model)).solve(data)
    with pytest.raises(BadInput, match="inputs that it can be called on"):
        kernel(Linear(jnp.ones(DIM + 1))).solve(data)
    with pytest.raises(BadInput, match=r"labels in \{-1, \+1\}|targets of the same shape"):
        kernel(model).solve(Split(data.x, draw(0, SAMPLES, 2)))
    with pytest.raises(BadInput, match="predict takes one input of 6 numbers"):
        kernel(model).solve(data).predict(np.ones(5))
    with jax.enable_x64(False), pytest.raises(BadInput, match="double precision"):
        kernel(model).solve(data)

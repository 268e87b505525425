import cvxpy as cp
import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.models import DiagonalNet, Linear, LinearNet, outputs, tangent
from lazyrich.predictors import KernelInterpolant, KernelMaxMargin, MaxMargin, MaxMarginMulticlass, MinL2

SHAPE = np.linspace(0.5, 2, 12)
NETWORK = eqx.nn.MLP(4, "scalar", 10, 2, activation=jnp.tanh, key=jr.key(0))


def diagonal(alpha, depth):
    return DiagonalNet(jnp.asarray(alpha * SHAPE), jnp.asarray(alpha * SHAPE), depth)


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
def test_diagonal_nets_interpolate_by_weighted_l2(planted, split, depth, alpha):
    data, x, _ = planted(depth, n=5, d=12, noise=1.0)
    reference = KernelInterpolant(diagonal(alpha, depth)).solve(data)
    plain = MinL2(SHAPE ** (2.0 - 2 * depth)).solve(data)
    assert reference.ok
    new = np.random.default_rng(1).normal(size=(4, 12))
    np.testing.assert_allclose(reference.predict(new), plain.predict(new), rtol=1e-9, atol=1e-9)
    # |h|^2 = sum beta^2 / (2 D^2 alpha^(2D-2) w0^(2D-2))
    assert reference.value == pytest.approx(plain.value / (np.sqrt(2) * depth * alpha ** (depth - 1)), rel=1e-9)


@pytest.mark.parametrize("depth", [2, 3])
def test_diagonal_nets_separate_by_weighted_l2(labeled, split, depth):
    data, x, y = labeled(depth, n=9, d=12)
    reference = KernelMaxMargin(diagonal(0.3, depth)).solve(data)
    stretch = SHAPE ** (depth - 1.0)
    plain = MaxMargin("l2").solve(split(x * stretch, y))
    assert reference.ok
    np.testing.assert_allclose(reference.predict(x), plain.predict(x * stretch), atol=1e-9)
    assert reference.value == pytest.approx(plain.value / (np.sqrt(2) * depth * 0.3 ** (depth - 1)), rel=1e-9)


def test_linear_models_are_their_own_kernel(planted, labeled):
    data, x, _ = planted(0, n=5, d=12, noise=1.0)
    np.testing.assert_allclose(
        KernelInterpolant(Linear(jnp.zeros(12))).solve(data).predict(x[:2] + 1), MinL2().solve(data).predict(x[:2] + 1)
    )
    labels, x, _ = labeled(0, n=5, d=12)
    # The start's output does not count: the margin is of what is added.
    reference = KernelMaxMargin(Linear(jnp.ones(12))).solve(labels)
    np.testing.assert_allclose(reference.predict(x), MaxMargin("l2").solve(labels).predict(x), atol=1e-10)


def test_several_classes_of_a_linear_map_are_the_multiclass_margin(split):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(12, 6)), rng.integers(0, 3, size=12)
    model = eqx.nn.Linear(6, 3, use_bias=False, key=jr.key(0))
    reference, plain = (predictor.solve(split(x, y)) for predictor in (KernelMaxMargin(model), MaxMarginMulticlass(3)))
    assert reference.ok and plain.ok and reference.value == pytest.approx(plain.value, rel=1e-9)
    np.testing.assert_allclose(reference.predict(x), plain.predict(x), atol=1e-8)


def test_networks_against_explicit_features_and_a_cone_solver(split):
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(9, 4)), rng.normal(size=(3, 4))
    y = np.where(rng.normal(size=9) > 0, 1.0, -1.0)
    jac, new = (np.asarray(tangent.features(NETWORK, jnp.asarray(part))) for part in (x, z))
    reference = KernelMaxMargin(NETWORK).solve(split(x, y))
    plain = MaxMargin("l2").solve(split(jac, y))
    h = cp.Variable(jac.shape[1])
    cone = cp.Problem(cp.Minimize(cp.norm(h)), [cp.multiply(y, jac @ h) >= 1]).solve(solver="CLARABEL")
    assert reference.ok and reference.value == pytest.approx(plain.value, rel=1e-9) == pytest.approx(cone, rel=1e-5)
    np.testing.assert_allclose(reference.predict(z), plain.predict(new), atol=1e-8)
    fitted = KernelInterpolant(NETWORK).solve(split(x, y))
    init = np.asarray(outputs(NETWORK, jnp.asarray(x)))
    dual = np.linalg.solve(jac @ jac.T, y - init)
    assert fitted.ok and fitted.value == pytest.approx(np.sqrt((y - init) @ dual), rel=1e-8)
    np.testing.assert_allclose(fitted.predict(z), np.asarray(outputs(NETWORK, jnp.asarray(z))) + new @ (jac.T @ dual), atol=1e-8)


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), repeats=st.integers(0, 3), log_scale=st.floats(-4, 4))
def test_invariances(split, seed, repeats, log_scale):
    rng = np.random.default_rng(seed)
    x, y, scale = rng.normal(size=(5, 12)), rng.normal(size=5), 10.0**log_scale
    again = np.concatenate([rng.permutation(5), rng.integers(0, 5, size=repeats)])
    net = diagonal(0.5, 2)
    reference, moved = (
        KernelInterpolant(net).solve(split(x, y)),
        KernelInterpolant(net).solve(split(x[again], scale * y[again])),
    )
    assert reference.ok and moved.ok and moved.value == pytest.approx(scale * reference.value, rel=1e-9)
    np.testing.assert_allclose(moved.predict(x), scale * y, atol=1e-9 * scale * np.abs(y).max())
    reference, moved = (KernelMaxMargin(net).solve(split(*part)) for part in ((x, np.sign(y)), (x[again], np.sign(y[again]))))
    assert reference.ok and moved.ok and moved.value == pytest.approx(reference.value, rel=1e-9)
    np.testing.assert_allclose(moved.predict(x), reference.predict(x), atol=1e-7)


@pytest.mark.parametrize("memory", [2**28, 2 * 24 * 8])
def test_dependent_samples(split, memory):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(8, 3)) @ rng.normal(size=(3, 12))
    y = x @ rng.normal(size=12)
    reference = KernelInterpolant(diagonal(0.5, 2), memory=memory).solve(split(x, y))
    assert reference.ok
    plain = MinL2(SHAPE**-2.0).solve(split(x, y))
    np.testing.assert_allclose(reference.predict(x + 1), plain.predict(x + 1), atol=1e-7)
    bad = KernelInterpolant(diagonal(0.5, 2), memory=memory).solve(split(x, rng.normal(size=8)))
    assert not bad.ok and not bad.effective.any()
    if memory == 2**28:
        assert bad.certificate.infeasibility is not None


def test_the_start_is_part_of_the_interpolant(split):
    net, x = DiagonalNet(jnp.full(12, 2.0), jnp.ones(12)), np.random.default_rng(0).normal(size=(3, 12))
    init = np.asarray(outputs(net, jnp.asarray(x)))
    still = KernelInterpolant(net).solve(split(x, init))
    assert still.ok and still.value == 0 and not still.effective.any()
    np.testing.assert_array_equal(still.predict(x), init)
    zero = KernelInterpolant(net).solve(split(x, np.zeros(3)))
    assert zero.ok and zero.value > 0
    np.testing.assert_allclose(zero.predict(x), 0, atol=1e-12)


def test_a_saddle_cannot_move(split):
    # At zero a two-layer net has no tangent at all: nothing but zeros can be fitted.
    net = LinearNet.at_zero(dim=12, outputs=2, width=3)
    x = np.random.default_rng(0).normal(size=(3, 12))
    reference = KernelInterpolant(net).solve(split(x, np.ones((3, 2))))
    assert not reference.ok and reference.certificate.infeasibility is not None
    assert KernelInterpolant(net).solve(split(x, np.zeros((3, 2)))).ok
    reference = KernelMaxMargin(net).solve(split(x, np.array([0.0, 1.0, 0.0])))
    assert not reference.ok and reference.certificate.infeasibility is not None


def test_lost_digits_are_not_called_ok(split):
    # An output of 1e12 at the start leaves no more than 1e-4 of an answer of order one.
    net, x = Linear(jnp.full(12, 1e12)), np.random.default_rng(0).normal(size=(3, 12))
    reference = KernelInterpolant(net).solve(split(x, np.ones(3)))
    assert reference.ok == bool(np.abs(reference.predict(x) - 1).max() <= 1e-8 * np.sqrt(3))


def test_weights_without_digits_say_so(split):
    # A kernel of condition 1e16: no dual weights in double precision give back the answers, the direction does.
    x = np.random.default_rng(9).normal(size=(3, 12))
    x[2] = x[1] + 1e-7 * x[2]
    reference = KernelInterpolant(Linear(jnp.zeros(12))).solve(split(x, np.array([1.0, 1.0, 2.0])))
    np.testing.assert_allclose(reference.predict(x), [1, 1, 2], atol=1e-7)
    assert not reference.ok and "predictions one of" in reference.notes

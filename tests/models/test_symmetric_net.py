import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import SymmetricMap, SymmetricNet, require_movable

RNG = np.random.default_rng(0)


def conserved(d: int = 5, kappa: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Square factors with U^T V = kappa I, no two of their eigenvalues alike."""
    u = np.eye(d) + 0.4 * np.random.default_rng(1).standard_normal((d, d))
    return u, kappa * np.linalg.inv(u).T


def test_effective_and_output_by_hand():
    net = SymmetricNet(jnp.array([[1.0], [2.0]]), jnp.array([[0.0], [3.0]]))
    np.testing.assert_array_equal(net.effective(), [[1.0, 2.0], [2.0, -5.0]])
    np.testing.assert_array_equal(net(jnp.array([1.0, 1.0])), [3.0, -3.0])
    assert net.degree == 2


@pytest.mark.parametrize("kind", [SymmetricNet, SymmetricMap])
def test_at_scale_both_factors_are_alpha_times_the_identity(kind):
    net = kind.at_scale(0.3, dim=4)
    np.testing.assert_allclose(np.stack(net.parameters()), [0.3 * np.eye(4)] * 2, rtol=1e-15)
    assert not np.asarray(net.effective()).any()


def test_gradient_is_that_of_the_two_squares_also_of_a_fading_factor():
    u, v = jnp.asarray(RNG.standard_normal((2, 4, 3)))
    weights = RNG.standard_normal((4, 4))
    for small in (1.0, 1e-20):
        slope = jax.jit(jax.grad(lambda net: jnp.sum(weights * net.effective())))(SymmetricNet(u, small * v))
        np.testing.assert_allclose(slope.u, (weights + weights.T) @ u, rtol=1e-12)
        np.testing.assert_allclose(slope.v, -small * (weights + weights.T) @ v, rtol=1e-12)


def test_nearly_equal_factors_keep_the_digits_of_their_difference():
    step = 1e-9 * RNG.standard_normal((4, 4))
    u = 100 * np.eye(4) + step
    expected = (step + step.T) * 100 + step @ step.T  # exactly, but for the rounding of 100 + step in u
    found = SymmetricNet(jnp.asarray(u), 100 * jnp.eye(4)).effective()
    np.testing.assert_allclose(found, expected, rtol=0, atol=400 * np.finfo(float).eps * 100)


def test_the_matrix_and_kappa_tell_the_factors_up_to_one_rotation():
    u, v = conserved()
    found = SymmetricMap(jnp.asarray(u @ u.T - v @ v.T), jnp.asarray(0.3))
    for ours, theirs in ((found.u, u), (found.v, v)):
        np.testing.assert_allclose(ours, np.asarray(ours).T, atol=1e-14)
        np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-13)
    rotation = np.linalg.solve(found.u, u)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(5), atol=1e-13)
    np.testing.assert_allclose(found.v @ rotation, v, atol=1e-13)


def test_the_fading_factor_keeps_its_digits():
    # u^2 - v^2 = w and u v = kappa: v = kappa / sqrt(w) to a share of (kappa / w)^2, while (s - w) / 2 rounds to zero.
    net = SymmetricMap(jnp.diag(jnp.array([4.0, -4.0])), jnp.asarray(1e-20))
    np.testing.assert_allclose(np.diag(net.v), [5e-21, 2.0], rtol=1e-14)
    np.testing.assert_allclose(np.diag(net.u), [2.0, 5e-21], rtol=1e-14)
    rich = SymmetricMap(jnp.diag(jnp.array([4.0, 0.0])), jnp.asarray(0.0))
    np.testing.assert_array_equal(np.stack(rich.parameters()), [np.diag([2.0, 0.0]), np.zeros((2, 2))])


def test_the_matrix_alone_is_only_read():
    with pytest.raises(BadInput, match="only to be read"):
        require_movable(SymmetricMap.at_scale(1.0, dim=3), "the flow")


@pytest.mark.parametrize(("u", "v"), [((3, 2), (3, 3)), ((3,), (3,)), ((0, 2), (0, 2))])
def test_shapes_that_do_not_fit_are_refused(monkeypatch, u, v):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match="U and V of one shape"):
        SymmetricNet(jnp.ones(u), jnp.ones(v))

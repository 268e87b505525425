import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.linalg import sqrtm

from lazyrich.numerics.symmetric import from_upper, hyperbolic_excess, upper

RNG = np.random.default_rng(0)
A, B = (part + part.T for part in RNG.standard_normal((2, 4, 4)))


def test_the_upper_half_says_all():
    assert upper(jnp.asarray(A)).shape == (10,)
    np.testing.assert_array_equal(from_upper(upper(jnp.asarray(A)), 4), A)


@pytest.mark.parametrize("kappa", [0.1, 3.0])
def test_excess_against_the_square_root_of_scipy(kappa):
    expected = sqrtm(A @ A + 4 * kappa**2 * np.eye(4)) - 2 * kappa * np.eye(4)
    np.testing.assert_allclose(hyperbolic_excess(jnp.asarray(A), jnp.asarray(kappa)), expected, rtol=0, atol=1e-12)


def test_excess_keeps_its_digits_at_every_scale():
    # W^2 / 4 kappa to a share of (w / 4 kappa)^2; at kappa = 0 it is |W|.
    for kappa in (1e10, 1e160):
        found = hyperbolic_excess(jnp.asarray(A), jnp.asarray(kappa))
        np.testing.assert_allclose(found * 4 * kappa, A @ A, rtol=0, atol=1e-13 * np.abs(A @ A).max())
    np.testing.assert_allclose(hyperbolic_excess(jnp.asarray(A), jnp.asarray(0.0)), sqrtm(A @ A), rtol=0, atol=1e-12)


@pytest.mark.parametrize("w", [A, np.zeros((4, 4)), np.eye(4)], ids=["distinct", "zero", "equal"])
def test_its_slope_is_a_difference_quotient_also_at_equal_eigenvalues(w):
    def along(t):
        return hyperbolic_excess(jnp.asarray(w) + t * B, jnp.asarray(0.7 + t * 0.3))

    _, slope = jax.jvp(along, (0.0,), (1.0,))
    step = 1e-5
    # Central differences: step^2 of the third derivative, and rounding over the step.
    np.testing.assert_allclose(slope, (along(step) - along(-step)) / (2 * step), rtol=0, atol=1e-8)
    assert np.isfinite(jax.grad(lambda t: jnp.sum(along(t) ** 2))(0.0))


def test_nothing_at_zero_is_zero():
    zero = jnp.zeros((3, 3))
    excess, slope = jax.jvp(hyperbolic_excess, (zero, jnp.asarray(0.0)), (jnp.eye(3), jnp.asarray(0.0)))
    assert not np.asarray(excess).any() and np.isfinite(np.asarray(slope)).all()

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from lazyrich.errors import BadInput
from lazyrich.problems import MarginLaw, margin_classification

TRUTH = jnp.array([0.6, 0.8, 0.0])
ACROSS = jnp.array([-0.8, 0.6, 0.0])


SIZES = {"n": 10_000, "d": 12, "test": 10_000}


def test_a_slab_without_points():
    problem = margin_classification(jr.key(0), **SIZES, gap=3.0)
    truth = np.asarray(problem.truth)
    np.testing.assert_allclose(np.linalg.norm(truth), 1.0, rtol=1e-14)
    for split in (problem.train, problem.test):
        x, y = np.asarray(split.x), np.asarray(split.y)
        past = y * (x @ truth) - 1.5
        assert past.min() >= -1e-13  # half the gap, up to the rounding of a unit vector
        # Past the slab the depth is half-normal, of mean sqrt(2/pi) and variance 1 - 2/pi.
        assert abs(past.mean() - np.sqrt(2 / np.pi)) < 4 * np.sqrt((1 - 2 / np.pi) / y.size)
        assert abs(y.mean()) < 4 / np.sqrt(y.size)


def test_accuracy_against_fresh_samples():
    law, points = margin_classification(jr.key(3), **SIZES, gap=0.4).law, SIZES["n"]
    effective = np.asarray(law.truth) + 0.4 * np.random.default_rng(4).standard_normal(12)
    fresh = law.sample(jr.key(5), points)
    share = np.mean(np.asarray(fresh.x) @ effective * np.asarray(fresh.y) > 0)
    assert 0.6 < share < 0.95
    assert abs(share - law.accuracy(jnp.asarray(effective))) < 4 * np.sqrt(share * (1 - share) / points)


@pytest.mark.parametrize("slope", [-3.0, 0.0, 0.2, 1.0, 30.0, 1e5])
def test_accuracy_without_a_gap_is_an_angle(slope):
    reference = MarginLaw(TRUTH, jnp.asarray(0.0)).accuracy(slope * TRUTH + 1.0 * ACROSS)
    # A steep slope keeps what rounding leaves of the part across: a share of 1e-16 * slope of a small angle.
    np.testing.assert_allclose(reference, 0.5 + np.arctan(slope) / np.pi, rtol=0, atol=1e-13)


@pytest.mark.parametrize("gap", [0.5, 25.0])
@pytest.mark.parametrize("slope", [-2.0, 0.05, 0.7, 200.0])
def test_accuracy_with_a_gap(slope, gap):
    def density(g):
        return 2 * norm.pdf(g) * norm.cdf(slope * (g + gap / 2))

    reference = MarginLaw(TRUTH, jnp.asarray(gap)).accuracy(slope * TRUTH + ACROSS)
    knee = 8 / max(abs(slope), 1.0)
    expected = sum(quad(density, *ends, epsabs=1e-13)[0] for ends in ((0, knee), (knee, 9)))
    np.testing.assert_allclose(reference, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("effective", "expected"), [(TRUTH, 1.0), (-TRUTH, 0.0), (ACROSS, 0.5), (0 * TRUTH, 0.5), (1e-9 * TRUTH, 1.0)]
)
def test_accuracy_at_the_ends(effective, expected):
    np.testing.assert_allclose(MarginLaw(TRUTH, jnp.asarray(2.0)).accuracy(effective), expected, rtol=0, atol=1e-14)


@jax.jit
def accuracy(effective):
    return MarginLaw(TRUTH, jnp.asarray(0.8)).accuracy(effective)


@given(seed=st.integers(0, 1000), log_scale=st.floats(-200, 200))
def test_accuracy_does_not_see_the_scale_and_flips_with_the_sign(seed, log_scale):
    w = jnp.asarray(np.random.default_rng(seed).standard_normal(3))
    reference = accuracy(w)
    np.testing.assert_allclose(accuracy(np.exp(log_scale) * w), reference, rtol=0, atol=1e-12)
    np.testing.assert_allclose(accuracy(-w), 1 - reference, rtol=0, atol=1e-13)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_accuracy_at_extreme_scales(scale):
    law, w = MarginLaw(TRUTH, jnp.asarray(0.1)), TRUTH + ACROSS
    np.testing.assert_allclose(law.accuracy(scale * w), law.accuracy(w), rtol=1e-13)


def test_accuracy_of_nan_is_nan():
    assert jnp.isnan(MarginLaw(TRUTH, jnp.asarray(0.1)).accuracy(jnp.full(3, jnp.nan)))


def test_accuracy_is_at_most_one():
    assert MarginLaw(TRUTH, jnp.asarray(25.0)).accuracy(4 * TRUTH + ACROSS) <= 1


@pytest.mark.parametrize("bad", [{"gap": -1.0}, {"gap": float("nan")}, {"n": 0}, {"d": 1}, {"test": -1}])
def test_bad_input(bad):
    with pytest.raises(BadInput):
        margin_classification(jr.key(0), **(SIZES | bad))

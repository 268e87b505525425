"""Oracles: the closed form without an offset, scipy's quadrature with one."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from lazyrich.numerics.quadrature import mean_over_half_normal

SLOPES = [-1e8, -40.0, -0.2, 0.0, 0.5, 4.0, 100.0, 1e4, 1e8, 1e12]


@pytest.mark.parametrize("slope", SLOPES)
def test_without_an_offset_it_is_an_angle(slope):
    # 96 weights that sum to one, and sinh(v) up to 9e12 in the steepest: some ten roundings.
    np.testing.assert_allclose(mean_over_half_normal(slope, 0.0), 0.5 + np.arctan(slope) / np.pi, rtol=0, atol=2e-14)


@pytest.mark.parametrize("slope", SLOPES)
@pytest.mark.parametrize("offset", [0.3, 12.5])
def test_with_an_offset(slope, offset):
    knee = min(9.0, 8 / max(abs(slope), 1.0))  # beyond it the step of Phi is over
    parts = [
        quad(lambda g: 2 * norm.pdf(g) * norm.cdf(slope * (g + offset)), low, high, epsabs=1e-14, epsrel=1e-13)
        for low, high in ((0.0, knee), (knee, 9.0))
    ]
    assert sum(error for _, error in parts) < 1e-13
    np.testing.assert_allclose(mean_over_half_normal(slope, offset), sum(value for value, _ in parts), rtol=0, atol=1e-13)


@pytest.mark.parametrize("slope", [0.1, 3.0, 1e5])
def test_opposite_slopes_share_the_mass(slope):
    both = mean_over_half_normal(slope, 0.7) + mean_over_half_normal(-slope, 0.7)
    np.testing.assert_allclose(both, 1.0, rtol=0, atol=2e-14)

import numpy as np
import pytest

from lazyrich.numerics.entropy_links import link_of
from lazyrich.numerics.weight_distance import distance_quartic, real_roots, weight_distance

SIZES = np.logspace(-6, 8, 29)


def test_search_finds_the_entropy_of_depth_four():
    entropy = link_of(4).entropies(SIZES, np.zeros_like(SIZES))
    assert np.abs(weight_distance(SIZES) / entropy - 1).max() < 1e-13
    assert np.array_equal(weight_distance(-SIZES), weight_distance(SIZES))
    assert weight_distance(np.zeros(1))[0] < 1e-30  # the search ends within 1e-16 of the start


@pytest.mark.parametrize("z", [0.01, 0.3, 1.0, 7.0, 90.0])
def test_least_distance_is_the_smaller_real_root(z):
    roots = real_roots(distance_quartic(z))
    assert roots.size == 2
    assert roots[0] == pytest.approx(float(weight_distance(np.array([z]))[0]), rel=1e-9)


def test_quartic_at_zero_has_a_triple_root_at_two():
    assert np.array_equal(distance_quartic(0.0), np.poly([0.0, 2.0, 2.0, 2.0]))


def test_real_roots_leave_out_pairs():
    assert np.allclose(real_roots(np.poly([3.0, -1.0, 1j, -1j])), [-1.0, 3.0])

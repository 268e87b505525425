import numpy as np
import pytest

from lazyrich.numerics.statistical_dimension import l1_dimension


def test_it_runs_from_nothing_to_all():
    assert l1_dimension(0.0) == 0.0 and l1_dimension(1.0) == 1.0
    shares = np.linspace(0, 1, 41)
    assert (np.diff([l1_dimension(share) for share in shares]) > 0).all()


@pytest.mark.parametrize("share", [0.02, 0.1, 0.4])
def test_it_is_the_mean_square_distance_from_the_cone_of_subgradients(share):
    """The least over a fine grid of the same mean, drawn."""
    draws = np.random.default_rng(0).normal(size=200_000)
    scales = np.linspace(0, 5, 501)
    beyond = np.array([np.mean(np.maximum(np.abs(draws) - scale, 0) ** 2) for scale in scales])
    drawn = (share * (1 + scales**2) + (1 - share) * beyond).min()
    assert l1_dimension(share) == pytest.approx(drawn, abs=4 * 3 / np.sqrt(draws.size))

"""How many measurements the least l1 norm needs, at the ends of coherence."""

import numpy as np

from lazyrich.claims.axes import along
from lazyrich.papers.beyond_l2.figures_6_and_7 import dimension, law, needed


def test_without_plain_rows_the_law_is_the_statistical_dimension():
    expected = law(100, [2, 6, 16], [0.0]).isel(coherence=0)
    np.testing.assert_array_equal(expected, np.ceil(dimension(100, [2, 6, 16])))


def test_with_plain_rows_alone_all_entries_must_be_read():
    """Each of s entries is among the first N of n places with a chance near N/n."""
    for s in (2, 6, 16):
        assert abs(float(law(100, s, 1.0)[0, 0]) - 100 * 2 ** (-1 / s)) <= 1.5


def test_needed_is_read_where_half_of_the_draws_are_found_for_good():
    found = np.array([[1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 1, 1], [1, 1, 1, 1]])
    errors = along([10.0, 20.0, 30.0, 40.0], "n", [10, 20, 30, 40]) * 0 + 1 - _over_trials(found)
    assert float(needed(errors)) == 25.0
    assert np.isinf(needed(errors * 0 + 1))


def _over_trials(found):
    import xarray as xr

    return xr.DataArray(found.astype(float), dims=("n", "trial"))

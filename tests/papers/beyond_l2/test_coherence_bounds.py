"""Formulas of the coherence claims, beside the same by hand."""

import math

import numpy as np
import pytest
import xarray as xr

from lazyrich.papers.beyond_l2.coherence import welch
from lazyrich.papers.beyond_l2.random_measurements import ETA, explicit, needed
from lazyrich.papers.beyond_l2.simulations.frames import fourier


def test_the_explicit_bound_counts_sets_of_columns():
    n, d = (xr.DataArray([a, b], dims=name) for name, a, b in (("n", 100.0, 400.0), ("d", 8, 16)))
    count = xr.DataArray([1, 2, 3], dims="s")
    found = explicit(n, d, count).transpose("n", "d", "s").values
    for i, rows in enumerate((100, 400)):
        for j, k in enumerate((8, 16)):
            for s in (1, 2, 3):
                far = math.sqrt(s / rows) + math.sqrt(2 * math.log(2 * math.comb(k, s) / ETA) / rows)
                assert found[i, j, s - 1] == pytest.approx((1 + far) ** 2 - 1, rel=1e-12)


def test_the_constant_of_theorem_c_2_follows_from_the_explicit_bound():
    """At most 80 wherever t is at most one half and s at most half of the columns, as its reading says."""
    d, count = np.meshgrid(np.arange(4, 200), np.arange(1, 6), indexing="ij")
    d, count = d[2 * count <= d], count[2 * count <= d]
    sets = np.vectorize(math.comb)(d, count).astype(float)
    far = np.sqrt(count) + np.sqrt(2 * np.log(2 * sets / ETA))
    worst = 2.5**2 * far**2 / needed(d, count)
    assert 20 < worst.max() <= 80


def test_the_bound_of_welch_at_two_columns_and_one_row():
    assert welch(2, 1) == 1.0 and welch(4, 4) == 0.0


def test_waves_are_those_of_the_discrete_transform():
    np.testing.assert_allclose(fourier(6) * np.sqrt(6), np.fft.fft(np.eye(6)), atol=1e-14)

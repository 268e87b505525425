import numpy as np
import pytest
import xarray as xr

from lazyrich.papers.min2021.corollaries_4_to_6 import over_renewed
from lazyrich.papers.min2021.shared.convergence import over_bound, time_to
from lazyrich.papers.min2021.tightness import layers


@pytest.fixture(scope="module")
def run():
    time = np.linspace(0, 4, 81)
    return xr.Dataset({"time": ("t", time), "excess": ("t", 3 * np.exp(-2 * time)), "guaranteed": ("t", 0 * time + 2)})


def test_an_exponential_meets_its_own_bound(run):
    np.testing.assert_allclose(over_bound(run, 2.0), 0, atol=1e-12)
    assert float(over_bound(run, 2.5).max()) == pytest.approx(0.5 * 4)


def test_renewed_at_any_time_it_meets_it_again_and_the_printed_clock_does_not(run):
    assert max(float(part) for part in over_renewed(run, 1.0, 1.0)) == pytest.approx(0, abs=1e-12)
    assert max(float(part) for part in over_renewed(run, 1.0, 0.0)) > 7


def test_time_to_a_share_is_read_between_the_times_or_never(run):
    assert float(time_to(run, 1e-2)) == pytest.approx(np.log(100) / 2)
    assert float(time_to(run, 1e-9)) == np.inf


@pytest.mark.parametrize("crossed", [0, 1])
def test_layers_have_the_spectra_they_were_asked_for(crossed):
    up, down, singular = np.array([[5.0, 2.0, 1.0]]), np.array([[4.0, 0.5]]), np.array([[3.0, 0.2]])
    u, v = layers(up, down, singular, crossed)
    values = np.linalg.eigvalsh(u[0].T @ u[0] - v[0].T @ v[0])
    np.testing.assert_allclose(values, [-4, -0.5, 1, 2, 5], atol=1e-12)
    np.testing.assert_allclose(np.linalg.svd(u[0] @ v[0].T, compute_uv=False), [3, 0.2], atol=1e-12)

"""What claims on the ReLU student compute from curves: powers of a clock in times, and spreads on a clock."""

import numpy as np
import pytest
import xarray as xr

from lazyrich.dynamics.optimizers import NAMES
from lazyrich.papers.beyond_l2 import penalty_collapse, relu_students
from lazyrich.papers.beyond_l2.shared import scaling

RATE, STRENGTH = xr.DataArray([0.1, 0.3], dims="learning_rate"), xr.DataArray([1.0, 4.0], dims="strength")
TRIAL = xr.DataArray([1.0, 7.0], dims="trial")


@pytest.mark.parametrize("exponent", [-1.0, -0.5])
def test_the_power_of_a_clock(exponent):
    found = scaling.fitted_power(TRIAL * (RATE * STRENGTH) ** exponent, RATE * STRENGTH)
    np.testing.assert_allclose(found, exponent, rtol=1e-12)


def test_a_time_that_never_comes_has_no_power():
    times = (TRIAL / (RATE * STRENGTH)).where((RATE > 0.2) | (TRIAL > 2), np.inf)
    found = scaling.fitted_power(times, RATE * STRENGTH)
    assert np.isinf(found[0]) and found[1] == pytest.approx(-1)


def curves(exponent: float) -> xr.Dataset:
    """Errors that fall by a clock of rate x strength^exponent x steps, once the data are fitted by rate x steps."""
    slow = xr.DataArray(np.geomspace(1e-3, 3.0, 80), dims="t")
    step = slow / (RATE * STRENGTH)
    test = 20 * np.exp(-RATE * STRENGTH**exponent * step) * TRIAL.clip(max=2)
    train = 10 * np.exp(-300 * RATE * step)
    found = xr.Dataset({"slow": slow + 0 * step, "test": test, "train": train + 0 * test})
    return found.expand_dims("penalty").transpose("penalty", "learning_rate", "strength", "trial", "t")


def test_curves_of_one_clock_do_not_part():
    apart, fallen = penalty_collapse.spreads(curves(1.0), STRENGTH, 1.0)
    # Straight lines between 80 readings over three and a half decades: off by the square of their distance.
    assert apart.shape == (1, 2) and apart.max() < 2e-3 and fallen.min() > 10


@pytest.mark.parametrize(("made", "read"), [(1.0, 0.5), (0.5, 1.0)])
def test_curves_part_on_another_clock(made, read):
    apart, _ = penalty_collapse.spreads(curves(made), STRENGTH, read)
    assert apart.min() > 0.3


def test_without_a_fit_nothing_is_compared():
    apart, fallen = penalty_collapse.spreads(curves(1.0).assign(train=1.0 + 0 * curves(1.0).train), STRENGTH, 1.0)
    assert np.isnan(apart).all() and (fallen == 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_penalty_that_passes_through_adam_is_said_to(name):
    edge, passed = relu_students.instrument(xr.Dataset({"edge": ("t", [0.2, 0.5])}), NAMES.index(name))
    assert edge.ok and passed.ok == (name != "adam") and "Adam" in passed.name

import numpy as np
import pytest
import xarray as xr

from lazyrich.papers.beyond_l2.penalized_nets import RATE, STRENGTH, delays, laws, longer


def runs(delay) -> xr.Dataset:
    """Two trials over two learning rates and two strengths, memorized after 10 steps."""
    learning_rate, strength = np.array([1.0, 2.0]), np.array([0.1, 0.2])
    steps = np.stack([delay(r, s) * np.ones(2) for r in learning_rate for s in strength]).reshape(2, 2, 2)
    found = xr.DataArray(
        steps, dims=("learning_rate", "strength", "trial"), coords={"learning_rate": learning_rate, "strength": strength}
    )
    return xr.Dataset({"generalization": found + 10, "memorization": xr.full_like(found, 10.0)})


def test_the_law_is_read_off_the_delays():
    delay = delays(runs(lambda r, s: 7 / (r * s)))
    assert longer(delay) == 1
    for reading in laws(delay, 0.0, learning_rate=RATE, strength=STRENGTH):
        assert reading.value == pytest.approx(-1) and reading.ok
    assert not any(reading.ok for reading in laws(delay, 1.0, learning_rate=RATE, strength=STRENGTH))


def test_delays_that_do_not_grow_are_seen():
    assert longer(delays(runs(lambda r, s: 5.0))) == 0
    assert longer(delays(runs(lambda r, s: r * s))) == 0

"""The parts that claims of lyu2024 share: the end of the kernel phase, the shortfall of a margin, and powers of laws."""

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from scipy.optimize import minimize

from lazyrich.claims.labelled import farthest, last_power
from lazyrich.papers.lyu2024.figure_1 import LINGERS, exit_time, window
from lazyrich.papers.lyu2024.shared.margins import shortfall
from lazyrich.predictors import MaxMargin
from lazyrich.problems import Split


def expected(early, late) -> dict:
    def reference(w):
        return xr.Dataset({"effective": ("d", w), "value": np.linalg.norm(w)})

    return {"early": reference(np.asarray(early)), "late": reference(np.asarray(late))}


def test_at_its_end_the_kernel_phase_has_hyperbolic_scale_and_largest_weight_equal():
    early, d, alpha, weight_decay = np.array([0.1, -0.3, 0.05]), 3, 40.0, 1e-3
    leaves = float(exit_time(expected(early, early), d=d, alpha=alpha, weight_decay=weight_decay))
    kappa = alpha**2 / (2 * d) * np.exp(-2 * weight_decay * leaves)
    margin = np.log(2 * 0.3 / (weight_decay * (early @ early)))
    assert 2 * kappa == pytest.approx(margin * 0.3, rel=1e-12)


def test_the_window_closes_when_weights_have_grown_to_their_last_size():
    leaves, closes = window(expected([0.1, 0.2], [0.0, -0.8]), d=2, alpha=10.0, weight_decay=0.01)
    assert float(closes - leaves) * 0.01 == pytest.approx(LINGERS + np.log(4) / 2)


def balance(x, y, norm: str, weight_decay: float) -> np.ndarray:
    """The linear map that minimizes mean exponential loss and decay: on w itself, or on two layers of a diagonal net."""
    d = x.shape[1]

    def split(theta):
        return theta if norm == "l2" else theta[:d] ** 2 - theta[d:] ** 2

    def objective(theta):
        r = np.exp(-y * (x @ split(theta))) / y.size
        slope = -(y * r) @ x
        full = slope if norm == "l2" else 2 * theta * np.concatenate([slope, -slope])
        return r.sum() + weight_decay / 2 * theta @ theta, full + weight_decay * theta

    init = np.zeros(d) if norm == "l2" else np.full(2 * d, 0.5)
    options = {"maxiter": 50_000, "maxfun": 100_000, "gtol": 1e-12, "ftol": 1e-16}
    return split(minimize(objective, init, jac=True, method="L-BFGS-B", options=options).x)


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("seed", range(5))
def test_shortfall_of_a_balance_is_at_most_the_logarithm_of_the_samples(norm, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(6, 15)), rng.choice([-1.0, 1.0], size=6)
    w = balance(x, y, norm, weight_decay=1e-4)
    size = np.linalg.norm(w, {"l1": 1, "l2": 2}[norm])
    found = shortfall(size, (y * (x @ w)).min(), MaxMargin(norm).solve(Split(jnp.asarray(x), jnp.asarray(y))))
    assert 0 <= found <= np.log(6)


def test_last_power_reads_the_last_two_points():
    x = xr.DataArray([3.0, 16.0, 64.0], dims="x", coords={"x": [3.0, 16.0, 64.0]})
    assert float(last_power(7 * x**-1.5, "x")) == pytest.approx(1.5)
    assert float(last_power(xr.where(x > 3, x**-2.0, 100.0), "x")) == pytest.approx(2.0)


def test_farthest_takes_either_side_and_passes_nan_on():
    assert farthest(xr.DataArray([1.9, 2.05, 1.7]), 2) == 1.7
    assert np.isnan(farthest(xr.DataArray([1.9, np.nan]), 2))

"""The formulas that claims on the rich phase of classification bring along."""

from types import SimpleNamespace

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
import xarray as xr

from lazyrich.dynamics.directed import Turned
from lazyrich.measures.kkt import decay_residual
from lazyrich.models import DiagonalNet, LogDiagonalNet, PowerNet, outputs
from lazyrich.papers.lyu2024 import bounds_e_2, lemmas_c_10_and_c_11, sharpness
from lazyrich.papers.lyu2024.simulations.rich_phase import reading
from lazyrich.problems import Split


@pytest.mark.parametrize("degree", [2, 3, 4])
def test_no_unit_weights_reach_further_than_one_unit_does(degree):
    x = jr.normal(jr.key(0), (5, 6))
    reach = lemmas_c_10_and_c_11.predict_reach(SimpleNamespace(train=Split(x, jnp.ones(5))), degree)["reach"]
    longest = x[jnp.argmax(jnp.linalg.norm(x, axis=1))]
    share = (degree - 1) / degree
    best = PowerNet((share**0.5 * longest / jnp.linalg.norm(longest))[:, None], jnp.array([(1 - share) ** 0.5]), degree - 1)
    assert float(best(longest)) == pytest.approx(reach, rel=1e-12)
    for key in jr.split(jr.key(1), 20):
        flat = jr.normal(key, (6 * 3 + 3,))
        flat = flat / jnp.linalg.norm(flat)
        assert jnp.max(jnp.abs(outputs(PowerNet(flat[:18].reshape(6, 3), flat[18:], degree - 1), x))) <= reach


def test_complexities_of_one_sample_are_its_dual_norms():
    x, signs = np.array([[1.0, -2.0, 2.0]]), np.array([[1.0], [-1.0]])
    assert bounds_e_2.complexity("l1", x, signs) == 2.0
    assert bounds_e_2.complexity("l2", x, signs) == 3.0


def test_samples_needed_are_between_two_multiples_or_never():
    error = xr.DataArray([[[0.3, 0.2, 0.0]], [[0.4, 0.3, 0.2]], [[0.0, 0.0, 0.0]]], dims=("d", "trial", "m"))
    data = xr.Dataset({"l1_error": error, "l1_samples": xr.full_like(error, 0.0) + xr.DataArray([10.0, 20, 40], dims="m")})
    assert list(bounds_e_2.needed(data, "l1", 0.1).values) == [30.0, np.inf, 10.0]


def test_the_gain_of_margin_is_0_at_the_kernel_and_1_at_the_largest():
    expected = {
        "kernel": SimpleNamespace(effective=xr.DataArray([0.5, 0.5], dims="d"), value=0.5**0.5),
        "rich": SimpleNamespace(effective=xr.DataArray([0.8, 0.0], dims="d"), value=0.8),
    }
    maps = xr.DataArray([[2.0, 2.0], [8.0, 0.0]], dims=("t", "d"))
    # The least margins are 1 for the kernel's answer and for the rich one at their own scales.
    data = xr.Dataset({"effective": maps, "margins": xr.DataArray([[4.0, 5.0], [10.0, 11.0]], dims=("t", "n"))})
    gain = sharpness.gained(data, expected)
    assert gain.values == pytest.approx([0.0, 1.0], abs=1e-12)
    data["clock"] = xr.DataArray([-1.0, 1.0], dims="t")
    assert float(sharpness.reached(data, gain, 0.25)) == pytest.approx(-0.5)


@pytest.mark.parametrize("depth", [2, 3])
def test_the_residual_is_that_of_the_diagonal_net(depth):
    data = Split(jr.normal(jr.key(0), (4, 6)), jnp.array([1.0, -1.0, 1.0, -1.0]))
    now = Turned(DiagonalNet.at_scale(1.0, dim=6, depth=depth), 0.2 * jr.normal(jr.key(3), (12,)), jnp.asarray(0.3))
    u, v = (jnp.log1p(part) + now.log_scale for part in jnp.split(now.delta, 2))
    net, expected = LogDiagonalNet((u + v) / 2, (u - v) / 2, depth), reading(data, -1.0)(now)
    np.testing.assert_allclose(expected["residual"], decay_residual(net, data, log_weight_decay=-1.0), rtol=1e-10)
    np.testing.assert_allclose(expected["margins"], data.y * (data.x @ net.effective()), rtol=1e-10)
    np.testing.assert_allclose(expected["log_norm"], jnp.log(jnp.sum(jnp.exp(2 * u) + jnp.exp(2 * v))) / 2, rtol=1e-10)

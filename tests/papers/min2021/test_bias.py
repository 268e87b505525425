"""What claims on the end of linear nets are made of: starts, compressed nets, bounds, and what is refused."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
import xarray as xr

from lazyrich.claims import check, find
from lazyrich.errors import BadInput
from lazyrich.inits import gaussian
from lazyrich.models import LinearNet
from lazyrich.papers.bridges.simulations.gram_flow import follow_gram
from lazyrich.papers.min2021.gaussian_init import triangles
from lazyrich.papers.min2021.shared.widths import log_bound, powers, required_width
from lazyrich.papers.min2021.simulations.linear_net_defect import begin, make_problem
from lazyrich.papers.min2021.simulations.linear_net_routes import compressed


@pytest.mark.parametrize("along_u, along_v", [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)])
def test_unseen_part_keeps_what_is_asked(along_u, along_v):
    problem = make_problem(jr.key(0), 3, 8, 2, 1.0, 0.1)
    options = {"width": 12, "exponent": 0.5, "ratio": 2.0, "amplitude": 1.0}
    net = begin(jr.key(1), problem, **options, along_u=along_u, along_v=along_v)
    left = net.u - problem.frame.T @ (problem.frame @ net.u)
    assert (jnp.linalg.norm(net.v @ left.T) > 1e-3) == (along_v > 0)
    assert (jnp.linalg.norm(problem.frame @ net.u @ left.T) > 1e-3) == (along_u > 0)


def test_compressed_net_has_the_same_gram_matrix():
    net = gaussian(jr.key(0), LinearNet.at_zero(dim=4, outputs=2, width=30), scale=1.0)
    small = compressed(net, 0)
    assert small.width == 6
    np.testing.assert_allclose(small.effective(), net.effective(), atol=1e-12)
    np.testing.assert_allclose(small.u @ small.u.T, net.u @ net.u.T, atol=1e-12)


def test_triangles_have_the_moments_of_gaussian_gram_matrices():
    drawn = triangles(np.random.default_rng(0), 3, 50.0, 40_000)
    gram = drawn @ drawn.swapaxes(1, 2)
    np.testing.assert_allclose(gram.mean(0), 50 * np.eye(3), atol=0.3)
    np.testing.assert_allclose((gram[:, 0, 1] ** 2).mean(), 50, rtol=0.03)


def test_gram_flow_of_one_number_is_logistic():
    """One entry, both factors equal: m' = 2 m (y - m)."""
    times = jnp.linspace(0.0, 3.0, 5)
    path = follow_gram(jnp.ones((1, 1, 1)), jnp.array([2.0]), 0.1 * jnp.ones((2, 2)), 0.0, times, 1.0)
    expected = 2 / (1 + (2 / 0.1 - 1) * np.exp(-4 * times))
    np.testing.assert_allclose(path[:, 1, 0], expected, rtol=1e-8)


def test_bound_and_width_of_theorem_12():
    data = xr.Dataset({"top": 4.0, "bottom": 1.0, "target_norm": 2.0})
    expected = np.log(2 * np.exp(5 / 10) * np.sqrt(5) * (np.sqrt(12) + np.log(20) / 2)) - 0.3 * np.log(1e5)
    found = log_bound(data, 1e5, 0.4, n=3, d=10, outputs=2, delta=0.1, rate=1)
    np.testing.assert_allclose(found, expected)
    least = required_width(data, 0.5, d=10, outputs=2, delta=0.1)
    np.testing.assert_allclose(least, 32 * (np.sqrt(12) + np.log(20) / 2) ** 2)


def test_powers_of_a_power_law():
    widths = np.array([1e2, 1e4, 1e5])
    np.testing.assert_allclose(powers(xr.DataArray(widths**-0.7, dims="width", coords={"width": widths})), -0.7)


@pytest.mark.parametrize("identity", ["min2021/proposition_10", "min2021/width_law", "min2021/lemma_11_imbalance"])
def test_as_many_samples_as_inputs_are_refused(identity):
    with pytest.raises(BadInput, match="fewer samples than inputs"):
        check(find(identity), size="smoke", changes={"n": 6, "d": 6})


@pytest.mark.slow
def test_theorem_12_says_where_it_does_not_apply():
    result = check(find("min2021/theorem_12"), size="smoke", changes={"exponent": (0.75,)}, draw=False)
    assert result.verdict == "inconclusive" and "the theorem does not apply" in result.reason

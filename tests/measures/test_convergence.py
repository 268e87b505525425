import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich import Objective, Split
from lazyrich.losses import Squared
from lazyrich.measures.convergence import pace
from lazyrich.models import LinearNet
from lazyrich.predictors.linear_rates import LinearNetRates


def drawn(seed: int, rank: int, outputs: int, width: int):
    first, second, third, fourth = jr.split(jr.key(seed), 4)
    scale = jnp.sort(jr.uniform(first, (rank,), minval=0.5, maxval=2.0))[::-1]
    target = jr.normal(second, (rank, outputs))
    net = LinearNet(u=jr.normal(third, (rank, width)), v=0.3 * jr.normal(fourth, (outputs, width)))
    return scale, target, net


@pytest.mark.parametrize("rank, outputs, width", [(4, 2, 9), (2, 4, 5), (3, 3, 3), (4, 2, 30)])
def test_is_what_theory_says_of_the_same_start(rank, outputs, width):
    scale, target, net = drawn(0, rank, outputs, width)
    found = pace(scale, target, net)
    expected = LinearNetRates.of(Split(jnp.diag(scale), target), net, reduction="half_sum")
    for name in ("excess", "lemma_7", "proposition_1", "guaranteed", "asymptotic"):
        # Gram matrices of numbers of order 10: rounding, and the roots of their least eigenvalues.
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.rate, expected.momentary, rtol=1e-12)


def test_the_rate_is_the_slope_of_the_loss():
    scale, target, net = drawn(1, 4, 2, 9)
    objective = Objective(Split(jnp.diag(scale), target), Squared(), reduction="half_sum")
    slope = jax.grad(objective)(net)
    fall = sum(jnp.sum(part**2) for part in jax.tree.leaves(slope))
    np.testing.assert_allclose(pace(scale, target, net).rate, fall / objective(net), rtol=1e-12)


def test_near_the_target_there_is_a_margin():
    scale, target, _ = drawn(2, 3, 2, 5)
    net = LinearNet(u=target / scale[:, None], v=jnp.eye(2))
    found = pace(scale, 1.001 * target, net)
    least = jnp.linalg.svd(1.001 * target, compute_uv=False)[-1]
    np.testing.assert_allclose(found.margin, least - 0.001 * jnp.linalg.norm(target), rtol=1e-9)
    assert found.proposition_1 >= found.guaranteed > 0

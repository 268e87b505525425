"""What noise adds around an interpolant, against the covariance of the parameters written out."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.models import DiagonalNet
from lazyrich.papers.lyu2024.simulations.label_noise import LEVELS, flutter, passages, step_counts
from lazyrich.problems import Split


def test_flutter_is_the_projection_on_the_gradients():
    x = jr.normal(jr.key(0), (3, 7))
    net = DiagonalNet(jr.uniform(jr.key(1), (7,), minval=0.2), jr.uniform(jr.key(2), (7,), minval=0.2))
    map_ = jnp.concatenate([jnp.diag(2 * net.u), -jnp.diag(2 * net.v)], axis=1)  # from parameters to weights
    rows = x @ map_
    across = rows.T @ jnp.linalg.solve(rows @ rows.T, rows)
    expected = flutter(Split(x, jnp.zeros(3)), net)
    assert float(expected["test"]) == pytest.approx(float(jnp.trace(map_ @ across @ map_.T)))
    assert float(expected["train"]) == pytest.approx(float(jnp.trace(rows @ across @ rows.T)) / 3)


def test_passages_are_read_where_a_loss_has_fallen_to_its_shares():
    times = jnp.linspace(0.0, 1.0, 11)
    np.testing.assert_allclose(passages(times, 3 * (1 - times), 3.0), 1 - np.array(LEVELS), atol=1e-12)
    assert np.isinf(passages(times, jnp.ones(11), 1.0)).all()


def test_step_counts_are_whole_and_reach_the_last():
    counts = np.asarray(step_counts(1000.0, 30))
    assert counts[0] == 0 and counts[-1] == 1000 and counts.size == 30 and (np.diff(counts) >= 0).all()
    np.testing.assert_array_equal(counts, np.round(counts))

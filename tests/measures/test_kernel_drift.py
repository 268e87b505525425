import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientFlow
from lazyrich.losses import Squared
from lazyrich.measures import example_drift, feature_drift, kernel_drift
from lazyrich.models import DiagonalNet, tangent
from lazyrich.objective import Objective
from lazyrich.problems import sparse_recovery

DATA = sparse_recovery(jr.key(0), n=5, d=8, sparsity=2, test=0).train


def test_against_the_definitions():
    u, v = jr.normal(jr.key(1), (2, 8))
    init, end = DiagonalNet.at_scale(1.0, dim=8), DiagonalNet(u, v)
    j0, j1 = (np.asarray(tangent.features(net, DATA.x)) for net in (init, end))
    k0, k1 = j0 @ j0.T, j1 @ j1.T
    expected = 1 - (k0 * k1).sum() / np.linalg.norm(k0) / np.linalg.norm(k1)
    assert kernel_drift(end, DATA.x, jnp.asarray(k0)) == pytest.approx(expected, rel=1e-12)
    expected = 1 - (j0 * j1).sum() / np.linalg.norm(j0) / np.linalg.norm(j1)
    assert feature_drift(end, DATA.x, jnp.asarray(j0)) == pytest.approx(expected, rel=1e-12)
    cosines = (j0 * j1).sum(axis=1) / np.linalg.norm(j0, axis=1) / np.linalg.norm(j1, axis=1)
    assert example_drift(end, DATA.x, jnp.asarray(j0)) == pytest.approx(1 - cosines.mean(), rel=1e-12)


def test_it_falls_with_the_scale_of_the_start():
    ends = {}
    for alpha, until in ((0.1, 30.0), (10.0, 0.2)):
        init = DiagonalNet.at_scale(alpha, dim=8)
        k0, j0 = tangent.kernel(init, DATA.x), tangent.features(init, DATA.x)
        read = {
            "kernel": lambda net, k0=k0: kernel_drift(net, DATA.x, k0),
            "features": lambda net, j0=j0: feature_drift(net, DATA.x, j0),
            "examples": lambda net, j0=j0: example_drift(net, DATA.x, j0),
        }
        objective = Objective(DATA, Squared(), reduction="sum")
        path = GradientFlow().run(objective, init, jnp.array([0.0, until]), read=read)
        ends[alpha] = np.array([path.reads[name][-1] for name in read])
        assert all(path.reads[name][0] < 1e-28 for name in read)
    assert (ends[0.1] > 0.05).all() and (ends[10.0] < 1e-4).all()

"""The KKT residual is the gradient of the objective over decay times weights, at every depth."""

import jax
import jax.numpy as jnp
import jax.random as jr
import pytest

from lazyrich.lab.settings.diagonal_classification import pose_apart
from lazyrich.lab.settings.diagonal_limits import residual
from lazyrich.losses import MEAN, Exponential
from lazyrich.models import DiagonalNet
from lazyrich.models.diagonal import LogDiagonalNet
from lazyrich.objective import Objective
from lazyrich.regularizers import L2


def some_net(key, depth: int) -> LogDiagonalNet:
    return LogDiagonalNet(0.3 * jr.normal(key, (7,)), 0.2 * jr.normal(jr.fold_in(key, 1), (7,)), depth)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_residual_is_the_relative_gradient(depth):
    data, decay = pose_apart(jr.key(1), 4, 7, 2.0).train, 0.05
    net = some_net(jr.key(2), depth)
    plain = DiagonalNet(net.u, net.v, depth)
    slope = jax.grad(Objective(data, Exponential(), factor=MEAN, penalties=[(L2(), decay)]))(plain)
    norm = [jnp.linalg.norm(jnp.concatenate(part.parameters())) for part in (slope, plain)]
    assert residual(net, data, log_decay=jnp.log(decay)) == pytest.approx(float(norm[0] / norm[1] / decay), rel=1e-12)


@pytest.mark.parametrize("depth", [2, 3])
def test_residual_is_one_where_the_decay_alone_acts(depth):
    """At weights of e^100 that fit with a margin of 10,000 no force is left, and nothing overflows."""
    data = pose_apart(jr.key(1), 4, 7, 2.0).train
    toward = data.y @ data.x
    half = toward / jnp.abs(data.y * (data.x @ toward)).min() * 1e4 * jnp.exp(-100.0 * depth) / depth
    net = LogDiagonalNet(jnp.full(7, 100.0), half, depth)
    assert residual(net, data, log_decay=-50.0) == pytest.approx(1.0, abs=1e-12)

"""Predicted times against small simulations."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import ProximalDescent
from lazyrich.dynamics.limits import SlowManifold
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet, Linear
from lazyrich.numerics.slow_path import slow_path
from lazyrich.objective import Objective
from lazyrich.predictors import MinL1, MinL2, kernel_window, slow_time, transition_time
from lazyrich.predictors.timescale import held_margin, kernel_exit, per_coordinate
from lazyrich.problems import sparse_recovery
from lazyrich.regularizers import L1, L2

DATA = sparse_recovery(jr.key(0), n=8, d=24, sparsity=2, test=0).train
DECAY = 1e-3
TAUS = jnp.linspace(0.0, 14.0, 561)


@jax.jit
def slow(alpha):
    objective = Objective(DATA, Squared(), reduction="mean", penalties=[(L2(), DECAY)])
    path = SlowManifold().run(objective, DiagonalNet.at_scale(alpha, dim=24), TAUS, read={"w": lambda m: m.effective()})
    return path.times, path.reads["w"]


def lost(alpha) -> float:
    """When a cosine of 0.99 with the kernel's answer is lost."""
    times, w = (np.asarray(part) for part in slow(alpha))
    early = MinL2().solve(DATA).effective
    cosines = w @ early / np.linalg.norm(w, axis=1) / np.linalg.norm(early)
    return float(times[np.argmax(cosines < 0.99)])


@pytest.mark.slow
def test_the_kernel_window_holds_the_loss_of_the_direction():
    early, late = MinL2().solve(DATA).effective, MinL1().solve(DATA).effective
    # `SlowManifold` counts slow time, decay x time.
    window = kernel_window(
        float(np.abs(early).max()), float(np.abs(late).max()), size=16.0, weight_decay=DECAY, classification=False
    )
    assert window.low == pytest.approx(np.log(2 * 16**2 / np.abs(early).max()) / (2 * DECAY), rel=1e-12)
    assert window.low < window.middle == window.time < window.high
    measured = lost(16.0) / DECAY
    # Eight other draws of these sizes spread over 0.2 units of 1/decay around the constant.
    assert window.low < measured and abs(measured - window.middle) * DECAY < 0.2


@pytest.mark.slow
def test_the_transition_moves_with_the_logarithm_of_the_start():
    first, second = (
        transition_time(a, weight_decay=DECAY, convention="per_coordinate", classification=False) for a in (8.0, 64.0)
    )
    assert first.low == first.middle == first.high == pytest.approx(np.log(8) / DECAY)
    # Data collapse: exact up to the grid of slow times, 0.025.
    assert (second.time - first.time) * DECAY == pytest.approx(lost(64.0) - lost(8.0), abs=0.03)


def test_classification_is_earlier_by_a_double_logarithm():
    reference = transition_time(1e4, weight_decay=1e-4, convention="norm", classification=True, degree=3)
    assert reference.high == pytest.approx(np.log(1e4) / 1e-4)
    assert (reference.high - reference.middle) * 1e-4 == pytest.approx(np.log(np.log(1e4)) / 3)
    assert reference.low < reference.middle < reference.high and "norm size" in reference.says
    # Doubling both logarithms at fixed ratio moves the offset by log(2)/L: 0.35 at depth 2.
    near, far = (
        transition_time(np.exp(a), weight_decay=float(np.exp(-a)), convention="norm", classification=True) for a in (16.0, 32.0)
    )
    offsets = [reference.middle * np.exp(-a) - a for reference, a in ((near, 16.0), (far, 32.0))]
    assert offsets[1] - offsets[0] == pytest.approx(-np.log(2) / 2)


def test_the_window_of_two_classes_lingers_longer():
    real, signs = (kernel_window(0.5, 2.0, size=4.0, weight_decay=0.1, classification=c) for c in (False, True))
    assert real.low == signs.low == pytest.approx(np.log(64) / 0.2)
    assert signs.middle - real.middle == pytest.approx(5.6) and signs.high - signs.middle == pytest.approx(5 * np.log(4))


def test_conventions_are_told_apart():
    assert per_coordinate(128.0, convention="norm", parameters=200_000) == pytest.approx(0.28622, rel=1e-4)
    assert per_coordinate(128.0, convention="per_coordinate", parameters=200_000) == 128
    with pytest.raises(BadInput, match="convention must be one of"):
        transition_time(2.0, weight_decay=0.1, convention="largest", classification=False)
    with pytest.raises(BadInput, match="below 1/e"):
        transition_time(2.0, weight_decay=0.5, convention="norm", classification=True)
    with pytest.raises(BadInput, match="alpha must be a positive number"):
        transition_time(-2.0, weight_decay=0.5, convention="norm", classification=False)


def test_the_pieces_take_arrays():
    tops = np.array([0.5, 2.0])
    margins = held_margin(tops, np.array([1.0, 3.0]), weight_decay=0.01)
    np.testing.assert_allclose(margins, np.log([100.0, 4 / 0.09]))
    np.testing.assert_allclose(kernel_exit(2.0, weight_decay=0.01, top=tops), np.log(8 / tops) / 0.02)


@pytest.mark.slow
def test_the_slow_time_is_that_of_proximal_steps():
    strength, rate = 1e-3, 0.02
    objective = Objective(DATA, Squared(), reduction="half_sum", penalties=[(L1(), strength)])
    said = slow_time(DATA, np.zeros(24), strength=strength, within=0.05)
    end = jnp.asarray(MinL1().solve(DATA).effective)
    steps = jnp.arange(0, int(1.5 * said.time / rate), 100)
    read = {"far": lambda model: jnp.linalg.norm(model.effective() - end)}
    path = ProximalDescent(learning_rate=rate).run(objective, Linear(jnp.zeros(24)), steps, read=read)
    close = np.asarray(path.reads["far"]) <= 0.05 * float(jnp.linalg.norm(end))
    # The penalty's bias at the end, of the order of the strength, is a few hundredths of the distance asked for.
    assert float(steps[np.argmax(close)]) * rate == pytest.approx(said.time, rel=0.03)
    assert 0 < said.low < said.middle == said.high


def test_the_slow_time_is_the_extinction_of_the_path():
    path = slow_path(np.asarray(DATA.x), np.asarray(DATA.y), np.zeros(24))
    assert slow_time(DATA, np.zeros(24), strength=0.5).time == pytest.approx(2 * path.extinction)
    with pytest.raises(BadInput, match="strength must be a positive number"):
        slow_time(DATA, np.zeros(24), strength=0.0)

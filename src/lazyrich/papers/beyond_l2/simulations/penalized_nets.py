"""An embedding MLP and an LSTM on tables modulo a number, with a small penalty on all weights."""

from dataclasses import replace
from functools import partial

import jax.numpy as jnp
import jax.random as jr
import optax

from ...dynamics import Stochastic
from ...inits import gaussian
from ...losses import MEAN, CrossEntropy
from ...measures import accuracy
from ...models import LSTM, EmbeddingNet
from ...objective import Objective
from ...problems import Problem, Split, modular_table
from ...problems.modular_tables import OPERATIONS
from ..params import Param
from ..simulation import Simulation
from .penalized_nets import CLOCK, RETURNS, follow


def pose(key, modulus, seen, operation, unordered) -> Problem:
    """A share of the table of an operation."""
    return modular_table(
        jr.fold_in(key, 0), operation=OPERATIONS[operation], modulus=modulus, share=seen, unordered=bool(unordered)
    )


def begin(kind, key, *, modulus: int, embedding: int, width: int, alpha):
    """A start that keeps sizes from layer to layer, times alpha."""
    net = kind.at_zero(symbols=modulus, embedding=embedding, width=width)
    return gaussian(jr.fold_in(key, 1), net, scale=alpha * jnp.array(net.scales))


def _train(kind, key, problem: Problem, *, modulus, embedding, width, alpha, **clock):
    train, test = problem.train, problem.test
    assert isinstance(train, Split) and isinstance(test, Split), "pairs were asked for"
    goal = partial(Objective, train, CrossEntropy(), factor=MEAN)
    return follow(
        lambda penalties: goal(penalties=penalties),
        begin(kind, key, modulus=modulus, embedding=embedding, width=width, alpha=alpha),
        train=lambda net: accuracy(net, train),
        test=lambda net: accuracy(net, test),
        **clock,
    )


def train_mlp(
    key, problem, *, modulus, embedding, width, alpha, rate, strength, reach, level, enough, moments, penalty
):
    """The MLP on products of embeddings."""
    sizes = {"modulus": modulus, "embedding": embedding, "width": width, "alpha": alpha}
    clock = {"rate": rate, "strength": strength, "reach": reach, "level": level, "enough": enough}
    return _train(EmbeddingNet, key, problem, **sizes, **clock, moments=moments, penalty=penalty)


def train_lstm(
    key, problem, *, modulus, embedding, width, alpha, rate, strength, reach, level, enough, moments, penalty
):
    """The LSTM on sequences, by Adam with the penalty taken off after its step: plain steps are slow to fit it."""
    sizes = {"modulus": modulus, "embedding": embedding, "width": width, "alpha": alpha}
    clock = {"rate": rate, "strength": strength, "reach": reach, "level": level, "enough": enough}
    adam = Stochastic(optax.adam(rate), jr.fold_in(key, 2), coupled=False, rate=rate)
    return _train(LSTM, key, problem, **sizes, **clock, moments=moments, penalty=penalty, dynamics=adam)


MLP = Simulation(
    train_mlp,
    pose=pose,
    params=[
        Param("rate", (1.5, 3.0), (2.0, 4.0), smoke=(1.5, 3.0), low=1e-4, high=10.0, unit="step"),
        Param("strength", (1e-3, 2e-3), (5e-4, 1e-3), smoke=(1e-2, 2e-2), low=1e-6, high=1.0, unit="of the penalty"),
        Param("reach", 4.0, 6.0, smoke=1.0, low=0.01, high=1e3, unit="horizon times rate times strength"),
        Param("level", 0.5, low=0.0, high=1.0, unit="test accuracy that counts as generalizing"),
        Param("enough", 0.95, low=0.0, high=1.1, unit="test accuracy at which a run ends"),
        Param("alpha", 1.0, low=0.01, high=100.0, unit="times a start that keeps sizes"),
        Param("modulus", 29, 97, smoke=5, low=2, high=200, unit="modulus", static=True),
        Param("seen", 0.9, 0.4, smoke=0.8, low=0.01, high=0.99, unit="share of the pairs", static=True),
        Param(
            "operation", 0, low=0, high=3, unit=", ".join(f"{i}: {o}" for i, o in enumerate(OPERATIONS)), static=True
        ),
        Param("unordered", 1, low=0, high=1, unit="1: each pair in one order only", static=True),
        Param("embedding", 32, 128, smoke=8, low=1, high=4_096, unit="numbers a symbol", static=True),
        Param("width", 64, 128, smoke=16, low=1, high=8_192, unit="hidden units", static=True),
        *CLOCK,
        Param("trials", 4, 3, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns=RETURNS,
)
OTHER = (
    Param("rate", (5e-3, 1e-2), (2.5e-3, 5e-3), low=1e-5, high=1.0, unit="step"),
    Param("strength", (0.7, 1.4), (0.5, 1.0), smoke=(10.0, 20.0), low=1e-4, high=100.0, unit="of the penalty"),
    Param("reach", 5.0, 10.0, smoke=1.0, low=0.01, high=1e3, unit="horizon times rate times strength"),
    Param("enough", 0.6, 0.95, low=0.0, high=1.1, unit="test accuracy at which a run ends"),
    Param("modulus", 17, 97, smoke=5, low=2, high=200, unit="modulus", static=True),
    Param("unordered", 0, low=0, high=1, unit="1: each pair in one order only", static=True),
    Param("width", 64, 128, smoke=8, low=1, high=8_192, unit="hidden units", static=True),
)
SEQUENCES = replace(
    MLP.with_params(*OTHER), run=train_lstm, returns={name: own for name, own in RETURNS.items() if name != "edge"}
)

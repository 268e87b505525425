"""Nets with a small penalty on all weights: when they memorize, and how much later they generalize.

An embedding MLP and an LSTM on modular arithmetic, and a ReLU net on handwritten digits.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import optax

from ....dynamics import GradientDescent, Stochastic
from ....dynamics.sharpness import edge
from ....dynamics.stepwise import AbstractStepwise
from ....inits import gaussian, he
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations import image_nets
from ....losses import CrossEntropy
from ....measures import accuracy
from ....models import LSTM, EmbeddingNet
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, Split, modular_table
from ....problems.images import CLASSES
from ....problems.modular_tables import OPERATIONS
from ....regularizers import L1, L2, Nuclear, OneOf

PENALTIES = (L1(), L2(), Nuclear())
NAMES = {1: r"$\ell_1$", 2: r"$\ell_2$", 3: "nuclear-norm"}
FIT = 0.99  # the training accuracy that counts as memorization
EARLY = 25  # saved steps before a twentieth of the horizon, evenly in the logarithm: memorization happens there


def moments_of(steps, moments: int):
    r"""Steps from 0: logarithmic up to a twentieth of the horizon, then even, at the same $\alpha\beta t$ in all runs."""
    knee = jnp.maximum(steps / 20, 1.0)
    even = jnp.linspace(knee, steps, moments - EARLY)
    return jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(1.0, knee, EARLY)[:-1], even]))


def follow(
    objective: Callable[..., Objective],
    net: Any,
    *,
    train: Callable,
    test: Callable,
    penalty,
    learning_rate,
    strength,
    reach,
    level,
    enough,
    moments: int,
    dynamics: AbstractStepwise | None = None,
) -> dict[str, Any]:
    r"""Training up to $\alpha\beta t$ = `reach` or a test accuracy of `enough`: curves, steps to memorize and to generalize.

    By gradient descent unless other dynamics are given. `objective(penalties)` makes the objective; `train` and `test` read
    accuracies; `level` is the test accuracy that counts as generalization. With gradient descent, `edge` is the learning rate
    times the sharpness of the training loss at the end.
    """
    when = moments_of(reach / (learning_rate * strength), moments)
    read = {"train": train, "test": test, "length": _length}
    whole = objective([(OneOf(PENALTIES, jnp.asarray(penalty) - 1), strength)])
    steps = GradientDescent(learning_rate) if dynamics is None else dynamics
    path = steps.run(whole, net, when, read=read, stop=lambda net: test(net) >= enough)
    memorization = first_crossing(when, path.reads["train"], FIT)
    plain = {"edge": edge(objective([]), learning_rate)(path.end)} if dynamics is None else {}
    return plain | {
        "step": when,
        **path.reads,
        "memorization": memorization,
        "fitted_test": jnp.interp(jnp.minimum(memorization, when[-1]), when, path.reads["test"]),
        "generalization": first_crossing(when, path.reads["test"], level),
        "outcome": path.outcome.code,
    }


def _length(net) -> Any:
    r"""The $\ell_2$ norm of all weights."""
    return jnp.sqrt(sum(jnp.sum(part**2) for part in jax.tree.leaves(net)))


CURVES = ("step", "train", "test", "length")
RETURNS = {
    **dict.fromkeys(CURVES, "t"),
    **dict.fromkeys(("memorization", "fitted_test", "generalization", "edge", "outcome"), ""),
}
CLOCK = (
    Param("moments", 100, smoke=40, low=30, high=2_000, unit="saved steps", static=True),
    Param("penalty", 2, low=1, high=3, unit=r"1: $\ell_1$, 2: $\ell_2$, 3: nuclear norm"),
)


def make_problem(key, modulus, train_fraction, operation, unordered) -> Problem[Split]:
    """A random fraction of the table of an operation."""
    return modular_table(
        jr.fold_in(key, 0),
        operation=OPERATIONS[operation],
        modulus=modulus,
        train_fraction=train_fraction,
        unordered=bool(unordered),
    )


def begin(kind, key, *, modulus: int, embedding: int, width: int, alpha):
    """An initialization that preserves the scale from layer to layer, times alpha."""
    net = kind.at_zero(symbols=modulus, embedding=embedding, width=width)
    return gaussian(jr.fold_in(key, 1), net, scale=alpha * jnp.array(net.scales))


def _train(kind, key, problem: Problem[Split], *, modulus, embedding, width, alpha, **clock):
    train, test = problem.train, problem.held_out
    objective = partial(Objective, train, CrossEntropy(), reduction="mean")
    return follow(
        lambda penalties: objective(penalties=penalties),
        begin(kind, key, modulus=modulus, embedding=embedding, width=width, alpha=alpha),
        train=lambda net: accuracy(net, train),
        test=lambda net: accuracy(net, test),
        **clock,
    )


def train_mlp(key, problem, *, modulus, embedding, width, alpha, learning_rate, strength, reach, level, enough, moments, penalty):
    """The MLP on products of embeddings."""
    sizes = {"modulus": modulus, "embedding": embedding, "width": width, "alpha": alpha}
    clock = {"learning_rate": learning_rate, "strength": strength, "reach": reach, "level": level, "enough": enough}
    return _train(EmbeddingNet, key, problem, **sizes, **clock, moments=moments, penalty=penalty)


def train_lstm(
    key, problem, *, modulus, embedding, width, alpha, learning_rate, strength, reach, level, enough, moments, penalty
):
    """The LSTM on sequences, by Adam with a decoupled penalty: gradient descent is slow to fit it."""
    sizes = {"modulus": modulus, "embedding": embedding, "width": width, "alpha": alpha}
    clock = {"learning_rate": learning_rate, "strength": strength, "reach": reach, "level": level, "enough": enough}
    adam = Stochastic(optax.adam(learning_rate), jr.fold_in(key, 2), coupled=False, learning_rate=learning_rate)
    return _train(LSTM, key, problem, **sizes, **clock, moments=moments, penalty=penalty, dynamics=adam)


MLP = Simulation(
    train_mlp,
    make_problem=make_problem,
    params=[
        Param("learning_rate", (1.5, 3.0), (2.0, 4.0), smoke=(1.5, 3.0), low=1e-4, high=10.0, unit="learning rate"),
        Param("strength", (1e-3, 2e-3), (5e-4, 1e-3), smoke=(1e-2, 2e-2), low=1e-6, high=1.0, unit="of the penalty"),
        Param("reach", 4.0, 6.0, smoke=1.0, low=0.01, high=1e3, unit=r"horizon $\alpha\beta t$"),
        Param("level", 0.5, low=0.0, high=1.0, unit="test accuracy that counts as generalization"),
        Param("enough", 0.95, low=0.0, high=1.1, unit="test accuracy at which a run stops"),
        Param("alpha", 1.0, low=0.01, high=100.0, unit="times an initialization that preserves the scale"),
        Param("modulus", 29, 97, smoke=5, low=2, high=200, unit="modulus", static=True),
        Param("train_fraction", 0.9, 0.4, smoke=0.8, low=0.01, high=0.99, unit="fraction of the pairs", static=True),
        Param("operation", 0, low=0, high=3, unit=", ".join(f"{i}: {o}" for i, o in enumerate(OPERATIONS)), static=True),
        Param("unordered", 1, low=0, high=1, unit="1: each pair in one order only", static=True),
        Param("embedding", 32, 128, smoke=8, low=1, high=4_096, unit="dimension of the embedding", static=True),
        Param("width", 64, 128, smoke=16, low=1, high=8_192, unit="hidden units", static=True),
        *CLOCK,
        Param("trials", 4, 3, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns=RETURNS,
)
OTHER = (
    Param("learning_rate", (5e-3, 1e-2), (2.5e-3, 5e-3), low=1e-5, high=1.0, unit="learning rate"),
    Param("strength", (0.7, 1.4), (0.5, 1.0), smoke=(10.0, 20.0), low=1e-4, high=100.0, unit="of the penalty"),
    Param("reach", 5.0, 10.0, smoke=1.0, low=0.01, high=1e3, unit=r"horizon $\alpha\beta t$"),
    Param("enough", 0.6, 0.95, low=0.0, high=1.1, unit="test accuracy at which a run stops"),
    Param("modulus", 17, 97, smoke=5, low=2, high=200, unit="modulus", static=True),
    Param("unordered", 0, low=0, high=1, unit="1: each pair in one order only", static=True),
    Param("width", 64, 128, smoke=8, low=1, high=8_192, unit="hidden units", static=True),
)
SEQUENCES = replace(
    MLP.with_params(*OTHER), simulate=train_lstm, returns={name: own for name, own in RETURNS.items() if name != "edge"}
)


@eqx.filter_jit
def _fit(key, problem, clock, alpha, *, n, width, moments):
    # Singular values of the nuclear-norm penalty need double precision.
    parts = jax.tree.map(lambda part: part.astype(float), image_nets.carve(key, problem, n=n))
    return follow(
        lambda penalties: Objective(parts.train, CrossEntropy(), reduction="mean", penalties=penalties),
        he(jr.fold_in(key, 1), (parts.train.d, width, CLASSES), alpha=alpha),
        train=lambda net: accuracy(net, parts.train),
        test=lambda net: accuracy(net, parts.test),
        moments=moments,
        **clock,
    )


def train_digits(key, problem, *, n, width, alpha, learning_rate, strength, reach, level, enough, moments, penalty):
    """A ReLU net on random images of digits, from a large initialization."""
    clock = {"learning_rate": learning_rate, "strength": strength, "reach": reach, "level": level, "enough": enough}
    traced = {name: jnp.array(float(part)) for name, part in clock.items()} | {"penalty": jnp.array(penalty)}
    return _fit(key, problem, traced, jnp.array(float(alpha)), n=n, width=width, moments=moments)


DIGITS = Simulation(
    train_digits,
    make_problem=image_nets.make_problem,
    params=[
        Param("learning_rate", (0.1, 0.2), (0.05, 0.1), low=1e-4, high=10.0, unit="learning rate"),
        Param("strength", (4e-3, 8e-3), smoke=(0.5, 1.0), low=1e-6, high=10.0, unit="of the penalty"),
        Param("reach", 1.2, smoke=1.0, low=0.01, high=1e3, unit=r"horizon $\alpha\beta t$"),
        Param("level", 0.85, low=0.0, high=1.0, unit="test accuracy that counts as generalization"),
        Param("enough", 0.865, low=0.0, high=1.1, unit="test accuracy at which a run stops"),
        Param("alpha", 6.0, low=0.01, high=100.0, unit="times the He initialization"),
        Param("pixels", 64, 784, low=64, high=784, unit="64: digits of scikit-learn, 784: MNIST", static=True),
        Param("n", 200, 1_000, smoke=40, low=10, high=60_000, unit="training images", static=True),
        Param("width", 64, 200, smoke=8, low=1, high=8_192, unit="hidden units", static=True),
        *CLOCK,
        Param("trials", 4, 3, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns=RETURNS,
    host=True,  # the images of MNIST are an argument of the program, not a constant of it
)

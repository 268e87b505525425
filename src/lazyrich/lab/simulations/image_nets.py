"""Nets on images: SGD on the cross-entropy until all training images are classified correctly, all layers or the last alone.

Weights and images are in single precision: the noise of a batch is far larger than rounding error.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import optax

from ...dynamics import Stochastic, Trajectory
from ...errors import BadInput
from ...losses import CrossEntropy
from ...measures import accuracy
from ...models import ConvNet, ReluNet
from ...objective import Objective
from ...problems import Problem, Split, cifar10, digits, mnist
from .. import datasets

NAMES = {64: "digits", 784: "mnist", 3072: "cifar10"}
_LOADERS = {"mnist": mnist, "cifar10": cifar10}


class Parts(NamedTuple):
    """Training images, validation images for the choice of a learning rate (None without one), and test images."""

    train: Split
    validation: Split | None
    test: Split


def make_problem(key, pixels) -> Problem[Split]:
    """The data set with so many pixels: digits in random order, or all of MNIST or CIFAR10 from the folder of data sets."""
    if pixels not in NAMES:
        raise BadInput(
            needed="pixels are 64 (digits of scikit-learn), 784 (MNIST) or 3072 (CIFAR10)",
            given=f"{pixels}",
            cure="Use 64, which needs no files.",
        )
    name = NAMES[pixels]
    return digits(jr.fold_in(key, 0)) if name == "digits" else _read(name, str(datasets.folder(name)))


@lru_cache(maxsize=1)
def _read(name: str, folder: str) -> Problem[Split]:
    return _LOADERS[name](folder, dtype=jnp.float32)


def carve(key, problem: Problem[Split], *, n: int, validation: int = 0, test: int | None = None) -> Parts:
    """Disjoint random training and validation images, and the first `test` test images or all, in single precision."""
    train, held = problem.train, problem.held_out
    if n + validation > train.n:
        raise BadInput(
            needed=f"n and validation are taken from {train.n} training images",
            given=f"n={n}, validation={validation}",
            cure="Lower one of them.",
        )
    order = jr.permutation(jr.fold_in(key, 0), train.n)

    def drawn(first: int, last: int) -> Split:
        return jax.tree.map(lambda rows: rows[order[first:last]], train)

    return _single(
        Parts(drawn(0, n), drawn(n, n + validation) if validation else None, jax.tree.map(lambda rows: rows[:test], held))
    )


def descend(key, net, data: Split, *, learning_rate, batch: int, when, read: Mapping[str, Any], stop: bool) -> Trajectory:
    """SGD on the mean cross-entropy, read at these steps; `stop` ends it when all training images are classified correctly."""
    objective = Objective(data, CrossEntropy(), reduction="mean")
    dynamics = Stochastic(optax.sgd(jnp.asarray(learning_rate, jnp.float32)), jr.fold_in(key, 2), batch=batch)
    fitted = (lambda net: accuracy(net, data) >= 1) if stop else None
    return dynamics.run(objective, _single(net), when, read=read, stop=fitted)


def evenly(steps: int, count: int):
    """Step 0 and at most `count` steps after it, evenly spaced up to `steps`."""
    return jnp.linspace(0, steps, min(count, steps) + 1).astype(int)


def last_layer(net: ReluNet | ConvNet, parts: Parts) -> tuple[ReluNet, Parts]:
    """The last layer as a net of its own, on the features of the other layers at initialization."""
    net = _single(net)
    head = net.weights[-1] if isinstance(net, ReluNet) else net.head

    def made(split: Split) -> Split:
        return Split(jax.lax.map(net.hidden, split.x, batch_size=min(1000, split.n)), split.y)

    held = None if parts.validation is None else made(parts.validation)
    return ReluNet((head,), (None,)), Parts(made(parts.train), held, made(parts.test))


def errors(net, parts: Parts) -> dict[str, Any]:
    """The error rate on each part, and the mean cross-entropy on the training images."""

    def wrong(split):  # a whole number of images, up to rounding error in the accuracy
        return jnp.round(split.n * (1 - accuracy(net, split))) / split.n

    found = {name: wrong(split) for name, split in parts._asdict().items() if split is not None}
    return found | {"loss": cross_entropy(net, parts.train)}


def cross_entropy(net, data: Split):
    """The mean cross-entropy over the images."""
    return Objective(data, CrossEntropy(), reduction="mean")(net)


def _single(tree):
    return jax.tree.map(lambda part: part.astype(jnp.float32) if eqx.is_inexact_array(part) else part, tree)

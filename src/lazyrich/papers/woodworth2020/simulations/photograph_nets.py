"""A VGG11-like net on CIFAR10 from several initialization scales: its training curves, and its final errors."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr

from ....inits import he_images
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations import image_nets
from ....lab.simulations.image_nets import carve, cross_entropy, descend, errors, evenly, last_layer
from ....measures import accuracy
from ....models import VGG11


def make_problem(key):
    """The whole of CIFAR10."""
    return image_nets.make_problem(key, 3072)


@eqx.filter_jit
def _fit(key, problem, alpha, learning_rate, last_rate, *, n, test, channels, batch, steps, moments):
    parts = carve(key, problem, n=n, test=test)
    plan = tuple(step if step == "M" else int(step) * channels // 64 for step in VGG11)
    net = he_images(jr.fold_in(key, 1), plan, alpha=alpha)
    read = {"loss": lambda net: cross_entropy(net, parts.train), "right": lambda net: accuracy(net, parts.train)}
    when = evenly(steps, moments)
    path = descend(key, net, parts.train, learning_rate=learning_rate, batch=batch, when=when, read=read, stop=False)
    head, made = last_layer(net, parts)
    alone = descend(key, head, made.train, learning_rate=last_rate, batch=batch, when=evenly(steps, 1), read={}, stop=False)
    found, last = errors(path.end, parts), errors(alone.end, made)
    return {
        "epoch": path.times * batch / n,
        **path.reads,
        "train_error": found["train"],
        "test_error": found["test"],
        "last_train_error": last["train"],
        "last_test_error": last["test"],
        "outcome": path.outcome.code,
    }


def simulate(key, problem, *, alpha, learning_rate, last_rate, n, test, channels, batch, epochs, moments):
    """All layers along the epochs; and the last layer alone, at the initialization of the others, after as many."""
    steps = max(1, epochs * n // batch)
    sizes = {"n": n, "test": test, "channels": channels, "batch": batch, "steps": steps, "moments": min(moments, steps)}
    return _fit(key, problem, *(jnp.array(float(part)) for part in (alpha, learning_rate, last_rate)), **sizes)


SCALES = (0.8, 1.0, 1.3), (0.8, 1.0, 1.5, 2.0, 3.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", *SCALES, smoke=(1.0, 1.3), low=0.1, high=10.0, unit="times the He initialization"),
        # A few hundred steps on a narrow net need a larger learning rate than the paper's 780,000.
        Param("learning_rate", 0.02, 1e-4, low=1e-7, high=1.0),
        Param("last_rate", "=10*learning_rate", low=1e-7, high=10.0, unit="learning rate of the last layer alone"),
        Param("n", 100, 50_000, smoke=5, low=1, high=50_000, unit="training images", static=True),
        Param("test", 500, 10_000, smoke=5, low=1, high=10_000, unit="test images", static=True),
        Param("channels", 4, 64, smoke=2, low=1, high=256, unit="channels of the first layer, others in proportion", static=True),
        Param("batch", 20, 128, smoke=5, low=1, high=4_096, unit="images per step", static=True),
        Param("epochs", 60, 2_000, smoke=3, low=1, high=100_000, unit="passes over the images", static=True),
        Param("moments", 20, 100, smoke=3, low=1, high=2_000, unit="recorded times", static=True),
    ],
    returns={
        **dict.fromkeys(("epoch", "loss", "right"), "t"),
        **dict.fromkeys(("train_error", "test_error", "last_train_error", "last_test_error", "outcome"), ""),
    },
    host=True,  # the images are handed to the program, not built into it
)

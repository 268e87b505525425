"""A ReLU net on handwritten digits from a large start, with a small penalty on all weights."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...inits import he
from ...losses import MEAN, CrossEntropy
from ...measures import accuracy
from ...objective import Objective
from ...problems.images import CLASSES
from ..params import Param
from ..simulation import Simulation
from .image_nets import carve, pose
from .penalized_nets import CLOCK, RETURNS, follow


@eqx.filter_jit
def _fit(key, problem, clock, alpha, *, n, width, moments):
    # Singular values of a nuclear penalty want double precision.
    parts = jax.tree.map(lambda part: part.astype(float), carve(key, problem, n=n))
    return follow(
        lambda penalties: Objective(parts.train, CrossEntropy(), factor=MEAN, penalties=penalties),
        he(jr.fold_in(key, 1), (parts.train.d, width, CLASSES), alpha=alpha),
        train=lambda net: accuracy(net, parts.train),
        test=lambda net: accuracy(net, parts.test),
        moments=moments,
        **clock,
    )


def simulate(key, problem, *, n, width, alpha, rate, strength, reach, level, enough, moments, penalty):
    """Plain steps on the cross entropy of so many images."""
    clock = {"rate": rate, "strength": strength, "reach": reach, "level": level, "enough": enough}
    traced = {name: jnp.array(float(part)) for name, part in clock.items()} | {"penalty": jnp.array(penalty)}
    return _fit(key, problem, traced, jnp.array(float(alpha)), n=n, width=width, moments=moments)


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("rate", (0.1, 0.2), (0.05, 0.1), low=1e-4, high=10.0, unit="step"),
        Param("strength", (4e-3, 8e-3), smoke=(0.5, 1.0), low=1e-6, high=10.0, unit="of the penalty"),
        Param("reach", 1.2, smoke=1.0, low=0.01, high=1e3, unit="horizon times rate times strength"),
        Param("level", 0.85, low=0.0, high=1.0, unit="test accuracy that counts as generalizing"),
        Param("enough", 0.865, low=0.0, high=1.1, unit="test accuracy at which a run ends"),
        Param("alpha", 6.0, low=0.01, high=100.0, unit="times the deviation of He"),
        Param("pixels", 64, 784, low=64, high=784, unit="64: digits of scikit-learn, 784: MNIST", static=True),
        Param("n", 200, 1_000, smoke=40, low=10, high=60_000, unit="training images", static=True),
        Param("width", 64, 200, smoke=8, low=1, high=8_192, unit="hidden units", static=True),
        *CLOCK,
        Param("trials", 4, 3, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns=RETURNS,
    host=True,  # the images of MNIST are handed to the program, not built into it
)

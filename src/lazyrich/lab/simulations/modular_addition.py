"""A two-layer ReLU net on modular addition, with decay by its flow and without by rescaled descent."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ...dynamics import Chebyshev, GradientFlow, Trajectory
from ...events import first_above
from ...inits import he_pairs
from ...losses import MEAN, CrossEntropy
from ...measures import Curve, accuracy
from ...models import PairNet, outputs
from ...objective import Objective
from ...problems import Problem, Split, modular_addition
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation

# Runs end when so much of the test is right: nothing happens to the curves after that.
ENOUGH = 0.98
# The training accuracy that counts as 1: on some devices the mean of ones is 1 less rounding.
ALL = 1 - 1e-9
# How many times come before a tenth of the horizon, evenly in the logarithm.
EARLY = 25
# Errors are measured beside each weight, and beside this share of a He start's first weights where one is smaller.
FLOOR = 0.4


def pose(key, modulus, seen) -> Problem:
    """A share of the table of sums."""
    return modular_addition(jr.fold_in(key, 0), modulus=modulus, share=seen)


def begin(key, *, modulus: int, width: int, alpha, last=1.0) -> PairNet:
    """A He start times alpha, its last layer times `last`: 0 makes every output zero."""
    net = he_pairs(jr.fold_in(key, 1), symbols=modulus, width=width, alpha=alpha)
    return eqx.tree_at(lambda net: net.out, net, last * net.out)


def readings(problem: Problem):
    """Accuracies, the length of all weights, and the least margin over its square."""
    assert isinstance(problem.train, Split) and isinstance(problem.test, Split), "pairs were asked for"
    train, test = problem.train, problem.test
    return {
        "train": lambda net: accuracy(net, train),
        "test": lambda net: accuracy(net, test),
        "length": lambda net: jnp.linalg.norm(ravel_pytree(net)[0]),
        "margin": lambda net: jnp.min(margins(net, train)) / jnp.sum(ravel_pytree(net)[0] ** 2),
    }


def margins(net, data: Split):
    """What the right output leads each rival by, for each sample; infinite over itself."""
    told = outputs(net, data.x)
    own = data.y.astype(int)[:, None]
    lead = jnp.take_along_axis(told, own, axis=1) - told
    return jnp.where(jnp.arange(told.shape[1]) == own, jnp.inf, lead)


def cost(problem: Problem, decay) -> Objective:
    """The mean cross-entropy with decay."""
    return Objective(problem.train, CrossEntropy(), factor=MEAN, penalties=[(L2(), decay)])


def follow(problem: Problem, start: PairNet, times, *, decay, tolerance, read, stop=None) -> Trajectory:
    """The flow of the mean cross-entropy with decay."""
    floor = tolerance * FLOOR * start.first.shape[0] ** -0.5
    flow = GradientFlow(Chebyshev(refresh=100), tolerance, floor, max_steps=200_000, reduce=None, land=False)
    return flow.run(cost(problem, decay), start, times, read=read, stop=stop)


def simulate(key, problem, *, modulus, width, alpha, last, decay, horizon, tolerance, points):
    """Curves along the flow of the mean cross-entropy with decay, until the test is nearly all right; when they rise."""
    start = begin(key, modulus=modulus, width=width, alpha=alpha, last=last)
    knee = horizon / 10
    rest = jnp.linspace(knee, horizon, points - EARLY)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(knee / 100, knee, EARLY)[:-1], rest])
    read = readings(problem)

    def done(net):
        return read["test"](net) >= ENOUGH

    path = follow(problem, start, times, decay=decay, tolerance=tolerance, read=read, stop=done)
    train, test = (Curve(times, path.reads[name], f"{name} accuracy") for name in ("train", "test"))
    fits = first_above(train, ALL).value
    return {
        "time": times,
        **path.reads,
        "fits": fits,
        "fitted_test": jnp.interp(jnp.minimum(fits, horizon), times, test.values),
        "t10": first_above(test, 0.1).value,
        "t50": first_above(test, 0.5).value,
        "t90": first_above(test, 0.9).value,
        "conservation": path.certificates["conservation"],
        "evaluations": path.certificates["evaluations"],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


CURVES = ("train", "test", "length", "margin")
TABLE = (
    Param("modulus", 23, 97, smoke=5, low=2, high=200, unit="modulus", static=True),
    Param("width", 128, 1024, smoke=16, low=1, high=8_192, unit="hidden units", static=True),
    Param("seen", 0.9, 0.4, smoke=0.8, low=0.01, high=0.99, unit="share of the sums", static=True),
)
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("alpha", (1.0,), low=0.1, high=1e4, unit="times a He start"),
        Param("decay", (1e-4,), smoke=(1e-3,), low=1e-7, high=1.0, unit="strength of L2"),
        Param("last", 1.0, low=0.0, high=1.0, unit="what multiplies the last layer of the start"),
        Param("until", "=5+log(alpha)", "=8+log(alpha)", smoke=1.0, low=0.1, high=100.0, unit="horizon times decay"),
        Param("horizon", "=until/decay", low=1.0, high=1e12, unit="time"),
        Param("tolerance", 0.1, 0.01, low=1e-6, high=1.0, unit="of the flow, relative", static=True),
        Param("points", 90, smoke=60, low=50, high=2_000, unit="times on the curve", static=True),
        *TABLE,
    ],
    returns={
        **dict.fromkeys(("time", *CURVES), "t"),
        **dict.fromkeys(
            ("fits", "fitted_test", "t10", "t50", "t90", "conservation", "evaluations", "outcome", "steps"), ""
        ),
    },
)

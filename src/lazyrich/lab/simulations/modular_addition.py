"""A two-layer ReLU net on modular addition, trained by gradient flow with weight decay."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from ...dynamics import Chebyshev, GradientFlow, Trajectory
from ...events import first_above
from ...inits import he_pairs
from ...losses import CrossEntropy
from ...measures import Curve, accuracy
from ...models import PairNet, outputs
from ...objective import Objective
from ...problems import Problem, Split, modular_addition
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation

# The test accuracy at which runs stop: the curves do not change after that.
ENOUGH = 0.98
# The training accuracy that counts as 1: on some devices the mean of ones is 1 up to rounding error.
ALL = 1 - 1e-9
# Saved times before a tenth of the horizon, logarithmically spaced.
EARLY = 25
# The tolerance is relative to each weight, and to this fraction of the scale of a He-initialized first layer for smaller ones.
FLOOR = 0.4


def make_problem(key, modulus, train_fraction) -> Problem[Split]:
    """A random fraction of the addition table."""
    return modular_addition(jr.fold_in(key, 0), modulus=modulus, train_fraction=train_fraction)


def begin(key, *, modulus: int, width: int, alpha, last=1.0) -> PairNet:
    r"""He initialization times $\alpha$, its last layer times `last`: 0 makes the output zero."""
    net = he_pairs(jr.fold_in(key, 1), symbols=modulus, width=width, alpha=alpha)
    return eqx.tree_at(lambda net: net.out, net, last * net.out)


def readings(problem: Problem[Split]):
    """Accuracies, the norm of all weights, and the minimum margin over its square."""
    train, test = problem.train, problem.held_out
    return {
        "train": lambda net: accuracy(net, train),
        "test": lambda net: accuracy(net, test),
        "length": lambda net: jnp.linalg.norm(ravel_pytree(net)[0]),
        "margin": lambda net: jnp.min(margins(net, train)) / jnp.sum(ravel_pytree(net)[0] ** 2),
    }


def margins(net, data: Split):
    """The correct logit minus each other logit, for each sample; infinite for itself."""
    logits = outputs(net, data.x)
    own = data.y.astype(int)[:, None]
    lead = jnp.take_along_axis(logits, own, axis=1) - logits
    return jnp.where(jnp.arange(logits.shape[1]) == own, jnp.inf, lead)


def cost(problem: Problem[Split], weight_decay) -> Objective:
    """The mean cross-entropy with weight decay."""
    return Objective(problem.train, CrossEntropy(), reduction="mean", penalties=[(L2(), weight_decay)])


def follow(problem: Problem[Split], init: PairNet, times, *, weight_decay, tolerance, read, stop=None) -> Trajectory:
    """Gradient flow of the mean cross-entropy with weight decay."""
    floor = tolerance * FLOOR * init.first.shape[0] ** -0.5
    flow = GradientFlow(Chebyshev(refresh=100), tolerance, floor, max_steps=200_000, reduce=None, land=False)
    return flow.run(cost(problem, weight_decay), init, times, read=read, stop=stop)


def simulate(key, problem, *, modulus, width, alpha, last, weight_decay, horizon, tolerance, points):
    """Curves of gradient flow with weight decay, until nearly all of the test set is correct; and when they rise."""
    init = begin(key, modulus=modulus, width=width, alpha=alpha, last=last)
    knee = horizon / 10
    rest = jnp.linspace(knee, horizon, points - EARLY)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(knee / 100, knee, EARLY)[:-1], rest])
    read = readings(problem)

    def done(net):
        return read["test"](net) >= ENOUGH

    path = follow(problem, init, times, weight_decay=weight_decay, tolerance=tolerance, read=read, stop=done)
    train, test = (Curve(times, path.reads[name], f"{name} accuracy") for name in ("train", "test"))
    memorization = first_above(train, ALL).value
    return {
        "time": times,
        **path.reads,
        "memorization": memorization,
        "fitted_test": jnp.interp(jnp.minimum(memorization, horizon), times, test.values),
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
    Param("train_fraction", 0.9, 0.4, smoke=0.8, low=0.01, high=0.99, unit="fraction of the sums", static=True),
)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", (1.0,), low=0.1, high=1e4, unit="times the He initialization"),
        Param("weight_decay", (1e-4,), smoke=(1e-3,), low=1e-7, high=1.0, unit=r"$\ell_2$ strength"),
        Param("last", 1.0, low=0.0, high=1.0, unit="factor of the last layer at initialization"),
        Param("until", "=5+log(alpha)", "=8+log(alpha)", smoke=1.0, low=0.1, high=100.0, unit="horizon times weight decay"),
        Param("horizon", "=until/weight_decay", low=1.0, high=1e12, unit="time"),
        Param("tolerance", 0.1, 0.01, low=1e-6, high=1.0, unit="relative tolerance of the solver", static=True),
        Param("points", 90, smoke=60, low=50, high=2_000, unit="saved times", static=True),
        *TABLE,
    ],
    returns={
        **dict.fromkeys(("time", *CURVES), "t"),
        **dict.fromkeys(
            ("memorization", "fitted_test", "t10", "t50", "t90", "conservation", "evaluations", "outcome", "steps"), ""
        ),
    },
)

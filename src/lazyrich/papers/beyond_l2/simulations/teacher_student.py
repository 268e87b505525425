r"""A two-layer ReLU student of a ReLU teacher, trained with a small penalty.

Errors are mean squared errors over the variance of the teacher's outputs: the best constant predictor has error 1.
"""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import sharpness
from ....dynamics.optimizers import NAMES, clock, optimizer
from ....inits import gaussian
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import ReluNet, outputs
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, ReluLaw, Split, relu_teacher
from ....regularizers import L1, L2, Nuclear, OneOf, Sobolev

PENALTIES = (r"$\ell_1$", r"$\ell_2$", "nuclear-norm", "Sobolev")
# Strengths that do not affect memorization, and the time alpha beta t after which the penalty is nearly at its minimum.
USUAL = (0.01, 0.05, 0.1, 0.02)
REACH = (0.25, 1.5, 1.5, 0.6)
PRODUCTS = 10  # Hessian-vector products of the sharpness, whose top eigenvalue is well separated
DECADES = 3.0  # of time that the saved steps cover
FITTED = 0.1  # training error that counts as memorization
FALLEN = 0.2  # of the initial test error: without a penalty half of it is left


def make_problem(key, n, d, units, outputs, test) -> Problem[Split]:
    """Samples of a random teacher."""
    return relu_teacher(jr.fold_in(key, 0), n=n, d=d, units=units, outputs=outputs, test=test)


def begin(key, law: ReluLaw, alpha=1.0) -> ReluNet:
    r"""A student of the teacher's shape, weights $\sim N(0, \alpha^2/n_{\mathrm{out}})$: much larger outputs than the teacher."""
    d, h = law.inner.shape
    k = law.outer.shape[1]
    return gaussian(jr.fold_in(key, 1), ReluNet.at_zero((d, h, k)), scale=alpha * jnp.array([h**-0.5, k**-0.5]))


def simulate(key, problem: Problem[Split], *, penalty, learning_rate, strength, pull, alpha, method, moments):
    """Errors, weight norm and learning rate times sharpness over time; times of memorization and of the fall of the test error.

    `strength` is a multiple of the penalty's usual strength; `pull` multiplies the penalty but not the horizon.
    """
    data, law = problem.train, problem.law
    assert isinstance(law, ReluLaw), "a teacher was asked for"
    name = NAMES[method]
    full = strength * jnp.asarray(USUAL)[penalty]
    parts = (L1(), L2(), Nuclear(), Sobolev(data.x, law.slopes(data.x)))
    objective = Objective(data, Squared(), reduction="mean", penalties=[(OneOf(parts, penalty), pull * full)])
    plain = Objective(data, Squared(), reduction="mean")
    pace = full * (learning_rate if clock(name, learning_rate) is None else clock(name, learning_rate))
    reach = jnp.asarray(REACH)[penalty]
    slow = jnp.concatenate([jnp.zeros(1), reach * jnp.logspace(-DECADES, 0, moments)])
    when = jnp.round(slow / pace)
    path = optimizer(name, learning_rate, jr.fold_in(key, 2)).run(
        objective, begin(key, law, alpha), when, read=readings(problem) | {"edge": lambda net: learning_rate * bend(plain, net)}
    )
    train, test = path.reads["train"], path.reads["test"]
    return {
        "step": when,
        "slow": pace * when,
        **path.reads,
        "memorization": first_crossing(when, -jnp.log(train), -jnp.log(FITTED)),
        "falls": first_crossing(when, -jnp.log(test), -jnp.log(FALLEN * test[0])),
        "outcome": path.outcome.code,
    }


def readings(problem: Problem[Split]):
    """Training and test error over the teacher's variance, and the norm of all weights."""
    test = problem.held_out
    variance = jnp.mean(jnp.sum((test.y - test.y.mean(0)) ** 2, axis=1))

    def error(net, data):
        return jnp.mean(jnp.sum((outputs(net, data.x) - data.y) ** 2, axis=1)) / variance

    return {
        "train": lambda net: error(net, problem.train),
        "test": lambda net: error(net, test),
        "length": lambda net: jnp.sqrt(sum(jnp.sum(part**2) for part in net.weights)),
    }


def bend(objective: Objective, net: ReluNet):
    """The sharpness of the training loss alone: the penalties are not smooth, or have a small one."""
    return sharpness(objective, net, products=PRODUCTS)


TIMES_USUAL = f"times {', '.join(f'{a:g} ({b})' for a, b in zip(USUAL, PENALTIES, strict=True))}"
CURVES = ("step", "slow", "train", "test", "length", "edge")
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("penalty", (0, 1, 2, 3), low=0, high=3, unit=", ".join(f"{i}: {name}" for i, name in enumerate(PENALTIES))),
        Param("learning_rate", (0.001, 0.002), (5e-4, 1e-3), smoke=(0.005, 0.01), low=1e-6, high=0.1, unit="learning rate"),
        Param("strength", (1.0, 2.0), (1.5, 3.0, 6.0), smoke=(8.0, 16.0), low=1e-3, high=100.0, unit=TIMES_USUAL),
        Param("pull", 1.0, low=0.0, high=100.0, unit="times the strength, not counted in the horizon"),
        Param("alpha", 1.0, low=0.01, high=100.0, unit="times the usual initialization"),
        Param("method", 0, low=0, high=3, unit=", ".join(f"{a}: {b}" for a, b in enumerate(NAMES)), static=True),
        Param("n", 24, 100, smoke=8, low=2, high=10_000, unit="training samples", static=True),
        Param("d", 24, 100, smoke=8, low=1, high=2_000, unit="inputs", static=True),
        Param("units", 100, 500, smoke=16, low=1, high=10_000, unit="hidden units of teacher and student", static=True),
        Param("outputs", 2, low=1, high=100, unit="outputs", static=True),
        Param("test", 500, 1_000, smoke=100, low=10, high=100_000, unit="test samples", static=True),
        Param("moments", 60, smoke=30, low=20, high=1_000, unit="saved steps", static=True),
        Param("trials", 4, 10, smoke=1, low=1, high=1_000, unit="trials", static=True),
    ],
    returns={**dict.fromkeys(CURVES, "t"), **dict.fromkeys(("memorization", "falls", "outcome"), "")},
)

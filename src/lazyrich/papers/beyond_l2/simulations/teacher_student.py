r"""A ReLU student of a ReLU teacher with a small penalty: first the data are fitted, then the penalty's slow work is done.

Errors are mean squares over the teacher's variance, so that 1 is the error of the best constant.
"""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import sharpness
from ...dynamics.optimizers import NAMES, clock, optimizer
from ...inits import gaussian
from ...losses import MEAN, Squared
from ...models import ReluNet, outputs
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, ReluLaw, Split, relu_teacher
from ...regularizers import L1, L2, Nuclear, OneOf, Sobolev
from ..params import Param
from ..simulation import Simulation

PENALTIES = ("l1", "l2", "nuclear", "Sobolev")
# Strengths that leave the fit alone, and rate x strength x steps by which the penalty's work is nearly done.
USUAL = (0.01, 0.05, 0.1, 0.02)
REACH = (0.25, 1.5, 1.5, 0.6)
PRODUCTS = 10  # for rate x sharpness, whose largest curvature stands out
DECADES = 3.0  # that readings go back from the end
FITTED = 0.1  # training error that counts as none: a tenth of the teacher's variance
FALLEN = 0.2  # of the test error at the start: without a penalty half of it is left


def pose(key, n, d, units, outputs, test) -> Problem:
    """Samples of a teacher."""
    return relu_teacher(jr.fold_in(key, 0), n=n, d=d, units=units, outputs=outputs, test=test)


def begin(key, law: ReluLaw, alpha=1.0) -> ReluNet:
    r"""A student of the teacher's shape, each layer $N(0, 1/n_\text{out})$: much larger outputs than the teacher's."""
    d, h = law.inner.shape
    k = law.outer.shape[1]
    return gaussian(jr.fold_in(key, 1), ReluNet.at_zero((d, h, k)), scale=alpha * jnp.array([h**-0.5, k**-0.5]))


def simulate(key, problem: Problem, *, penalty, rate, strength, pull, alpha, method, moments):
    """Errors, length and rate x sharpness along the way; when the data are fitted, and when the test has fallen.

    Strength counts in the penalty's usual one, and `pull` multiplies it behind the clock's back.
    """
    data, law = problem.train, problem.law
    assert isinstance(data, Split) and isinstance(law, ReluLaw), "a teacher was asked for"
    name = NAMES[method]
    full = strength * jnp.asarray(USUAL)[penalty]
    parts = (L1(), L2(), Nuclear(), Sobolev(data.x, law.slopes(data.x)))
    goal = Objective(data, Squared(), factor=MEAN, penalties=[(OneOf(parts, penalty), pull * full)])
    plain = Objective(data, Squared(), factor=MEAN)
    pace = full * (rate if clock(name, rate) is None else clock(name, rate))
    reach = jnp.asarray(REACH)[penalty]
    slow = jnp.concatenate([jnp.zeros(1), reach * jnp.logspace(-DECADES, 0, moments)])
    when = jnp.round(slow / pace)
    path = optimizer(name, rate, jr.fold_in(key, 2)).run(
        goal, begin(key, law, alpha), when, read=readings(problem) | {"edge": lambda net: rate * bend(plain, net)}
    )
    train, test = path.reads["train"], path.reads["test"]
    return {
        "step": when,
        "slow": pace * when,
        **path.reads,
        "fits": first_crossing(when, -jnp.log(train), -jnp.log(FITTED)),
        "falls": first_crossing(when, -jnp.log(test), -jnp.log(FALLEN * test[0])),
        "outcome": path.outcome.code,
    }


def readings(problem: Problem):
    """Errors on the samples and on fresh ones over the teacher's variance, and the length of all weights."""
    test = problem.test
    assert isinstance(test, Split), "a teacher was asked for"
    variance = jnp.mean(jnp.sum((test.y - test.y.mean(0)) ** 2, axis=1))

    def error(net, data):
        return jnp.mean(jnp.sum((outputs(net, data.x) - data.y) ** 2, axis=1)) / variance

    return {
        "train": lambda net: error(net, problem.train),
        "test": lambda net: error(net, test),
        "length": lambda net: jnp.sqrt(sum(jnp.sum(part**2) for part in net.weights)),
    }


def bend(goal: Objective, net: ReluNet):
    """The sharpness of the data loss: penalties with kinks have none, the others a small one."""
    return sharpness(goal, net, products=PRODUCTS)


CURVES = ("step", "slow", "train", "test", "length", "edge")
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("penalty", (0, 1, 2, 3), low=0, high=3, unit="0: l1, 1: l2, 2: nuclear, 3: Sobolev"),
        Param("rate", (0.001, 0.002), (5e-4, 1e-3), smoke=(0.005, 0.01), low=1e-6, high=0.1, unit="step"),
        Param(
            "strength",
            (1.0, 2.0),
            (1.5, 3.0, 6.0),
            smoke=(8.0, 16.0),
            low=1e-3,
            high=100.0,
            unit=f"times {', '.join(f'{a:g} of {b}' for a, b in zip(USUAL, PENALTIES, strict=True))}",
        ),
        Param("pull", 1.0, low=0.0, high=100.0, unit="times the strength, not counted"),
        Param("alpha", 1.0, low=0.01, high=100.0, unit="times the usual start"),
        Param("method", 0, low=0, high=3, unit=", ".join(f"{a}: {b}" for a, b in enumerate(NAMES)), static=True),
        Param("n", 24, 100, smoke=8, low=2, high=10_000, unit="samples", static=True),
        Param("d", 24, 100, smoke=8, low=1, high=2_000, unit="inputs", static=True),
        Param("units", 100, 500, smoke=16, low=1, high=10_000, unit="hidden units of both", static=True),
        Param("outputs", 2, low=1, high=100, unit="numbers an answer", static=True),
        Param("test", 500, 1_000, smoke=100, low=10, high=100_000, unit="fresh samples", static=True),
        Param("moments", 60, smoke=30, low=20, high=1_000, unit="readings", static=True),
        Param("trials", 4, 10, smoke=1, low=1, high=1_000, unit="draws", static=True),
    ],
    returns={
        **dict.fromkeys(CURVES, "t"),
        **dict.fromkeys(("fits", "falls", "outcome"), ""),
    },
)

r"""Some entries of the multiplication table fitted by $UU^\top - VV^\top$: descent, flow, slow manifold."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import Chebyshev, GradientDescent, GradientFlow
from ....dynamics.limits import SlowManifold
from ....events import first_below
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....measures import Curve
from ....models import SymmetricMap, SymmetricNet
from ....problems import Entries, Problem, multiplication_table
from .symmetric_completion import known, objective

# Test losses of the two agree with those at a hundredth of the tolerances to 1e-4 of the first plateau.
FLOW = GradientFlow(Chebyshev(), rtol=1e-4, atol=1e-6, land=False)
LIMIT = SlowManifold(dfx.Tsit5(), rtol=1e-4, atol=1e-6, land=False)
# How many of the times come before a thousandth of the horizon, evenly in the logarithm.
EARLY = 30
# Fractions of the loss of zero filling whose times are measured.
LEVELS = {"begins": 0.9, "halves": 0.5, "closes": 0.1}


def make_problem(key, d, train_fraction) -> Problem[Entries]:
    """The table of products, and a fraction of its entries."""
    return multiplication_table(jr.fold_in(key, 0), d=d, train_fraction=train_fraction)


def moments(until, count: int):
    """Slow times: zero, an early part in the logarithm, the rest evenly to the end."""
    knee = until / 1000
    rest = jnp.linspace(knee, until, count - EARLY)
    return jnp.concatenate([jnp.zeros(1), jnp.geomspace(1e-4 * knee, knee, EARLY)[:-1], rest])


def simulate(key, problem, *, d, alpha, weight_decay, learning_rate, horizon, points):
    r"""Losses from $U = V = \alpha I$ by gradient descent, by its flow and by the limit of small weight decay, all in slow time.

    Test losses are over that of filling with zeros. `begins`, `halves` and `closes` are when they fall to 0.9, 0.5 and 0.1 of
    it along the flow, `memorization` when the training loss falls to a hundredth; `top` is the operator norm of the
    zero-filled matrix, `nuclear` and `first` are nuclear norms at the end and of the zero-filled matrix.
    """
    cost, slow = objective(problem, weight_decay), moments(weight_decay * horizon, points)
    filled = known(problem) * problem.truth
    zero = _error(filled, problem.test)
    read = {
        "train": lambda net: _error(net.effective(), problem.train),
        "test": lambda net: _error(net.effective(), problem.test) / zero,
    }
    init = SymmetricMap.at_scale(alpha, dim=d)
    flow = FLOW.run(cost, init, slow / weight_decay, read=read)
    limit = LIMIT.run(cost, init, slow, read=read)
    counts = jnp.round(slow / (weight_decay * learning_rate))
    descent = GradientDescent(learning_rate).run(cost, SymmetricNet.at_scale(alpha, dim=d), counts, read=read)
    train = Curve(slow, flow.reads["train"] / flow.reads["train"][0], "training loss")
    test = Curve(slow, flow.reads["test"], "test loss")
    return {
        "slow": slow,
        "train": flow.reads["train"],
        "test": flow.reads["test"],
        "descent_train": descent.reads["train"],
        "descent_test": descent.reads["test"],
        "limit_test": limit.reads["test"],
        "memorization": first_below(train, 0.01).value,
        **{name: first_below(test, level).value for name, level in LEVELS.items()},
        "zero": zero,
        "top": jnp.linalg.norm(filled, 2),
        "first": _nuclear(filled),
        "nuclear": _nuclear(flow.end.w),
        "edge": descent.certificates["edge"],
        "outcome": jnp.maximum(jnp.maximum(flow.outcome.code, limit.outcome.code), descent.outcome.code),
        "steps": flow.outcome.steps,
    }


def _error(matrix, data):
    """The mean squared error of entries."""
    return jnp.mean((matrix[data.rows, data.cols] - data.y) ** 2)


def _nuclear(matrix):
    return jnp.sum(jnp.abs(jnp.linalg.eigvalsh(matrix)))


CURVES = ("slow", "train", "test", "descent_train", "descent_test", "limit_test")
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", (10.0,), smoke=(6.0,), low=1.0, high=1e3, unit="diagonal of the initial $U$ and $V$"),
        Param("weight_decay", 1e-3, 1e-4, smoke=0.01, low=1e-7, high=0.1, unit="weight decay"),
        Param("learning_rate", "=8/alpha**2", "=10/alpha**2", smoke=0.01, low=1e-6, high=10.0, unit="learning rate"),
        Param("horizon", "=10/weight_decay", smoke="=4/weight_decay", low=1.0, high=1e12, unit="time"),
        Param("d", 20, 97, smoke=6, low=3, high=200, unit="rows", static=True),
        Param("train_fraction", 0.3, 0.05, smoke=0.4, low=0.01, high=0.99, unit="observed fraction", static=True),
        Param("points", 130, smoke=80, low=50, high=2_000, unit="times on the curve", static=True),
    ],
    returns={
        **dict.fromkeys(CURVES, "t"),
        **dict.fromkeys(("memorization", *LEVELS, "zero", "top", "first", "nuclear", "edge", "outcome", "steps"), ""),
    },
)

r"""Completion by a matrix, or by products of several, from a large start with decay."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...dynamics.sharpness import edge
from ...inits import gaussian
from ...losses import HALF_SUM, Squared
from ...models import Factorization
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Entries, Problem
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation
from .l1_descent import counts
from .nuclear_descent import PROBLEM, pose


def known(problem: Problem):
    """Whether each entry is known."""
    data = problem.train
    assert isinstance(data, Entries), "completion knows entries"
    return jnp.zeros(data.shape).at[data.rows, data.cols].set(1.0)


def decline(key, problem: Problem, *, start, rate, decay, reach, level, moments):
    r"""One matrix with decay alone, in closed form.

    A known entry goes to $a^*_{ij}/(1+\lambda)$ by a factor $1-\alpha(1+\lambda)$ a step, any other one to zero by
    $1-\alpha\lambda$, with the rate $\alpha$ and the decay $\lambda$.
    """
    truth, seen = problem.truth, known(problem)
    begun = start * jr.normal(jr.fold_in(key, 1), truth.shape) / jnp.sqrt(1.0 * truth.size)
    when = counts(reach / (rate * decay), moments)
    ridge = seen * truth / (1 + decay)
    path = ridge + (1 - rate * (seen + decay)) ** when[:, None, None] * (begun - ridge)
    size = jnp.linalg.norm(truth)
    train = jnp.linalg.norm(seen * (path - truth), axis=(1, 2)) / jnp.linalg.norm(seen * truth)
    recovery = jnp.linalg.norm(path - truth, axis=(1, 2)) / size
    return {
        "steps": when,
        "train": train,
        "recovery": recovery,
        "l2": jnp.linalg.norm(path, axis=(1, 2)),
        "fits": first_crossing(when, -train, -level),
        "fall": recovery[jnp.argmax(train <= level)] / recovery[-1],
        "unseen": jnp.linalg.norm((1 - seen) * truth) / size,
        "from_ridge": jnp.linalg.norm(path[-1] - ridge) / jnp.linalg.norm(ridge),
        "stability": rate * (1 + decay) / 2,
    }


ALONE = Simulation(
    decline,
    pose=pose,
    params=[
        Param("n", (8, 34), (10, 40, 70), smoke=(8, 12), low=1, high=10_000, unit="entries", static=True),
        *(param for param in PROBLEM if param.name != "n"),
        Param("start", 20.0, low=0.0, high=1e4, unit="size of the start"),
        Param("rate", 0.1, low=1e-5, high=1.9, unit="step"),
        Param("decay", 1e-3, 1e-5, smoke=1e-2, low=1e-8, high=10.0, unit="of the l2 penalty"),
        Param("reach", 20.0, low=0.01, high=100.0, unit="steps times rate times decay"),
        Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as fitted"),
        Param("moments", 200, smoke=30, low=12, high=10_000, unit="readings", static=True),
        Param("trials", 16, 50, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        **dict.fromkeys(("steps", "train", "recovery", "l2"), "t"),
        **dict.fromkeys(("fits", "fall", "unseen", "from_ridge", "stability"), ""),
    },
)
"""One matrix with decay alone, from entries in any number."""


def descend(key, problem: Problem, *, depth, start, rate, decay, steps, fit, level, moments):
    """Descent on a product of so many matrices with decay: errors, times of fit and recovery, and where it ends."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Entries), "completion knows entries"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L2(), decay)])
    net = Factorization.at_zero(data.shape, depth=depth)
    begun = gaussian(jr.fold_in(key, 1), net, scale=start / jnp.sqrt(1.0 * data.shape[0]))
    read = {
        "train": lambda model: jnp.linalg.norm(goal.outputs(model) - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.effective() - truth) / jnp.linalg.norm(truth),
        "weights": lambda model: jnp.sqrt(2 * L2().value(model.parameters())),
        "edge": edge(goal, rate),
    }
    when = counts(steps, moments)
    path = GradientDescent(rate).run(goal, begun, when, read=read)
    train, recovery = path.reads["train"], path.reads["recovery"]
    return {
        **path.reads,
        "steps": when,
        "fits": first_crossing(when, -train, -fit),
        "finds": first_crossing(when, -recovery, -level),
        "at_fit": recovery[jnp.argmax(train <= fit)],
        "end": path.end.effective().ravel(),
        "truth": truth.ravel(),
        "outcome": path.outcome.code,
    }


DEEP = Simulation(
    descend,
    pose=pose,
    params=[
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=1, high=8, unit="factors", static=True),
        Param("start", 0.7, low=0.0, high=1e3, unit="size of the start of a factor"),
        Param("rate", 0.1, low=1e-5, high=1.0, unit="step"),
        Param("decay", 4e-3, 1e-3, smoke=1e-2, low=1e-8, high=10.0, unit="of the l2 penalty"),
        Param("reach", 15.0, 30.0, smoke=2.0, low=0.01, high=1e3, unit="steps times rate times decay"),
        Param("steps", "=reach/(rate*decay)", low=10, high=1e9),
        Param("fit", 2e-2, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as fitted"),
        Param("level", 3e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as found"),
        *PROBLEM,
        Param("moments", 150, 300, smoke=40, low=12, high=10_000, unit="readings", static=True),
        Param("trials", 6, 20, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        **dict.fromkeys(("steps", "train", "recovery", "weights", "edge"), "t"),
        **dict.fromkeys(("fits", "finds", "at_fit", "outcome"), ""),
        "end": "d",
        "truth": "d",
    },
)
"""Products of matrices with decay, long enough for the decay to act."""

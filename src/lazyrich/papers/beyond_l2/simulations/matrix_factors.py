"""Matrix completion by a matrix, or by products of several, from a large initialization with weight decay."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent
from ....dynamics.sharpness import edge
from ....inits import gaussian
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import counts
from ....losses import Squared
from ....models import Factorization
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Entries, Problem
from ....regularizers import L2
from .nuclear_descent import PROBLEM, make_problem


def known(problem: Problem[Entries]):
    """The mask of known entries."""
    data = problem.train
    return jnp.zeros(data.shape).at[data.rows, data.cols].set(1.0)


def decline(key, problem: Problem[Entries], *, init_scale, learning_rate, weight_decay, reach, level, moments):
    r"""One matrix with weight decay $\lambda$ alone, in closed form.

    With learning rate $\alpha$, a known entry converges to $a^*_{ij}/(1+\lambda)$ by a factor $1-\alpha(1+\lambda)$ a step, any
    other one to zero by $1-\alpha\lambda$.
    """
    truth, seen = problem.truth, known(problem)
    begun = init_scale * jr.normal(jr.fold_in(key, 1), truth.shape) / jnp.sqrt(1.0 * truth.size)
    when = counts(reach / (learning_rate * weight_decay), moments)
    ridge = seen * truth / (1 + weight_decay)
    path = ridge + (1 - learning_rate * (seen + weight_decay)) ** when[:, None, None] * (begun - ridge)
    size = jnp.linalg.norm(truth)
    train = jnp.linalg.norm(seen * (path - truth), axis=(1, 2)) / jnp.linalg.norm(seen * truth)
    recovery = jnp.linalg.norm(path - truth, axis=(1, 2)) / size
    return {
        "steps": when,
        "train": train,
        "recovery": recovery,
        "l2": jnp.linalg.norm(path, axis=(1, 2)),
        "memorization": first_crossing(when, -train, -level),
        "fall": recovery[jnp.argmax(train <= level)] / recovery[-1],
        "unseen": jnp.linalg.norm((1 - seen) * truth) / size,
        "from_ridge": jnp.linalg.norm(path[-1] - ridge) / jnp.linalg.norm(ridge),
        "stability": learning_rate * (1 + weight_decay) / 2,
    }


ALONE = Simulation(
    decline,
    make_problem=make_problem,
    params=[
        Param("n", (8, 34), (10, 40, 70), smoke=(8, 12), low=1, high=10_000, unit="entries", static=True),
        *(param for param in PROBLEM if param.name != "n"),
        Param("init_scale", 20.0, low=0.0, high=1e4, unit="initial norm"),
        Param("learning_rate", 0.1, low=1e-5, high=1.9, unit="learning rate"),
        Param("weight_decay", 1e-3, 1e-5, smoke=1e-2, low=1e-8, high=10.0, unit=r"$\ell_2$ strength"),
        Param("reach", 20.0, low=0.01, high=100.0, unit=r"horizon $\alpha\lambda t$"),
        Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as memorization"),
        Param("moments", 200, smoke=30, low=12, high=10_000, unit="saved steps", static=True),
        Param("trials", 16, 50, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={
        **dict.fromkeys(("steps", "train", "recovery", "l2"), "t"),
        **dict.fromkeys(("memorization", "fall", "unseen", "from_ridge", "stability"), ""),
    },
)
"""One matrix with weight decay alone, from any number of entries."""


def descend(key, problem, *, depth, init_scale, learning_rate, weight_decay, steps, fit, level, moments):
    """Gradient descent on a product of matrices with weight decay: errors, memorization and recovery times, and the limit."""
    data, truth = problem.train, problem.truth
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    net = Factorization.at_zero(data.shape, depth=depth)
    begun = gaussian(jr.fold_in(key, 1), net, scale=init_scale / jnp.sqrt(1.0 * data.shape[0]))
    read = {
        "train": lambda model: jnp.linalg.norm(objective.outputs(model) - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.effective() - truth) / jnp.linalg.norm(truth),
        "weights": lambda model: jnp.sqrt(2 * L2().value(model.parameters())),
        "edge": edge(objective, learning_rate),
    }
    when = counts(steps, moments)
    path = GradientDescent(learning_rate).run(objective, begun, when, read=read)
    train, recovery = path.reads["train"], path.reads["recovery"]
    return {
        **path.reads,
        "steps": when,
        "memorization": first_crossing(when, -train, -fit),
        "generalization": first_crossing(when, -recovery, -level),
        "at_fit": recovery[jnp.argmax(train <= fit)],
        "end": path.end.effective().ravel(),
        "truth": truth.ravel(),
        "outcome": path.outcome.code,
    }


DEEP = Simulation(
    descend,
    make_problem=make_problem,
    params=[
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=1, high=8, unit="factors", static=True),
        Param("init_scale", 0.7, low=0.0, high=1e3, unit="initial scale of a factor"),
        Param("learning_rate", 0.1, low=1e-5, high=1.0, unit="learning rate"),
        Param("weight_decay", 4e-3, 1e-3, smoke=1e-2, low=1e-8, high=10.0, unit=r"$\ell_2$ strength"),
        Param("reach", 15.0, 30.0, smoke=2.0, low=0.01, high=1e3, unit=r"horizon $\alpha\lambda t$"),
        Param("steps", "=reach/(learning_rate*weight_decay)", low=10, high=1e9),
        Param("fit", 2e-2, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as memorization"),
        Param("level", 3e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as recovery"),
        *PROBLEM,
        Param("moments", 150, 300, smoke=40, low=12, high=10_000, unit="saved steps", static=True),
        Param("trials", 6, 20, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={
        **dict.fromkeys(("steps", "train", "recovery", "weights", "edge"), "t"),
        **dict.fromkeys(("memorization", "generalization", "at_fit", "outcome"), ""),
        **dict.fromkeys(("end", "truth"), "d"),
    },
)
"""Products of matrices with weight decay, long enough for it to act."""

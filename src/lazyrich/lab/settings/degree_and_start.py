r"""Decay alone from a large start, with $u^D - v^D$ for $b$: the degree $D$, and halves that are equal or not."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent, sharpness
from ...losses import HALF_SUM, Squared
from ...models import DiagonalNet
from ...objective import Objective
from ...problems import Problem, Split
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation
from .l1_descent import PROBLEM, counts, pose


def begin(key, d: int, *, alpha, apart, depth: int) -> DiagonalNet:
    """One half at alpha, the other below it by up to a share `apart`, drawn for each entry: at 0 every output is zero."""
    whole = jnp.full(d, alpha)
    return DiagonalNet(whole, whole * (1 - apart * jr.uniform(jr.fold_in(key, 1), (d,))), depth)


def forget(key, problem: Problem, *, depth, alpha, apart, rate, decay, reach, moments):
    """Errors of fit and recovery along descent with decay, the first output, and where degree one must end."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L2(), decay)])
    start = begin(key, data.d, alpha=alpha, apart=apart, depth=depth)
    when = counts(reach / (rate * decay), moments)
    read = {
        "train": lambda net: jnp.linalg.norm(data.x @ net.effective() - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda net: jnp.linalg.norm(net.effective() - truth) / jnp.linalg.norm(truth),
    }
    path = GradientDescent(rate).run(goal, start, when, read=read)
    # Two halves of degree one share the decay: half of it is left on their difference.
    ridge = jnp.linalg.solve(data.x.T @ data.x + decay / 2 * jnp.eye(data.d), data.x.T @ data.y)
    return {
        "step": when,
        **path.reads,
        "output": jnp.linalg.norm(data.x @ start.effective()) / jnp.linalg.norm(data.y),
        "from_ridge": jnp.linalg.norm(path.end.effective() - ridge) / jnp.linalg.norm(ridge),
        "edge": rate * jnp.maximum(sharpness(goal, start), sharpness(goal, path.end)),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    forget,
    pose=pose,
    params=[
        Param("depth", (1, 2), low=1, high=2, unit="degree", static=True),
        Param("apart", (0.0, 0.5), low=0.0, high=1.0, unit="largest share by which a half is smaller; 0: zero output"),
        Param("alpha", 1.0, low=0.01, high=10.0, unit="every weight of the larger half"),
        Param("rate", 0.03, low=1e-5, high=1.0, unit="step"),
        Param("decay", 5e-3, 1e-3, smoke=3e-2, low=1e-7, high=1.0, unit="of the l2 penalty"),
        Param("reach", 12.0, smoke=3.0, low=0.1, high=100.0, unit="rate times decay times steps"),
        Param("moments", 100, smoke=40, low=12, high=10_000, unit="readings", static=True),
        *(param for param in PROBLEM if param.name != "start"),
        Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        **dict.fromkeys(("step", "train", "recovery"), "t"),
        **dict.fromkeys(("output", "from_ridge", "edge", "outcome"), ""),
    },
)

"""One product of the layers, four imbalances: the three cases of figure 3 of min2021, and the balanced start."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...inits import balanced, bartlett
from ...models import LinearNet
from ..params import Param
from ..simulation import Simulation
from .linear_net_flow import PACES, Reduced, paces, pose

FACTORS = (1.0, 5.0, 0.5, 1.0)
"""By which the first layer of each case is multiplied, and the second divided; the last is balanced."""
BALANCED = len(FACTORS)


def begin(key, problem: Reduced, *, case, width, scale, apart) -> LinearNet:
    """The layers of a case, counted from 1."""
    rank, outputs = problem.target.shape
    net = bartlett(jr.fold_in(key, 1), dim=rank, outputs=outputs, width=width, scale=scale)
    factor = jnp.asarray(FACTORS)[case - 1] ** apart
    level = balanced(jr.fold_in(key, 2), net.effective(), width=rank + outputs, imbalance=jnp.zeros(()))
    even = (case == BALANCED) & (apart > 0)
    return LinearNet(u=jnp.where(even, level.u, net.u * factor), v=jnp.where(even, level.v, net.v / factor))


def simulate(key, problem, *, case, width, scale, apart, efolds, moments, counts):
    """The flow with its rates and bounds, and the loss after each step of descent with a step as large as is stable."""
    start = begin(key, problem, case=case, width=width, scale=scale, apart=apart)
    found = paces(problem, start, efolds, moments)
    goal = problem.goal()
    descent = GradientDescent(rate=1 / jnp.max(found["top"]))
    path = descent.run(goal, start, jnp.arange(counts), read={"loss": lambda net: goal(net) / goal(start)})
    return {**found, "descent": path.reads["loss"]}


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("n", 50, 100, smoke=4, low=1, high=500, unit="samples", static=True),
        Param("d", 250, 500, smoke=8, low=2, high=5_000, unit="inputs", static=True),
        Param("outputs", 1, low=1, high=100, static=True),
        Param("tilt", 0.0, low=0.0, high=2.0, unit="power of the inputs' singular values"),
        Param("noise", 0.01, low=0.0, high=10.0, unit="deviation of the answers"),
        Param("case", (1, 2, 3, 4), low=1, high=4, unit="the last one is balanced"),
        Param("width", 250, 500, smoke=12, low=1, high=10**12, unit="hidden units"),
        Param("scale", 0.1, low=1e-6, high=1e3, unit="deviation of the weights in case 1"),
        Param("apart", 1.0, low=0.0, high=2.0, unit="power of the factors between the layers"),
        Param("efolds", 32.0, low=0.1, high=1e3, unit="time, over that of a mean rate"),
        Param("moments", 41, 101, smoke=9, low=3, high=1_000, unit="times", static=True),
        Param("counts", 200, 400, smoke=20, low=3, high=10**5, unit="steps of descent", static=True),
    ],
    returns={**PACES, "descent": "s"},
)

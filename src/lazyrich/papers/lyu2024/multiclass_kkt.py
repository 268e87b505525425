"""How near a two-layer ReLU net on modular addition is to a KKT point of least length, with decay and without."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent, RescaledDescent
from ...losses import MEAN, CrossEntropy
from ...measures.cone import rival_cone
from ...objective import Objective
from ..params import Param
from ..simulation import Simulation
from .addition_without_decay import UNTIL
from .modular_addition import TABLE, begin, cost, follow, pose

# A coarse flow leaves weights off by its tolerance where forces are stiff. So many steps of descent, a hundredth of 1/decay, let
# them fall back.
RATE, SETTLING = 0.3, 400


def simulate(key, problem, *, modulus, width, alpha, decay, until, tolerance, rate, first, steps, around):
    """What is missing to a KKT point at the end of the flow with decay from zero output, and of rescaled descent without it."""
    start = begin(key, modulus=modulus, width=width, alpha=alpha, last=0.0)
    times = jnp.array([0.0, 1.0]) * until / decay
    held = follow(problem, start, times, decay=decay, tolerance=tolerance, read={})
    settled = GradientDescent(RATE).run(cost(problem, decay), held.end, jnp.array([0, SETTLING]), read={})
    goal = Objective(problem.train, CrossEntropy(), factor=MEAN)
    plain = begin(key, modulus=modulus, width=width, alpha=1.0)
    counts = jnp.stack([jnp.zeros(()), jnp.asarray(steps, float)])
    free = RescaledDescent(rate, first, until=UNTIL, shrink=0.7).run(goal, plain, counts, read={})
    found = {}
    for at, (name, net) in enumerate((("held", settled.end), ("free", free.end))):
        own = jr.fold_in(jr.fold_in(key, 4), at)
        cone = rival_cone(net, problem.train, around=around, key=own)
        found |= {f"{name}_{part}": value for part, value in cone._asdict().items()}
        found[f"{name}_alone"] = rival_cone(net, problem.train).stationarity
    return {
        **found,
        "log_time": free.reads["log_time"][-1] / jnp.log(10.0),
        "edge": settled.certificates["edge"],
        "outcome": jnp.maximum(jnp.maximum(held.outcome.code, settled.outcome.code), free.outcome.code),
    }


PARTS = ("stationarity", "slackness", "least", "alone")
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("decay", 1e-4, smoke=1e-3, low=1e-7, high=1.0, unit="strength of L2"),
        Param("until", 5.0, 10.0, smoke=1.0, low=0.01, high=100.0, unit="time with decay, over 1/decay"),
        Param("steps", 2_000, 100_000, smoke=200, low=10, high=10_000_000, unit="steps without decay"),
        Param("alpha", 4.0, low=0.1, high=100.0, unit="times a He start, with decay"),
        Param("tolerance", 0.1, 0.01, low=1e-6, high=1.0, unit="of the flow, relative", static=True),
        Param("rate", 1.0, low=1e-4, high=10.0, unit="of descent on log L, at first"),
        Param("first", 3.0, 0.5, smoke=1.0, low=1e-4, high=100.0, unit="rate of plain descent"),
        Param("around", 6, smoke=3, low=1, high=100, unit="points whose gradients count", static=True),
        *TABLE,
    ],
    returns=dict.fromkeys(
        (*(f"{name}_{part}" for name in ("held", "free") for part in PARTS), "log_time", "edge", "outcome"), ""
    ),
)

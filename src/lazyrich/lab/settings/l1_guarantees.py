r"""Every step of three descents on $\frac12\|Xb-y\|^2+\beta\|b\|_1$: how far objective and norm are above those of the truth."""

import jax.numpy as jnp

from ...losses import HALF_SUM, Squared
from ...models import Linear
from ...objective import Objective
from ...problems import Problem, Split
from ...regularizers import L1, L2
from ..params import Param
from ..simulation import Simulation
from .l1_descent import METHODS, PROBLEM, pose


def descend(key, problem: Problem, *, share, strength, decay, steps, fading):
    r"""Gaps along the way from the least-squares answer, with rates `share`$/(\sigma_\max+\lambda)$, fading like $1/(1+ct)$."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength), (L2(), decay)])
    plain = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength)])
    rate = share / (jnp.linalg.norm(data.x, 2) ** 2 + decay)
    start = Linear(jnp.linalg.pinv(data.x) @ data.y)
    when = jnp.arange(steps + 1)
    aim = Linear(truth)

    def slope(model):
        w = model.w
        return jnp.linalg.norm(data.x.T @ (data.x @ w - data.y) + decay * w + strength * jnp.sign(w))

    read = {
        "gap": lambda model: goal(model) - goal(aim),
        "excess": lambda model: jnp.abs(model.w).sum() - jnp.abs(truth).sum(),
        "slope": slope,
    }
    found = {}
    outcome = jnp.zeros((), int)
    for method, kind in METHODS.items():
        rates = (lambda count: rate / (1 + fading * count)) if method != "proximal" else rate
        # Projected descent moves by the l1 norm alone.
        path = kind(rates).run(plain if method == "projected" else goal, start, when, read=read)
        found |= {f"{method}_{name}": values for name, values in path.reads.items()}
        outcome = jnp.maximum(outcome, path.outcome.code)
    taken = rate / (1 + fading * when[:-1])
    zero = jnp.zeros(1)
    return {
        **found,
        "rate": rate,
        "total": jnp.concatenate([zero, jnp.cumsum(taken)]),
        "squares": jnp.concatenate([zero, jnp.cumsum(taken**2)]),
        "distance": jnp.sum((start.w - truth) ** 2),
        "length": jnp.sum(truth**2),
        "outcome": outcome,
    }


SIMULATION = Simulation(
    descend,
    pose=pose,
    params=[
        Param("share", 1.0, low=1e-3, high=2.0, unit="rate times the largest curvature"),
        Param(
            "strength", (0.03, 0.003), (0.03, 0.003, 3e-4), smoke=(0.03,), low=1e-6, high=1.0, unit="of the l1 penalty"
        ),
        Param("decay", (0.0, 0.01), smoke=(0.0,), low=0.0, high=10.0, unit="of the l2 penalty"),
        Param("fading", (0.0, 0.1), smoke=(0.0,), low=0.0, high=100.0, unit="of the rate, for each step"),
        Param("steps", 2_000, 20_000, smoke=50, low=2, high=1_000_000, static=True),
        *(param for param in PROBLEM if param.name != "start"),
    ],
    returns={
        **{f"{method}_{name}": "t" for method in METHODS for name in ("gap", "excess", "slope")},
        **dict.fromkeys(("total", "squares"), "t"),
        **dict.fromkeys(("rate", "distance", "length", "outcome"), ""),
    },
)

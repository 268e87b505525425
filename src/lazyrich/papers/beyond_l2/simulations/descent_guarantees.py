r"""Every step of descent on a sum of squares and a norm: by how much objective and norm exceed those of the ground truth."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations import l1_descent
from ....losses import Squared
from ....models import Linear, Matrix
from ....objective import Objective
from ....problems import Entries, Problem, Split, orthogonal_completion
from ....regularizers import L1, L2, Nuclear
from .nuclear_descent import objective_of


def sparse(key, problem: Problem[Split], *, relative_learning_rate, strength, weight_decay, steps, fading):
    r"""Three methods on $\frac{1}{2}\|Xb-y\|^2+\beta_1\|b\|_1$, from least squares.

    Learning rates are `relative_learning_rate`$/(\sigma_{\max}+\beta_2)$, fading like $1/(1+ct)$ but for the proximal method.
    """
    data, truth = problem.train, problem.truth
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength), (L2(), weight_decay)])
    plain = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength)])
    learning_rate = relative_learning_rate / (jnp.linalg.norm(data.x, 2) ** 2 + weight_decay)
    init, target = Linear(jnp.linalg.pinv(data.x) @ data.y), Linear(truth)

    def slope(model):
        w = model.w
        return jnp.linalg.norm(data.x.T @ (data.x @ w - data.y) + weight_decay * w + strength * jnp.sign(w))

    read = {
        "gap": lambda model: objective(model) - objective(target),
        "excess": lambda model: jnp.abs(model.w).sum() - jnp.abs(truth).sum(),
        "slope": slope,
    }
    found, outcome = {}, jnp.zeros((), int)
    for method, kind in l1_descent.METHODS.items():
        rates = (lambda count: learning_rate / (1 + fading * count)) if method != "proximal" else learning_rate
        # Projected descent moves by the l1 norm alone.
        path = kind(rates).run(plain if method == "projected" else objective, init, jnp.arange(steps + 1), read=read)
        found |= {f"{method}_{name}": values for name, values in path.reads.items()}
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {
        **found,
        **_spent(learning_rate, fading, steps),
        **_distances(init.w, truth),
        "learning_rate": learning_rate,
        "dimension": truth.size,
        "outcome": outcome,
    }


def make_completion(key, rows, cols, rank, n) -> Problem[Entries]:
    """Some entries of a random matrix of low rank."""
    return orthogonal_completion(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, n=n)


def low_rank(key, problem: Problem[Entries], *, relative_learning_rate, strength, weight_decay, steps, fading):
    r"""Subgradient descent on $\frac{1}{2}\|A_\Omega-y\|^2+\beta_*\|A\|_*$, from the observed entries filled up with zeros."""
    data, truth = problem.train, problem.truth
    objective, target = objective_of(problem, strength, weight_decay), Matrix(truth)
    learning_rate = relative_learning_rate / (1 + weight_decay)
    init = Matrix(jnp.zeros_like(truth).at[data.rows, data.cols].set(data.y))
    read = {
        "gap": lambda model: objective(model) - objective(target),
        "excess": lambda model: Nuclear().value(model.w) - Nuclear().value(truth),
        "slope": lambda model: jnp.linalg.norm(jax.grad(objective)(model).w),
    }
    descent = GradientDescent(lambda count: learning_rate / (1 + fading * count))
    path = descent.run(objective, init, jnp.arange(steps + 1), read=read)
    return {
        **{f"subgradient_{name}": values for name, values in path.reads.items()},
        **_spent(learning_rate, fading, steps),
        **_distances(init.w, truth),
        "outcome": path.outcome.code,
    }


def _spent(learning_rate, fading, steps):
    """Sums of learning rates and of their squares, before each step and after the last."""
    taken = learning_rate / (1 + fading * jnp.arange(steps))
    sums = {"total": taken, "squares": taken**2}
    return {name: jnp.concatenate([jnp.zeros(1), jnp.cumsum(values)]) for name, values in sums.items()}


def _distances(init, truth):
    return {"distance": jnp.sum((init - truth) ** 2), "length": jnp.sum(truth**2)}


DESCENT = (
    Param("relative_learning_rate", 1.0, low=1e-3, high=2.0, unit=r"$\alpha$ times the largest curvature"),
    Param("strength", (0.03, 0.003), (0.03, 0.003, 3e-4), smoke=(0.03,), low=1e-6, high=1.0, unit="of the penalty"),
    Param("weight_decay", (0.0, 0.01), smoke=(0.0,), low=0.0, high=10.0, unit=r"$\beta_2$"),
    Param("fading", (0.0, 0.1), smoke=(0.0,), low=0.0, high=100.0, unit="of the learning rate, per step"),
)
SPARSE = Simulation(
    sparse,
    make_problem=l1_descent.make_problem,
    params=[
        *DESCENT,
        Param("steps", 2_000, 20_000, smoke=50, low=2, high=1_000_000, static=True),
        *(param for param in l1_descent.PROBLEM if param.name != "init_scale"),
    ],
    returns={
        **{f"{method}_{name}": "t" for method in l1_descent.METHODS for name in ("gap", "excess", "slope")},
        **dict.fromkeys(("total", "squares"), "t"),
        **dict.fromkeys(("learning_rate", "distance", "length", "dimension", "outcome"), ""),
    },
)
LOW_RANK = Simulation(
    low_rank,
    make_problem=make_completion,
    params=[
        *DESCENT,
        Param("steps", 1_000, 20_000, smoke=50, low=2, high=1_000_000, static=True),
        Param("rows", 7, 10, smoke=5, low=2, high=100, unit="rows", static=True),
        Param("cols", 6, 10, smoke=4, low=2, high=100, unit="columns", static=True),
        Param("rank", 1, 2, smoke=1, low=1, high=50, unit="rank of the ground truth", static=True),
        Param("n", 34, 70, smoke=14, low=1, high=10_000, unit="observed entries", static=True),
    ],
    returns={
        **dict.fromkeys(("subgradient_gap", "subgradient_excess", "subgradient_slope", "total", "squares"), "t"),
        **dict.fromkeys(("distance", "length", "outcome"), ""),
    },
)

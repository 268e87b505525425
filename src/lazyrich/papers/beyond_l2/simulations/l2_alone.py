r"""Descent on $\frac12\|Xb-y\|^2+\frac\lambda2\|b\|^2$ in closed form, and descent with an $\ell_1$ penalty."""

import jax.numpy as jnp

from ....dynamics import ProximalDescent
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import begin, counts
from ....losses import Squared
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, Split
from ....regularizers import L1, L2
from .least_squares import make_problem


def closed_form(data: Split, init_scale, when, *, learning_rate, weight_decay):
    r"""$b_t = \hat b + (I-\alpha(X^\top X+\lambda))^t(b_0-\hat b)$ after each of the counts, $\hat b$, and $\sigma_\max$.

    Off the row space and without weight decay $b_t$ stays at $b_0$.
    """
    values, vectors = jnp.linalg.eigh(data.x.T @ data.x)
    kept = values > 1e-10 * values[-1]
    values = jnp.where(kept, values, 0.0)
    ridge = jnp.where(kept, (vectors.T @ (data.x.T @ data.y)) / jnp.where(kept, values + weight_decay, 1.0), 0.0)
    shares = (1 - learning_rate * (values + weight_decay)) ** when[:, None]
    return (ridge + shares * (vectors.T @ init_scale - ridge)) @ vectors.T, vectors @ ridge, values[-1]


def readings(weights, problem: Problem[Split]) -> dict:
    """Training error, recovery error, and norms."""
    data, truth = problem.train, problem.truth
    return {
        "train": jnp.linalg.norm(weights @ data.x.T - data.y, axis=-1) / jnp.linalg.norm(data.y),
        "recovery": jnp.linalg.norm(weights - truth, axis=-1) / jnp.linalg.norm(truth),
        "l2": jnp.linalg.norm(weights, axis=-1),
        "l1": jnp.abs(weights).sum(axis=-1),
    }


def decline(key, problem: Problem[Split], *, init_scale, learning_rate, weight_decay, reach, level, moments):
    """Descent with weight decay alone: curves, the final weights, and the drop of the recovery error after memorization."""
    data, truth = problem.train, problem.truth
    when = counts(reach / (learning_rate * weight_decay), moments)
    weights, ridge, top = closed_form(
        data, begin(key, data.d, init_scale).w, when, learning_rate=learning_rate, weight_decay=weight_decay
    )
    found = readings(weights, problem)
    fitted = jnp.argmax(found["train"] <= level)
    size = jnp.linalg.norm(truth)
    along = weights[-1] @ truth / size**2
    return {
        **found,
        "steps": when,
        "weights": weights,
        "end": weights[-1],
        "truth": truth,
        "memorization": first_crossing(when, -found["train"], -level),
        "fall": found["recovery"][fitted] / found["recovery"][-1],
        "from_ridge": jnp.linalg.norm(weights[-1] - ridge) / jnp.linalg.norm(ridge),
        "along": along,
        "across": jnp.sum((weights[-1] - along * truth) ** 2) / size**2,
        "stability": learning_rate * (top + weight_decay) / 2,
    }


def both(key, problem: Problem[Split], *, init_scale, learning_rate, weight_decay, strength, reach, level, moments):
    r"""The same, and proximal descent with an additional $\ell_1$ penalty, until it recovers the ground truth."""
    data = problem.train
    alone = decline(
        key,
        problem,
        init_scale=init_scale,
        learning_rate=learning_rate,
        weight_decay=weight_decay,
        reach=reach,
        level=level,
        moments=moments,
    )
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength), (L2(), weight_decay)])
    names = ("train", "recovery", "l2", "l1")
    path = ProximalDescent(learning_rate).run(
        objective,
        begin(key, data.d, init_scale),
        alone["steps"],
        read={name: (lambda model, name=name: readings(model.w, problem)[name]) for name in names},
        stop=lambda model: readings(model.w, problem)["recovery"] < level / 2,
    )
    kept = ("steps", "memorization", "fall", "from_ridge", "stability", *names)
    return {
        **{name: alone[name] for name in kept},
        **{f"sparse_{name}": path.reads[name] for name in names},
        "outcome": path.outcome.code,
    }


PARAMS = (
    Param("n", 30, smoke=10, low=1, high=1_000, unit="measurements", static=True),
    Param("d", 100, smoke=20, low=2, high=1_000, unit="unknowns", static=True),
    Param("sparsity", 5, smoke=2, low=1, high=500, unit="nonzero entries", static=True),
    Param("init_scale", 10.0, low=0.0, high=1e4, unit="norm of the initialization"),
    Param("learning_rate", 0.1, low=1e-5, high=1.0, unit="learning rate"),
    Param("weight_decay", 3e-4, 1e-5, smoke=1e-2, low=1e-8, high=10.0, unit=r"$\ell_2$ penalty"),
    Param("reach", 20.0, low=0.01, high=100.0, unit=r"horizon $\alpha\beta_2t$"),
    Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="threshold for both errors"),
    Param("moments", 200, smoke=30, low=12, high=10_000, unit="saved steps", static=True),
)
CURVES = dict.fromkeys(("steps", "train", "recovery", "l2", "l1"), "t")
ALONE = Simulation(
    decline,
    make_problem=make_problem,
    params=[*PARAMS, Param("trials", 200, smoke=2, low=1, high=10_000, unit="trials", static=True)],
    returns={
        **CURVES,
        "weights": "t d",
        "end": "d",
        "truth": "d",
        **dict.fromkeys(("memorization", "fall", "from_ridge", "along", "across", "stability"), ""),
    },
)
BOTH = Simulation(
    both,
    make_problem=make_problem,
    params=[*PARAMS, Param("strength", 1e-3, 1e-4, smoke=0.02, low=1e-8, high=1.0, unit=r"$\ell_1$ penalty")],
    returns={
        **CURVES,
        **{f"sparse_{name}": "t" for name in ("train", "recovery", "l2", "l1")},
        **dict.fromkeys(("memorization", "fall", "from_ridge", "stability", "outcome"), ""),
    },
)

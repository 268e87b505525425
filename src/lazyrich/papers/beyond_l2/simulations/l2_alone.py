r"""Descent on $\frac12\|Xb-y\|^2+\frac\lambda2\|b\|^2$ from a large start, in closed form; beside it one with an l1 penalty."""

import jax.numpy as jnp

from ...dynamics import ProximalDescent
from ...losses import HALF_SUM, Squared
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split
from ...regularizers import L1, L2
from ..params import Param
from ..simulation import Simulation
from .l1_descent import begin, counts
from .least_squares import pose


def closed_form(data: Split, start, when, *, rate, decay):
    r"""$b_t = \hat b + (I-\alpha(X^\top X+\lambda))^t(b_0-\hat b)$ after each of the counts, $\hat b$, and $\sigma_\max$.

    Where there is neither row nor decay, $b_t$ stays at $b_0$.
    """
    values, vectors = jnp.linalg.eigh(data.x.T @ data.x)
    kept = values > 1e-10 * values[-1]
    values = jnp.where(kept, values, 0.0)
    ridge = jnp.where(kept, (vectors.T @ (data.x.T @ data.y)) / jnp.where(kept, values + decay, 1.0), 0.0)
    shares = (1 - rate * (values + decay)) ** when[:, None]
    return (ridge + shares * (vectors.T @ start - ridge)) @ vectors.T, vectors @ ridge, values[-1]


def readings(weights, problem: Problem) -> dict:
    """Errors of fit and recovery, and norms."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    return {
        "train": jnp.linalg.norm(weights @ data.x.T - data.y, axis=-1) / jnp.linalg.norm(data.y),
        "recovery": jnp.linalg.norm(weights - truth, axis=-1) / jnp.linalg.norm(truth),
        "l2": jnp.linalg.norm(weights, axis=-1),
        "l1": jnp.abs(weights).sum(axis=-1),
    }


def decline(key, problem: Problem, *, start, rate, decay, reach, level, moments):
    """The curves with decay alone, the weights at the end beside the truth and the ridge answer, and what comes after the fit."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    when = counts(reach / (rate * decay), moments)
    weights, ridge, top = closed_form(data, begin(key, data.d, start).w, when, rate=rate, decay=decay)
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
        "fits": first_crossing(when, -found["train"], -level),
        "fall": found["recovery"][fitted] / found["recovery"][-1],
        "from_ridge": jnp.linalg.norm(weights[-1] - ridge) / jnp.linalg.norm(ridge),
        "along": along,
        "across": jnp.sum((weights[-1] - along * truth) ** 2) / size**2,
        "stability": rate * (top + decay) / 2,
    }


def both(key, problem: Problem, *, start, rate, decay, strength, reach, level, moments):
    """The same, and proximal descent with an l1 penalty beside the decay, until it finds the truth."""
    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    alone = decline(key, problem, start=start, rate=rate, decay=decay, reach=reach, level=level, moments=moments)
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength), (L2(), decay)])
    names = ("train", "recovery", "l2", "l1")
    path = ProximalDescent(rate).run(
        goal,
        begin(key, data.d, start),
        alone["steps"],
        read={name: (lambda model, name=name: readings(model.w, problem)[name]) for name in names},
        stop=lambda model: readings(model.w, problem)["recovery"] < level / 2,
    )
    kept = ("steps", "fits", "fall", "from_ridge", "stability", *names)
    return {
        **{name: alone[name] for name in kept},
        **{f"sparse_{name}": path.reads[name] for name in names},
        "outcome": path.outcome.code,
    }


PARAMS = (
    Param("n", 30, smoke=10, low=1, high=1_000, unit="measurements", static=True),
    Param("d", 100, smoke=20, low=2, high=1_000, unit="unknowns", static=True),
    Param("sparsity", 5, smoke=2, low=1, high=500, unit="entries of the truth", static=True),
    Param("start", 10.0, low=0.0, high=1e4, unit="size of the start"),
    Param("rate", 0.1, low=1e-5, high=1.0, unit="step"),
    Param("decay", 3e-4, 1e-5, smoke=1e-2, low=1e-8, high=10.0, unit="of the l2 penalty"),
    Param("reach", 20.0, low=0.01, high=100.0, unit="steps times rate times decay"),
    Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error of fit and recovery"),
    Param("moments", 200, smoke=30, low=12, high=10_000, unit="readings", static=True),
)
CURVES = dict.fromkeys(("steps", "train", "recovery", "l2", "l1"), "t")
ALONE = Simulation(
    decline,
    pose=pose,
    params=[*PARAMS, Param("trials", 200, smoke=2, low=1, high=10_000, unit="draws", static=True)],
    returns={
        **CURVES,
        "weights": "t d",
        "end": "d",
        "truth": "d",
        **dict.fromkeys(("fits", "fall", "from_ridge", "along", "across", "stability"), ""),
    },
)
BOTH = Simulation(
    both,
    pose=pose,
    params=[*PARAMS, Param("strength", 1e-3, 1e-4, smoke=0.02, low=1e-8, high=1.0, unit="of the l1 penalty")],
    returns={
        **CURVES,
        **{f"sparse_{name}": "t" for name in ("train", "recovery", "l2", "l1")},
        **dict.fromkeys(("fits", "fall", "from_ridge", "stability", "outcome"), ""),
    },
)

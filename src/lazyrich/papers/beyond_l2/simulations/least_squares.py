r"""The ridge or minimum-norm solution of few noisy measurements: its training and recovery error, by singular values."""

import jax.numpy as jnp
import jax.random as jr

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....problems import Problem, Split, compressed_sensing


def make_problem(key, n, d, sparsity) -> Problem[Split]:
    """Measurements without noise, which the simulation draws."""
    return compressed_sensing(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity)


def recover(key, problem: Problem[Split], *, weight_decay, noise, repeats):
    r"""Squared errors of $\hat b = (X^\top X+\lambda)^+X^\top y$ over `repeats` draws of the noise, and the parts of $b^*$."""
    data, truth = problem.train, problem.truth
    values, vectors = jnp.linalg.eigh(data.x.T @ data.x)
    kept = values > 1e-10 * values[-1]
    along = vectors.T @ truth
    inverse = jnp.where(kept, 1 / jnp.where(kept, values + weight_decay, 1.0), 0.0)
    labels = data.y + noise * jr.normal(jr.fold_in(key, 1), (repeats, data.n))
    found = (labels @ data.x @ vectors * inverse) @ vectors.T
    train = jnp.sum((found @ data.x.T - labels) ** 2, axis=1)
    recovery = jnp.sum((found - truth) ** 2, axis=1)
    return {
        "train": train.mean(),
        "train_error": train.std() / jnp.sqrt(1.0 * repeats),
        "recovery": recovery.mean(),
        "least": recovery.min(),
        "size": jnp.sum(truth**2),
        "outside": jnp.sum(jnp.where(kept, 0.0, along) ** 2),
        "eigenvalues": jnp.where(kept, values, 0.0),
        "along": along,
    }


SIMULATION = Simulation(
    recover,
    make_problem=make_problem,
    params=[
        Param("n", (12, 24, 60), (10, 30, 50, 70, 100), smoke=(6, 20), low=1, high=1_000, unit="measurements", static=True),
        Param("d", 40, 100, smoke=12, low=2, high=1_000, unit="unknowns", static=True),
        Param("sparsity", 4, 5, smoke=2, low=1, high=500, unit="nonzero entries", static=True),
        Param("weight_decay", (0.0, 0.1), (0.0, 0.01, 0.1), smoke=(0.0, 0.1), low=0.0, high=100.0, unit=r"$\ell_2$ penalty"),
        Param("noise", (0.0, 0.3), smoke=(0.0, 0.3), low=0.0, high=100.0, unit="standard deviation"),
        Param("repeats", 2_000, 40_000, smoke=200, low=2, high=1_000_000, unit="draws of the noise", static=True),
        Param("trials", 30, 200, smoke=2, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={
        **dict.fromkeys(("train", "train_error", "recovery", "least", "size", "outside"), ""),
        "eigenvalues": "d",
        "along": "d",
    },
)

r"""The ridge or least-norm answer of few noisy measurements: what it fits and what it recovers, by its singular values."""

import jax.numpy as jnp
import jax.random as jr

from ...problems import Problem, Split, compressed_sensing
from ..params import Param
from ..simulation import Simulation


def pose(key, n, d, sparsity) -> Problem:
    """Measurements without noise, which is drawn by the run."""
    return compressed_sensing(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity)


def recover(key, problem: Problem, *, decay, noise, repeats):
    r"""Squared errors of $\hat b = (X^\top X+\lambda)^+X^\top y$ over `repeats` draws of the noise, and the parts of $b^*$."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    values, vectors = jnp.linalg.eigh(data.x.T @ data.x)
    kept = values > 1e-10 * values[-1]
    along = vectors.T @ truth
    inverse = jnp.where(kept, 1 / jnp.where(kept, values + decay, 1.0), 0.0)
    answers = data.y + noise * jr.normal(jr.fold_in(key, 1), (repeats, data.n))
    found = (answers @ data.x @ vectors * inverse) @ vectors.T
    train = jnp.sum((found @ data.x.T - answers) ** 2, axis=1)
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
    pose=pose,
    params=[
        Param(
            "n", (12, 24, 60), (10, 30, 50, 70, 100), smoke=(6, 20), low=1, high=1_000, unit="measurements", static=True
        ),
        Param("d", 40, 100, smoke=12, low=2, high=1_000, unit="unknowns", static=True),
        Param("sparsity", 4, 5, smoke=2, low=1, high=500, unit="entries of the truth", static=True),
        Param("decay", (0.0, 0.1), (0.0, 0.01, 0.1), smoke=(0.0, 0.1), low=0.0, high=100.0, unit="of the l2 penalty"),
        Param("noise", (0.0, 0.3), smoke=(0.0, 0.3), low=0.0, high=100.0, unit="standard deviation"),
        Param("repeats", 2_000, 40_000, smoke=200, low=2, high=1_000_000, unit="draws of the noise", static=True),
        Param("trials", 30, 200, smoke=2, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        **dict.fromkeys(("train", "train_error", "recovery", "least", "size", "outside"), ""),
        "eigenvalues": "d",
        "along": "d",
    },
)

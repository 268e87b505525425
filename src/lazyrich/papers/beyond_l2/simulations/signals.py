r"""Subgradient descent with a small l1 penalty on signals of the world: a digit, a sum of waves, a polynomial."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...losses import HALF_SUM, Squared
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split, digit_zero, fourier, measure, polynomial, waves
from ...regularizers import L1
from ..params import Param
from ..simulation import Simulation
from .l1_descent import begin, counts

SAMPLES = 100  # of the sum of waves


def digit(key, n) -> Problem:
    """Measurements of the 8 x 8 zero."""
    return measure(jr.fold_in(key, 0), digit_zero(), n=n)


def sinusoid(key, n) -> Problem:
    """Measurements of five waves at a hundred times, by their coefficients in the real Fourier basis."""
    basis = fourier(SAMPLES)
    return measure(jr.fold_in(key, 0), basis.T @ waves(SAMPLES), n=n, basis=basis)


def quadratic(key, n, variables, sparsity) -> Problem:
    """Values of a quadratic polynomial with few monomials."""
    return polynomial(jr.fold_in(key, 0), n=n, variables=variables, sparsity=sparsity)


def recover(key, problem: Problem, *, share, strength, start, reach, level, moments):
    r"""Curves, weights and times, at the rate `share`$/\sigma_\max$ and a strength in units of the largest coefficient.

    Slow time is steps times rate times strength, in the same units.
    """
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "signals are measured by vectors"
    top = jnp.abs(truth).max()
    rate = share / jnp.linalg.norm(data.x, 2) ** 2
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength * top)])
    read = {
        "train": lambda model: jnp.linalg.norm(data.x @ model.w - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth),
        "l1": lambda model: jnp.abs(model.w).sum() / jnp.abs(truth).sum(),
        "ratio": lambda model: (
            strength
            * top
            * jnp.linalg.norm(jnp.sign(model.w))
            / jnp.linalg.norm(data.x.T @ (data.x @ model.w - data.y))
        ),
        "weights": lambda model: model.w,
    }
    when = counts(reach / (rate * strength), moments)
    path = GradientDescent(rate).run(goal, begin(key, data.d, start * top), when, read=read)
    slow = rate * strength * when
    return {
        **path.reads,
        "steps": when,
        "slow": slow,
        "fits": first_crossing(slow, -path.reads["train"], -level),
        "finds": first_crossing(slow, -path.reads["recovery"], -level),
        "truth": truth,
        "top": top,
        "outcome": path.outcome.code,
    }


def signal(pose, n: Param, *more: Param) -> Simulation:
    """The recovery of one kind of signal."""
    return Simulation(
        recover,
        pose=pose,
        params=[
            n,
            *more,
            Param("share", 0.5, low=1e-3, high=2.0, unit="rate times the largest curvature"),
            Param(
                "strength", 1e-4, 1e-5, smoke=1e-2, low=1e-8, high=1.0, unit="of the l1 penalty, over the largest entry"
            ),
            Param("start", 1e-6, low=0.0, high=100.0, unit="size of the start, over the largest entry"),
            Param("reach", 2.0, 5.0, smoke=2.0, low=1e-3, high=1e3, unit="slow time, over the largest entry"),
            Param("level", 5e-2, 1e-2, smoke=0.3, low=1e-6, high=0.5, unit="relative error that counts as found"),
            Param("moments", 200, smoke=40, low=12, high=10_000, unit="readings", static=True),
        ],
        returns={
            **dict.fromkeys(("train", "recovery", "l1", "ratio", "steps", "slow"), "t"),
            "weights": "t d",
            "truth": "d",
            **dict.fromkeys(("fits", "finds", "top", "outcome"), ""),
        },
    )


DIGIT = signal(digit, Param("n", 56, smoke=50, low=1, high=64, unit="measurements", static=True))
SINUSOID = signal(sinusoid, Param("n", 40, smoke=30, low=1, high=SAMPLES, unit="measurements", static=True))
POLYNOMIAL = signal(
    quadratic,
    Param("n", 45, smoke=18, low=1, high=1_000, unit="values", static=True),
    Param("variables", 12, smoke=5, low=1, high=40, static=True),
    Param("sparsity", 5, smoke=2, low=1, high=500, unit="monomials", static=True),
)

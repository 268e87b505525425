r"""Subgradient descent with a small $\ell_1$ penalty on three signals: a digit, a sum of sinusoids, a polynomial."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import begin, counts
from ....losses import Squared
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, Split, digit_zero, fourier, measure, polynomial, waves
from ....regularizers import L1

SAMPLES = 100  # of the sum of sinusoids


def digit(key, n) -> Problem[Split]:
    """Measurements of the 8 x 8 zero."""
    return measure(jr.fold_in(key, 0), digit_zero(), n=n)


def sinusoid(key, n) -> Problem[Split]:
    """Measurements of five sinusoids at a hundred times, by their coefficients in the real Fourier basis."""
    basis = fourier(SAMPLES)
    return measure(jr.fold_in(key, 0), basis.T @ waves(SAMPLES), n=n, basis=basis)


def quadratic(key, n, variables, sparsity) -> Problem[Split]:
    """Values of a quadratic polynomial with few monomials."""
    return polynomial(jr.fold_in(key, 0), n=n, variables=variables, sparsity=sparsity)


def recover(key, problem: Problem[Split], *, relative_learning_rate, strength, init_scale, reach, level, moments):
    r"""Curves, weights and times, at a learning rate over $1/\sigma_{\max}$ and a strength over the largest coefficient.

    Rescaled time is $\alpha\beta_1t$ in the same units.
    """
    data, truth = problem.train, problem.truth
    top = jnp.abs(truth).max()
    learning_rate = relative_learning_rate / jnp.linalg.norm(data.x, 2) ** 2
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength * top)])
    read = {
        "train": lambda model: jnp.linalg.norm(data.x @ model.w - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth),
        "l1": lambda model: jnp.abs(model.w).sum() / jnp.abs(truth).sum(),
        "ratio": lambda model: (
            strength * top * jnp.linalg.norm(jnp.sign(model.w)) / jnp.linalg.norm(data.x.T @ (data.x @ model.w - data.y))
        ),
        "weights": lambda model: model.w,
    }
    when = counts(reach / (learning_rate * strength), moments)
    path = GradientDescent(learning_rate).run(objective, begin(key, data.d, init_scale * top), when, read=read)
    slow = learning_rate * strength * when
    return {
        **path.reads,
        "steps": when,
        "slow": slow,
        "memorization": first_crossing(slow, -path.reads["train"], -level),
        "generalization": first_crossing(slow, -path.reads["recovery"], -level),
        "truth": truth,
        "top": top,
        "outcome": path.outcome.code,
    }


def signal(make_problem, n: Param, *more: Param) -> Simulation:
    """The recovery of one kind of signal."""
    return Simulation(
        recover,
        make_problem=make_problem,
        params=[
            n,
            *more,
            Param("relative_learning_rate", 0.5, low=1e-3, high=2.0, unit=r"learning rate times $\sigma_{\max}$"),
            Param("strength", 1e-4, 1e-5, smoke=1e-2, low=1e-8, high=1.0, unit=r"$\ell_1$ penalty, over the largest entry"),
            Param("init_scale", 1e-6, low=0.0, high=100.0, unit="norm at initialization, over the largest entry"),
            Param("reach", 2.0, 5.0, smoke=2.0, low=1e-3, high=1e3, unit=r"horizon $\alpha\beta_1t$, over the largest entry"),
            Param("level", 5e-2, 1e-2, smoke=0.3, low=1e-6, high=0.5, unit="threshold for the relative error"),
            Param("moments", 200, smoke=40, low=12, high=10_000, unit="saved steps", static=True),
        ],
        returns={
            **dict.fromkeys(("train", "recovery", "l1", "ratio", "steps", "slow"), "t"),
            "weights": "t d",
            "truth": "d",
            **dict.fromkeys(("memorization", "generalization", "top", "outcome"), ""),
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

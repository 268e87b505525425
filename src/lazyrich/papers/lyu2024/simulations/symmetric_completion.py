r"""Entries of a symmetric matrix fitted by $UU^\top - VV^\top$ with weight decay, from the identity or near it."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....inits import noisy_identity
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import SymmetricMap, SymmetricNet
from ....objective import Objective
from ....problems import Entries, Problem, low_rank_matrix
from ....regularizers import L2

# Unobserved entries are resolved down to 1e-7.
FLOW = GradientFlow(rtol=1e-8, atol=1e-10, max_steps=20_000)


def make_problem(key, d, rank, negative, train_fraction) -> Problem[Entries]:
    """A matrix of low rank with eigenvalues of both signs, and a fraction of its entries."""
    return low_rank_matrix(jr.fold_in(key, 0), d=d, rank=rank, negative=negative, train_fraction=train_fraction)


def objective(problem: Problem[Entries], weight_decay) -> Objective:
    """The mean squared loss of the entries with weight decay."""
    return Objective(problem.train, Squared(), reduction="mean", penalties=[(L2(), weight_decay)])


def known(problem: Problem[Entries]):
    """The mask of entries that were observed, or whose transposes were."""
    data = problem.train
    half = jnp.zeros(data.shape).at[data.rows, data.cols].set(1.0)
    return jnp.maximum(half, half.T)


def simulate(key, problem, *, d, log_alpha, weight_decay, relative_time):
    r"""The matrix at `relative_time`$\cdot\log\alpha/\lambda$ from $U = V = \alpha I$, the zero-filled one, the law of the rest.

    `law` is $(W_0^3)_{ij}(e^{4\tau} - e^{-2\tau})/\alpha^4$ at unobserved entries, with $W_0$ the zero-filled matrix: their
    size to leading order in $S = \sqrt{W^2 + 4\kappa^2}$, up to a constant.
    """
    mask, tau = known(problem), relative_time * log_alpha
    init = SymmetricMap.at_scale(jnp.exp(log_alpha), dim=d)
    path = FLOW.run(objective(problem, weight_decay), init, jnp.array([0.0, 1.0]) * tau / weight_decay, read={})
    filled = mask * problem.truth
    law = (1 - mask) * (filled @ filled @ filled) * (jnp.exp(4 * (tau - log_alpha)) - jnp.exp(-2 * tau - 4 * log_alpha))
    return {
        "matrix": path.end.w.ravel(),
        "filled": filled.ravel(),
        "law": law.ravel(),
        "observed": mask.ravel(),
        "kappa": jnp.exp(2 * (log_alpha - tau)),
        "top": jnp.linalg.norm(filled, 2),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def simulate_noisy(key, problem, *, d, log_alpha, weight_decay, relative_time, noise):
    r"""The same from $\alpha I$ plus noise on every entry of both factors, beside the run without noise.

    `carried` is the initial output after weight decay alone: $e^{-2\tau}W(0)$.
    """
    mask, tau, alpha = known(problem), relative_time * log_alpha, jnp.exp(log_alpha)
    times = jnp.array([0.0, 1.0]) * tau / weight_decay
    init = noisy_identity(jr.fold_in(key, 1), SymmetricNet.at_scale(1.0, dim=d), alpha, noise=noise)
    path = FLOW.run(objective(problem, weight_decay), init, times, read={})
    clean = FLOW.run(objective(problem, weight_decay), SymmetricMap.at_scale(alpha, dim=d), times, read={})
    return {
        "matrix": path.end.effective().ravel(),
        "clean": clean.end.w.ravel(),
        "filled": (mask * problem.truth).ravel(),
        "carried": jnp.exp(-2 * tau) * init.effective().ravel(),
        "observed": mask.ravel(),
        "outcome": jnp.maximum(path.outcome.code, clean.outcome.code),
        "steps": path.outcome.steps,
    }


DATA = (
    Param("d", 6, 12, smoke=4, low=2, high=60, unit="rows", static=True),
    Param("rank", 2, low=1, high=20, unit="rank of the ground truth", static=True),
    Param("negative", 1, low=0, high=20, unit="negative eigenvalues of the ground truth", static=True),
    Param("train_fraction", 0.4, low=0.01, high=1.0, unit="observed fraction", static=True),
)
RUN = (
    Param("log_alpha", (4.0, 5.0), (4.0, 5.0, 6.0), smoke=(4.0,), low=1.0, high=10.0, unit=r"$\log\alpha$"),
    Param("weight_decay", 1e-3, low=1e-7, high=0.1, unit="weight decay"),
    Param("away", (0.5, 0.7), (0.5, 0.6, 0.7), smoke=(0.6,), low=0.05, high=0.95, unit="$c$"),
    Param("relative_time", "=1-away", low=0.05, high=3.0, unit=r"time over $\log(\alpha)/\lambda$"),
)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[*RUN, *DATA],
    returns={
        **dict.fromkeys(("matrix", "filled", "law", "observed"), "m"),
        **dict.fromkeys(("kappa", "top", "outcome", "steps"), ""),
    },
)
NOISY = Simulation(
    simulate_noisy,
    make_problem=make_problem,
    params=[
        Param("noise", (1e-5, 1e-4, 1e-3), smoke=(1e-4, 1e-3), low=0.0, high=1e4, unit="standard deviation of every entry"),
        *RUN,
        *DATA,
    ],
    returns={
        **dict.fromkeys(("matrix", "clean", "filled", "carried", "observed"), "m"),
        **dict.fromkeys(("outcome", "steps"), ""),
    },
)

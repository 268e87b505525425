r"""Entries of a symmetric matrix fitted by $UU^\top - VV^\top$ with decay, from the identity or near it."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...inits import noisy_identity
from ...losses import MEAN, Squared
from ...models import SymmetricMap, SymmetricNet
from ...objective import Objective
from ...problems import Entries, Problem, low_rank_matrix
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation

# Unseen entries are read down to 1e-7.
FLOW = GradientFlow(rtol=1e-8, atol=1e-10, max_steps=20_000)


def pose(key, d, rank, negative, seen) -> Problem:
    """A matrix of low rank with eigenvalues of both signs, and a share of its entries."""
    return low_rank_matrix(jr.fold_in(key, 0), d=d, rank=rank, negative=negative, share=seen)


def goal(problem: Problem, decay) -> Objective:
    """The mean squared loss of the entries with decay."""
    return Objective(problem.train, Squared(), factor=MEAN, penalties=[(L2(), decay)])


def known(problem: Problem):
    """The mask of entries that were seen, or whose transposes were."""
    data = problem.train
    assert isinstance(data, Entries), "entries of a matrix were asked for"
    half = jnp.zeros(data.shape).at[data.rows, data.cols].set(1.0)
    return jnp.maximum(half, half.T)


def simulate(key, problem, *, d, log_alpha, decay, share):
    r"""The matrix at `share` times $\log\alpha/\lambda$ from $U = V = \alpha I$, the zero-filled one, and the law of the rest.

    `law` is $(W_0^3)_{ij}(e^{4\tau} - e^{-2\tau})/\alpha^4$ at entries never seen, with $W_0$ the zero-filled matrix: what
    $S = \sqrt{W^2 + 4\kappa^2}$ turns them by to leading order, up to a number.
    """
    mask, tau = known(problem), share * log_alpha
    start = SymmetricMap.at_scale(jnp.exp(log_alpha), dim=d)
    path = FLOW.run(goal(problem, decay), start, jnp.array([0.0, 1.0]) * tau / decay, read={})
    filled = mask * problem.truth
    law = (1 - mask) * (filled @ filled @ filled) * (jnp.exp(4 * (tau - log_alpha)) - jnp.exp(-2 * tau - 4 * log_alpha))
    return {
        "matrix": path.end.w.ravel(),
        "filled": filled.ravel(),
        "law": law.ravel(),
        "seen": mask.ravel(),
        "kappa": jnp.exp(2 * (log_alpha - tau)),
        "top": jnp.linalg.norm(filled, 2),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def simulate_noisy(key, problem, *, d, log_alpha, decay, share, noise):
    r"""The same from $\alpha I$ plus noise on every entry of both factors, beside the run without noise.

    `carried` is what decay alone leaves of the start's output: $e^{-2\tau}W(0)$.
    """
    mask, tau, alpha = known(problem), share * log_alpha, jnp.exp(log_alpha)
    times = jnp.array([0.0, 1.0]) * tau / decay
    start = noisy_identity(jr.fold_in(key, 1), SymmetricNet.at_scale(1.0, dim=d), alpha, noise=noise)
    path = FLOW.run(goal(problem, decay), start, times, read={})
    clean = FLOW.run(goal(problem, decay), SymmetricMap.at_scale(alpha, dim=d), times, read={})
    return {
        "matrix": path.end.effective().ravel(),
        "clean": clean.end.w.ravel(),
        "filled": (mask * problem.truth).ravel(),
        "carried": jnp.exp(-2 * tau) * start.effective().ravel(),
        "seen": mask.ravel(),
        "outcome": jnp.maximum(path.outcome.code, clean.outcome.code),
        "steps": path.outcome.steps,
    }


DATA = (
    Param("d", 6, 12, smoke=4, low=2, high=60, unit="rows", static=True),
    Param("rank", 2, low=1, high=20, unit="rank of the truth", static=True),
    Param("negative", 1, low=0, high=20, unit="negative eigenvalues of the truth", static=True),
    Param("seen", 0.4, low=0.01, high=1.0, unit="share of the entries", static=True),
)
RUN = (
    Param("log_alpha", (4.0, 5.0), (4.0, 5.0, 6.0), smoke=(4.0,), low=1.0, high=10.0, unit="log of U and V's diagonal"),
    Param("decay", 1e-3, low=1e-7, high=0.1, unit="strength of L2"),
    Param("away", (0.5, 0.7), (0.5, 0.6, 0.7), smoke=(0.6,), low=0.05, high=0.95, unit="c: from log(alpha)/decay"),
    Param("share", "=1-away", low=0.05, high=3.0, unit="time, over log(alpha)/decay"),
)
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[*RUN, *DATA],
    returns={
        **dict.fromkeys(("matrix", "filled", "law", "seen"), "m"),
        **dict.fromkeys(("kappa", "top", "outcome", "steps"), ""),
    },
)
NOISY = Simulation(
    simulate_noisy,
    pose=pose,
    params=[
        Param("noise", (1e-5, 1e-4, 1e-3), smoke=(1e-4, 1e-3), low=0.0, high=1e4, unit="deviation of every entry"),
        *RUN,
        *DATA,
    ],
    returns={
        **dict.fromkeys(("matrix", "clean", "filled", "carried", "seen"), "m"),
        **dict.fromkeys(("outcome", "steps"), ""),
    },
)

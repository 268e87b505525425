"""A matrix of low rank completed by factors of any width and scale: what gradient flow does to the unseen entries."""

from dataclasses import replace

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import Chebyshev, GradientFlow
from ....inits import bartlett
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import LinearNet
from ....objective import Objective
from ....problems import Entries, Problem, low_rank_product

# Small initializations are stiff late: the fifth-order method takes 60,000 steps at alpha^2 k = 1e-4, this one 300. Its solutions
# are within 1e-4 of those at a tolerance of 1e-7, relative to the matrix.
FLOW = GradientFlow(solver=Chebyshev(), rtol=1e-5, atol=1e-7, land=False)


def make_problem(key, d, cols, n) -> Problem[Entries]:
    """The product of two Gaussian vectors, of which n entries are known."""
    return low_rank_product(jr.fold_in(key, 0), rows=d, cols=cols, rank=1, n=n)


def init_factors(key, *, d: int, cols: int, width, alpha) -> LinearNet:
    r"""Factors with independent $N(0, \alpha^2)$ entries, in law, at width $d$ + `cols`."""
    return bartlett(jr.fold_in(key, 1), dim=d, outputs=cols, width=width, scale=alpha)


def simulate(key, problem, *, d, cols, width, alpha, until):
    """The end of the flow: its nuclear norm, its distance to the ground truth, how far unseen entries have moved."""
    init = init_factors(key, d=d, cols=cols, width=width, alpha=alpha)
    objective = Objective(problem.train, Squared(), reduction="sum")
    size = jnp.sum(problem.train.y**2)
    read = {"matrix": lambda net: net.effective(), "loss": lambda net: objective(net) / size}
    times = jnp.array([0.0, 1.0]) * until
    path = FLOW.run(objective, init, times, read=read, stop=lambda net: objective(net) < 1e-10 * size)
    first, end, rest = init.effective(), path.reads["matrix"][-1], problem.test
    return {
        "end": jnp.ravel(end),
        "nuclear": _nuclear(end),
        "true_nuclear": _nuclear(problem.truth),
        "error": jnp.linalg.norm(end - problem.truth) / jnp.linalg.norm(problem.truth),
        "change": jnp.sqrt(jnp.mean((end - first)[rest.rows, rest.cols] ** 2)),
        "needed": jnp.sqrt(jnp.mean((problem.truth - first)[rest.rows, rest.cols] ** 2)),
        "sigma": jnp.linalg.norm(first) / jnp.sqrt(first.size),
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def _nuclear(matrix):
    return jnp.sum(jnp.linalg.svd(matrix, compute_uv=False))


# Half decades of alpha and decades of the width: cells on one diagonal share alpha^2 k.
ALPHAS = tuple(10.0 ** (half / 2) for half in range(-6, 0))
ALPHA, WIDTH = "standard deviation of the initial weights", "columns of a factor"
KNOWN = Param("n", 60, low=1, high=10_000, unit="known entries", static=True)
SIZES = (
    Param("d", 10, low=2, high=100, unit="rows", static=True),
    Param("cols", 10, low=2, high=100, unit="columns", static=True),
)
UNTIL = Param("until", 1e8, low=1e-3, high=1e15, unit="time")
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", ALPHAS, smoke=(0.01, 0.3), low=1e-9, high=100.0, unit=ALPHA),
        Param("width", (10.0, 100.0, 1e3, 1e4, 1e5), smoke=(20.0, 1e4), low=1, high=1e14, unit=WIDTH),
        *SIZES,
        KNOWN,
        UNTIL,
    ],
    returns={
        "end": "d",
        **dict.fromkeys(("nuclear", "true_nuclear", "error", "change", "needed", "sigma", "loss", "outcome", "steps"), ""),
    },
)
# A constant alpha^2 k over widths; one that vanishes, at a width so large that W W^T starts at a multiple of I; a power of k.
SCALES = (1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3)
AT_SCALE = replace(
    SIMULATION,
    params=[
        Param("scale", SCALES, smoke=(1e-2, 1e3), low=1e-8, high=1e5, unit=r"$\alpha^2 k$"),
        Param("width", (100.0, 1e3, 1e4), (100.0, 1e3, 1e4, 1e5), smoke=(100.0, 1e4), low=1, high=1e14, unit=WIDTH),
        Param("alpha", "=sqrt(scale/width)", low=1e-9, high=100.0, unit=ALPHA),
        *SIZES,
        KNOWN,
        UNTIL,
    ],
)
VANISHING = replace(
    SIMULATION,
    params=[
        Param("scale", (100.0, 0.1, 1e-2, 1e-4, 1e-6), smoke=(0.1, 1e-2), low=1e-8, high=1e5, unit=r"$\alpha^2 k$"),
        Param("width", 1e8, low=1e6, high=1e14, unit=WIDTH),
        Param("alpha", "=sqrt(scale/width)", low=1e-12, high=100.0, unit=ALPHA),
        Param("n", 50, smoke=60, low=1, high=10_000, unit="known entries", static=True),
        Param("trials", 12, 30, smoke=2, low=1, high=10_000, unit="trials", static=True),
        *SIZES,
        UNTIL,
    ],
)
WIDTHS = (1e3, 1e4, 1e5, 1e6, 1e7, 1e8)
ALONG_WIDTH = replace(
    SIMULATION,
    params=[
        Param("power", (-0.5, 0.0, 0.25), low=-2.0, high=1.0, unit=r"$p$ of $\alpha^2 k = (k/100)^p$"),
        Param("width", (1e3, 1e5, 1e7), WIDTHS, smoke=(1e3, 1e7), low=1, high=1e14, unit=WIDTH),
        Param("alpha", "=sqrt((width/100)**power/width)", low=1e-12, high=100.0, unit=ALPHA),
        *SIZES,
        KNOWN,
        UNTIL,
    ],
)

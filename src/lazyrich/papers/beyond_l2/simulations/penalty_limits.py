r"""Where descent converges when a penalty is not small: weight decay beside $\ell_1$, or $\ell_1$ for a signal of any size."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent, ProximalDescent
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import begin
from ....losses import Squared
from ....objective import Objective
from ....problems import Problem, Split, compressed_sensing
from ....regularizers import L1, L2


def make_problem(key, n, d, sparsity) -> Problem[Split]:
    """Few measurements of a sparse vector with entries of size one."""
    return compressed_sensing(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity)


def elastic(key, problem: Problem[Split], *, learning_rate, strength, ratio, reach):
    r"""The end of proximal descent with an $\ell_1$ penalty and `ratio` times as much weight decay."""
    data, truth = problem.train, problem.truth
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength), (L2(), ratio * strength)])
    when = jnp.round(jnp.array([0.0, 1.0]) * reach / (learning_rate * strength))
    init, read = begin(key, data.d, 1e-6), {"w": lambda model: model.w}
    path = ProximalDescent(learning_rate).run(objective, init, when, read=read)
    end = path.reads["w"][-1]
    return {
        "end": end,
        "train": jnp.linalg.norm(data.x @ end - data.y) / jnp.linalg.norm(data.y),
        "recovery": jnp.linalg.norm(end - truth) / jnp.linalg.norm(truth),
        "outcome": path.outcome.code,
    }


def scaled(key, problem: Problem[Split], *, relative_learning_rate, times, scale, steps):
    r"""Subgradient descent on a signal `scale` times as large, with a strength of `times`$\cdot\sigma_{\max}/\sqrt{n}$.

    Also both thresholds for that strength, over it: the printed one, and $\|X^\top y\|_\infty$, above which the minimizer
    is zero.
    """
    data = problem.train
    truth, y = scale * problem.truth, scale * data.y
    top = jnp.linalg.norm(data.x, 2) ** 2
    strength, learning_rate = times * top / jnp.sqrt(1.0 * data.d), relative_learning_rate / top
    objective = Objective(Split(data.x, y), Squared(), reduction="half_sum", penalties=[(L1(), strength)])
    when = jnp.concatenate([jnp.zeros(1, int), jnp.arange(steps - 20, steps)])
    init, read = begin(key, data.d, 1e-6 * scale), {"w": lambda model: model.w}
    path = GradientDescent(learning_rate).run(objective, init, when, read=read)
    late = path.reads["w"][1:]
    train = jnp.linalg.norm(late @ data.x.T - y, axis=1) / jnp.linalg.norm(y)
    return {
        "train": train.mean(),
        "recovery": (jnp.linalg.norm(late - truth, axis=1) / jnp.linalg.norm(truth)).mean(),
        "band": jnp.abs(late).max() / (learning_rate * strength),
        "printed": 1 / times,
        "aware": jnp.abs(data.x.T @ y).max() / strength,
        "outcome": path.outcome.code,
    }


SIZES = (
    Param("n", 30, smoke=12, low=2, high=1_000, unit="measurements", static=True),
    Param("d", 100, smoke=20, low=4, high=5_000, unit="unknowns", static=True),
    Param("sparsity", 5, smoke=1, low=1, high=500, unit="nonzeros of the ground truth", static=True),
)
ELASTIC = Simulation(
    elastic,
    make_problem=make_problem,
    params=[
        *SIZES,
        Param("learning_rate", 0.4, low=1e-5, high=0.45, unit=r"$\alpha$"),
        Param("strength", (3e-3, 3e-4), (3e-3, 3e-4, 3e-5), smoke=(0.03, 0.01), low=1e-8, high=1.0, unit=r"$\beta_1$"),
        Param("ratio", (0.03, 1.0, 10.0, 100.0), smoke=(0.03, 10.0), low=0.0, high=1e5, unit=r"$\beta_2/\beta_1$"),
        Param("reach", 8.0, 15.0, smoke=3.0, low=0.1, high=1e3, unit=r"$\alpha\beta_1t$"),
        Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns={"end": "d", **dict.fromkeys(("train", "recovery", "outcome"), "")},
)
SCALED = Simulation(
    scaled,
    make_problem=make_problem,
    params=[
        *SIZES,
        Param("relative_learning_rate", 0.5, low=1e-3, high=2.0, unit=r"$\alpha$ times the largest curvature"),
        Param("times", (0.02, 20.0), low=1e-6, high=1e6, unit="strength over the printed threshold"),
        Param("scale", (1e-3, 1.0, 1e3), smoke=(1.0, 1e3), low=1e-6, high=1e6, unit="of the signal"),
        Param("steps", 20_000, 50_000, smoke=500, low=50, high=10_000_000, static=True),
        Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="trials", static=True),
    ],
    returns=dict.fromkeys(("train", "recovery", "band", "printed", "aware", "outcome"), ""),
)

r"""Descent in the row space of $X$: what contracts, how fast, and what stays at its initialization."""

import jax.numpy as jnp

from ....dynamics import GradientDescent
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import begin
from ....losses import Squared
from ....objective import Objective
from ....problems import Problem, Split
from ....problems.rows import first_rows
from ....regularizers import L1, L2
from .few_rows import make_problem


def row_space(data: Split, weight_decay):
    r"""Eigenvalues and eigenvectors of $X^\top X+\beta_2$, which are not zero, the ridge solution, and the distance from it.

    Eigenvalues that are zero are made so exactly. The distance is along the eigenvectors of those that are not.
    """
    values, vectors = jnp.linalg.eigh(data.x.T @ data.x)
    values = jnp.where(values > 1e-10 * values[-1], values, 0.0) + weight_decay
    moving = values > 0
    solution = vectors @ jnp.where(moving, (vectors.T @ (data.x.T @ data.y)) / jnp.where(moving, values, 1.0), 0.0)

    def inside(model):
        return jnp.linalg.norm(jnp.where(moving, vectors.T @ (model.w - solution), 0.0))

    return values, vectors, moving, solution, inside


def contract(key, problem: Problem[Split], *, n, init_scale, relative_learning_rate, weight_decay):
    r"""Descent without $\ell_1$ penalty, learning rate over $2/(\sigma_{\max}+\beta_2)$ given: distances at three counts.

    These are where the slowest direction has shrunk to 1e-8, 1e-11 and 1e-14 of its initial length.
    """
    data = first_rows(problem, n).train
    values, vectors, moving, solution, inside = row_space(data, weight_decay)
    learning_rate = relative_learning_rate * 2 / values[-1]
    radius = jnp.where(moving, jnp.abs(1 - learning_rate * values), 0.0).max()
    when = jnp.concatenate([jnp.zeros(1), jnp.ceil(jnp.log(jnp.array([1e-8, 1e-11, 1e-14])) / jnp.log(radius))])
    init = begin(key, data.d, init_scale)
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    read = {
        "w": lambda model: model.w,
        "slope": lambda model: jnp.linalg.norm(data.x.T @ (data.x @ model.w - data.y) + weight_decay * model.w),
        "inside": inside,
    }
    path = GradientDescent(learning_rate).run(objective, init, when, read=read)
    return {
        "steps": when,
        "inside": path.reads["inside"],
        "slope": path.reads["slope"],
        "radius": radius,
        "end": path.reads["w"][-1],
        "solution": solution,
        "outside": vectors @ jnp.where(moving, 0.0, vectors.T @ init.w),
        "outcome": path.outcome.code,
    }


def bounded(key, problem: Problem[Split], *, n, init_scale, learning_rate, strength):
    r"""Subgradient descent beside $\|V^\top(b-\hat b)\|\leq 2\alpha\beta_1\sqrt{n}/(1-\rho)$ for $t\geq t_1$.

    Also the printed radius, $\rho_\infty = \|I-\alpha X^\top X\|_{\infty\to\infty}$.
    """
    data = first_rows(problem, n).train
    values, _, moving, _, inside = row_space(data, 0.0)
    radius = jnp.where(moving, jnp.abs(1 - learning_rate * values), 0.0).max()
    init = begin(key, data.d, init_scale)
    level = learning_rate * strength * jnp.sqrt(1.0 * data.d)
    predicted = jnp.ceil(-jnp.log(1 + (1 - radius) * inside(init) / level) / jnp.log(radius))
    when = jnp.concatenate([jnp.zeros(1), jnp.ceil(predicted * jnp.geomspace(0.03, 4.0, 60))])
    when = jnp.maximum(when, jnp.arange(when.size))
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength)])
    path = GradientDescent(learning_rate).run(objective, init, when, read={"inside": inside})
    return {
        "steps": when,
        "inside": path.reads["inside"],
        "bound": 2 * level / (1 - radius),
        "predicted": predicted,
        "radius": radius,
        "sup": jnp.abs(jnp.eye(data.d) - learning_rate * data.x.T @ data.x).sum(axis=1).max(),
        "outcome": path.outcome.code,
    }


ROWS = (
    Param("n", (10, 30, 50, 70), smoke=(6, 12), low=1, high=1_000, unit="measurements"),
    Param("d", 100, smoke=20, low=4, high=1_000, unit="unknowns", static=True),
    Param("sparsity", 5, smoke=2, low=1, high=500, unit="nonzeros of the ground truth", static=True),
)
CONTRACTED = Simulation(
    contract,
    make_problem=make_problem,
    params=[
        *ROWS,
        Param("init_scale", 1.0, low=1e-6, high=1e3, unit="scale of the initialization"),
        Param(
            "relative_learning_rate",
            (0.3, 0.9),
            (0.1, 0.3, 0.5, 0.9),
            low=1e-2,
            high=0.99,
            unit="learning rate over its stability bound",
        ),
        Param("weight_decay", (0.0, 0.1), (0.0, 0.01, 0.1), low=0.0, high=10.0, unit=r"$\beta_2$"),
    ],
    returns={
        **dict.fromkeys(("steps", "inside", "slope"), "t"),
        **dict.fromkeys(("end", "solution", "outside"), "d"),
        **dict.fromkeys(("radius", "outcome"), ""),
    },
)
BOUNDED = Simulation(
    bounded,
    make_problem=make_problem,
    params=[
        *ROWS,
        Param("init_scale", (1e-6, 1.0), smoke=(1e-6,), low=0.0, high=1e3, unit="scale of the initialization"),
        Param("learning_rate", (0.1, 0.4), smoke=(0.2,), low=1e-4, high=0.45, unit=r"$\alpha$"),
        Param("strength", (1e-3, 1e-5), smoke=(1e-3,), low=1e-8, high=1.0, unit=r"$\beta_1$"),
    ],
    returns={**dict.fromkeys(("steps", "inside"), "t"), **dict.fromkeys(("bound", "predicted", "radius", "sup", "outcome"), "")},
)

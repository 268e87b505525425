r"""A matrix of low rank with a small nuclear penalty: first the data are fitted, then, rate times strength later, it is found."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent, ProjectedSubgradient, ProximalDescent
from ...losses import HALF_SUM, Squared
from ...models import AbstractLinearModel, Matrix
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Entries, Problem, Split, orthogonal_completion, orthogonal_sensing
from ...regularizers import L2, Nuclear
from ...regularizers.nuclear import polar_factor
from ...types import Array, Float, Scalar
from ..params import Param
from ..simulation import Simulation
from .l1_descent import counts

METHODS = {"subgradient": GradientDescent, "proximal": ProximalDescent, "projected": ProjectedSubgradient}
SENSED = ("proximal", "projected")
NORMS = (1, 2, jnp.inf)


class SensedMatrix(AbstractLinearModel):
    r"""$f_\theta(X) = \langle W, X\rangle$ with $\theta = W$; inputs are matrices, row by row."""

    w: Float[Array, "d k"]

    @property
    def degree(self) -> int:
        """One."""
        return 1

    def parameters(self):
        """The entries."""
        return self.w

    def effective(self) -> Float[Array, " d"]:
        """The entries, row by row."""
        return self.w.ravel()

    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The inner product with one input."""
        return x @ self.w.ravel()


def pose(key, rows, cols, rank, n, coherence) -> Problem:
    """Some entries of a random matrix of low rank."""
    return orthogonal_completion(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, n=n, coherence=coherence)


def pose_sensing(key, rows, cols, rank, n, coherence) -> Problem:
    """Products of a random matrix of low rank with random vectors."""
    return orthogonal_sensing(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, n=n, coherence=coherence)


def goal_of(problem: Problem, strength, decay=0.0) -> Objective:
    """Half the sum of squares with a nuclear penalty and decay; inputs that are matrices are laid out row by row."""
    data = problem.train
    if isinstance(data, Split):
        data = Split(data.x.reshape(data.n, -1), data.y)
    return Objective(data, Squared(), factor=HALF_SUM, penalties=[(Nuclear(), strength), (L2(), decay)])


def begin(problem: Problem, start) -> Matrix | SensedMatrix:
    """A multiple of the identity."""
    kind = Matrix if isinstance(problem.train, Entries) else SensedMatrix
    rows, cols = problem.truth.shape
    return kind(start * jnp.eye(rows, cols))


def readings(problem: Problem, goal: Objective, strength) -> dict:
    """Errors, norm, singular values, what the data miss in several norms, and the penalty's slope over that of the data."""
    truth, data = problem.truth, goal.data

    def ratio(model):
        slope = jax.grad(goal.data_loss)(model).w
        return strength * jnp.linalg.norm(polar_factor(model.w)) / jnp.linalg.norm(slope)

    def misses(model):
        missed = goal.outputs(model) - data.y
        return jnp.stack([jnp.linalg.norm(missed, order) for order in NORMS])

    return {
        "train": lambda model: jnp.linalg.norm(goal.outputs(model) - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth),
        "sigma": lambda model: jnp.linalg.svd(model.w, compute_uv=False),
        "ratio": ratio,
        "misses": misses,
    }


def descend(key, problem: Problem, *, start, rate, strength, nuclear, reach, level, moments):
    """All three methods up to the slow time `reach`: their curves and the slow times of fit and recovery.

    `nuclear` is the share of the penalty that is the nuclear norm; the rest is decay.
    """
    return follow(METHODS, problem, start, rate, strength, nuclear, reach, level, moments)


def sense(key, problem: Problem, *, start, rate, strength, nuclear, reach, level, moments):
    """The same by the two methods that the paper shows for sensing."""
    return follow(SENSED, problem, start, rate, strength, nuclear, reach, level, moments)


def follow(methods, problem: Problem, start, rate, strength, nuclear, reach, level, moments) -> dict:
    """Curves and times of each of these methods."""
    goal = goal_of(problem, nuclear * strength, (1 - nuclear) * strength)
    when = counts(reach / (rate * strength), moments)
    slow = rate * strength * when
    read = readings(problem, goal, strength)
    found = {}
    outcome = jnp.zeros((), int)
    for method in methods:
        path = METHODS[method](rate).run(goal, begin(problem, start), when, read=read)
        found |= {f"{method}_{name}": curve for name, curve in path.reads.items()}
        found[f"{method}_fits"] = first_crossing(slow, -path.reads["train"], -level)
        found[f"{method}_finds"] = first_crossing(slow, -path.reads["recovery"], -level)
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {**found, "steps": when, "slow": slow, "outcome": outcome}


def returned(methods) -> dict[str, str]:
    """What is returned of these methods."""
    own = {"train": "t", "recovery": "t", "ratio": "t", "sigma": "t k", "misses": "t p", "fits": "", "finds": ""}
    curves = {f"{method}_{name}": axes for method in methods for name, axes in own.items()}
    return {**curves, "steps": "t", "slow": "t", "outcome": ""}


PROBLEM = (
    Param("rows", 7, 10, smoke=5, low=2, high=100, unit="rows", static=True),
    Param("cols", 6, 10, smoke=4, low=2, high=100, unit="columns", static=True),
    Param("rank", 1, 2, smoke=1, low=1, high=50, unit="rank of the truth", static=True),
    # The paper has 70 entries of 10 x 10 at rank 2: one draw in eight then has a truth of least nuclear norm, too few to judge.
    Param("n", 34, 80, smoke=17, low=1, high=10_000, unit="measurements", static=True),
    Param("coherence", 0.0, low=0.0, high=1.0, unit="share of them that is chosen"),
)
RUN = (
    Param("start", 1e-6, low=0.0, high=100.0, unit="diagonal of the start"),
    Param("nuclear", 1.0, low=0.0, high=1.0, unit="share of the penalty that is no decay"),
    Param("reach", 4.0, 8.0, smoke=2.0, low=0.1, high=1e3, unit="slow time"),
    Param("level", 0.03, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as found"),
    Param("moments", 300, 600, smoke=40, low=12, high=10_000, unit="readings", static=True),
)
COMPLETION = Simulation(
    descend,
    pose=pose,
    params=[
        Param("rate", (0.5, 1.0), (0.1, 0.3, 1.0), smoke=(0.5, 1.0), low=1e-5, high=1.9, unit="step"),
        Param(
            "strength",
            (3e-3, 1e-3),
            (3e-3, 1e-3, 3e-4, 1e-4),
            smoke=(1e-2, 5e-3),
            low=1e-8,
            high=1.0,
            unit="of the nuclear penalty",
        ),
        *PROBLEM,
        *RUN,
        Param("trials", 8, smoke=2, low=1, high=10_000, unit="draws", static=True),
    ],
    returns=returned(METHODS),
)
SENSING = Simulation(
    sense,
    pose=pose_sensing,
    params=[
        Param("rate", 0.2, 0.1, low=1e-5, high=0.4, unit="step"),
        Param("strength", 3e-4, 1e-4, smoke=1e-2, low=1e-8, high=1.0, unit="of the nuclear penalty"),
        *PROBLEM,
        *RUN,
        Param("trials", 6, 10, smoke=2, low=1, high=10_000, unit="draws", static=True),
    ],
    returns=returned(SENSED),
).with_params(
    Param("n", 33, 70, smoke=15, low=1, high=10_000, unit="measurements", static=True),
    Param("reach", 2.0, 4.0, smoke=2.0, low=0.1, high=1e3, unit="slow time"),
)

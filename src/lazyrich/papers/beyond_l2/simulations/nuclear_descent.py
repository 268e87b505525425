r"""Low-rank matrices with a small nuclear penalty: first memorization, then recovery after $\propto1/\alpha\beta_*$ steps."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent, ProjectedSubgradient, ProximalDescent
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import counts
from ....losses import Squared
from ....models import AbstractLinearModel, Matrix
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Entries, Problem, Split, orthogonal_completion, orthogonal_sensing
from ....regularizers import L2, Nuclear
from ....regularizers.nuclear import polar_factor
from ....types import Array, Float, Scalar

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


def make_problem(key, rows, cols, rank, n, coherence) -> Problem:
    """Some entries of a random matrix of low rank."""
    return orthogonal_completion(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, n=n, coherence=coherence)


def make_sensing(key, rows, cols, rank, n, coherence) -> Problem:
    """Products of a random matrix of low rank with random vectors."""
    return orthogonal_sensing(jr.fold_in(key, 0), rows=rows, cols=cols, rank=rank, n=n, coherence=coherence)


def objective_of(problem: Problem, strength, weight_decay=0.0) -> Objective:
    """Half the sum of squares with a nuclear penalty and weight decay; matrices are laid out row by row."""
    data = problem.train
    if isinstance(data, Split):
        data = Split(data.x.reshape(data.n, -1), data.y)
    return Objective(data, Squared(), reduction="half_sum", penalties=[(Nuclear(), strength), (L2(), weight_decay)])


def begin(problem: Problem, init_scale) -> Matrix | SensedMatrix:
    """A multiple of the identity."""
    kind = Matrix if isinstance(problem.train, Entries) else SensedMatrix
    rows, cols = problem.truth.shape
    return kind(init_scale * jnp.eye(rows, cols))


def readings(problem: Problem, objective: Objective, strength) -> dict:
    """Errors, singular values, the residual in several norms, and the penalty gradient over the loss gradient."""
    truth, data = problem.truth, objective.data

    def ratio(model):
        slope = jax.grad(objective.data_loss)(model).w
        return strength * jnp.linalg.norm(polar_factor(model.w)) / jnp.linalg.norm(slope)

    def residuals(model):
        recovery_error = objective.outputs(model) - data.y
        return jnp.stack([jnp.linalg.norm(recovery_error, order) for order in NORMS])

    return {
        "train": lambda model: jnp.linalg.norm(objective.outputs(model) - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth),
        "sigma": lambda model: jnp.linalg.svd(model.w, compute_uv=False),
        "ratio": ratio,
        "residuals": residuals,
    }


def descend(key, problem: Problem, *, init_scale, learning_rate, strength, nuclear, reach, level, moments):
    """All three methods up to the rescaled time `reach`: their curves, memorization times and recovery times.

    `nuclear` is the fraction of the penalty that is the nuclear norm; the rest is weight decay.
    """
    return follow(METHODS, problem, init_scale, learning_rate, strength, nuclear, reach, level, moments)


def sense(key, problem: Problem, *, init_scale, learning_rate, strength, nuclear, reach, level, moments):
    """The same for the two methods that the paper uses for sensing."""
    return follow(SENSED, problem, init_scale, learning_rate, strength, nuclear, reach, level, moments)


def follow(methods, problem: Problem, init_scale, learning_rate, strength, nuclear, reach, level, moments) -> dict:
    """Curves and times of each of these methods."""
    objective = objective_of(problem, nuclear * strength, (1 - nuclear) * strength)
    when = counts(reach / (learning_rate * strength), moments)
    slow = learning_rate * strength * when
    read = readings(problem, objective, strength)
    found = {}
    outcome = jnp.zeros((), int)
    for method in methods:
        path = METHODS[method](learning_rate).run(objective, begin(problem, init_scale), when, read=read)
        found |= {f"{method}_{name}": curve for name, curve in path.reads.items()}
        found[f"{method}_memorization"] = first_crossing(slow, -path.reads["train"], -level)
        found[f"{method}_generalization"] = first_crossing(slow, -path.reads["recovery"], -level)
        outcome = jnp.maximum(outcome, path.outcome.code)
    return {**found, "steps": when, "slow": slow, "outcome": outcome}


def returned(methods) -> dict[str, str]:
    """The axes of what these methods return."""
    own = {
        "train": "t",
        "recovery": "t",
        "ratio": "t",
        "sigma": "t k",
        "residuals": "t p",
        "memorization": "",
        "generalization": "",
    }
    curves = {f"{method}_{name}": axes for method in methods for name, axes in own.items()}
    return {**curves, "steps": "t", "slow": "t", "outcome": ""}


PROBLEM = (
    Param("rows", 7, 10, smoke=5, low=2, high=100, unit="rows", static=True),
    Param("cols", 6, 10, smoke=4, low=2, high=100, unit="columns", static=True),
    Param("rank", 1, 2, smoke=1, low=1, high=50, unit="rank", static=True),
    # The paper has 70 entries of 10 x 10 at rank 2: then one ground truth in eight has minimum nuclear norm, too few to test.
    Param("n", 34, 80, smoke=17, low=1, high=10_000, unit="measurements", static=True),
    Param("coherence", 0.0, low=0.0, high=1.0, unit="fraction at the largest local coherences"),
)
RUN = (
    Param("init_scale", 1e-6, low=0.0, high=100.0, unit="diagonal of the initialization"),
    Param("nuclear", 1.0, low=0.0, high=1.0, unit="nuclear fraction of the penalty"),
    Param("reach", 4.0, 8.0, smoke=2.0, low=0.1, high=1e3, unit=r"horizon $\alpha\beta_*t$"),
    Param("level", 0.03, smoke=0.1, low=1e-6, high=0.5, unit="threshold for the relative error"),
    Param("moments", 300, 600, smoke=40, low=12, high=10_000, unit="saved steps", static=True),
)
COMPLETION = Simulation(
    descend,
    make_problem=make_problem,
    params=[
        Param("learning_rate", (0.5, 1.0), (0.1, 0.3, 1.0), smoke=(0.5, 1.0), low=1e-5, high=1.9, unit="learning rate"),
        Param("strength", (3e-3, 1e-3), (3e-3, 1e-3, 3e-4, 1e-4), smoke=(1e-2, 5e-3), low=1e-8, high=1.0, unit="nuclear penalty"),
        *PROBLEM,
        *RUN,
        Param("trials", 8, smoke=2, low=1, high=10_000, unit="trials", static=True),
    ],
    returns=returned(METHODS),
)
SENSING = Simulation(
    sense,
    make_problem=make_sensing,
    params=[
        Param("learning_rate", 0.2, 0.1, low=1e-5, high=0.4, unit="learning rate"),
        Param("strength", 3e-4, 1e-4, smoke=1e-2, low=1e-8, high=1.0, unit="nuclear penalty"),
        *PROBLEM,
        *RUN,
        Param("trials", 6, 10, smoke=2, low=1, high=10_000, unit="trials", static=True),
    ],
    returns=returned(SENSED),
).with_params(
    Param("n", 33, 70, smoke=15, low=1, high=10_000, unit="measurements", static=True),
    Param("reach", 2.0, 4.0, smoke=2.0, low=0.1, high=1e3, unit=r"horizon $\alpha\beta_*t$"),
)

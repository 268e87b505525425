"""A two-layer ReLU net of one variable on six points: which curve does descent draw through them?"""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent, loss_below
from ...inits import relu_line
from ...losses import SUM, Squared
from ...models import Doubled, tangent
from ...objective import Objective
from ...problems import Split
from ..params import Param
from ..simulation import Simulation

X = (-1.2, -0.7, -0.2, 0.3, 0.8, 1.3)
# Second differences alternate in sign: then connecting the dots is the only curve of least bend between the samples.
Y = (0.3, -0.5, 0.4, -0.3, 0.5, -0.2)
# Where curves are read: the samples are among these points, and nothing outside them.
GRID = 201
# The step of the published prototypes: a share of the stable one at the start, and no more than this where the start is
# so small that its own kernel says nothing.
SHARE, LONGEST = 0.3, 0.005
# The rule that ends a run is looked at on these moments.
MOMENTS = 500


class Posed(eqx.Module):
    """The data, and the net at scale one that all starts are multiples of."""

    train: Split
    shape: Doubled


def pose(key, width, ratio) -> Posed:
    """Six points, and a net with its output bias, zero by doubling; `ratio` moves weight from the second layer to the first."""
    shape = relu_line(jr.fold_in(key, 1), width=width, ratio=ratio, offset=True)
    return Posed(Split(jnp.array(X)[:, None], jnp.array(Y)), shape)


def begin(shape: Doubled, alpha) -> Doubled:
    """The net at scale alpha."""
    return jax.tree.map(lambda part: alpha * part, shape)


def grid():
    """The points at which curves are read."""
    return jnp.linspace(X[0], X[-1], GRID)


def simulate(key, problem, *, alpha, limit, level):
    """The curve where descent interpolates, and its bend: the total variation of its slope between grid points."""
    start, goal = begin(problem.shape, alpha), Objective(problem.train, Squared(), factor=SUM)
    fastest = jnp.linalg.eigvalsh(tangent.kernel(start, problem.train.x))[-1]
    descent = GradientDescent(jnp.minimum(LONGEST, SHARE / fastest))
    when = jnp.arange(0, limit + 1, MOMENTS)
    path = descent.run(goal, start, when, read={"loss": goal}, stop=loss_below(goal, level))
    curve = jax.vmap(path.end)(grid()[:, None])
    slopes = jnp.diff(curve) / jnp.diff(grid())
    return {
        "curve": curve,
        "bend": jnp.sum(jnp.abs(jnp.diff(slopes))),
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "alpha",
            (0.03, 0.1, 1.0, 100.0),
            (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0, 100.0),
            smoke=(0.1, 100.0),
            low=1e-5,
            high=1e4,
            unit="times the start of standard size",
        ),
        Param("ratio", (1.0, 3.0, 0.2), smoke=(3.0,), low=1e-2, high=100.0, unit="first layer times, second over"),
        Param("width", 500, 10_000, smoke=30, low=2, high=100_000, unit="units, before doubling", static=True),
        Param("limit", 300_000, 1_000_000, smoke=4_000, low=1_000, high=100_000_000, unit="steps", static=True),
        Param("level", 1e-9, smoke=1e-4, low=1e-20, high=1.0, unit="loss that ends a run"),
    ],
    returns={"curve": "x", **dict.fromkeys(("bend", "loss", "outcome", "steps"), "")},
)


def refer(problem, alpha):
    """Connecting the dots, and the interpolant of the start's tangent kernel, both read on the grid.

    The kernel's shape depends on the scale through the output bias alone. Below scale one nobody asks for it.
    """
    from ...predictors import KernelInterpolant, LinearSpline

    start = begin(problem.shape, jnp.maximum(alpha, 1.0))
    rich, lazy = LinearSpline().solve(problem.train), KernelInterpolant(start).solve(problem.train)
    points = grid()[:, None]
    return {"rich": rich, "lazy": lazy, "dots": rich.predict(points), "kernel": lazy.predict(points)}

"""A two-layer ReLU net of one variable on six points: which function does gradient descent learn?"""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent, loss_below
from ....inits import relu_line
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import Doubled, tangent
from ....objective import Objective
from ....problems import Split

X = (-1.2, -0.7, -0.2, 0.3, 0.8, 1.3)
# Second differences alternate in sign: then the linear spline alone has the minimum total variation of the slope between them.
Y = (0.3, -0.5, 0.4, -0.3, 0.5, -0.2)
# Where curves are read: the samples are among these points, and nothing outside them.
GRID = 201
# The learning rate of the published prototypes: a fraction of the stable one at initialization, and no more than this where the
# initialization is so small that its own kernel says nothing.
SHARE, LONGEST = 0.3, 0.005
# The stopping rule is evaluated once in so many steps.
MOMENTS = 500


class Posed(eqx.Module):
    """The data, and the net at scale 1 of which every initialization is a multiple."""

    train: Split
    shape: Doubled


def make_problem(key, width, ratio) -> Posed:
    """Six points, and a net with its output bias, zero by doubling; `ratio` moves weight from the second layer to the first."""
    shape = relu_line(jr.fold_in(key, 1), width=width, ratio=ratio, offset=True)
    return Posed(Split(jnp.array(X)[:, None], jnp.array(Y)), shape)


def init_at(shape: Doubled, alpha) -> Doubled:
    """The net at scale alpha."""
    return jax.tree.map(lambda part: alpha * part, shape)


def grid():
    """The points at which curves are read."""
    return jnp.linspace(X[0], X[-1], GRID)


def simulate(key, problem, *, alpha, limit, level):
    """The curve where gradient descent interpolates, and its bend: the total variation of its slope between grid points."""
    init, objective = init_at(problem.shape, alpha), Objective(problem.train, Squared(), reduction="sum")
    fastest = jnp.linalg.eigvalsh(tangent.kernel(init, problem.train.x))[-1]
    descent = GradientDescent(jnp.minimum(LONGEST, SHARE / fastest))
    when = jnp.arange(0, limit + 1, MOMENTS)
    path = descent.run(objective, init, when, read={"loss": objective}, stop=loss_below(objective, level))
    curve = jax.vmap(path.end)(grid()[:, None])
    slopes = jnp.diff(curve) / jnp.diff(grid())
    return {
        "curve": curve,
        "bend": jnp.sum(jnp.abs(jnp.diff(slopes))),
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


MORE = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0, 100.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param(
            "alpha",
            (0.03, 0.1, 1.0, 100.0),
            MORE,
            smoke=(0.1, 100.0),
            low=1e-5,
            high=1e4,
            unit="times the standard initialization",
        ),
        Param(
            "ratio", (1.0, 3.0, 0.2), smoke=(3.0,), low=1e-2, high=100.0, unit="factor on the first layer, divisor of the second"
        ),
        Param("width", 500, 10_000, smoke=30, low=2, high=100_000, unit="units, before doubling", static=True),
        Param("limit", 300_000, 1_000_000, smoke=4_000, low=1_000, high=100_000_000, unit="steps", static=True),
        Param("level", 1e-9, smoke=1e-4, low=1e-20, high=1.0, unit="loss at which a run stops"),
    ],
    returns={"curve": "x", **dict.fromkeys(("bend", "loss", "outcome", "steps"), "")},
)


def predict(problem, alpha):
    """The linear spline, and the interpolant of the tangent kernel at initialization, both on the grid.

    The kernel's shape depends on the scale through the output bias alone. Below scale 1 it is not needed.
    """
    from ....predictors import KernelInterpolant, LinearSpline

    init = init_at(problem.shape, jnp.maximum(alpha, 1.0))
    rich, lazy = LinearSpline().solve(problem.train), KernelInterpolant(init).solve(problem.train)
    points = grid()[:, None]
    return {"rich": rich, "lazy": lazy, "dots": rich.predict(points), "kernel": lazy.predict(points)}

r"""A ReLU net of depth $D$ on ten points of the circle: how far do its tangent features rotate, and what does it learn?"""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import ExponentialFlow, loss_below
from ....inits import he
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import Doubled, ReluNet, tangent
from ....objective import Objective
from ....problems import Problem, Split, circle_teacher

# Distances and test errors at this tolerance are within a few percent of those at a third of it, and of gradient descent with
# small steps where that converges at all: the kernel of ten random points has condition numbers up to 1e6.
FLOW = ExponentialFlow(rtol=0.005)
# Runs take 20 to 400 steps; the stopping rule is evaluated once in so many.
MOMENTS = 25


class Posed(eqx.Module):
    """The data, and the net at scale 1 of which every initialization is a multiple."""

    problem: Problem[Split]
    shape: ReluNet


def make_problem(key, n, units, width, depth, label_scale) -> Posed:
    """Points of the circle with a teacher's labels, and a net of uniform He weights without biases."""
    problem = circle_teacher(jr.fold_in(key, 0), n=n, units=units, size=label_scale)
    return Posed(problem, he(jr.fold_in(key, 1), (2, *(width,) * (depth - 1), 1), law="uniform"))


def init_at(shape: ReluNet, *, alpha, doubling) -> Doubled:
    """The net at scale alpha less a copy of it; at `doubling` 0 the copy is zero, where it stays: the net alone."""
    at = jax.tree.map(lambda part: alpha * part, shape)
    return Doubled(at, jax.tree.map(lambda part: doubling * part, at))


def simulate(key, problem, *, alpha, doubling, limit, level):
    """Test error, and how far features and kernel have rotated since initialization, where the flow interpolates."""
    train, test = problem.problem.train, problem.problem.test
    init, objective = (init_at(problem.shape, alpha=alpha, doubling=doubling), Objective(train, Squared(), reduction="sum"))
    when = jnp.arange(0, limit + 1, MOMENTS)
    path = FLOW.run(objective, init, when, read={"loss": objective}, stop=loss_below(objective, level))
    before, after = (tangent.features(net, train.x) for net in (init, path.end))
    return {
        "error": jnp.mean((jax.vmap(path.end)(test.x) - test.y) ** 2),
        "chance": jnp.mean(test.y**2),
        "features": tangent.feature_distance(before, after),
        "examples": tangent.example_distance(before, after),
        "kernels": tangent.kernel_distance(before @ before.T, after @ after.T),
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


ALPHAS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
MORE = tuple(round(10 ** (-1.5 + 3 * i / 19), 4) for i in range(20))
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", ALPHAS, MORE, smoke=(0.5, 2.0, 5.0), low=1e-3, high=100.0, unit="times the He initialization"),
        Param("depth", (2, 3), (2, 3, 5), smoke=(2,), low=2, high=6, unit="layers", static=True),
        Param("doubling", (1.0, 0.0), low=0.0, high=1.0, unit="1: doubled (a copy is subtracted), 0: not"),
        Param("n", 10, smoke=5, low=2, high=100, unit="samples", static=True),
        Param("units", 3, low=1, high=100, unit="units of the teacher", static=True),
        Param("width", 30, smoke=10, low=2, high=1_000, unit="units per layer", static=True),
        Param("label_scale", 1.0, low=1e-6, high=1e6, unit="factor on the labels"),
        Param("limit", 1_000, 8_000, smoke=200, low=100, high=1_000_000, unit="steps", static=True),
        Param("trials", 8, 20, smoke=1, low=1, high=10_000, unit="trials", static=True),
        Param("level", 1e-9, low=1e-20, high=1.0, unit="loss at which a run stops"),
    ],
    returns=dict.fromkeys(("error", "chance", "features", "examples", "kernels", "loss", "outcome", "steps"), ""),
)

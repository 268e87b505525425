"""A diagonal net with weight decay on sparse and on dense classification, with test accuracy in closed form."""

import jax.numpy as jnp
import jax.random as jr

from ....events import first_above, first_below
from ....lab import Param, Simulation
from ....lab.simulations.diagonal_classification import accuracy_curves, make_problem, make_separated
from ....measures import Curve, cosine, sampled_accuracy


def curves(key, problem, transition, *, plateau, horizon, points, moments, **run):
    """Train and test accuracy along the flow, and the closed form against fresh samples at a few moments.

    These are on the plateau, at `transition(test)`, and at the end.
    """
    path = accuracy_curves(problem, horizon=horizon, moments=moments, **run)
    times, train, test, effective = path.times, *(path.reads[name] for name in ("train", "test", "effective"))
    flat = jnp.argmin(jnp.abs(times - plateau * horizon))
    checked = jnp.stack([flat, *transition(test), jnp.asarray(moments - 1)])
    return {
        "time": times,
        "train": train,
        "test": test,
        "plateau": test[flat],
        "memorization": first_above(Curve(times, train, "train accuracy"), 1.0).value,
        "end": effective[-1],
        "closed": test[checked],
        "sampled": sampled_accuracy(jr.fold_in(key, 3), problem.law, effective[checked], points=points, chunk=100),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


def simulate_sparse(key, problem, *, d, alpha, weight_decay, horizon, points, moments):
    """Accuracies on labels of a sparse teacher, and when test accuracy rises."""
    run = {"d": d, "alpha": alpha, "weight_decay": weight_decay, "horizon": horizon}

    def transition(test):
        return (jnp.argmax(test >= level) for level in (0.75, 0.9))

    found = curves(key, problem, transition, plateau=0.005, points=points, moments=moments, **run)
    rise = Curve(found["time"], found["test"], "test accuracy")
    return {
        **found,
        "t90": first_above(rise, 0.9).value,
        "t99": first_above(rise, 0.99).value,
        "teacher": cosine(found["end"], problem.truth),
    }


def simulate_dense(key, problem, *, d, alpha, weight_decay, horizon, points, moments):
    """Accuracies on classes separated along a dense direction, and when test accuracy falls; at time 0 all outputs are zero."""
    run = {"d": d, "alpha": alpha, "weight_decay": weight_decay, "horizon": horizon}

    def transition(test):
        return (jnp.argmax(test[1:] <= level) + 1 for level in (0.95, 0.8))

    found = curves(key, problem, transition, plateau=0.0025, points=points, moments=moments, **run)
    fall = Curve(found["time"][1:], found["test"][1:], "test accuracy")
    return {
        **found,
        "t95": first_below(fall, 0.95).value,
        "t80": first_below(fall, 0.8).value,
        "margin": jnp.min(problem.train.y * (problem.train.x @ found["end"])),
    }


def _returns(*numbers: str) -> dict[str, str]:
    numbers = ("plateau", "memorization", *numbers, "outcome", "steps")
    vectors = {"end": "d", "closed": "m", "sampled": "m"}
    return {**dict.fromkeys(("time", "train", "test"), "t"), **dict.fromkeys(numbers, ""), **vectors}


WEIGHT_DECAY = Param("weight_decay", 1e-3, low=1e-9, high=1.0, unit="weight decay")
SPARSE = Simulation(
    simulate_sparse,
    make_problem=make_problem,
    params=[
        Param("n", 192, 256, smoke=16, low=2, high=4_096, unit="samples", static=True),
        Param("d", 10_000, 100_000, smoke=200, low=10, high=1_000_000, unit="dimensions", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
        Param("alpha", 64.0, 128.0, smoke=8.0, low=1e-3, high=1e6, unit="norm of the initialization"),
        WEIGHT_DECAY,
        Param("horizon", "=10/weight_decay", low=1.0, high=1e12, unit="time"),
        Param("points", 1_000, 400, smoke=100, low=100, high=100_000, unit="fresh samples", static=True),
        Param("moments", 120, 100, smoke=40, low=30, high=2_000, unit="times on the curve", static=True),
    ],
    returns=_returns("t90", "t99", "teacher"),
)
DENSE = Simulation(
    simulate_dense,
    make_problem=make_separated,
    params=[
        Param("n", 32, smoke=8, low=2, high=4_096, unit="samples", static=True),
        Param("d", 20_000, 100_000, smoke=400, low=10, high=1_000_000, unit="dimensions", static=True),
        Param("gap", 15.0, 25.0, smoke=4.0, low=0.0, high=1_000.0, unit=r"class separation, in $\sigma$", static=True),
        Param("alpha", 64.0, 128.0, smoke=16.0, low=1e-3, high=1e6, unit="norm of the initialization"),
        WEIGHT_DECAY,
        Param("horizon", "=20/weight_decay", low=1.0, high=1e12, unit="time"),
        Param("points", 300, 200, smoke=100, low=100, high=100_000, unit="fresh samples", static=True),
        Param("moments", 120, smoke=40, low=30, high=2_000, unit="times on the curve", static=True),
    ],
    returns=_returns("t95", "t80", "margin"),
)

r"""Sparse recovery by products of $L$ vectors: small initialization without penalty, or large with weight decay."""

import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientDescent
from ....dynamics.sharpness import edge
from ....inits import gaussian
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import counts
from ....losses import Squared
from ....models import Doubled, HadamardNet
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, Split
from ....problems.rows import first_rows
from ....regularizers import L2
from .few_rows import SIZES, make_problem
from .l2_alone import closed_form
from .sparse_phases import follow as penalized


def begin(key, d: int, depth: int, *, init_scale, zero_first) -> HadamardNet:
    r"""Weights $\sim N(0, \sigma^2/d)$, with $\sigma$ = `init_scale`; if `zero_first` > 0, one factor zero, others constant."""
    scale = init_scale / jnp.sqrt(1.0 * d)
    drawn = gaussian(jr.fold_in(key, 1), HadamardNet.at_zero(dim=d, depth=depth), scale=scale)
    plain = HadamardNet.zero_first(scale, dim=d, depth=depth)
    return HadamardNet(jnp.where(zero_first > 0, plain.factors, drawn.factors))


def amounts(model):
    """The linear predictor of a product of vectors, or of the difference of two."""
    return (
        model.plus.effective() - model.minus.effective()  # pyright: ignore[reportAttributeAccessIssue]
        if isinstance(model, Doubled)
        else model.effective()
    )


def follow(problem: Problem[Split], begun: HadamardNet, *, twice, learning_rate, weight_decay, steps, until, moments):
    """Errors, norms and learning rate times sharpness, of one net or of the difference of two with equal initialization."""
    data, truth = problem.train, problem.truth
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])

    def fit_error(model):
        return jnp.linalg.norm(data.x @ amounts(model) - data.y) / jnp.linalg.norm(data.y)

    read = {
        "train": fit_error,
        "recovery": lambda model: jnp.linalg.norm(amounts(model) - truth) / jnp.linalg.norm(truth),
        "l1": lambda model: jnp.abs(amounts(model)).sum(),
        "l2": lambda model: jnp.linalg.norm(amounts(model)),
        "weights": lambda model: jnp.sqrt(2 * L2().value(model.parameters())),
        "edge": edge(objective, learning_rate),
    }
    when = counts(steps, moments)
    model = Doubled.of(begun) if twice else begun
    return GradientDescent(learning_rate).run(
        objective, model, when, read=read, stop=lambda model: fit_error(model) < until
    ), when


def descend(
    key, problem, *, n, depth, twice, init_scale, zero_first, learning_rate, weight_decay, steps, fit, level, until, moments
):
    """Gradient descent on the first `n` measurements, with memorization and recovery times.

    `shallow` is the error of one factor as the difference of two: from zero at twice the learning rate and half the decay.
    """
    few = first_rows(problem, n)
    data, truth = few.train, few.truth
    begun = begin(key, truth.size, depth, init_scale=init_scale, zero_first=zero_first)
    path, when = follow(
        few, begun, twice=twice, learning_rate=learning_rate, weight_decay=weight_decay, steps=steps, until=until, moments=moments
    )
    train, recovery = path.reads["train"], path.reads["recovery"]
    alone, _, _ = closed_form(
        data, jnp.zeros_like(truth), when[-1:], learning_rate=2 * learning_rate, weight_decay=weight_decay / 2
    )
    end = amounts(path.end)
    return {
        **path.reads,
        "steps": when,
        "memorization": first_crossing(when, -train, -fit),
        "generalization": first_crossing(when, -recovery, -level),
        "at_fit": recovery[jnp.argmax(train <= fit)],
        "shallow": jnp.linalg.norm(alone[0] - truth) / jnp.linalg.norm(truth),
        "end": end,
        "truth": truth,
        "outcome": path.outcome.code,
    }


RETURNS = {
    **dict.fromkeys(("steps", "train", "recovery", "l1", "l2", "weights", "edge"), "t"),
    **dict.fromkeys(("memorization", "generalization", "at_fit", "shallow", "outcome"), ""),
    **dict.fromkeys(("end", "truth"), "d"),
}
DEPTHS = Param("depth", (1, 2, 3), (1, 2, 3, 4), smoke=(1, 2, 3), low=1, high=8, unit="factors", static=True)
COMMON = (
    *SIZES,
    Param("twice", 0, low=0, high=1, unit="1: the difference of two with equal initialization", static=True),
    Param("zero_first", "=maximum(depth-2,0)", low=0, high=8, unit="above 0: one factor zero, the others constant"),
    Param("fit", 1e-2, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as memorization"),
    Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as recovery"),
    Param("moments", 150, 300, smoke=40, low=12, high=10_000, unit="saved steps", static=True),
    Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="trials", static=True),
)
SMALL = Simulation(
    descend,
    make_problem=make_problem,
    params=[
        DEPTHS,
        Param("n", (20, 30, 50), (20, 30, 40, 50, 70, 90), smoke=(10, 14), low=1, high=1_000, unit="measurements"),
        Param("product", 1e-6, low=1e-30, high=1e6, unit="initial size of one entry, all factors together"),
        Param("init_scale", "=sqrt(d)*product**(1/depth)", 1e-2, low=0.0, high=1e4, unit="initial norm of a factor"),
        Param("learning_rate", 0.1, low=1e-5, high=0.5, unit="learning rate"),
        Param("weight_decay", 0.0, low=0.0, high=10.0, unit=r"$\ell_2$ strength"),
        Param("steps", 1e5, 3e6, smoke=2e3, low=10, high=1e9),
        Param("until", 1e-3, low=0.0, high=0.5, unit="training error at which a run stops"),
        *COMMON,
    ],
    returns=RETURNS,
)
"""A small initialization without penalty, until memorization: random for one and two factors, as in the paper.

With more factors one is initialized at zero: from random ones the entry that grows first need not be in the support.
"""
LARGE = Simulation(
    descend,
    make_problem=make_problem,
    params=[
        DEPTHS,
        Param("n", (30, 50), (20, 30, 40, 50, 70, 90), smoke=(10, 14), low=1, high=1_000, unit="measurements"),
        Param("init_scale", 1.0, low=0.0, high=1e4, unit="initial norm of a factor"),
        Param("learning_rate", 0.1, low=1e-5, high=0.5, unit="learning rate"),
        Param("weight_decay", 5e-4, 1e-4, smoke=1e-2, low=1e-8, high=10.0, unit=r"$\ell_2$ strength"),
        Param("reach", 5.0, 8.0, smoke=2.0, low=0.01, high=1e3, unit=r"horizon $\alpha\lambda t$"),
        Param("steps", "=reach/(learning_rate*weight_decay)", low=10, high=1e9),
        Param("until", 0.0, low=0.0, high=0.5, unit="training error at which a run stops"),
        *COMMON,
    ],
    returns=RETURNS,
)
"""A large initialization with weight decay, long enough for it to act."""


def norms(key, problem, *, n, init_scale, shallow_init_scale, learning_rate, strength, steps, fit, level, moments):
    r"""One factor with an $\ell_1$ penalty and two with weight decay of the same strength: errors and weight norms of each."""
    few = first_rows(problem, n)
    when = counts(steps, moments)
    clock = {"learning_rate": learning_rate, "steps": steps, "moments": moments}
    shallow = penalized(key, few, "subgradient", init_scale=shallow_init_scale, strength=strength, level=level, **clock)
    begun = begin(key, few.truth.size, 2, init_scale=init_scale, zero_first=0)
    path, _ = follow(few, begun, twice=0, weight_decay=strength, until=0.0, **clock)
    deep = path.reads
    return {
        "steps": when,
        **{f"one_{name}": shallow[name] for name in ("train", "recovery", "l2")},
        **{f"two_{name}": deep[name] for name in ("train", "recovery", "l2", "weights", "edge")},
        "one_memorization": first_crossing(when, -shallow["train"], -fit),
        "one_generalization": shallow["generalization"],
        "two_memorization": first_crossing(when, -deep["train"], -fit),
        "two_generalization": first_crossing(when, -deep["recovery"], -level),
        "outcome": jnp.maximum(shallow["outcome"], path.outcome.code),
    }


NORMS = Simulation(
    norms,
    make_problem=make_problem,
    params=[
        Param("n", 50, smoke=14, low=1, high=1_000, unit="measurements"),
        *SIZES,
        Param("init_scale", 2.0, low=0.0, high=1e4, unit="initial norm of each of two factors"),
        Param("shallow_init_scale", 1e-6, low=0.0, high=1e4, unit="initial norm of one factor"),
        Param("learning_rate", 0.1, low=1e-5, high=0.5, unit="learning rate"),
        Param("strength", 1e-3, 1e-4, smoke=1e-2, low=1e-8, high=10.0, unit=r"$\ell_1$ penalty or weight decay"),
        Param("reach", 6.0, 10.0, smoke=2.0, low=0.01, high=1e3, unit=r"horizon $\alpha\beta_1t$"),
        Param("steps", "=reach/(learning_rate*strength)", low=10, high=1e9),
        Param("fit", 2e-2, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as memorization"),
        Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as recovery"),
        *COMMON[-2:],
    ],
    returns={
        "steps": "t",
        **{f"one_{name}": "t" for name in ("train", "recovery", "l2")},
        **{f"two_{name}": "t" for name in ("train", "recovery", "l2", "weights", "edge")},
        **dict.fromkeys(("one_memorization", "one_generalization", "two_memorization", "two_generalization", "outcome"), ""),
    },
)
r"""Two ways to the same sparse ground truth: one factor with an $\ell_1$ penalty, two with weight decay."""

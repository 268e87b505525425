r"""Sparse recovery by products of $L$ vectors, without penalty from a small start or with decay from a large one."""

import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...dynamics.sharpness import edge
from ...inits import gaussian
from ...losses import HALF_SUM, Squared
from ...models import Doubled, HadamardNet
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split
from ...problems.rows import first_rows
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation
from .few_rows import SIZES, pose
from .l1_descent import counts
from .l2_alone import closed_form
from .sparse_phases import follow as penalized


def begin(key, d: int, depth: int, *, start, zero_first) -> HadamardNet:
    r"""Every weight $\sim N(0, \text{start}^2/d)$; or, for a `zero_first` above 0, one factor at zero and the others alike."""
    scale = start / jnp.sqrt(1.0 * d)
    drawn = gaussian(jr.fold_in(key, 1), HadamardNet.at_zero(dim=d, depth=depth), scale=scale)
    plain = HadamardNet.zero_first(scale, dim=d, depth=depth)
    return HadamardNet(jnp.where(zero_first > 0, plain.factors, drawn.factors))


def amounts(model):
    """The vector that a product, or a difference of two, amounts to."""
    return (
        model.plus.effective() - model.minus.effective()  # pyright: ignore[reportAttributeAccessIssue]
        if isinstance(model, Doubled)
        else model.effective()
    )


def follow(problem: Problem, begun: HadamardNet, *, twice, rate, decay, steps, until, moments):
    """Errors, norms and rate times sharpness along descent, of one net or of the difference of two that start alike."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L2(), decay)])

    def missed(model):
        return jnp.linalg.norm(data.x @ amounts(model) - data.y) / jnp.linalg.norm(data.y)

    read = {
        "train": missed,
        "recovery": lambda model: jnp.linalg.norm(amounts(model) - truth) / jnp.linalg.norm(truth),
        "l1": lambda model: jnp.abs(amounts(model)).sum(),
        "l2": lambda model: jnp.linalg.norm(amounts(model)),
        "weights": lambda model: jnp.sqrt(2 * L2().value(model.parameters())),
        "edge": edge(goal, rate),
    }
    when = counts(steps, moments)
    model = Doubled.of(begun) if twice else begun
    return GradientDescent(rate).run(goal, model, when, read=read, stop=lambda model: missed(model) < until), when


def descend(
    key, problem: Problem, *, n, depth, twice, start, zero_first, rate, decay, steps, fit, level, until, moments
):
    """Descent from the first `n` rows, with the times of fit and recovery.

    `shallow` is the error of one factor as the difference of two, from zero with twice the rate and half the decay.
    """
    few = first_rows(problem, n)
    data, truth = few.train, few.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    begun = begin(key, truth.size, depth, start=start, zero_first=zero_first)
    path, when = follow(few, begun, twice=twice, rate=rate, decay=decay, steps=steps, until=until, moments=moments)
    train, recovery = path.reads["train"], path.reads["recovery"]
    alone, _, _ = closed_form(data, jnp.zeros_like(truth), when[-1:], rate=2 * rate, decay=decay / 2)
    end = amounts(path.end)
    return {
        **path.reads,
        "steps": when,
        "fits": first_crossing(when, -train, -fit),
        "finds": first_crossing(when, -recovery, -level),
        "at_fit": recovery[jnp.argmax(train <= fit)],
        "shallow": jnp.linalg.norm(alone[0] - truth) / jnp.linalg.norm(truth),
        "end": end,
        "truth": truth,
        "outcome": path.outcome.code,
    }


RETURNS = {
    **dict.fromkeys(("steps", "train", "recovery", "l1", "l2", "weights", "edge"), "t"),
    **dict.fromkeys(("fits", "finds", "at_fit", "shallow", "outcome"), ""),
    "end": "d",
    "truth": "d",
}
DEPTHS = Param("depth", (1, 2, 3), (1, 2, 3, 4), smoke=(1, 2, 3), low=1, high=8, unit="factors", static=True)
COMMON = (
    *SIZES,
    Param("twice", 0, low=0, high=1, unit="1: the difference of two that start alike", static=True),
    Param(
        "zero_first", "=maximum(depth-2,0)", low=0, high=8, unit="above 0: one factor starts at zero, the others alike"
    ),
    Param("fit", 1e-2, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as fitted"),
    Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as found"),
    Param("moments", 150, 300, smoke=40, low=12, high=10_000, unit="readings", static=True),
    Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="draws", static=True),
)
SMALL = Simulation(
    descend,
    pose=pose,
    params=[
        DEPTHS,
        Param("n", (20, 30, 50), (20, 30, 40, 50, 70, 90), smoke=(10, 14), low=1, high=1_000, unit="measurements"),
        Param("product", 1e-6, low=1e-30, high=1e6, unit="size of the start of one entry, all factors together"),
        Param("start", "=sqrt(d)*product**(1/depth)", 1e-2, low=0.0, high=1e4, unit="size of the start of a factor"),
        Param("rate", 0.1, low=1e-5, high=0.5, unit="step"),
        Param("decay", 0.0, low=0.0, high=10.0, unit="of the l2 penalty"),
        Param("steps", 1e5, 3e6, smoke=2e3, low=10, high=1e9),
        Param("until", 1e-3, low=0.0, high=0.5, unit="relative error of the fit at which a run stops"),
        *COMMON,
    ],
    returns=RETURNS,
)
"""From a small start without penalty, until the data are fitted: random for one and two factors, as in the paper.

More factors start with one at zero: from a random start the entry that wakes first need not be the one that should.
"""
LARGE = Simulation(
    descend,
    pose=pose,
    params=[
        DEPTHS,
        Param("n", (30, 50), (20, 30, 40, 50, 70, 90), smoke=(10, 14), low=1, high=1_000, unit="measurements"),
        Param("start", 1.0, low=0.0, high=1e4, unit="size of the start of a factor"),
        Param("rate", 0.1, low=1e-5, high=0.5, unit="step"),
        Param("decay", 5e-4, 1e-4, smoke=1e-2, low=1e-8, high=10.0, unit="of the l2 penalty"),
        Param("reach", 5.0, 8.0, smoke=2.0, low=0.01, high=1e3, unit="steps times rate times decay"),
        Param("steps", "=reach/(rate*decay)", low=10, high=1e9),
        Param("until", 0.0, low=0.0, high=0.5, unit="relative error of the fit at which a run stops"),
        *COMMON,
    ],
    returns=RETURNS,
)
"""From a large start with decay, long enough for the decay to act."""


def norms(key, problem: Problem, *, n, start, shallow_start, rate, strength, steps, fit, level, moments):
    """One factor with an l1 penalty and two with decay of the same strength: errors and norms of all weights of each."""
    few = first_rows(problem, n)
    when = counts(steps, moments)
    shallow = penalized(
        key,
        few,
        "subgradient",
        start=shallow_start,
        rate=rate,
        strength=strength,
        steps=steps,
        level=level,
        moments=moments,
    )
    begun = begin(key, few.truth.size, 2, start=start, zero_first=0)
    path, _ = follow(few, begun, twice=0, rate=rate, decay=strength, steps=steps, until=0.0, moments=moments)
    deep = path.reads
    return {
        "steps": when,
        **{f"one_{name}": shallow[name] for name in ("train", "recovery", "l2")},
        **{f"two_{name}": deep[name] for name in ("train", "recovery", "l2", "weights", "edge")},
        "one_fits": first_crossing(when, -shallow["train"], -fit),
        "one_finds": shallow["finds"],
        "two_fits": first_crossing(when, -deep["train"], -fit),
        "two_finds": first_crossing(when, -deep["recovery"], -level),
        "outcome": jnp.maximum(shallow["outcome"], path.outcome.code),
    }


NORMS = Simulation(
    norms,
    pose=pose,
    params=[
        Param("n", 50, smoke=14, low=1, high=1_000, unit="measurements"),
        *SIZES,
        Param("start", 2.0, low=0.0, high=1e4, unit="size of the start of each of two factors"),
        Param("shallow_start", 1e-6, low=0.0, high=1e4, unit="size of the start of one factor"),
        Param("rate", 0.1, low=1e-5, high=0.5, unit="step"),
        Param("strength", 1e-3, 1e-4, smoke=1e-2, low=1e-8, high=10.0, unit="of the penalty, l1 or decay"),
        Param("reach", 6.0, 10.0, smoke=2.0, low=0.01, high=1e3, unit="steps times rate times strength"),
        Param("steps", "=reach/(rate*strength)", low=10, high=1e9),
        Param("fit", 2e-2, smoke=0.1, low=1e-6, high=0.5, unit="relative error that counts as fitted"),
        Param("level", 2e-2, smoke=0.2, low=1e-6, high=0.5, unit="relative error that counts as found"),
        Param("moments", 150, 300, smoke=40, low=12, high=10_000, unit="readings", static=True),
        Param("trials", 6, 10, smoke=1, low=1, high=10_000, unit="draws", static=True),
    ],
    returns={
        "steps": "t",
        **{f"one_{name}": "t" for name in ("train", "recovery", "l2")},
        **{f"two_{name}": "t" for name in ("train", "recovery", "l2", "weights", "edge")},
        **dict.fromkeys(("one_fits", "one_finds", "two_fits", "two_finds", "outcome"), ""),
    },
)
"""Two ways to the same sparse truth: one factor with an l1 penalty, two with decay."""

r"""Two phases of sparse recovery, one program for all sparsities and numbers of measurements: errors, norms, gradients."""

from functools import partial

import jax.numpy as jnp
import jax.random as jr

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....lab.simulations.l1_descent import METHODS, begin, counts
from ....losses import Squared
from ....numerics.crossings import first_crossing
from ....objective import Objective
from ....problems import Problem, Split
from ....problems.compressed_sensing import measure
from ....regularizers import L1, L2

LAST = 10  # saved steps at the end, over which oscillations are averaged
_RANK = 1e-9  # singular values below this fraction of the largest are zero


def make_problem(key, sampling_ratio, d, sparsity) -> Problem[Split]:
    """The first `sampling_ratio` of d measurements of a sparse vector, the others replaced by zeros.

    So one shape serves every sparsity and number of measurements, and more measurements are the same ones and others.
    """
    places, sizes, rest = jr.split(jr.fold_in(key, 0), 3)
    truth = jnp.where(jr.permutation(places, jnp.arange(d)) < sparsity, jr.normal(sizes, (d,)), 0.0)
    whole = measure(rest, truth, n=d).train
    kept = jnp.arange(d) < jnp.maximum(jnp.round(sampling_ratio * d), 1)
    return Problem(Split(jnp.where(kept[:, None], whole.x, 0.0), jnp.where(kept, whole.y, 0.0)), None, truth, None)


def views(problem: Problem[Split], strength, weight_decay):
    """What is measured of a model over time; the extreme nonzero eigenvalues, and the norm and residual of the data."""
    data, truth = problem.train, problem.truth
    left, sizes, rows = jnp.linalg.svd(data.x, full_matrices=False)
    kept = sizes > _RANK * sizes[0]
    answer = (sizes / (sizes**2 + jnp.where(kept, weight_decay, 1.0)) * (left.T @ data.y)) @ rows
    support = truth != 0

    def norm_in_rows(a):
        return jnp.linalg.norm(jnp.where(kept, rows @ a, 0.0))

    def slope(w):
        return data.x.T @ (data.x @ w - data.y) + weight_decay * w

    def pushes(model):
        """The norm of the penalty gradient over that of the loss gradient."""
        return strength * jnp.linalg.norm(jnp.sign(model.w)) / jnp.linalg.norm(slope(model.w))

    read = {
        "train": lambda model: jnp.linalg.norm(data.x @ model.w - data.y) / jnp.linalg.norm(data.y),
        "recovery": lambda model: jnp.linalg.norm(model.w - truth) / jnp.linalg.norm(truth),
        "l1": lambda model: jnp.abs(model.w).sum(),
        "l2": lambda model: jnp.linalg.norm(model.w),
        "inside": lambda model: jnp.linalg.norm(jnp.where(support, model.w, 0.0)),
        "outside": lambda model: jnp.linalg.norm(jnp.where(support, 0.0, model.w)),
        "ratio": pushes,
        "held": lambda model: norm_in_rows(jnp.sign(model.w)) / jnp.linalg.norm(jnp.sign(model.w)),
        "near": lambda model: norm_in_rows(model.w - answer),
        "far": lambda model: jnp.linalg.norm(model.w - answer),
    }
    predicted = {
        "top": sizes[0] ** 2,
        "bottom": jnp.where(kept, sizes, jnp.inf).min() ** 2,
        "scale": jnp.linalg.norm(data.y),
        "left": jnp.linalg.norm(data.x @ answer - data.y) / jnp.linalg.norm(data.y),
    }
    return read, predicted


CURVES = ("train", "recovery", "l1", "l2", "inside", "outside", "ratio", "held", "near", "far")


def follow(
    key, problem: Problem[Split], method: str, *, init_scale, learning_rate, strength, steps, level, moments, weight_decay=0.0
):
    """All curves of one method, with the memorization and recovery times at `level`."""
    data = problem.train
    read, predicted = views(problem, strength, weight_decay)
    # Projected descent takes a single penalty.
    more = [] if method == "projected" else [(L2(), weight_decay)]
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength), *more])
    when = counts(steps, moments)
    path = METHODS[method](learning_rate).run(objective, begin(key, data.d, init_scale), when, read=read)
    return {
        **path.reads,
        "step": when,
        "memorization": first_crossing(when, -path.reads["train"], -level),
        "generalization": first_crossing(when, -path.reads["recovery"], -level),
        **predicted,
        "end": path.end.w,
        "outcome": path.outcome.code,
    }


def _without_decay(method: str):
    def run(key, problem: Problem[Split], *, init_scale, learning_rate, strength, steps, level, moments):
        values = {"init_scale": init_scale, "learning_rate": learning_rate, "strength": strength, "steps": steps}
        return follow(key, problem, method, **values, level=level, moments=moments)

    run.__name__ = run.__qualname__ = method
    return run


def walk(key, problem: Problem[Split], *, init_scale, learning_rate, strength, steps, moments):
    """Every entry over time in subgradient descent."""
    data = problem.train
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), strength)])
    when = counts(steps, moments)
    path = METHODS["subgradient"](learning_rate).run(
        objective, begin(key, data.d, init_scale), when, read={"w": lambda model: model.w}
    )
    return {"w": path.reads["w"], "truth": problem.truth, "step": when, "outcome": path.outcome.code}


def decaying(key, problem: Problem[Split], *, init_scale, learning_rate, strength, weight_decay, steps, level, moments):
    r"""Subgradient descent with weight decay and the $\ell_1$ penalty."""
    values = {"init_scale": init_scale, "learning_rate": learning_rate, "strength": strength, "steps": steps}
    return follow(key, problem, "subgradient", **values, weight_decay=weight_decay, level=level, moments=moments)


_RETURNS = {
    **dict.fromkeys((*CURVES, "step"), "t"),
    **dict.fromkeys(("memorization", "generalization", "top", "bottom", "scale", "left", "outcome"), ""),
    "end": "d",
}
# Gaussian measurements have eigenvalues up to (1 + sqrt(N/n))^2 <= 4: learning rates are stable below 2/4.
learning_rates = partial(Param, "learning_rate", low=1e-5, high=0.5, unit=r"stable below $2/(1+\sqrt{N/n})^2$")
strengths = partial(Param, "strength", high=1.0, unit=r"$\ell_1$ penalty")
sampling_ratios = partial(Param, "sampling_ratio", low=1e-3, high=1.0, unit="measurements over unknowns")
sparsities = partial(Param, "sparsity", low=1, high=20, unit="nonzero entries")
horizon = partial(Param, "reach", low=0.1, high=1e3, unit=r"horizon $\alpha\beta_1t$")
moments_saved = partial(Param, "moments", smoke=60, low=12, high=10_000, unit="saved steps", static=True)
LEARNING_RATE, STRENGTH = learning_rates(0.4, 0.1, smoke=0.4), strengths(1e-4, 1e-5, smoke=1e-3, low=0.0)
SAMPLING_RATIO, SPARSITY = sampling_ratios(0.6, 0.3, smoke=0.6), sparsities(4, 5, smoke=1)
COMMON = (
    horizon(3.0, 10.0, smoke=2.0),
    Param("steps", "=reach/(learning_rate*strength)", low=10, high=1e9),
    moments_saved(400),
    Param("d", 50, 100, smoke=20, low=20, high=5_000, unit="unknowns", static=True),
    Param("init_scale", 1e-6, low=0.0, high=100.0, unit="norm of the initialization"),
)
LEVEL = Param("level", 1e-2, smoke=5e-2, low=1e-6, high=0.5, unit="threshold for both errors")

ONE = {
    method: Simulation(
        _without_decay(method),
        make_problem=make_problem,
        params=[LEARNING_RATE, STRENGTH, SAMPLING_RATIO, SPARSITY, LEVEL, *COMMON],
        returns=_RETURNS,
    )
    for method in METHODS
}
"""One method at one number of measurements."""
MEASURED = {
    method: one.with_params(
        sampling_ratios((0.2, 0.4, 0.6, 0.8), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), smoke=(0.4, 0.8)),
        horizon(3.0, 2.0, smoke=2.0),
    )
    for method, one in ONE.items()
}
"""One method along the number of measurements; at the paper's size 2e6 steps."""
SWEPT = {
    method: one.with_params(
        sparsities((2, 4, 8), (1, 5, 10, 15), smoke=(1, 3)),
        Param("trials", 4, 1, smoke=1, low=1, high=10_000, unit="trials", static=True),
    )
    for method, one in MEASURED.items()
}
"""One method along sparsity and number of measurements; at the paper's size one trial each, 2e6 steps."""
SCALED = {
    method: one.with_params(
        learning_rates((0.1, 0.4), smoke=(0.2, 0.4)),
        strengths((3e-4, 1e-4, 3e-5), (1e-4, 3e-5, 1e-5), smoke=(3e-3, 1e-3), low=0.0),
        sampling_ratios(0.7, 0.3, smoke=0.6),
        horizon(2.0, 10.0, smoke=1.0),
    )
    for method, one in ONE.items()
}
"""One method along learning rate and strength."""
WALK = Simulation(
    walk,
    make_problem=make_problem,
    params=[LEARNING_RATE, STRENGTH, SAMPLING_RATIO, SPARSITY, *(p for p in COMMON if p.name != "moments"), moments_saved(1_500)],
    returns={"w": "t d", "truth": "d", "step": "t", "outcome": ""},
)
"""All entries of subgradient descent."""


def ends(key, problem: Problem[Split], *, init_scale, learning_rate, strength, steps, level, moments):
    """The final recovery errors of all three methods, averaged over the last saved steps, and the end of proximal descent."""
    values = {
        "init_scale": init_scale,
        "learning_rate": learning_rate,
        "strength": strength,
        "steps": steps,
        "level": level,
        "moments": moments,
    }
    runs = {method: follow(key, problem, method, **values) for method in METHODS}
    return {
        **{f"{method}_error": jnp.median(run["recovery"][-LAST:]) for method, run in runs.items()},
        "end": runs["proximal"]["end"],
        "truth": problem.truth,
        "outcome": jnp.stack([run["outcome"] for run in runs.values()]).max(),
    }


ENDS = Simulation(
    ends,
    make_problem=make_problem,
    params=SCALED["subgradient"].params,
    returns={**{f"{method}_error": "" for method in METHODS}, "end": "d", "truth": "d", "outcome": ""},
)
"""Where three methods converge to, along learning rate and strength."""
SHRUNK = Simulation(
    decaying,
    make_problem=make_problem,
    params=[
        learning_rates((0.1, 0.4), smoke=(0.4,)),
        strengths((1e-4, 1e-6), (1e-4, 1e-5, 1e-6), smoke=(1e-3, 1e-4), low=1e-12),
        Param("weight_decay", (0.0, 0.1), (0.0, 0.01, 0.1), smoke=(0.0, 0.1), low=0.0, high=1.0, unit=r"strength of $\ell_2$"),
        sampling_ratios((0.3, 0.6), (0.1, 0.3, 0.5, 0.7), smoke=(0.6,)),
        SPARSITY,
        LEVEL,
        Param("steps", 5e3, 2e4, smoke=1e3, low=10, high=1e9),
        *(param for param in COMMON if param.name not in ("reach", "steps")),
    ],
    returns=_RETURNS,
)
"""Subgradient descent with weight decay until memorization."""

r"""Two phases of sparse recovery, any sparsity and number of measurements in one program: errors, norms, both slopes."""

import jax.numpy as jnp
import jax.random as jr

from ...losses import HALF_SUM, Squared
from ...numerics.crossings import first_crossing
from ...objective import Objective
from ...problems import Problem, Split
from ...problems.compressed_sensing import measure
from ...regularizers import L1, L2
from ..params import Param
from ..simulation import Simulation
from .l1_descent import METHODS, begin, counts

LAST = 10  # readings at the end, over which steps to and fro are evened out
_RANK = 1e-9  # singular values below this share of the largest are zero


def pose(key, share, d, sparsity) -> Problem:
    """The first `share` of d measurements of a sparse vector; zeros in the place of the others measure nothing.

    So one shape serves every sparsity and number of measurements, and more measurements are the same ones and others.
    """
    places, sizes, rest = jr.split(jr.fold_in(key, 0), 3)
    truth = jnp.where(jr.permutation(places, jnp.arange(d)) < sparsity, jr.normal(sizes, (d,)), 0.0)
    whole = measure(rest, truth, n=d).train
    assert isinstance(whole, Split), "sparse recovery measures vectors"
    kept = jnp.arange(d) < jnp.maximum(jnp.round(share * d), 1)
    return Problem(Split(jnp.where(kept[:, None], whole.x, 0.0), jnp.where(kept, whole.y, 0.0)), None, truth, None)


def views(problem: Problem, strength, decay):
    """What is read of a model along the way; the largest and the least curvature, the answers, what least squares leaves."""
    data, truth = problem.train, problem.truth
    assert isinstance(data, Split), "sparse recovery measures vectors"
    left, sizes, rows = jnp.linalg.svd(data.x, full_matrices=False)
    kept = sizes > _RANK * sizes[0]
    answer = (sizes / (sizes**2 + jnp.where(kept, decay, 1.0)) * (left.T @ data.y)) @ rows
    support = truth != 0

    def norm_in_rows(a):
        return jnp.linalg.norm(jnp.where(kept, rows @ a, 0.0))

    def slope(w):
        return data.x.T @ (data.x @ w - data.y) + decay * w

    def pushes(model):
        """The norm of the penalty's slope over that of the loss's."""
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
    told = {
        "top": sizes[0] ** 2,
        "bottom": jnp.where(kept, sizes, jnp.inf).min() ** 2,
        "scale": jnp.linalg.norm(data.y),
        "left": jnp.linalg.norm(data.x @ answer - data.y) / jnp.linalg.norm(data.y),
    }
    return read, told


CURVES = ("train", "recovery", "l1", "l2", "inside", "outside", "ratio", "held", "near", "far")


def follow(key, problem: Problem, method: str, *, start, rate, strength, steps, level, moments, decay=0.0):
    """All curves of one method, with the steps at which data are fitted and the truth is found to `level`."""
    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    read, told = views(problem, strength, decay)
    # Projected descent moves by one penalty.
    more = [] if method == "projected" else [(L2(), decay)]
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength), *more])
    when = counts(steps, moments)
    path = METHODS[method](rate).run(goal, begin(key, data.d, start), when, read=read)
    return {
        **path.reads,
        "step": when,
        "fits": first_crossing(when, -path.reads["train"], -level),
        "finds": first_crossing(when, -path.reads["recovery"], -level),
        **told,
        "end": path.end.w,
        "outcome": path.outcome.code,
    }


def _without_decay(method: str):
    def run(key, problem: Problem, *, start, rate, strength, steps, level, moments):
        told = {"start": start, "rate": rate, "strength": strength, "steps": steps}
        return follow(key, problem, method, **told, level=level, moments=moments)

    run.__name__ = run.__qualname__ = method
    return run


def walk(key, problem: Problem, *, start, rate, strength, steps, moments):
    """Every entry along subgradient descent."""
    data = problem.train
    assert isinstance(data, Split), "sparse recovery measures vectors"
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), strength)])
    when = counts(steps, moments)
    path = METHODS["subgradient"](rate).run(goal, begin(key, data.d, start), when, read={"w": lambda model: model.w})
    return {"w": path.reads["w"], "truth": problem.truth, "step": when, "outcome": path.outcome.code}


def decaying(key, problem: Problem, *, start, rate, strength, decay, steps, level, moments):
    """Subgradient descent with weight decay beside the l1 penalty."""
    told = {"start": start, "rate": rate, "strength": strength, "steps": steps, "decay": decay}
    return follow(key, problem, "subgradient", **told, level=level, moments=moments)


_RETURNS = {
    **dict.fromkeys((*CURVES, "step"), "t"),
    **dict.fromkeys(("fits", "finds", "top", "bottom", "scale", "left", "outcome"), ""),
    "end": "d",
}
# Gaussian measurements have curvatures up to (1 + sqrt(N/n))^2, so at most 4: rates are stable below 2/4.
RATE = Param("rate", 0.4, 0.1, smoke=0.4, low=1e-5, high=0.5, unit="step; stable below 2/(1 + sqrt(N/n))^2")
STRENGTH = Param("strength", 1e-4, 1e-5, smoke=1e-3, low=0.0, high=1.0, unit="of the l1 penalty")
SHARE = Param("share", 0.6, 0.3, smoke=0.6, low=1e-3, high=1.0, unit="measurements over unknowns")
SPARSITY = Param("sparsity", 4, 5, smoke=1, low=1, high=20, unit="entries of the truth")
COMMON = (
    Param("reach", 3.0, 10.0, smoke=2.0, low=0.1, high=1e3, unit="slow time"),
    Param("steps", "=reach/(rate*strength)", low=10, high=1e9),
    Param("moments", 400, smoke=60, low=12, high=10_000, unit="readings", static=True),
    Param("d", 50, 100, smoke=20, low=20, high=5_000, unit="unknowns", static=True),
    Param("start", 1e-6, low=0.0, high=100.0, unit="size of the start"),
)
LEVEL = Param("level", 1e-2, smoke=5e-2, low=1e-6, high=0.5, unit="relative error that counts as fitted and found")
_SHARES = Param(
    "share",
    (0.2, 0.4, 0.6, 0.8),
    (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    smoke=(0.4, 0.8),
    low=1e-3,
    high=1.0,
    unit="measurements over unknowns",
)

ONE = {
    method: Simulation(
        _without_decay(method), pose=pose, params=[RATE, STRENGTH, SHARE, SPARSITY, LEVEL, *COMMON], returns=_RETURNS
    )
    for method in METHODS
}
"""One method at one number of measurements."""
_HORIZON = Param("reach", 3.0, 2.0, smoke=2.0, low=0.1, high=1e3, unit="slow time")
MEASURED = {method: one.with_params(_SHARES, _HORIZON) for method, one in ONE.items()}
"""One method along the number of measurements; at the paper's size 2e6 steps."""
SWEPT = {
    method: one.with_params(
        Param("sparsity", (2, 4, 8), (1, 5, 10, 15), smoke=(1, 3), low=1, high=20, unit="entries of the truth"),
        Param("trials", 4, 1, smoke=1, low=1, high=10_000, unit="draws", static=True),
    )
    for method, one in MEASURED.items()
}
"""One method along sparsity and number of measurements; at the paper's size one draw of each, 2e6 steps."""
SCALED = {
    method: one.with_params(
        Param("rate", (0.1, 0.4), smoke=(0.2, 0.4), low=1e-5, high=0.5, unit=RATE.unit),
        Param(
            "strength",
            (3e-4, 1e-4, 3e-5),
            (1e-4, 3e-5, 1e-5),
            smoke=(3e-3, 1e-3),
            low=0.0,
            high=1.0,
            unit=STRENGTH.unit,
        ),
        Param("share", 0.7, 0.3, smoke=0.6, low=1e-3, high=1.0, unit=SHARE.unit),
        Param("reach", 2.0, 10.0, smoke=1.0, low=0.1, high=1e3, unit="slow time"),
    )
    for method, one in ONE.items()
}
"""One method along rate and strength."""
WALK = Simulation(
    walk,
    pose=pose,
    params=[
        RATE,
        STRENGTH,
        SHARE,
        SPARSITY,
        *(param for param in COMMON if param.name != "moments"),
        Param("moments", 1_500, smoke=60, low=12, high=10_000, unit="readings", static=True),
    ],
    returns={"w": "t d", "truth": "d", "step": "t", "outcome": ""},
)
"""All entries of subgradient descent."""


def ends(key, problem: Problem, *, start, rate, strength, steps, level, moments):
    """The last recovery errors of all three methods, evened over the last readings, and where proximal descent ends."""
    told = {"start": start, "rate": rate, "strength": strength, "steps": steps, "level": level, "moments": moments}
    runs = {method: follow(key, problem, method, **told) for method in METHODS}
    return {
        **{f"{method}_error": jnp.median(run["recovery"][-LAST:]) for method, run in runs.items()},
        "end": runs["proximal"]["end"],
        "truth": problem.truth,
        "outcome": jnp.stack([run["outcome"] for run in runs.values()]).max(),
    }


ENDS = Simulation(
    ends,
    pose=pose,
    params=SCALED["subgradient"].params,
    returns={**{f"{method}_error": "" for method in METHODS}, "end": "d", "truth": "d", "outcome": ""},
)
"""Where three methods end, along rate and strength."""
SHRUNK = Simulation(
    decaying,
    pose=pose,
    params=[
        Param("rate", (0.1, 0.4), smoke=(0.4,), low=1e-5, high=0.5, unit=RATE.unit),
        Param(
            "strength", (1e-4, 1e-6), (1e-4, 1e-5, 1e-6), smoke=(1e-3, 1e-4), low=1e-12, high=1.0, unit=STRENGTH.unit
        ),
        Param("decay", (0.0, 0.1), (0.0, 0.01, 0.1), smoke=(0.0, 0.1), low=0.0, high=1.0, unit="of the l2 penalty"),
        Param("share", (0.3, 0.6), (0.1, 0.3, 0.5, 0.7), smoke=(0.6,), low=1e-3, high=1.0, unit=SHARE.unit),
        SPARSITY,
        LEVEL,
        Param("steps", 5e3, 2e4, smoke=1e3, low=10, high=1e9),
        *(param for param in COMMON if param.name not in ("reach", "steps")),
    ],
    returns=_RETURNS,
)
"""Subgradient descent with weight decay until the data are fitted."""

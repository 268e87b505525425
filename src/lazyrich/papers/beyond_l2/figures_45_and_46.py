"""Figures 45 and 46: matrix completion is faster, and from fewer entries, if those of large local coherence are observed."""

from functools import partial

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Heat, Panel, Rule
from ...claims.marks import family, log_axis
from .shared.figure_claim import figure
from .shared.limits import SAME
from .shared.nuclear_limits import least_norm
from .simulations.coherent_completion import SIMULATION


def judge_times(data, theory) -> Evidence:
    r"""Recovery times, infinite where recovery is impossible, and the fraction recovered, as $\tau$ grows."""
    good = theory["recovery_error"] < SAME
    most = data.generalization.where(good, np.inf).median("trial").isel(n=-1)
    found = (data.generalization < np.inf).mean(("trial", "n"))
    return Evidence(
        sound=[
            at_least(
                r"fraction of trials whose ground truth has minimum nuclear norm, most entries, $\tau=0$",
                good.isel(n=-1, coherence=0).mean(),
                0.5,
                key="recoverable",
                why="the others are never recovered, and the median is finite only if most are",
            )
        ],
        holds=[
            at_most(
                r"median recovery time at $\tau=1$ over that at $\tau=0$, most entries",
                most.isel(coherence=-1) / most.isel(coherence=0),
                0.7,
                key="faster",
                why="coherent entries leave less of the matrix to recover; a dozen trials of heavy-tailed times",
            ),
            at_least(
                r"fraction recovered at $\tau=1$ minus that at $\tau=0$",
                found.isel(coherence=-1) - found.isel(coherence=0),
                0.1,
                key="more_recovered",
                why="masks that do not determine the matrix are rarer, and so are late recoveries",
            ),
            at_most(
                r"recovery error after the first step at $\tau=1$ over that at $\tau=0$, mean",
                data.first.isel(coherence=-1).mean() / data.first.isel(coherence=0).mean(),
                0.85,
                key="first_step",
                why="unobserved entries hold less of the norm of the matrix",
            ),
        ],
    )


def draw_times(data, level) -> Drawing:
    r"""The median error in rescaled time, for each $\tau$, at the fewest and at the most entries."""
    panels = []
    x, y = log_axis(r"rescaled time $\alpha\beta_*t$"), log_axis("recovery error, median")
    for at in (0, -1):
        one = data.isel(n=at, t=slice(1, None))
        marks = family(r"$\tau$ = {}", one.slow.isel(trial=0), one.recovery.median("trial"), "coherence")
        panels.append(Panel([*marks, Rule("recovered", float(level))], x, y, title=f"$N$ = {int(one.n)} entries"))
    return Drawing(
        panels,
        caption=r"Projected descent with a nuclear penalty. A fraction $\tau$ of the observed entries is where the local "
        r"coherences of rows and columns are largest: with a larger $\tau$ the matrix is recovered sooner, from fewer entries.",
    )


def judge_map(data, theory, level) -> Evidence:
    """The map of errors compared to the recoverable trials, and its decrease along both axes."""
    good, found = theory["recovery_error"] < SAME, data["last"] < level
    error = data["last"].mean("trial")
    corner = error.sortby("n").sortby("coherence")
    return Evidence(
        holds=[
            at_most(
                "fraction of trials that are recovered though their ground truth does not have minimum nuclear norm",
                (found & (theory["recovery_error"] > 2 * level)).mean(),
                0,
                key="false_recoveries",
                why="descent converges to the minimum-nuclear-norm interpolant, another matrix",
            ),
            at_least(
                "fraction recovered of the trials whose ground truth has minimum nuclear norm",
                (found & good).sum() / good.sum(),
                0.85,
                key="recovered",
                why="all are, except those that take longer than the horizon",
            ),
            at_most(
                r"mean error with most entries, $\tau=1$, over that with fewest, $\tau=0$",
                corner.isel(n=-1, coherence=-1) / corner.isel(n=0, coherence=0),
                0.2,
                key="corners",
                why="nearly all trials are recovered in the one corner, few in the other",
            ),
            at_most(
                r"mean error at $\tau=1$ over that at $\tau=0$, mean over numbers of entries",
                (error.isel(coherence=-1) / error.isel(coherence=0).mean("n")).mean(),
                0.5,
                key="coherence_helps",
                why="masks that do not determine the matrix are rarer",
            ),
        ]
    )


def draw_map(data, reach) -> Drawing:
    """Two maps: the mean error at the end and the median recovery time."""
    panels = []
    times = data.generalization.where(data.generalization < np.inf, reach).median("trial")
    for name, values, title in (
        ("recovery error", data["last"].mean("trial"), "Mean error at the end"),
        (r"rescaled time $\alpha\beta_*t_2$", times, "Median recovery time, at most the horizon"),
    ):
        heat = Heat(name, data.n.values, data.coherence.values, values.transpose("coherence", "n").values, scale="log")
        panels.append(Panel([heat], Axis("observed entries $N$"), Axis(r"fraction $\tau$ of coherent entries"), title=title))
    return Drawing(
        panels,
        caption=r"Projected descent with a nuclear penalty over the number of observed entries and the fraction $\tau$ of them "
        "where local coherences are largest. With more of either, errors are smaller and recovery is sooner.",
    )


claim = partial(figure, simulation=SIMULATION, predict=least_norm, least={"coherence": 2}, seconds={"quick": 20, "paper": 1800})
LEAST_COHERENT = partial(Control, "entries of the smallest local coherence", {"order": -1})
CLAIMS = (
    claim(
        45,
        "Coherent entries speed up matrix completion",
        r"The larger the fraction $\tau$ of observed entries with the largest local coherences, the sooner completion with a "
        "nuclear penalty recovers the matrix, and the more trials recover: the opposite of sparse recovery.",
        judge_times,
        draw_times,
        controls=[LEAST_COHERENT(("faster", "more_recovered", "first_step"))],
    ),
    claim(
        46,
        "A map of matrix completion",
        "The error of completion with a nuclear penalty decreases with the number of observed entries and with the fraction "
        r"$\tau$ of those with the largest local coherences; the matrices of minimum nuclear norm are recovered.",
        judge_map,
        draw_map,
        controls=[LEAST_COHERENT(["coherence_helps"])],
    ),
)

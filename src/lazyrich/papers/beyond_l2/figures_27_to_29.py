r"""Figures 27, 28, 29: coherent measurements, a fraction $\tau$ of which reads one entry each, delay or prevent recovery."""

from functools import partial

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Event, Heat, Line, Panel
from ...claims.marks import family, log_axis
from .shared.figure_claim import figure
from .shared.limits import SAME, slow
from .shared.phases import ERROR, when_fitted
from .shared.times import memorized_first, on_time
from .simulations.few_rows import COHERENT, trimmed


def predict(problem, n, coherence, level):
    """The slow flow of the same measurements."""
    return slow(trimmed(problem, int(n), coherence), level)


def growth(theory, reach):
    """The slow flow's recovery time at the largest coherence over that at the smallest, median over trials."""
    times = theory["generalization"].clip(max=reach).sortby("coherence")
    return (times.isel(coherence=-1) / times.isel(coherence=0)).median("trial")


def middle(a, high):
    """The median over trials, clipped where it never happens."""
    return a.clip(max=high).median("trial")


def some(values):
    """At most three of them, spread out."""
    return values[:: max(1, values.size // 3)][:3]


def judge_delay(data, theory, learning_rate, strength, reach) -> Evidence:
    """Descent compared to the slow flow, and how the recovery time grows with the coherence."""
    early, late = theory["generalization"] < 0.8 * reach, theory["generalization"] > 1.25 * reach
    wrong = (early & np.isinf(data.generalization)) | (late & np.isfinite(data.generalization))
    ratio = (data.generalization * learning_rate * strength / theory["generalization"]).where(early)
    return Evidence(
        holds=[
            at_most(
                "fraction of trials recovered by descent and not by the slow flow, or vice versa",
                wrong.mean(),
                0.1,
                key="disagreement",
                why="trials recovered near the horizon are left out; a few in a hundred have a bias above the level",
            ),
            on_time(
                ratio, 0.1, "the bias over the level, a hundredth over a twentieth, where the error falls steeply; step size"
            ),
            at_least(
                "recovery time at the largest coherence over that at the smallest, median over trials, minimum over $N$",
                growth(theory, reach).min(),
                1.3,
                key="delay_grows",
                why="the paper: coherence delays generalization; 0.6 of the rows carry no information on entries not read",
            ),
        ]
    )


def draw_delay(data, theory, n, coherence, learning_rate, strength) -> Drawing:
    """Errors of one trial over time, a panel for each number of measurements."""
    panels = []
    for count in some(n.values):
        marks = []
        for role, tau in zip(SERIES, some(coherence.values), strict=False):
            one, predicted = (a.sel(n=count, coherence=tau).isel(trial=0) for a in (data, theory["generalization"]))
            one, name = one.isel(t=slice(1, None)), rf"$\tau$ = {float(tau):g}"
            x = learning_rate * strength * one.steps.values
            marks.append(Line(f"recovery, {name}", x, one.recovery.values, role=role))
            marks.append(Line(f"training, {name}", x, one.train.values, role=role))
            if float(predicted) < x[-1]:
                marks.append(Event("", float(predicted), role=role))
        time = log_axis(r"rescaled time $\alpha\beta_1t$")
        panels.append(Panel(marks, time, ERROR, title=f"$N$ = {int(count)}", legend=not panels))
    return Drawing(
        panels,
        columns=3,
        caption="One trial. Training errors fall first, recovery errors later; vertical lines are the recovery times of the slow "
        "flow. The more rows read single entries, the later the recovery.",
    )


def judge_maps(data, theory, learning_rate, strength, reach) -> Evidence:
    """The delay grows with the coherence and falls with the number of measurements."""
    delay = middle(data.generalization - data.memorization, reach / (learning_rate * strength)).sortby("n").sortby("coherence")
    ratio = (data.memorization / data.generalization).where(np.isfinite(data.generalization))
    return Evidence(
        holds=[
            at_least(
                "delay at the largest coherence over that at the smallest, median, minimum over $N$",
                (delay.isel(coherence=-1) / delay.isel(coherence=0)).min(),
                1.3,
                key="delay_grows",
                why="the paper: the delay grows with the coherence",
            ),
            at_least(
                r"delay with the fewest measurements over that with the most, median, minimum over $\tau$",
                (delay.isel(n=0) / delay.isel(n=-1)).min(),
                1.5,
                key="delay_falls",
                why="the paper: it falls with the number of measurements, twice as many here",
            ),
            at_least(
                "slow flow's recovery time at the largest coherence over that at the smallest, minimum over $N$",
                growth(theory, reach).min(),
                1.3,
                key="predicted_delay_grows",
                why="the same, predicted before training",
            ),
            memorized_first(ratio.median(), 0.3, "median of recovered trials", key="memorized_first"),
        ]
    )


def draw_maps(data, n, coherence, learning_rate, strength, reach) -> Drawing:
    """Medians over trials of both times, in steps."""
    steps, panels = reach / (learning_rate * strength), []
    for name, title in (("memorization", "Memorization time $t_1$"), ("generalization", "Recovery time $t_2$")):
        values = np.log10(middle(data[name], steps)).transpose("coherence", "n").values
        heat = Heat(r"$\log_{10}$ of steps", n.values, coherence.values, values)
        panels.append(Panel([heat], Axis("measurements $N$"), Axis(r"coherence $\tau$"), title=title))
    caption = f"Medians over trials; the brightest cells of the right panel are not recovered in {steps:.0f} steps. "
    return Drawing(panels, caption=caption + "Memorization hardly depends on the coherence, recovery does.")


def judge_errors(data, theory, reach, level) -> Evidence:
    r"""The error of least squares at memorization, recovery where $b^*$ has minimum $\ell_1$ norm, and failures that grow."""
    first = when_fitted(data, "recovery", level)
    recovery_error = theory["recovery_error"] > SAME
    recovered = data.recovery.isel(t=-1) <= level
    failed = recovery_error.mean("trial").sortby("coherence")
    return Evidence(
        holds=[
            at_most(
                "recovery error at memorization over that of least squares, minus one, median",
                abs(first / theory["least_squares"] - 1).median(),
                0.1,
                key="error_at_memorization",
                why="at a training error of a twentieth, up to the condition number of the rows",
            ),
            at_least(
                r"fraction of trials recovered if and only if the ground truth has minimum $\ell_1$ norm",
                (recovered == ~recovery_error).where(recovery_error | (theory["generalization"] < 0.8 * reach)).mean(),
                0.9,
                key="recovered_iff_predicted",
                why=r"the slow flow ends at the minimum $\ell_1$ norm; trials beyond the horizon are left out; a few in a "
                "hundred have a bias above the level",
            ),
            at_least(
                "fraction of unrecoverable trials at the largest coherence minus that at the smallest, fewest rows",
                float((failed.isel(coherence=-1) - failed.isel(coherence=0)).sortby("n").isel(n=0)),
                0.3,
                key="failures_grow",
                why="the paper: errors grow with the coherence; at 0.6 of 30 rows 12 Gaussian rows are left for about four "
                "nonzero entries of 82, which need 15",
            ),
        ]
    )


def draw_errors(data, n, coherence, learning_rate, strength, reach, level) -> Drawing:
    """Medians of errors and of times against the number of measurements, a line for each coherence."""
    steps, panels = reach / (learning_rate * strength), []
    for title, part, label in (
        ("Recovery error at memorization", when_fitted(data, "recovery", level).median("trial"), "relative error"),
        ("Recovery error at the end", data.recovery.isel(t=-1).median("trial"), "relative error"),
        ("Memorization time", middle(data.memorization, steps), "steps"),
        ("Recovery time", middle(data.generalization, steps), "steps"),
    ):
        lines = family(r"$\tau$ = {}", n.values, part.sel(coherence=some(coherence.values)), "coherence")
        panels.append(Panel(lines, Axis("measurements $N$"), log_axis(label), title=title, legend=title.endswith("the end")))
    caption = "Medians over trials. Runs stop at a recovery error below half of the level; what never happens is at the horizon."
    return Drawing(panels, caption=caption)


COORDINATES = partial(Control, "at most one coordinate row", {"coherence": (0.0, 0.01, 0.03)})
claim = partial(figure, simulation=COHERENT, predict=predict, seconds={"quick": 20, "paper": 200})
CLAIMS = (
    claim(
        27,
        "Coherent measurements delay recovery",
        r"The larger the fraction $\tau$ of measurements that read one entry each, the later descent with a small $\ell_1$ "
        "penalty recovers the ground truth after memorization, for every number of measurements.",
        judge_delay,
        draw_delay,
        least={"coherence": 2},
        controls=[COORDINATES(["delay_grows"])],
    ),
    claim(
        28,
        "Memorization and recovery times over $N$ and coherence",
        r"The delay between memorization and recovery grows with the fraction $\tau$ of measurements that read one entry each "
        "and falls with the number of measurements $N$.",
        judge_maps,
        draw_maps,
        least={"coherence": 2, "n": 2},
        controls=[COORDINATES(["delay_grows"])],
    ),
    claim(
        29,
        "Coherence: what is recovered at all",
        "At memorization the recovery error is that of least squares; at the end the ground truth is recovered where it has the "
        r"minimum $\ell_1$ norm, and the fraction of other trials grows with the coherence $\tau$.",
        judge_errors,
        draw_errors,
        least={"coherence": 2},
        controls=[COORDINATES(["failures_grow"])],
    ),
)

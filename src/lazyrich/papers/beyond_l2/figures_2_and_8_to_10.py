r"""Figures 2, 8, 9, 10: memorization and recovery by subgradient descent, along the number of measurements $N$."""

from functools import partial

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Event, Line, Panel, Points, Rule
from ...claims.marks import log_axis
from .shared import phases
from .shared.figure_claim import figure
from .shared.limits import SAME
from .shared.memorization import fitted, measurements_help, stable, within_bound
from .shared.times import memorized_first
from .simulations.sparse_phases import MEASURED, ONE


def judge_gradients(data, theory, learning_rate, strength, level, reach, power) -> Evidence:
    r"""The ratio of both gradients before $t_1$ and between $t_1$ and $t_2$; the $\ell_1$ norm there and at the end."""
    good = phases.judged(theory, strength=strength, level=level, reach=reach)
    before = data.ratio.where(data.step <= data.memorization).max("t")
    until = np.minimum(data.generalization, data.step.isel(t=-1))
    between = data.ratio.where((data.step > 0.2 * until) & (data.step < until))
    first, last = (phases.once(data.l1, data.step, when) / theory["l1"] for when in (data.memorization, until))
    return Evidence(
        sound=[stable(data, learning_rate), phases.enough(good)],
        holds=[
            at_most(
                "penalty gradient over loss gradient before memorization, median",
                before.where(good).median(),
                1,
                key="ratio_before",
                why=r"$\beta_1\sqrt{n}$ over the gradient of a loss of relative error 0.01 is 0.1 to 0.5",
            ),
            near(
                "penalty gradient over loss gradient between memorization and recovery, median",
                between.median("t").where(good).median(),
                2.0,
                1.0,
                key="ratio_between",
                why="the loss balances the penalty gradient in the row space: 1 if that is all of it, 3 if a tenth of its square",
            ),
            phases.clock(data, theory, good, learning_rate=learning_rate, strength=strength, power=power),
            at_least(
                r"$\|b\|_1/\|b^*\|_1$ at memorization, median",
                first.where(good).median(),
                1.2,
                key="norm_at_memorization",
                why="least squares spreads over all entries",
            ),
            at_most(
                r"$\|b\|_1/\|b^*\|_1$ at recovery, minus one, maximum",
                abs(last - 1).where(good).max(),
                5 * level,
                key="norm_at_recovery",
                why=r"norms differ by at most $\sqrt{n}$ times the distance, 7 levels, and by most of it for errors of one size",
            ),
        ],
    )


def slow_event(one, learning_rate, strength) -> list[Event]:
    """The slow flow's recovery time in steps, where it recovers."""
    found = float(one) / (learning_rate * strength)
    return [Event("slow flow", found)] if 0 < found < np.inf else []


def draw_gradients(data, theory, learning_rate, strength) -> Drawing:
    r"""One run: its errors, the ratio of gradients, the $\ell_1$ norm."""
    one = data.isel(trial=0)
    events = slow_event(theory["generalization"].isel(trial=0), learning_rate, strength)
    ratio, norm = phases.curve("gradient ratio", one.step, one.ratio), phases.curve("descent", one.step, one.l1)
    known = Rule("ground truth", float(theory["l1"].isel(trial=0)))
    return Drawing(
        [
            phases.errors(one, events=events),
            Panel([ratio, Rule("equal", 1.0), *events], phases.STEPS, log_axis("penalty gradient over loss gradient")),
            Panel([norm, known, *events], phases.STEPS, Axis(r"$\|b\|_1$", low=0.0)),
        ],
        columns=3,
        caption=r"Subgradient descent with a small $\ell_1$ penalty, one trial. The loss gradient dominates until memorization; "
        r"from then on the penalty gradient is about as large, and $\|b\|_1$ decreases to $\|b^*\|_1$. Dashed: the predicted "
        "recovery time of the slow flow.",
    )


def judge_times(data, theory, learning_rate, strength, d, level, reach, power) -> Evidence:
    """Memorization time over its bound, recovery time relative to the slow flow's, and its decrease along $N$."""
    good = phases.judged(theory, strength=strength, level=level, reach=reach)
    steps, bound = fitted(data, learning_rate=learning_rate, strength=strength, d=d)
    found = theory["recovery_error"] < SAME
    return Evidence(
        sound=[stable(data, learning_rate), phases.enough(good)],
        holds=[
            *within_bound(steps / bound),
            phases.clock(data, theory, good, learning_rate=learning_rate, strength=strength, power=power),
            measurements_help(data.generalization.where(found)),
        ],
    )


def draw_times(data, theory, learning_rate, strength, d) -> Drawing:
    """Memorization and recovery times against the number of measurements, beside theory."""
    steps, bound = fitted(data, learning_rate=learning_rate, strength=strength, d=d)
    n, x = np.round(data.sampling_ratio.values * d), Axis("measurements $N$")
    limit = Line("bound", n, bound.median("trial").values, role="theory")
    predicted = (theory["generalization"] / (learning_rate * strength)).where(data.generalization < np.inf)
    marks = [phases.quartiles("descent", n, data.generalization), phases.quartiles("slow flow", n, predicted, role="theory")]
    return Drawing(
        [
            Panel([phases.quartiles("descent", n, steps), limit], x, log_axis("memorization time $t_1$ (steps)")),
            Panel(marks, x, log_axis("recovery time $t_2$ (steps)")),
        ],
        caption="Subgradient descent, medians over trials, bars to the quartiles. Left: steps until close to the least-squares "
        "solution in the row space, and the bound of theorem C.8. Right: steps until recovery, in the trials that are recovered, "
        r"and the slow flow's time divided by $\alpha\beta_1$.",
    )


def judge_errors(data, theory, learning_rate, strength, level, reach, answer) -> Evidence:
    r"""Memorization before recovery, least squares at memorization, recovery if and only if $b^*$ has minimum $\ell_1$ norm."""
    good = phases.judged(theory, strength=strength, level=level, reach=reach)
    memorized = (data.train.min("t") < level).mean()
    return Evidence(
        sound=[stable(data, learning_rate), phases.enough(good)],
        holds=[
            memorized_first((data.memorization / data.generalization).where(good).median(), 0.1),
            phases.at_fit(data, theory, good),
            phases.clock(data, theory, good, learning_rate=learning_rate, strength=strength, power=1.0),
            phases.agreement(data, theory, strength=strength, level=level, reach=reach, answer=answer),
            at_least("fraction of trials that memorize", memorized, 1, key="memorized", why=r"$N\leq n$: all data can be fitted"),
        ],
    )


def draw_errors(data, theory, learning_rate, strength, d) -> Drawing:
    """Errors of one trial over time, a panel for each of a few numbers of measurements."""
    panels = []
    for sampling_ratio in (
        data.sampling_ratio.values if data.sampling_ratio.size <= 4 else data.sampling_ratio.values[[1, 2, 4, 8]]
    ):
        one, found = (a.sel(sampling_ratio=sampling_ratio).isel(trial=0) for a in (data, theory["generalization"]))
        title = f"$N$ = {round(float(sampling_ratio) * d)} of {d}"
        panels.append(phases.errors(one, title=title, events=slow_event(found, learning_rate, strength)))
    return Drawing(
        panels,
        caption=r"Subgradient descent with a small $\ell_1$ penalty, one trial, more and more measurements. The data are always "
        r"fitted early; the ground truth is recovered late, or never if another interpolant has a smaller $\ell_1$ norm. Dashed: "
        "the recovery time of the slow flow.",
    )


def judge_plane(data, theory, learning_rate, strength, level, reach, place) -> Evidence:
    """The smallest distance to least squares in the plane, the end point, and the norm off the support at the end."""
    size, last, truth = theory["l2"], data.isel(t=-1), theory["recovery_error"] < SAME
    close, apart = (
        np.hypot(run.inside - theory[f"{end}_inside"], run.outside - theory[f"{end}_outside"]) / size
        for run, end in ((data, "first"), (last, place))
    )
    settled = phases.clear(theory, strength, level) & (theory["extinction"] < phases.LATE * reach)
    return Evidence(
        sound=[
            stable(data, learning_rate),
            at_least(
                "fraction of trials that converge in time",
                settled.mean(),
                0.2,
                key="converged",
                why="where descent has not converged there is no end point to compare",
            ),
        ],
        holds=[
            at_most(
                r"smallest distance to $\hat b$ in the plane over $\|b^*\|_2$, median",
                close.min("t").median(),
                0.02,
                key="near_least_squares",
                why=r"meanwhile the penalty has moved the iterate by $\alpha\beta_1\sqrt{n}$ in each of some tens of steps: 0.01",
            ),
            at_most(
                r"final distance to the minimum-$\ell_1$-norm interpolant in the plane over $\|b^*\|_2$, maximum",
                apart.where(settled).max(),
                2 * level,
                key="end_point",
                why="the penalty's bias, a tenth of the level, twice that if the ground truth is not recovered; oscillations",
            ),
            at_most(
                r"final norm off the support over $\|b^*\|_2$ where $b^*$ has minimum $\ell_1$ norm, maximum",
                (last.outside / size).where(settled & truth).max(),
                level,
                key="off_support_recovered",
                why="every entry off the support goes to zero up to a step and the penalty's bias",
            ),
            at_least(
                "elsewhere, final norm off the support over the distance of the predicted solution from $b^*$, minimum",
                (last.outside / size / theory["recovery_error"]).where(~truth).min().fillna(1.0),
                0.05,
                key="off_support_elsewhere",
                why="the error off the support determines that on it, up to the condition number of its columns: a factor of ten",
            ),
        ],
    )


def draw_plane(data, theory, d) -> Drawing:
    """One trial in the plane, from the initialization to the end, for few and for more measurements."""
    panels = []
    for at in (0, min(2, data.sampling_ratio.size - 1)):
        one = data.isel(sampling_ratio=at, trial=0)
        end = {name: float(theory[name].isel(sampling_ratio=at, trial=0)) for name in theory}
        marks = [
            Line("descent", one.inside.values, one.outside.values),
            Points("least squares", [end["first_inside"]], [end["first_outside"]], role="second"),
            Points(r"minimum $\ell_1$ norm", [end["last_inside"]], [end["last_outside"]], role="theory"),
            Points("ground truth", [end["l2"]], [0.0], role="control"),
        ]
        x, y = Axis(r"$\|b_I\|_2$, on the support", low=0.0), Axis(r"$\|b_{I^c}\|_2$, off the support", low=0.0)
        panels.append(Panel(marks, x, y, title=f"$N$ = {round(float(data.sampling_ratio[at]) * d)} of {d}"))
    return Drawing(
        panels,
        caption="Subgradient descent, one trial, in the plane of its norms on and off the support of the ground truth. Left: "
        r"with too few measurements it ends at another vector of minimum $\ell_1$ norm. Right: with enough, at the ground truth.",
    )


NO_PENALTY = {"strength": 1e-9, "steps": 3e4}
claim = partial(figure, predict=phases.predict)
along = partial(claim, simulation=MEASURED["subgradient"], seconds={"quick": 8, "paper": 240})
CLAIMS = (
    claim(
        2,
        "Loss gradient, then penalty gradient",
        "The loss gradient dominates the penalty gradient until memorization; from then on the penalty gradient is as large or "
        r"larger, and $\|b\|_1$ decreases to $\|b^*\|_1$, where the ground truth is recovered.",
        judge_gradients,
        draw_gradients,
        simulation=ONE["subgradient"],
        constants={"power": 1.0},
        controls=[Control("hardly any penalty over the same time", NO_PENALTY, ("recovery_time", "norm_at_recovery"))],
        seconds={"quick": 6, "paper": 120},
    ),
    along(
        8,
        "Memorization and recovery times along $N$",
        "Memorization takes at most the number of steps of theorem C.8 (in the row space), and recovery the time of the slow "
        r"flow divided by $\alpha\beta_1$, less with more measurements.",
        judge_times,
        draw_times,
        constants={"power": 1.0},
        least={"sampling_ratio": 2},
        controls=[Control("the square root of the strength instead of the strength", {"power": 0.5}, ("recovery_time",))],
    ),
    along(
        9,
        "Always memorized, recovered from enough measurements",
        "For every number of measurements the data are fitted first, by the least-squares solution; the ground truth is "
        r"recovered much later, and only where it has the minimum $\ell_1$ norm of all interpolants.",
        judge_errors,
        draw_errors,
        constants={"answer": "recovery_error"},
        controls=[Control("least squares as the predicted solution", {"answer": "least_squares"}, ["recovered_iff_predicted"])],
    ),
    along(
        10,
        r"First to least squares, then to the minimum $\ell_1$ norm",
        r"In the plane $(\|b_I\|_2, \|b_{I^c}\|_2)$ of the norms on and off the support descent first approaches the "
        r"least-squares solution $\hat b$ and converges to the minimum-$\ell_1$-norm interpolant: $(\|b^*\|_2, 0)$ with enough "
        "measurements, another point with too few.",
        judge_plane,
        draw_plane,
        constants={"place": "last"},
        controls=[Control("least squares as the end point", {"place": "first"}, ("end_point",))],
    ),
)

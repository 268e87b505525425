"""Grokking without understanding: with weight decay alone the test error drops late, and nothing is recovered."""

from dataclasses import replace

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import relative_distance
from ...claims.marks import family, log_axis, one_panel
from ...lab import Param
from .shared.figure_claim import figure
from .shared.phases import ERROR, STEPS
from .simulations import matrix_factors
from .simulations.l2_alone import ALONE, BOTH


def stable(data) -> Reading:
    """The learning rate over the largest stable one."""
    return at_most(
        "learning rate over its stability limit, maximum",
        data.stability.max(),
        1,
        key="stability",
        why=r"beyond $2/(\sigma_{\max}+\beta_2)$ descent diverges whatever the penalty",
    )


def at_ridge(data, bound=1e-3, why="1e-7 of the solution") -> Reading:
    """The end point is the ridge solution."""
    name = "final relative distance from the ridge solution, maximum"
    return at_most(name, data.from_ridge.max(), bound, key="ridge", why=f"$e^{{-20}}$ of the initialization is left, {why}")


def fall(data) -> list[Reading]:
    """The recovery error drops long after memorization, and ends at the ridge solution, far from zero."""
    return [
        at_least(
            "recovery error at memorization over that at the end, minimum",
            data.fall.min(),
            1.5,
            key="drop",
            why=r"only weight decay acts outside the row space: $\sqrt{1+(\zeta/\|b^*\|_2)^2}$ with $\|b^*\|_2^2$ of chi-squared "
            "law with 5 degrees of freedom: 4.9 in the median, 2.4 in one trial of 1,000; 1 without effect of the initialization",
        ),
        at_least(
            "final recovery error, minimum",
            data.recovery.isel(t=-1).min(),
            0.5,
            key="not_recovered",
            why=r"the ridge solution has $\sqrt{1-N/n}$, at least 0.84 here, with a standard deviation of 0.04",
        ),
        at_ridge(data),
    ]


def judge_both(data, level) -> Evidence:
    r"""A late drop to the ridge solution without the $\ell_1$ penalty; recovery with it."""
    return Evidence(
        sound=[stable(data)],
        holds=[
            *fall(data),
            at_most(
                r"final recovery error with the $\ell_1$ penalty over the level, lower quartile",
                data.sparse_recovery.isel(t=-1).quantile(0.25) / level,
                1,
                key="recovered_with_l1",
                why=r"the penalty's bias is a few strengths, 1e-2; some ground truths do not have minimum $\ell_1$ norm",
            ),
        ],
    )


def draw_both(data, weight_decay, strength) -> Drawing:
    """Errors on a linear and on a logarithmic scale, and both norms, of one trial."""
    one = data.isel(trial=0, t=slice(1, None))

    def lines(name):
        return [
            Line("weight decay alone", one.steps.values, one[name].values),
            Line(rf"with $\ell_1$ penalty $\beta_1$ = {strength:g}", one.steps.values, one[f"sparse_{name}"].values, "second"),
        ]

    train = Line("training, weight decay alone", one.steps.values, one.train.values, role="control")
    clipped = replace(train, y=np.maximum(train.y, 1e-6))
    return Drawing(
        [
            Panel([*lines("recovery"), train], STEPS, Axis("relative error"), title="Looks like grokking on a linear scale"),
            Panel([*lines("recovery"), clipped], STEPS, ERROR, title="But is not"),
            Panel(lines("l2"), STEPS, log_axis(r"$\|b\|_2$"), title=r"$\ell_2$ norm"),
            Panel(lines("l1"), STEPS, log_axis(r"$\|b\|_1$"), title=r"$\ell_1$ norm"),
        ],
        caption=rf"One trial from a large initialization, weight decay $\beta_2$ = {weight_decay:g}. The error only seems to "
        r"vanish: on a logarithmic scale it ends at least squares. With an $\ell_1$ penalty the ground truth is recovered.",
    )


def judge_components(data, n, d) -> Evidence:
    """Means over many trials of the squared error, of the component along the ground truth, and of that across it."""
    squared_error, across = data.recovery.isel(t=-1) ** 2, n * (d - n) / (d * (d + 2))
    spread = "one trial has a standard deviation of 0.064, the mean of 200 one of 0.0045"
    kept = "Gaussian rows keep $N/n$ of every direction on average; weight decay removes less than 1e-3 of it"
    beta = "the kept fraction $z$ has a beta law, and this is $z(1-z)$; standard deviation of the mean 0.002"
    means = (
        ("mean squared recovery error", "error", squared_error, 1 - n / d, 0.02, spread),
        ("mean component along the ground truth", "along", data.along, n / d, 0.02, kept),
        ("mean squared component orthogonal to the ground truth", "across", data.across, across, 0.01, beta),
    )
    return Evidence(
        sound=[stable(data)],
        holds=[
            *(near(name, part.mean(), target, off, key=key, why=why) for name, key, part, target, off, why in means),
            at_ridge(data),
        ],
    )


def draw_components(data) -> Drawing:
    """Components of one trial over time, and at the end beside the ground truth."""
    one = data.isel(trial=0)
    support, others = np.flatnonzero(one.truth.values), np.flatnonzero(one.truth.values == 0)[:10]
    steps, every = one.steps.values[1:], np.arange(one.truth.size)
    marks = [
        *(Line("off the support", steps, one.weights.values[1:, i], role="control") for i in others),
        *(Line("on the support", steps, one.weights.values[1:, i]) for i in support),
    ]
    ends = [Points("ground truth", every, one.truth.values, role="second"), Points("end", every, one.end.values)]
    return Drawing(
        [
            Panel(marks, STEPS, Axis("component"), title="Over time"),
            Panel(ends, Axis("component"), Axis("value"), title="At the end"),
        ],
        caption="One trial from a large initialization with weight decay alone. All components end near zero, at the ridge "
        "solution: the ground truth is shrunk to the fraction $N/n$, and the remaining directions share a squared norm of about "
        r"$\frac{N}{n}(1-\frac{N}{n})\|b^*\|^2$.",
    )


def predict(problem):
    r"""The minimum-$\ell_1$-norm interpolant."""
    from ...predictors import MinL1

    return {"l1": MinL1().solve(problem.train)}


def judge_hopeless(data, theory) -> Evidence:
    r"""The drop due to weight decay, and that the minimum-$\ell_1$-norm interpolant is not the ground truth."""
    error = relative_distance(theory["l1"].effective, data.truth)
    return Evidence(
        sound=[stable(data)],
        holds=[
            *fall(data),
            at_least(
                r"fraction of trials in which the minimum-$\ell_1$-norm interpolant has an error above 0.1",
                (error > 0.1).mean(),
                0.9,
                key="unrecoverable",
                why=r"with fewer measurements than nonzero entries no method recovers the ground truth; with fewer than the "
                r"statistical dimension, a fifth of the unknowns here, the minimum $\ell_1$ norm does not",
            ),
        ],
    )


def draw_hopeless(data) -> Drawing:
    """The error of one trial for each number of measurements."""
    one = data.isel(trial=0, t=slice(1, None))
    return one_panel(
        [*family("$N = {}$", one.steps, one.recovery, "n"), Rule("error of $b=0$", 1.0)],
        STEPS,
        Axis("recovery error"),
        caption="One trial from a large initialization with weight decay alone, with too few measurements for any method: the "
        "error drops as abruptly. Only the initialization is forgotten.",
    )


def judge_matrix(data) -> Evidence:
    """The drop after memorization, and the final error compared to the norm of the unobserved entries."""
    end = data.recovery.isel(t=-1)
    return Evidence(
        sound=[stable(data)],
        holds=[
            at_least(
                "recovery error at memorization over that at the end, minimum",
                data.fall.min(),
                2,
                key="drop",
                why=r"entries are initialized at $20/\sqrt{d}$, 20 in all for a ground truth of norm one, and only weight decay "
                "shrinks the unobserved ones: a fraction of 0.2 of them makes an error of 9, which drops to 0.4",
            ),
            at_most(
                "final recovery error over the norm of the unobserved entries, minus one, maximum",
                abs(end / data.unseen - 1).max(),
                1e-2,
                key="unobserved",
                why="observed entries are shrunk by the weight decay, 1e-3, and unobserved ones are zero",
            ),
            at_least(
                "final recovery error, median over trials, minimum over numbers of entries",
                end.median("trial").min(),
                0.2,
                key="not_recovered",
                why="a fraction of 0.2 of the entries is unobserved, on average with 0.2 of the squared norm: 0.4 of the norm",
            ),
            at_ridge(data, 1e-4, "4e-8 for a solution of norm one half"),
        ],
    )


def draw_matrix(data) -> Drawing:
    """Errors and norm of one trial, for each number of observed entries."""
    one, panels = data.isel(trial=0, t=slice(1, None), n=slice(-len(SERIES), None)), []
    for name, label, title in (
        ("recovery", "recovery error", "Looks like grokking"),
        ("train", "training error", "Memorized early"),
        ("l2", "Frobenius norm", "Norm"),
    ):
        marks = family("$N = {}$", one.steps, one[name].clip(min=1e-6), "n")
        panels.append(Panel(marks, STEPS, log_axis(label), title=title, legend=name == "recovery"))
    return Drawing(
        panels,
        columns=3,
        caption="One trial of matrix completion from a large initialization with weight decay alone. The recovery error drops "
        "long after memorization, and ends where unobserved entries are zero, with few observed entries or with many.",
    )


SMALL = [Control("a small initialization", {"init_scale": 1e-6}, ("drop",))]
CLAIMS = (
    figure(
        25,
        "Grokking without understanding",
        "From a large initialization with weight decay alone the recovery error drops abruptly, long after memorization, to "
        r"that of the ridge solution, far from the ground truth; with a small $\ell_1$ penalty the ground truth is recovered.",
        judge_both,
        draw_both,
        simulation=BOTH,
        controls=SMALL,
        seconds={"quick": 15, "paper": 60},
    ),
    figure(
        26,
        "With weight decay alone all components end near zero",
        "From a large initialization with weight decay alone descent converges to the ridge solution: for Gaussian "
        "measurements its component along the ground truth is $N/n$ on average, its squared relative error $1-N/n$.",
        judge_components,
        draw_components,
        simulation=ALONE,
        controls=[Control("stopped before weight decay acts", {"reach": 0.2}, ("error", "across", "ridge"))],
        seconds={"quick": 10, "paper": 15},
    ),
    Claim(
        id="beyond_l2/matrix_without_understanding",
        kind="statement",
        title="Matrix completion: grokking without understanding",
        says="From a large initialization with weight decay alone the recovery error of matrix completion drops abruptly, long "
        "after memorization, because unobserved entries converge to zero, however many are observed; nothing is recovered.",
        source="beyond_l2, appendix D.9",
        simulation=matrix_factors.ALONE,
        judge=judge_matrix,
        draw=draw_matrix,
        controls=SMALL,
        seconds={"quick": 8, "paper": 20},
    ),
    Claim(
        id="beyond_l2/transition_without_solution",
        kind="statement",
        title="A transition where nothing can be recovered",
        says="From a large initialization with weight decay the recovery error drops abruptly long after memorization even with "
        "too few measurements for any method to recover the ground truth.",
        source="beyond_l2, appendix C.9",
        simulation=ALONE.with_params(
            Param("n", (3, 8), (3, 5, 8, 12), smoke=(3, 6), low=1, high=1_000, unit="measurements", static=True),
            Param("trials", 20, 50, smoke=1, low=1, high=10_000, unit="trials", static=True),
        ),
        predict=predict,
        judge=judge_hopeless,
        draw=draw_hopeless,
        controls=SMALL,
        seconds={"quick": 10, "paper": 20},
    ),
)

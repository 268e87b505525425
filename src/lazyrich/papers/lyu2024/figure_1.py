"""A diagonal net with small weight decay: late generalization in figure 1a, late loss of it in figure 1b."""

from functools import partial

import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import Axis, Band, Drawing, Event, Line, Panel, Points, Rule
from ...claims.labelled import norm
from ...claims.marks import one_panel
from ...predictors.timescale import LINGERS, held_margin, kernel_exit, per_coordinate
from .shared.margins import shortfall
from .shared.marks import TIME, accuracies
from .shared.readings import below_entropy
from .simulations.figure_1 import DENSE, SPARSE

WINDOW = (
    r"the predicted window: from the end of the kernel regime, $1.06/\lambda$ until the kernel direction is lost, then the time "
    r"in which weights grow at rate $2\lambda$ from their kernel size to their final size"
)
DEFICIT = r"the margin converges to its limit like $1/\log(1/\lambda)$, here 0.14: this fraction of the fall may be missing"
LEVEL = Axis("test accuracy", low=0.45, high=1.03)
LATE_ACCURACY = r"accuracy of the max-$\ell_1$-margin classifier"
WEAKER = "a thousandth of the weight decay over the same time"
RISE = (
    "A diagonal net from a large initialization with small weight decay fits its training data at once with the accuracy of the "
    "kernel solution, and finds the sparse rule much later and abruptly. Dashed: predicted before training."
)
FALL = (
    "Where the classes are separated along a dense direction the kernel solution generalizes, and the same net that found the "
    r"sparse rule in figure 1a loses it: test accuracy falls late to that of the max-$\ell_1$-margin classifier, while the "
    "training data stay fitted. Dashed: predicted before training."
)


def references(problem, *, certify):
    """The max-l2-margin and max-l1-margin classifiers and their accuracies; the teacher, where it is certified as the latter."""
    from ...predictors import MaxMargin, certify_margin

    early = MaxMargin("l2").solve(problem.train)
    late = certify_margin(problem.train, problem.truth, "l1") if certify else None
    late = late if late is not None and late.ok else MaxMargin("l1").solve(problem.train)
    accuracies = [problem.law.accuracy(jnp.asarray(found.effective)) for found in (early, late)]
    return {"early": early, "late": late, "early_accuracy": accuracies[0], "late_accuracy": accuracies[1]}


def predict_sparse(problem):
    """The references of figure 1a, where the teacher may be the max-l1-margin classifier."""
    return references(problem, certify=True)


def predict_dense(problem):
    """The references of figure 1b, which has no sparse teacher."""
    return references(problem, certify=False)


def exit_time(theory, *, d, alpha, weight_decay):
    r"""When the kernel regime ends: $2\kappa(t) = \|w\|_\infty$ with $\kappa = \alpha_c^2 e^{-2\lambda t}$, from theory alone.

    On the kernel's slow manifold $w = q\,w_2$ with $w_2$ of margin 1, and the force that holds it against weight decay
    gives $q$ at the exit. Source: lyu2024, section 3.2.3.
    """
    early = theory["early"]
    top = abs(early.effective).max("d")
    size = per_coordinate(alpha, convention="norm", parameters=2 * d)
    held = held_margin(top, early.value, weight_decay=weight_decay)
    return kernel_exit(size, weight_decay=weight_decay, top=held * top)


def window(theory, *, d, alpha, weight_decay):
    r"""From the end of the kernel regime, `LINGERS` until its direction is lost, then growth at rate $2\lambda$ to the end."""
    leaves = exit_time(theory, d=d, alpha=alpha, weight_decay=weight_decay)
    early, late = theory["early"].effective, theory["late"].effective
    return leaves, leaves + (LINGERS + np.log(abs(late).max("d") / abs(early).max("d")) / 2) / weight_decay


def instruments(data, leaves, *, points, weight_decay) -> list[Reading]:
    """The closed form of the accuracy against fresh samples, and whether there is a kernel regime to leave."""
    error = (data.closed * (1 - data.closed) / (points * data.sizes["trial"])) ** 0.5
    off = (abs((data.sampled - data.closed).mean("trial")) / error.max("trial").clip(min=1e-3)).max()
    why = "four moments: five standard errors have a chance below one in a million"
    return [
        at_most("closed-form accuracy against fresh samples, in standard errors", off, 5, key="closed_form", why=why),
        at_least(
            r"length of the kernel regime, in units of $1/\lambda$",
            (leaves * weight_decay).min(),
            0.25,
            key="kernel_regime",
            why="an initialization too small for a kernel regime tests nothing; the plateau is read at 0.05",
        ),
    ]


def cosine(a, b):
    """The cosine of the angle between two vectors."""
    return (a * b).sum("d") / norm(a) / norm(b)


def on_plateau(data, early, why: str) -> Reading:
    """Test accuracy between fit and transition, beside that of the kernel."""
    why = f"the kernel's accuracy, {why}"
    return near("test accuracy on the plateau", data.plateau.mean(), early.mean(), 0.01, key="plateau", why=why)


def in_window(key: str, times, leaves, closes) -> Reading:
    """Whether the median time of an accuracy is in the predicted window."""
    middle, half = ((leaves + closes) / 2).mean(), ((closes - leaves) / 2).mean()
    return near(f"time of {key[1:]}% test accuracy", times.median(), middle, half, key=key, why=WINDOW)


def judge_sparse(data, theory, points, d, alpha, weight_decay) -> Evidence:
    """Memorize at once, stay at the kernel's accuracy, jump within the predicted window, converge to the sparse teacher."""
    leaves, closes = window(theory, d=d, alpha=alpha, weight_decay=weight_decay)
    early, few = theory["early_accuracy"], "with fewer samples theory itself predicts no generalization"
    return Evidence(
        sound=[
            *instruments(data, leaves, points=points, weight_decay=weight_decay),
            at_least(LATE_ACCURACY, theory["late_accuracy"].min(), 0.99, key="late_accuracy", why=few),
        ],
        holds=[
            at_most(
                "time to fit over time to generalize",
                (data.memorization / data.t90).max(),
                0.01,
                key="memorization",
                why="memorized at once: a hundredth of the delay, where the paper's curves are $10^5$ apart",
            ),
            on_plateau(data, early, why="to less than its gain over chance: 0.015 at the paper's size, more at smaller ones"),
            in_window("t90", data.t90, leaves, closes),
            at_most("time of 99% test accuracy", data.t99.median(), closes.mean(), key="t99", why="the window has ended"),
            at_least("final test accuracy", data.test.isel(t=-1).min(), 0.99, key="final", why="the paper's curve ends at 1"),
            at_least(
                r"final cosine with the max-$\ell_1$-margin classifier",
                cosine(data.end, theory["late"].effective).min(),
                0.95,
                key="cosine",
                why=r"the margin converges to its limit like $1/\log(1/\lambda)$, here 0.14: an angle of 0.3 at most",
            ),
        ],
    )


def judge_dense(data, theory, points, n, d, alpha, weight_decay) -> Evidence:
    """Generalize at once, stay at the kernel's accuracy, fall within the predicted window, converge to the sparse solution."""
    leaves, closes = window(theory, d=d, alpha=alpha, weight_decay=weight_decay)
    early, late = theory["early_accuracy"], theory["late_accuracy"]
    short = shortfall(abs(data.end).sum("d"), data.margin, theory["late"])
    end, missing = data.test.isel(t=-1), (early - late) / np.log(1 / weight_decay)
    train = data.train.where(data.time >= data.memorization, 1.0).min()
    no_fall = "where the sparse solution generalizes theory predicts no fall; 0.8, about halfway, is to be crossed"
    held = "before the kernel regime ends the direction is the kernel's"
    return Evidence(
        sound=[
            *instruments(data, leaves, points=points, weight_decay=weight_decay),
            generalizes(early),
            at_most(LATE_ACCURACY, late.max(), 0.7, key="late_accuracy", why=no_fall),
        ],
        holds=[
            at_most(
                "time to fit over time of the fall", (data.memorization / data.t80).max(), 0.01, key="fit", why="1% of the delay"
            ),
            at_least("train accuracy after the fit", train, 1, key="train", why=r"margins stay near $\log(1/\lambda)$"),
            on_plateau(data, early, why="to a fiftieth of its gain over chance"),
            at_least("time of 95% test accuracy", data.t95.median(), leaves.mean(), key="t95", why=held),
            in_window("t80", data.t80, leaves, closes),
            near("final test accuracy", end.mean(), late.mean(), missing.mean(), key="final", why=DEFICIT),
            below_entropy(r"final shortfall of the $\ell_1$ margin", short, n),
            at_least(
                r"cosine with the max-$\ell_1$-margin classifier minus that with the max-$\ell_2$-margin classifier",
                (cosine(data.end, theory["late"].effective) - cosine(data.end, theory["early"].effective)).min(),
                0.5,
                key="cosine",
                why="in the limit it is 1 minus the cosine between the two classifiers, about 0.9; half of it separates them",
            ),
        ],
    )


def generalizes(early) -> Reading:
    """Whether the max-l2-margin classifier generalizes."""
    why = "a test accuracy that was never high cannot fall"
    return at_least(r"accuracy of the max-$\ell_2$-margin classifier", early.min(), 0.99, key="early_accuracy", why=why)


def judge_level(data, theory, weight_decay, form) -> Evidence:
    """Final test accuracy beside the level of each trial."""
    early, late = theory["early_accuracy"], theory["late_accuracy"]
    level = late if form == "corrected" else 0.5 + 0 * late
    missing = (early - level) / np.log(1 / weight_decay)
    end = data.test.isel(t=-1)
    return Evidence(
        sound=[
            generalizes(early),
            at_least(
                r"minimum margin at the end over $\log(1/\lambda)$",
                (data.margin / np.log(1 / weight_decay)).min(),
                0.5,
                key="fitted",
                why=r"data that are not fitted have no level: margins are $\log(1/\lambda) + O(1)$",
            ),
        ],
        holds=[
            near("final test accuracy, mean", end.mean(), level.mean(), missing.mean(), key="mean", why=DEFICIT),
            at_most(
                "distance from the level over what may be missing, largest over trials",
                (abs(end - level) / missing).max(),
                1.5,
                key="each",
                why="the same for each trial, and half more for the farthest: the level depends on the data",
            ),
        ],
    )


def draw(data, theory, d, alpha, weight_decay, *, caption) -> Drawing:
    """Accuracies against time, with the predicted early and late levels and the two predicted times."""
    shown = data.isel(t=slice(1, None))
    marks = [
        *accuracies(shown.time.isel(trial=0).values, shown.train, shown.test),
        Rule(r"max $\ell_1$ margin", float(theory["late_accuracy"].mean())),
        Rule(r"max $\ell_2$ margin (kernel)", float(theory["early_accuracy"].mean())),
        Event("kernel regime ends", float(exit_time(theory, d=d, alpha=alpha, weight_decay=weight_decay).mean())),
        Event(r"$\log(\alpha)/\lambda$", float(np.log(alpha) / weight_decay), role="control"),
    ]
    return one_panel(marks, TIME, Axis("accuracy", low=0.45, high=1.03), caption)


def draw_level(data, theory) -> Drawing:
    """Test accuracy in time, and its final value against the accuracy of the max-l1-margin classifier, for each trial."""
    shown, late = data.isel(t=slice(1, None)), theory["late_accuracy"]
    time, end = shown.time.isel(trial=0).values, data.test.isel(t=-1)
    ends = [0.48, float(max(late.max(), end.max())) + 0.03]
    printed = Rule("printed: 50%", 0.5, role="control")
    curves = [
        Band("all trials", time, shown.test.min("trial").values, shown.test.max("trial").values),
        Line("test accuracy, median", time, shown.test.median("trial").values),
        Rule(r"max $\ell_1$ margin, mean", float(late.mean())),
        printed,
    ]
    levels = [Points("one trial", late.values, end.values), Line("equal", ends, ends, role="theory"), printed]
    x, y = (Axis(label, low=ends[0], high=ends[1]) for label in (LATE_ACCURACY, "final test accuracy"))
    return Drawing(
        [
            Panel(curves, TIME, LEVEL, title="Early generalization, then a fall"),
            Panel(levels, x, y, title="Every trial has its own level"),
        ],
        caption="Test accuracy of a diagonal net on classes that are separated along a dense direction. It falls late, to the "
        r"accuracy of the max-$\ell_1$-margin classifier of the trial, which is known without training and is above one half.",
    )


CLAIMS = (
    Claim(
        id="lyu2024/figure_1a",
        kind="figure",
        title="Grokking of a diagonal net: kernel first, sparse later",
        says=r"Train accuracy reaches 1 at once while test accuracy stays at that of the max-$\ell_2$-margin classifier; near "
        r"$\log(\alpha)/\lambda$ it jumps to 1, and the net converges to the max-$\ell_1$-margin classifier, the sparse teacher.",
        source="lyu2024, figure 1a",
        simulation=SPARSE,
        predict=predict_sparse,
        judge=judge_sparse,
        draw=partial(draw, caption=RISE),
        edges={r"$\log(\alpha)/\lambda$ is the time shown": "=log(alpha)/(weight_decay*horizon)"},
        controls=[
            Control(WEAKER, changes={"weight_decay": 1e-6, "horizon": 1e4}, breaks=("final", "cosine"), size="quick"),
        ],
        # A trial at this size reads a 205 MB matrix 2,000 times, 17 s on two cores; two are followed unless more are asked for.
        sizes={"paper": {"trials": 2}},
        aliases=("figure_1",),
        seconds={"quick": 12, "paper": 45},
    ),
    Claim(
        id="lyu2024/figure_1b",
        kind="figure",
        title="Misgrokking of a diagonal net: generalization first, lost later",
        says=r"On classes separated by a large $\ell_2$ margin train and test accuracy are high at once; near "
        r"$\log(\alpha)/\lambda$ test accuracy falls to that of the max-$\ell_1$-margin classifier, little above chance, while "
        "train accuracy stays 1.",
        source="lyu2024, figure 1b",
        simulation=DENSE,
        predict=predict_dense,
        judge=judge_dense,
        draw=partial(draw, caption=FALL),
        controls=[Control(WEAKER, {"weight_decay": 1e-6, "horizon": 2e4}, breaks=("t80", "final", "shortfall", "cosine"))],
        seconds={"quick": 20, "paper": 110},
    ),
    Claim(
        id="lyu2024/misgrokking_level",
        kind="erratum",
        title="The level at which misgrokking ends",
        says="Where the kernel solution generalizes and the sparse one does not, test accuracy falls to that of the "
        r"max-$\ell_1$-margin classifier of the data, a level of its own for each data set (0.55 to 0.57 with 32 samples and a "
        "gap of 25 in 100,000 dimensions); the paper prints that it drops to nearly 50%.",
        source="lyu2024, section 3.2.3 and figure 1b",
        simulation=DENSE,
        predict=predict_dense,
        judge=judge_level,
        draw=draw_level,
        constants={"form": "corrected"},
        sizes={"quick": {"d": 2_000, "gap": 8.0, "points": 100}},
        controls=[Control("the level as printed: one half", changes={"form": "printed"}, breaks=("mean",))],
        seconds={"quick": 12, "paper": 110},
    ),
)

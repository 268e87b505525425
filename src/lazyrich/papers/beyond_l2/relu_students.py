r"""Figures 3 and 47 to 50: a ReLU student memorizes early, and its test error falls after $\Theta(1/\alpha\beta)$ steps."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near, slug
from ...claims.drawing import SERIES, Drawing, Panel, Points, Rule, Slope
from ...claims.labelled import farthest
from ...claims.marks import log_axis
from ...dynamics.optimizers import NAMES
from .shared import scaling
from .shared.figure_claim import figure
from .shared.phases import STEPS, curve
from .simulations.teacher_student import PENALTIES, SIMULATION, USUAL

SOBOLEV = "penalty on the distance to the teacher's derivatives at the samples"
WITHOUT = Control("no penalty, for as many steps", changes={"pull": 0.0, "penalty": (0,)}, breaks=("generalizes", "exponent"))


def instrument(data, method) -> list[Reading]:
    """That gradient descent follows gradient flow, and that the penalty does not pass through Adam."""
    return [
        at_most("learning rate times sharpness, maximum", data.edge.max(skipna=False), 1, key="edge", why="no step overshoots"),
        at_most(
            "penalties whose gradient passes through Adam",
            float(NAMES[method] == "adam"),
            0,
            key="through_adam",
            why="the law is that of gradient descent; Adam normalizes a penalty in its gradient by the penalty's own size",
        ),
    ]


def fell(data) -> Reading:
    """That all runs generalize by the horizon."""
    return at_least(
        "fraction of runs whose test error falls to a fifth of its initial value",
        np.isfinite(data.falls).mean(),
        1,
        key="generalizes",
        why="the penalty is nearly at its minimum by the horizon; without a penalty about half of the error remains",
    )


def late(data) -> Reading:
    """That the test error falls long after memorization."""
    return at_least(
        "steps until the test error falls over memorization time, minimum",
        (data.falls / data.memorization).min(skipna=False),
        5,
        key="late",
        why=r"memorization takes a few times $1/(\alpha \times \mathrm{curvature})$, the fall a time of order $1/(\alpha\beta)$",
    )


def unmoved(data, learning_rate) -> Reading:
    """That memorization does not depend on the penalty."""
    flow, runs = learning_rate * data.memorization, ("learning_rate", "strength")
    return at_most(
        "largest over smallest learning rate times memorization time, minus one, maximum over trials",
        (flow.max(runs) / flow.min(runs)).max(skipna=False) - 1,
        0.25,
        key="memorization_spread",
        why=r"the gradient flow of the loss alone, up to steps of 0.8 over the curvature and terms of order $\beta$",
    )


def inverse(data, learning_rate, strength) -> Reading:
    r"""That the test error falls after a time proportional to $1/(\alpha\beta)$."""
    return near(
        r"exponent of $\alpha\beta$ in the steps until the test error falls, farthest from $-1$",
        farthest(scaling.fitted_power(data.falls, learning_rate * strength), -1),
        -1,
        0.05,
        key="exponent",
        why=r"runs of a trial share one slow flow of $T/(\alpha\beta)$ steps; terms of order $\beta$ change $T$ by some percent",
    )


def judge(data, learning_rate, strength, method) -> Evidence:
    """When the data are memorized and when the test error falls, as learning rate and strength change."""
    return Evidence(
        sound=instrument(data, method),
        holds=[fell(data), late(data), unmoved(data, learning_rate), inverse(data, learning_rate, strength)],
    )


def each_alone(data, method, of_rate, of_strength) -> Evidence:
    """The delay of the test error's fall, and its exponents in learning rate and strength, each with the other fixed."""
    powers = {"learning_rate": of_rate, "strength": of_strength}
    return Evidence(
        sound=instrument(data, method),
        holds=[
            fell(data),
            late(data),
            *(
                near(
                    f"exponent of the {axis.replace('_', ' ')} in the steps until the test error falls, "
                    f"{PENALTIES[int(which)]} penalty, median",
                    scaling.power(data.falls.sel(penalty=which), axis).median(skipna=False),
                    target,
                    0.05,
                    key=f"{axis}_exponent_{slug(PENALTIES[int(which)])}",
                    why=r"$T/(\alpha\beta)$ steps; over a factor of two, 3% of $T$ are 0.05; single trials are farther off",
                )
                for axis, target in powers.items()
                for which in data.penalty.values
            ),
        ],
    )


def curves(data, learning_rate, strength, at: int) -> list[Panel]:
    """Errors of the first trial against steps, for the slowest, an intermediate and the fastest run."""
    which, one = int(data.penalty.values[at]), data.isel(trial=0, penalty=at)
    marks = {"train": [], "test": []}
    for role, (i, j) in zip(SERIES, [(0, 0), (0, -1), (-1, -1)], strict=True):
        run = one.isel(learning_rate=i, strength=j)
        name = rf"$\alpha$ = {float(learning_rate[i]):g}, $\beta$ = {float(strength[j]) * USUAL[which]:g}"
        for part, lines in marks.items():
            lines.append(curve(name, run.step, run[part], role=role))
    y, penalty = log_axis("error / variance of the teacher"), f"{PENALTIES[which]} penalty"
    return [
        Panel(marks["train"], STEPS, y, title=f"Training, {penalty}", legend=False),
        Panel([*marks["test"], Rule("best constant predictor", 1.0)], STEPS, y, title=f"Test, {penalty}"),
    ]


def delays(data, learning_rate, strength) -> Panel:
    r"""Steps until the test error falls and until memorization against $\alpha\beta$, medians over trials."""
    one = data.isel(penalty=0)
    product = np.outer(learning_rate.values, strength.values * USUAL[int(one.penalty)]).ravel()
    medians = (part.median("trial").transpose("learning_rate", "strength") for part in (one.falls, one.memorization))
    falls, memorization = (part.values.ravel() for part in medians)
    first = int(np.argmin(product))
    marks = [
        Points("test error falls", product, falls),
        Points("memorization", product, memorization, role="second"),
        Slope("slope $-1$", [product.min(), product.max()], (float(product[first]), float(falls[first])), -1),
    ]
    return Panel(marks, log_axis(r"learning rate $\times$ strength, $\alpha\beta$"), STEPS, title="Median over trials")


def draw(data, learning_rate, strength, *, penalty_is: str) -> Drawing:
    """Errors of one trial, and median delays."""
    return Drawing(
        [*curves(data, learning_rate, strength, 0), delays(data, learning_rate, strength)],
        columns=3,
        caption=rf"A two-layer ReLU student with {penalty_is}: the test error falls later the smaller $\alpha\beta$.",
    )


def draw_both(data, learning_rate, strength) -> Drawing:
    """Errors of one trial with either penalty."""
    return Drawing(
        [panel for at in range(data.sizes["penalty"]) for panel in curves(data, learning_rate, strength, at)],
        caption=r"Two-layer ReLU students of a ReLU teacher, one trial, with an $\ell_1$ penalty on all weights and with a "
        f"{SOBOLEV}. Halving the learning rate or the strength doubles the time until the test error falls.",
    )


student = partial(figure, simulation=SIMULATION, least={"learning_rate": 2, "strength": 2})


def late_fall(number: int, penalty: int, name: str, penalty_is: str, seconds: tuple[int, int], **paper) -> Claim:
    """The claim of a student with one penalty."""
    only = {"penalty": (penalty,)}
    return student(
        number,
        f"A ReLU student with {name} generalizes late",
        f"A two-layer ReLU student with {penalty_is} memorizes its training data in a time set by the learning rate "
        r"$\alpha$ alone. Its test error falls later, after $\Theta(1/(\alpha\beta))$ steps at regularization strength $\beta$.",
        judge,
        partial(draw, penalty_is=penalty_is),
        sizes={"smoke": only, "quick": only, "paper": only | paper},
        controls=[WITHOUT],
        seconds=dict(zip(("quick", "paper"), seconds, strict=True)),
    )


CLAIMS = (
    student(
        3,
        "Small learning rates and strengths delay a ReLU student",
        r"With an $\ell_1$ penalty or a first-order Sobolev penalty a two-layer ReLU student memorizes its training data "
        r"first. The smaller the learning rate $\alpha$, or the strength $\beta$, the later its test error falls.",
        each_alone,
        draw_both,
        constants={"of_rate": -1.0, "of_strength": -1.0},
        sizes={size: {"penalty": (0, 3)} for size in ("smoke", "quick", "paper")},
        controls=[
            Control(
                r"a delay proportional to $\beta^{-1/2}$",
                changes={"of_strength": -0.5},
                breaks=("strength_exponent_ell_1", "strength_exponent_sobolev"),
            )
        ],
        seconds={"quick": 35, "paper": 1_100},
    ),
    late_fall(47, 0, r"an $\ell_1$ penalty", r"an $\ell_1$ penalty on all weights", (20, 500)),
    late_fall(48, 1, "weight decay", "weight decay", (25, 550)),
    late_fall(49, 2, "a nuclear-norm penalty", "a penalty on the sum of both layers' nuclear norms", (25, 2_800)),
    # Six times the usual strength, as with the other penalties, makes memorization longer by half of its time and more.
    late_fall(50, 3, "a Sobolev penalty", f"a {SOBOLEV}", (25, 700), strength=(1.5, 3.0)),
)

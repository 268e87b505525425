r"""Figures 36, 37, 39, 40, 41: recovery of a digit, a sum of sinusoids and a polynomial, beside the slow flow."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Axis, Drawing, Event, Heat, Line, Panel, Rule
from ...claims.marks import log_axis
from .shared.figure_claim import figure
from .shared.limits import SAME, slow
from .shared.phases import ERROR, STEPS, when_fitted
from .shared.times import memorized_first, on_time
from .simulations.signals import DIGIT, POLYNOMIAL, SAMPLES, SINUSOID


def predict(problem, level):
    """The slow flow of a signal, in units of its largest coefficient."""
    theory = slow(problem, level)
    top = float(np.abs(np.asarray(problem.truth)).max())
    return {**theory, "generalization": theory["generalization"] / top, "extinction": theory["extinction"] / top}


def recoverable(data, theory):
    r"""The trials whose signal has the minimum $\ell_1$ norm, with the reading that there are enough of them."""
    good = theory["recovery_error"] < SAME
    reading = at_least(
        r"fraction of trials whose signal has minimum $\ell_1$ norm",
        good.mean(),
        0.5,
        key="recoverable",
        why="the others are recovered at no strength; half of the trials is enough",
    )
    return data.where(good, drop=True), theory["generalization"].where(good, drop=True), [reading]


def recovered(known, level, why: str) -> Reading:
    """The final recovery error."""
    error = known.recovery.isel(t=-1).median() / level
    return at_most("final recovery error over the level, median", error, 1, key="final_error", why=why)


def judge(data, theory, n, level) -> Evidence:
    """Memorization, then the slow flow to the signal: when, with which gradients, and the final norm."""
    known, generalization, sound = recoverable(data, theory)
    early = known.ratio.where((known.slow > 0) & (known.slow < 0.5 * known.memorization))
    end = np.minimum(known.generalization, known.slow.max("t"))
    between = known.ratio.where((known.slow > (known.memorization * end) ** 0.5) & (known.slow < 0.9 * end))
    return Evidence(
        sound=sound,
        holds=[
            recovered(known, level, "the penalty's bias is a few strengths over the largest coefficient, 1e-3"),
            on_time(known.generalization / generalization, 0.1),
            memorized_first((known.memorization / known.generalization).median(), 0.2),
            at_most(
                "penalty gradient over loss gradient before half of the memorization time, median",
                early.max("t").median(),
                0.3,
                key="ratio_before",
                why="the paper: the loss gradient dominates until memorization",
            ),
            at_least(
                r"penalty gradient over loss gradient between memorization and recovery, median, over $\sqrt{n/N}$",
                between.median() / (data.sizes["d"] / n) ** 0.5,
                0.65,
                key="ratio_between",
                why=r"the loss balances the penalty in the row space only, $N$ of $n$ directions: $\sqrt{n/N}$ for random signs; "
                "a third less for those that are not random",
            ),
            at_most(
                r"final $\ell_1$ norm over that of the signal, minus one, median",
                abs(known.l1.isel(t=-1) - 1).median(),
                0.05,
                key="norm",
                why="the paper: it converges to that of the signal; up to the penalty's bias",
            ),
        ],
    )


def draw(data, theory, *, what: str) -> Drawing:
    """Errors, the ratio of gradients, and the norm of one trial, with the slow flow's recovery time."""
    one = data.isel(trial=0, t=slice(1, None))
    steps, per_step = one.steps.values, float(one.slow[-1] / one.steps[-1])
    predicted = Event("slow flow", float(theory["generalization"].isel(trial=0)) / per_step)
    events = [Event("memorization", float(one.memorization) / per_step, role="control"), predicted]
    errors = [Line("training", steps, one.train.values, role="second"), Line("recovery", steps, one.recovery.values)]
    ratio = [Line("ratio", steps, one.ratio.values), Rule("equal", 1.0)]
    norm = [Line(r"$\ell_1$ norm", steps, one.l1.values), Rule("that of the signal", 1.0)]
    return Drawing(
        [
            Panel([*marks, *events], STEPS, y, title=title, legend=title == "Errors")
            for marks, y, title in (
                (errors, ERROR, "Errors"),
                (ratio, log_axis("penalty gradient over loss gradient"), "Gradients"),
                (norm, Axis(r"$\|b\|_1/\|b^*\|_1$"), "Norm"),
            )
        ],
        columns=3,
        caption=rf"{what}, one trial. First the data are fitted, then the $\ell_1$ norm decreases to that of the signal, which "
        "is recovered at the time that the slow flow predicts.",
    )


def moments_of(one, theory) -> dict[str, int]:
    """Indices on a run's time axis: memorization, half of the slow flow's recovery time, and the end of the run."""
    times, half = one.slow.values, 0.5 * float(theory["generalization"].isel(trial=0))
    wanted = {"at memorization": float(one.memorization), "halfway": half, "at the end": float(times[-1])}
    return {name: int(min(np.searchsorted(times, time), times.size - 1)) for name, time in wanted.items()}


def judge_pixels(data, theory, level, pixels) -> Evidence:
    """How many pixels are nonzero, and which, at memorization and at the end."""
    known, _, sound = recoverable(data, theory)
    lit = (known.truth > 0).transpose(..., "d")
    end = known.weights.isel(t=-1) > 0.1 * known.top
    seen = abs(when_fitted(known, "weights", level)) > 0.05 * known.top
    count, wrong = abs(lit.sum("d") - pixels).max(), (end != lit).sum("d").median()
    why = "pixels are 0 or at least half of the largest: a tenth separates them, far above the penalty's bias"
    return Evidence(
        sound=sound,
        holds=[
            at_most("nonzero pixels of the digit minus the printed number", count, 0, key="pixels", why="an exact count"),
            at_most("wrong pixels at the end, median", wrong, 0, key="wrong_pixels", why=why),
            at_least(
                "fraction of zero pixels that are nonzero at memorization, median",
                (seen & ~lit).sum("d").median() / (data.sizes["d"] - pixels),
                0.3,
                key="noise",
                why="least squares spreads its error over all pixels",
            ),
        ],
    )


def draw_pixels(data, theory, n) -> Drawing:
    """The image of one trial at memorization, halfway, at the end, and the digit."""
    one = data.isel(trial=0)
    side = int(np.sqrt(one.truth.size))
    images = {name.capitalize(): one.weights.values[at] for name, at in moments_of(one, theory).items()}
    cells, panels = np.arange(side), []
    for title, image in {**images, "Ground truth": one.truth.values}.items():
        heat = Heat("", cells, cells, np.asarray(image).reshape(side, side)[::-1], low=-0.3, high=1.0)
        panels.append(Panel([heat], Axis(""), Axis(""), title=title, legend=False, bare=True))
    return Drawing(panels, columns=4, caption=f"The digit zero from {n} measurements of its {side * side} pixels, one trial.")


def judge_spectrum(data, theory, n, level, lines) -> Evidence:
    """The error of the signal at memorization and at the end, and its number of coefficients at the end."""
    known, _, sound = recoverable(data, theory)
    count = (abs(known.weights.isel(t=-1)) > 0.03 * known.top).sum("d")
    return Evidence(
        sound=sound,
        holds=[
            recovered(known, level, "the basis is orthonormal, so this is the error of the coefficients: the penalty's bias"),
            at_most(
                "number of nonzero Fourier coefficients at the end minus that of the signal, median absolute value",
                abs(count - lines).median(),
                0,
                key="coefficients",
                why="the smallest is 0.4 of the largest, the others end within the bias and a step, about 1e-3",
            ),
            at_least(
                r"recovery error at memorization over $\sqrt{1-N/n}$, median",
                when_fitted(known, "recovery", level).median() / (1 - n / SAMPLES) ** 0.5,
                0.7,
                key="error_at_memorization",
                why=r"that of least squares is $\sqrt{1-N/n}$ on average",
            ),
        ],
    )


def draw_spectrum(data, theory) -> Drawing:
    """The signal of one trial at memorization, halfway and at the end, over the ground truth."""
    from ...problems import fourier

    one, basis, times = data.isel(trial=0), np.asarray(fourier(SAMPLES)), np.arange(SAMPLES)
    truth, panels = Line("ground truth", times, basis @ one.truth.values, role="theory"), []
    for name, at in moments_of(one, theory).items():
        marks = [truth, Line("descent", times, basis @ one.weights.values[at])]
        panels.append(Panel(marks, Axis("time"), Axis("signal"), title=name.capitalize(), legend=not panels))
    caption = "The sum of five sinusoids, one trial: another signal at memorization, the ground truth at all times at the end."
    return Drawing(panels, columns=3, caption=caption)


def stopped(reach: int | float, *broken: str) -> list[Control]:
    """The control of all of them."""
    return [Control("stopped soon after memorization", {"reach": reach}, broken)]


claim = partial(figure, predict=predict, seconds={"quick": 10, "paper": 60})


def phases(number: int, simulation, reach: int | float, what: str, measured: str, norm: str) -> Claim:
    """Both phases of one kind of signal."""
    return claim(
        number,
        f"{what}: memorization, then recovery",
        rf"Subgradient descent with a small $\ell_1$ penalty on measurements of {measured} fits them first, while the loss "
        rf"gradient dominates; then the $\ell_1$ norm decreases to that of {norm}, and the ground truth is recovered.",
        judge,
        partial(draw, what=what),
        simulation=simulation,
        controls=stopped(reach, "final_error", "recovery_time"),
    )


CLAIMS = (
    phases(36, DIGIT, 0.02, "The digit zero", r"an $8\times8$ digit", "the digit"),
    claim(
        37,
        "The digit emerges from noise",
        r"At memorization the image of the $8\times8$ digit is full of noise; at the end exactly its 22 nonzero pixels are "
        "nonzero.",
        judge_pixels,
        draw_pixels,
        simulation=DIGIT,
        constants={"pixels": 22},
        controls=stopped(0.02, "wrong_pixels"),
    ),
    phases(39, SINUSOID, 0.05, "Sum of five sinusoids", "a sum of sinusoids", "its Fourier coefficients"),
    claim(
        40,
        "The sinusoids emerge from noise",
        "At memorization the signal is another one; at the end it is the sum of sinusoids, with six real Fourier coefficients.",
        judge_spectrum,
        draw_spectrum,
        simulation=SINUSOID,
        constants={"lines": 6},
        controls=stopped(0.05, "final_error", "coefficients"),
    ),
    phases(41, POLYNOMIAL, 0.05, "Sparse quadratic polynomial", "a sparse polynomial", "its coefficients"),
)

r"""Figures 1 and 12: recovery after $t_2\propto1/\alpha\beta_1$ steps, to an error in proportion to the strength $\beta_1$."""

from functools import partial

import numpy as np

from ...claims.base import Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import SERIES, Drawing, Panel
from ...claims.marks import log_axis
from .shared.figure_claim import figure
from .shared.memorization import stable
from .shared.phases import ERROR, STEPS, curve, predict
from .shared.scaling import against_product, enough, last_error, power, settled
from .simulations.sparse_phases import SCALED

BOTH = ("learning_rate", "strength")


def judge_powers(data, theory, learning_rate, strength, level, reach, clock) -> Evidence:
    """The exponents of learning rate and strength in the recovery time, and that of the strength in the final error."""
    good = settled(theory, strength=strength, level=level, reach=reach)
    generalization, errors = data.generalization.where(good), last_error(data).where(good)
    weakest = (learning_rate * strength * generalization / theory["generalization"]).isel(
        strength=int(np.argmin(strength.values))
    )
    return Evidence(
        sound=[stable(data, learning_rate), enough(good)],
        holds=[
            at_most(
                r"exponent of $\alpha\beta_1$ in the recovery time, plus one, maximum",
                max(float(abs(power(generalization, axis) + clock).max()) for axis in BOTH),
                0.02,
                key="time_power",
                why=r"$t_2 = T/(\alpha\beta_1)$ up to the bias over the level, at most 0.1 at the largest strength and half of "
                "that in time: 0.05 over a factor of ten",
            ),
            at_most(
                "recovery time relative to the slow flow's at the smallest strength, minus one, maximum",
                abs(weakest - 1).max(),
                0.01,
                key="recovery_time",
                why="the same bias, a tenth of it",
            ),
            at_most(
                "exponent of the strength in the final error, minus one, maximum",
                abs(power(errors, "strength") - 1).max(),
                0.05,
                key="error_power",
                why="the bias is linear in the strength, and so are oscillations at a fixed learning rate, whose phase is "
                "random: a tenth of them over a factor of ten",
            ),
        ],
    )


def draw_powers(data, theory, strength, level, reach) -> Drawing:
    """Recovery time and final error against learning rate x strength."""
    good = settled(theory, strength=strength, level=level, reach=reach)
    return Drawing(
        [
            against_product(data.generalization, good, name="recovery time (steps)", exponent=-1),
            against_product(last_error(data), good, name="final recovery error", exponent=1),
        ],
        caption=r"Subgradient descent, medians over trials. Left: the recovery time is proportional to $1/\alpha\beta_1$. Right: "
        "the final error is proportional to the strength, not to the learning rate: two learning rates give two lines.",
    )


def exponent(errors, axis: str, target: int | float, why: str) -> Reading:
    """The exponent of learning rate or strength in the final error, from below."""
    name, word = f"exponent of the {axis.replace('_', ' ')} in the final error, minimum", axis.split("_")[-1]
    return at_least(name, power(errors, axis).min(), target, key=f"{word}_power", why=why)


def judge_curves(data, theory, learning_rate, strength, level, reach, clock) -> Evidence:
    """How far rescaled recovery and memorization times differ, and the signs of both exponents in the final error."""
    good = settled(theory, strength=strength, level=level, reach=reach)
    slow, fast = ((learning_rate * part).where(good) for part in (strength**clock * data.generalization, data.memorization))
    errors = last_error(data).where(good)
    return Evidence(
        sound=[stable(data, learning_rate), enough(good)],
        holds=[
            at_most(
                r"largest over smallest $\alpha\beta_1t_2$, minus one, maximum over trials",
                (slow.max(BOTH) / slow.min(BOTH)).max() - 1,
                0.05,
                key="recovery_spread",
                why="one slow flow for all, up to the bias over the level: at most 0.1, half of it in time",
            ),
            at_most(
                r"largest over smallest $\alpha t_1$, minus one, median",
                (fast.max(BOTH) / fast.min(BOTH)).median() - 1,
                0.25,
                key="memorization_spread",
                why="the gradient flow of the loss alone; steps at learning rate 0.4 and eigenvalues up to 3 run ahead of it",
            ),
            exponent(errors, "strength", 0.9, "the bias is linear in the strength"),
            exponent(errors, "learning_rate", 0, r"a larger learning rate adds oscillations of size $\alpha\beta_1$"),
        ],
    )


def draw_curves(data, learning_rate, strength) -> Drawing:
    """Errors of one trial against steps, and recovery errors against rescaled time."""
    one, fastest = data.isel(trial=0), float(learning_rate.values[-1])
    plain, slow = [], []
    for weak, role in zip(strength.values, SERIES, strict=False):
        run, name = one.sel(strength=weak, learning_rate=fastest), rf"$\beta_1$ = {float(weak):g}"
        plain.append(curve(f"recovery, {name}", run.step, run.recovery, role=role))
        if len(plain) == 1:
            plain.append(curve("training", run.step, run.train, role="theory"))
        for rate in learning_rate.values:
            run = one.sel(strength=weak, learning_rate=rate)
            x = float(rate) * float(weak) * run.step
            slow.append(curve(rf"$\alpha$ = {float(rate):g}, {name}", x, run.recovery, role=role, above=1e-3))
    return Drawing(
        [
            Panel(plain, STEPS, ERROR, title=rf"$\alpha$ = {fastest:g}"),
            Panel(slow, log_axis(r"rescaled time $\alpha\beta_1t$"), ERROR, title="Recovery, all learning rates"),
        ],
        caption="Subgradient descent, one trial. Left: the weaker the penalty, the later the recovery and the smaller the final "
        r"error. Right: against $\alpha\beta_1t$ all curves collapse.",
    )


claim = partial(
    figure,
    simulation=SCALED["subgradient"],
    predict=predict,
    constants={"clock": 1.0},
    least=dict.fromkeys(BOTH, 2),
    seconds={"quick": 10, "paper": 220},
)
CLAIMS = (
    claim(
        1,
        r"Recovery time and final error against $\alpha\beta_1$",
        r"The recovery time $t_2$ is proportional to $1/\alpha\beta_1$, the final error at fixed $\alpha$ to $\beta_1$.",
        judge_powers,
        draw_powers,
        controls=[Control(r"$t_2\propto1/\sqrt{\alpha\beta_1}$", {"clock": 0.5}, ("time_power",))],
    ),
    claim(
        12,
        "Curves of all learning rates and strengths collapse",
        r"Recovery errors at all learning rates $\alpha$ and strengths $\beta_1$ are one function of $\alpha\beta_1t$, training "
        r"errors one of $\alpha t$; larger $\alpha$ and $\beta_1$ leave a larger final error.",
        judge_curves,
        draw_curves,
        controls=[Control("the square root of the strength in the rescaled time", {"clock": 0.5}, ("recovery_spread",))],
    ),
)

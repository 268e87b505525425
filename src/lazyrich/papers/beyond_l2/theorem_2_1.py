r"""Theorem 2.1, among measured directions: near least squares after $t_1$, near the truth from $t_1+\Theta(1/\alpha\beta)$ on."""

import numpy as np

from ...lab.settings.sparse_phases import SCALED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .memorization import contraction, latest, radius, stable
from .phases import refer
from .scaling import against_product, enough, last_error, power, settled


def judge(data, told, rate, strength, level, reach, d, clock) -> Evidence:
    """The first half among measured directions; the delay's powers, its least length, and that the truth is kept."""
    good = settled(told, strength=strength, level=level, reach=reach)
    sizes = {"rate": rate, "strength": strength, "d": d}
    rho = contraction(data, rate)
    late = data.step >= latest(data.near.isel(t=0), rho, **sizes)
    delay = (data.finds - data.fits).where(good)
    least = told["l2"] * (told["least_squares"] - level) / np.sqrt(d)
    unit = last_error(data) * told["l2"] / (strength * np.sqrt(d))
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "distance from least squares among measured directions after t1, over the theorem's, the largest",
                (data.near / radius(rho, **sizes)).where(late).max(),
                1,
                why="a contraction and a push of rate x strength x sqrt(n) a step: the sum of a series, no tolerance",
            ),
            at_most(
                "power of rate and of strength in the delay, plus one, the farthest",
                max(float(abs(power(delay, axis) + clock).max()) for axis in ("rate", "strength")),
                0.1,
                why="the delay is T/(rate x strength) less the time of the fit, a fifth of it at most at the largest strength: "
                "0.2/log(10)",
            ),
            at_least(
                "delay over that of a way straight to the truth at the largest speed, sqrt(n), the least",
                ((rate * strength * data.finds) / least).where(good).min(),
                1,
                why="the slow flow is no faster than the norm of a vector of signs",
            ),
            at_most(
                "recovery error ever after over the level, the largest",
                (data.recovery.where(data.step > 1.02 * data.finds).max("t") / level).where(good).max(),
                1,
                why="found and kept, the other half of `if and only if`",
            ),
            at_most(
                "distance from the truth at the end over strength x sqrt(n), the largest over the smallest of strengths",
                (unit.max("strength") / unit.min("strength")).where(good).max(),
                1.1,
                why="one constant C for all strengths at a rate; steps to and fro have a phase by chance",
            ),
        ],
    )


def draw(data, told, strength, level, reach) -> Drawing:
    """The delay and the last distance against rate x strength."""
    good = settled(told, strength=strength, level=level, reach=reach)
    return Drawing(
        [
            against_product(data.finds - data.fits, good, name="steps from fit to truth", exponent=-1),
            against_product(last_error(data), good, name="relative error at the end", exponent=1),
        ],
        caption="Subgradient descent, medians over draws: the delay between fit and recovery, and the error that is left.",
    )


CLAIM = Claim(
    kind="theorem",
    title="First the data, then the truth",
    says="After t1 steps the iterate is within 2 rate strength sqrt(n)/(1 - rho) of the least-squares answer along measured "
    "directions; from a delay of order 1/(rate strength) on it is near the truth, and stays.",
    source="beyond_l2, theorem 2.1",
    simulation=SCALED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"clock": 1.0},
    least={"rate": 2, "strength": 2},
    control=Control(
        "a delay of order one over the root of rate x strength",
        changes={"clock": 0.5},
        breaks=("power of rate and of strength in the delay, plus one, the farthest",),
    ),
    seconds={"quick": 10, "paper": 220},
)

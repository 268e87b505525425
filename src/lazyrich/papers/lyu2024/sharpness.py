r"""The transition is sharp: in time over $\log\alpha/\lambda$ it comes at 1, and its width goes to 0."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.labelled import last_power
from ...claims.marks import family, log_axis, power_law
from ...predictors.timescale import held_margin, kernel_exit
from .diagonal_margins import angle, predict
from .shared.marks import NORMALIZED, TRANSITION
from .shared.readings import all_near
from .simulations.diagonal_limits import AROUND


def turned(data, theory):
    """The angle to the kernel solution over the sum of the angles to both: 0 at the kernel solution, 1 at the rich one."""
    early, late = (angle(data.effective, theory[name].effective) for name in ("kernel", "rich"))
    return early / (early + late)


def gained(data, theory):
    r"""The l1 margin, from 0 at that of the kernel solution to 1 at the maximum.

    Unlike the angle it does not distinguish the maximizer from a vertex of nearly the same margin, which many trials have.
    """
    size, kernel = abs(data.effective).sum("d"), theory["kernel"].effective
    low = theory["rich"].value / abs(kernel).sum("d")
    return (data.margins.min("n") * theory["rich"].value / size - low) / (1 - low)


def reached(data, fraction, level):
    r"""When a fraction first reaches a level, as $\lambda t - \log\alpha$; infinite if it never does."""
    there = fraction >= level
    after = there.argmax("t").clip(min=1)
    low, high = (fraction.isel(t=after - 1), fraction.isel(t=after))
    step = data.clock.isel(t=after) - data.clock.isel(t=after - 1)
    return (data.clock.isel(t=after) - step * (high - level) / (high - low)).where(there.any("t"), np.inf)


def width(data, theory, quantile):
    r"""From a first to a last quantile of the gain, in units of $1/\lambda$."""
    fraction = gained(data, theory)
    return reached(data, fraction, 1 - quantile) - reached(data, fraction, quantile)


def leaves(theory, log_alpha, power):
    r"""From theory, as $\lambda t - \log\alpha$: when the kernel regime ends."""
    top = abs(theory["kernel"].effective).max("d")
    margin = held_margin(top, theory["kernel"].value, weight_decay=np.exp(-power * log_alpha))
    return kernel_exit(1.0, weight_decay=1.0, top=margin * top)


def judge(data, theory, log_alpha, power, quantile, halved) -> Evidence:
    """When the net is as near to one solution as to the other, and how long the gain of margin takes."""
    middle, wide = reached(data, turned(data, theory), 0.5), width(data, theory, quantile)
    seen = np.isfinite(wide).all(("log_alpha", "power"))
    ends = {"log_alpha": [-2, -1]}
    moved = middle.isel(ends).diff("log_alpha") + halved * np.log(log_alpha.isel(ends)).diff("log_alpha").values
    name = "fraction of trials that gain three quarters of the margin at every scale"
    why = r"a final deficit of $\log(n)/\log(1/\lambda)$, a sixteenth of the maximum; most trials gain several times that"
    return Evidence(
        sound=[at_least(name, seen.mean(), 0.75, key="seen", why=why)],
        holds=[
            all_near(
                r"shift of $\lambda t - \log\alpha$ at equal angles, minus that of $-\frac{1}{2}\log\log(1/\lambda)$",
                moved.median("trial"),
                0,
                0.1,
                key="shift",
                why=r"between the last two scales, median trial: margins of $\log(1/\lambda) + O(1)$, where an offset "
                "of 2 beside 32 and 64 shifts it by half of a thirtieth, and directions that are as far from their limits",
            ),
            all_near(
                r"$\lambda t$ at equal angles minus that of the predicted end of the kernel regime",
                (middle - leaves(theory, log_alpha, power)).median("trial"),
                1.5,
                1.5,
                key="exit",
                why=r"the median trial: not before it, and then weights grow at rate $2\lambda$ from their kernel size, by "
                "factors of some tens at most",
            ),
            at_most(
                r"distance of that time from $\log(\alpha)/\lambda$, relative, at the largest scale",
                abs(middle / log_alpha).isel(log_alpha=-1).max(),
                0.1,
                key="time",
                why=r"half of $\log\log(1/\lambda)$, 2.4, and a constant of the data of order 3, over $\log\alpha = 64$",
            ),
            all_near(
                r"power of $\log\alpha$ at which the width over $\log(\alpha)/\lambda$ falls",
                last_power(wide.where(seen) / log_alpha, "log_alpha").median("trial"),
                1,
                0.25,
                key="width",
                why=r"the median trial: the width is a constant times $1/\lambda$; the deficit of the margin halves with the "
                "scale, and moves the last quarter by as much of a width",
            ),
        ],
    )


def draw(data, theory, log_alpha, power, quantile) -> Drawing:
    """The gain of margin in normalized time, one trial; and the width against the scale."""
    wide, one = (width(data, theory, quantile) / log_alpha).median("trial"), {"power": 0, "trial": 0}
    fraction = gained(data, theory).isel(one)
    lines = family(r"$\log\alpha$ = {}", 1 + data.clock.isel(one) / log_alpha, fraction, "log_alpha")
    points = family("$p$ = {}", log_alpha, wide.transpose("power", "log_alpha"), "power", mark=Points)
    points.append(power_law(r"$1/\log\alpha$", points, -1))
    margin, relative = Axis(r"$\ell_1$ margin, from kernel (0) to maximum (1)"), log_axis(r"width / $(\log(\alpha)/\lambda)$")
    return Drawing(
        [
            Panel([*lines, TRANSITION], NORMALIZED, margin, title="One trial, in normalized time"),
            Panel(points, log_axis(r"$\log\alpha$"), relative, title="Width from 25% to 75%, median trial"),
        ],
        caption=r"Left: the $\ell_1$ margin of the linear map, from that of the max-$\ell_2$-margin classifier to its maximum. "
        r"In time over $\log(\alpha)/\lambda$ the gain becomes steeper with the scale, at 1. Right: the time it takes, relative "
        r"to $\log(\alpha)/\lambda$, with $\lambda = \alpha^{-p}$.",
    )


CLAIM = Claim(
    id="lyu2024/sharpness",
    kind="statement",
    title="The transition is sharp in normalized time",
    says=r"With $\lambda = \alpha^{-p}$ a two-layer diagonal net passes from the maximum $\ell_2$ margin to the maximum "
    r"$\ell_1$ margin at $(\log\alpha - \frac{1}{2}\log\log(1/\lambda) + C)/\lambda$, with a constant $C$ of the data, in a "
    r"time of order $1/\lambda$: over $\log(\alpha)/\lambda$ the transition comes at 1, and its width goes to 0 like "
    r"$1/\log\alpha$.",
    source="lyu2024, section 3.2.3",
    simulation=AROUND,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"quantile": 0.25, "halved": 0.5},
    least={"log_alpha": 2},
    controls=[
        Control(r"without the $\log\log$: a time of $(\log\alpha + C)/\lambda$", changes={"halved": 0.0}, breaks=("shift",))
    ],
    seconds={"quick": 12, "paper": 40},
)

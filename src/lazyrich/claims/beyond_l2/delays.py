"""Figures 51 to 57 and what goes with them: delays of nets against rate x strength; what their readings and drawings share."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.penalized_nets import FIT, NAMES
from ..base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from .scaling import against_product, power

CONTROL = Control(
    "delays that go with the square root of rate x strength, as those of Adam with the penalty in its slope nearly do",
    changes={"shift": 0.5},
    breaks=("power of the rate in the delay, the median",),
)


def delays(data):
    """Steps from the fit until the level is reached on the test; infinite where it never is."""
    return (data.finds - data.fits).sortby(["rate", "strength"])


def longer(delay):
    """The share of pairs of runs of one draw whose delay is longer at the smaller rate x strength.

    Two with equal products are no pair, nor are two that never generalize; NaN where there is none.
    """
    flat = delay.stack(point=("rate", "strength")).transpose("trial", "point")
    product = np.round(np.log((flat.rate * flat.strength).values), 6)
    slow, fast = flat.values[:, :, None], flat.values[:, None, :]
    told = (product[:, None] < product) & (np.isfinite(slow) | np.isfinite(fast))
    return (slow > fast)[told].mean() if told.any() else np.nan


class Law(NamedTuple):
    """The power of rate or strength that is expected in a delay, how far it may be off, and why."""

    exponent: float
    tolerance: float
    why: str


RATE = Law(
    -1,
    0.2,
    "descent follows its flow, whose time is rate x steps, up to some tenths where rate times sharpness is near 1",
)
STRENGTH = Law(
    -1.3,
    0.5,
    "-1 in the limit; where data and penalty balance depends on the logarithm of the strength, so its power is off by some times "
    "1/log(1/strength): -1.0 to -1.3 was seen at the paper's size, -1.2 to -1.7 with the stronger penalties of the small one",
)


def laws(delay, shift: float, **told: Law) -> list[Reading]:
    """The powers of rate and strength in the delay, over the draws that generalize, beside what is told plus a shift."""
    finite = delay.where(np.isfinite(delay))
    return [
        near(
            f"power of the {axis} in the delay, the median",
            power(finite, axis).median(),
            law.exponent + shift,
            law.tolerance,
            why=law.why,
        )
        for axis, law in told.items()
    ]


def _steady(data) -> list[Reading]:
    """That plain steps are those of a flow; other dynamics have no such number."""
    if "edge" not in data:
        return []
    return [
        at_most(
            "rate times sharpness of the data loss at the end, the median",
            data.edge.median(),
            2,
            why="from 2 on steps do not follow a flow, and have no slow phase to speak of",
        )
    ]


def judged(data, *, shift, guess=0.2, soon=0.2, rate: Law = RATE, strength: Law = STRENGTH) -> Evidence:
    """The fit first, the test later, and the later the smaller rate x strength."""
    delay = delays(data)
    slowest = data.sortby(["rate", "strength"]).isel(rate=0, strength=0)
    return Evidence(
        sound=[
            *_steady(data),
            at_least("share of runs that fit", np.isfinite(data.fits).mean(), 1, why="a delay begins at a fit"),
        ],
        holds=[
            at_least(
                "share of runs that generalize by the horizon",
                np.isfinite(data.finds).mean(),
                0.6,
                why="the paper's curves all fall; one draw in four may lack the samples to learn from",
            ),
            at_most(
                "test accuracy when fitted, the median",
                data.fitted_test.median(),
                guess,
                why="far below the level: what is fitted is not yet learned",
            ),
            at_most(
                "steps to fit over steps to generalize at the least rate x strength, the median",
                (slowest.fits / slowest.finds).median(),
                soon,
                why="the fit takes steps that do not depend on the strength",
            ),
            at_least(
                "share of pairs of runs whose delay is longer at the smaller rate x strength",
                longer(delay),
                0.8,
                why="what the paper says of its figures; one pair in ten may be out of order where few answers are counted",
            ),
            *laws(delay, shift, rate=rate, strength=strength),
        ],
    )


def draw(data, level, penalty) -> Drawing:
    """Errors of the slowest and the fastest run, all tests on one slow time, delays, and the length of the weights."""
    data = data.sortby(["rate", "strength"])
    steps = Axis("steps", scale="log")
    slowest, fastest = data.isel(rate=0, strength=0), data.isel(rate=-1, strength=-1)
    curves = [
        Line("test, slowest run", *_curve(slowest, 1 - slowest.test)),
        Line("test, fastest run", *_curve(fastest, 1 - fastest.test), role="second"),
        Line("training, slowest run", *_curve(slowest, 1 - slowest.train), role="control"),
    ]
    tests, lengths = [], []
    picked = [(0, 0), (0, -1), (-1, -1)]
    for (i, j), role in zip(picked, SERIES, strict=True):
        one = data.isel(rate=i, strength=j)
        rate, strength = float(one.rate), float(one.strength)
        x, error = _curve(one, 1 - one.test)
        tests.append(Line(f"rate {rate:g}, strength {strength:g}", rate * strength * x, error, role=role))
        lengths.append(Line(f"rate {rate:g}, strength {strength:g}", *_curve(one, one.length), role=role))
    error = Axis("share of wrong answers", low=0.0, high=1.04)
    delay = delays(data)
    return Drawing(
        [
            Panel([*curves, Rule("level", 1 - level)], x=steps, y=error, title=f"{NAMES[int(penalty)]} penalty"),
            Panel(tests, x=Axis("rate x strength x steps"), y=error, title="Test, on the penalty's clock"),
            against_product(delay, np.isfinite(delay), name="steps from fit to generalization", exponent=-1),
            Panel(lengths, x=steps, y=Axis("l2 norm of all weights"), title="Length"),
        ],
        caption=f"Nets with a small {NAMES[int(penalty)]} penalty, median draws. Training answers are right early to {FIT:.0%}, "
        "test answers later, and the later the smaller rate x strength is. Were rate x strength x steps all that counts, tests "
        "would lie on one curve and delays on the line of power -1. Each run ends soon after the level is reached.",
    )


def _curve(one, values):
    """Steps after the first reading, and the median over draws there."""
    return one.step.isel(trial=0).values[1:], values.median("trial").values[1:]


def only(simulation: Simulation, penalty: int) -> Simulation:
    """A simulation whose penalty is this one."""
    own = Param("penalty", penalty, low=penalty, high=penalty, unit=NAMES[penalty])
    return simulation.with_params(own)


def figure(
    judge: Callable[..., Evidence], simulation: Simulation, penalty: int, *, net: str, source: str, **more
) -> Claim:
    """The claim of one net and one penalty."""
    name = NAMES[penalty]
    told = {
        "kind": "figure",
        "title": f"{net}: a smaller {name} penalty generalizes later",
        "says": f"{net} with a small {name} penalty on all weights fits its training set early and generalizes later; in plain "
        "descent the steps between go with the inverse of the rate, and with the strength to a power that is -1 in the limit and "
        "beyond it before.",
        "source": source,
        "simulation": only(simulation, penalty),
        "judge": judge,
        "draw": draw,
        "constants": {"shift": 0.0},
        "least": {"rate": 2, "strength": 2},
        "control": CONTROL,
    }
    return Claim(**(told | more))

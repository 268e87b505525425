"""Figures 54 to 56: what claims on an LSTM share. Its steps are Adam's, with the penalty taken off after each."""

from ...lab.settings.modular_penalties import SEQUENCES
from ...lab.settings.penalized_nets import NAMES
from ..base import Claim, Control, Evidence
from .delays import Law, figure, judged

RATE = Law(
    -0.8,
    0.45,
    "measured, not derived: a step of Adam goes with its rate, which alone would give -1, but is divided by an average over a "
    "thousand steps, whatever the rate; at the paper's size -0.6 was seen for l1, -0.7 for nuclear, -1.1 for l2",
)
STRENGTH = Law(
    -1.2,
    0.55,
    "-1 in the limit, off by some times 1/log(1/strength), as in plain descent, and by the spread over few draws: -0.8 to -1.6 "
    "was seen over twenty seeds of the small size",
)


def sums(data, shift) -> Evidence:
    """The fit first, the other sums later."""
    return judged(data, shift=shift, rate=RATE, strength=STRENGTH)


def lstm(judge, penalty: int, *, source: str, **more) -> Claim:
    """The claim of one penalty."""
    name = NAMES[penalty]
    return figure(
        judge,
        SEQUENCES,
        penalty,
        net="An LSTM on modular addition",
        source=source,
        says=f"An LSTM with a small {name} penalty on all weights fits its sums early and the others later; where Adam's step "
        "leaves the penalty alone, the steps between go with the strength to a power that is -1 in the limit and beyond it "
        "before, and with the rate to a power between the root and the inverse.",
        control=Control(
            "powers that are larger by 1.2: a delay that hardly depends on the rate or the strength",
            changes={"shift": 1.2},
            breaks=("power of the rate in the delay, the median", "power of the strength in the delay, the median"),
        ),
        **more,
    )

"""Figures 54 to 56: what claims on an LSTM share. Its steps are Adam's, with the penalty taken off after each."""

from ...lab.settings.modular_penalties import SEQUENCES
from ...lab.settings.penalized_nets import NAMES
from ..base import Claim, Control, Evidence
from .delays import STRENGTH, Law, figure, judged

RATE = Law(
    -0.7,
    0.4,
    "a step of Adam goes with its rate, but what it divides by remembers a thousand steps whatever the rate, more than these "
    "runs have: weaker than the inverse, and no weaker than the root but for the spread over four draws",
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
            "powers that are larger by one: a delay that hardly depends on the rate or the strength",
            changes={"shift": 1.0},
            breaks=("power of the rate in the delay, the median", "power of the strength in the delay, the median"),
        ),
        **more,
    )

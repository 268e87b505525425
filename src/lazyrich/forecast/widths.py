"""How sure a forecast is: intervals that contain nine of ten transitions, calibrated on runs made for that alone."""

from dataclasses import dataclass

from .hypotheses import SAME, Measured
from .pace import ADAPTIVE

# The scale of the initialization of the cheap run: 1 is where fitting moves a weight by its own size.
PILOT = 4.0
# The widths below come from `benchmarks/forecast.py --seed 0`: 164 runs of seven families, none of which is among those that
# docs/forecast.md counts. Errors of nine in ten of them were smaller.
#
# Without a cheap run: weight decay x time, less log(alpha), at the middle of a transition (the median), and half of the interval.
OFFSET = {"accuracy": 1.4, "error": 0.5}
THEORY = {"accuracy": 1.4, "error": 0.9}
# Of the slow flow of a penalty on plain weights, relative: what a strength that is not small does to the limit. Not calibrated.
SLOW = 0.1
# As a share of the width of the transition: what a larger initialization changes beside the delay. Test accuracies of some
# hundred labels are known to a few points, and a slow transition passes them slowly.
SHIFTED = {"accuracy": 0.07, "error": 0.01}
# As a share of the time: how an optimizer differs from its flow. Four runs of AdamW and one of Adam switched: theirs
# are guesses on the safe side.
PACED = {"flow": 0.01, "descent": 0.015, "momentum": 0.03, "adamw": 0.15, "adam": 0.6}
# Levels that differ by this share of what counts as a transition are forecast as one: in doubt, yes.
DOUBT = 0.8
# Outputs at initialization above this share of the targets are not zero; in units of 1/(weight decay), not calibrated.
OUTPUT, OUTPUT_WIDTH = 0.02, 1.0


@dataclass(frozen=True)
class Paced:
    """What an interval depends on: the optimizer, the measure, and how far the model is from the hypotheses."""

    name: str
    measure: str
    found: Measured

    def interval(self, switch: float, width: float, shift: float) -> tuple[float, float, float]:
        """Low, middle and high of a transition seen in a cheap run, log(scale) later; all times weight decay.

        Adam has no such law: it moves weights by its learning rate, whatever their size. Its interval goes from no shift to
        all of it.
        """
        adaptive = self.name in ADAPTIVE
        middle = switch if adaptive else switch + shift
        half = PACED[self.name] * middle + SHIFTED[self.measure] * max(width, 0.0)
        if shift > 0:
            near = self.found.departure if self.found.departure > SAME else 0.0
            half += near * shift + (OUTPUT_WIDTH if self.found.output > OUTPUT else 0.0)
        return max(middle - half, 0.0), middle, switch + shift + half


def caution(name: str, found: Measured) -> str:
    """What makes the interval wider than usual, in words."""
    reasons = []
    if found.departure > SAME:
        reasons.append(f"the model is not quite homogeneous (degrees differ by {found.departure:.2g})")
    if found.output > OUTPUT:
        reasons.append(f"the output at initialization is not zero ({found.output:.2g} of the targets)")
    if name in ADAPTIVE:
        reasons.append(f"{name} rescales its steps")
    return f"; a wider interval, as {' and '.join(reasons)}" if reasons else ""

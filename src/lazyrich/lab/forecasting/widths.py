"""How sure a forecast is: intervals that hold nine of ten switches, from runs made for that alone."""

from .hypotheses import SAME, Measured

# The scale of the start from which the cheap run is made: 1 is where fitting moves a weight by its own size.
PILOT = 4.0
# Without a cheap run: decay x time, less log(alpha), at the middle of a switch, and half of the interval.
OFFSET = {"accuracy": 1.0, "error": 1.0}
THEORY = 2.0
# Of the slow flow of a penalty on plain weights, relative.
SLOW = 0.1
# Relative to the time, for what one optimizer does otherwise than its flow.
PACED = {"flow": 0.03, "descent": 0.05, "momentum": 0.1, "adamw": 0.3, "adam": 0.5}
# In units of 1/decay, for what a larger start does otherwise than later.
SHIFTED = 0.1
# Outputs of the start above this share of the answers are none of theory's zero; in units of 1/decay.
OUTPUT, OUTPUT_WIDTH = 0.02, 1.0


def shifted(name: str, switch: float, shift: float, found: Measured) -> tuple[float, float, float]:
    """Low, middle and high of a switch seen in a cheap run, log(scale) later from the larger start; times decay.

    Adam has no such law: it moves weights by its rate, whatever their size. Its interval goes from no shift to all of it.
    """
    middle = switch + (0.0 if name in ("adam", "adamw") else shift)
    half = PACED[name] * middle
    if shift > 0:
        near = found.departure if found.departure > SAME else 0.0
        half += SHIFTED + near * shift + (OUTPUT_WIDTH if found.output > OUTPUT else 0.0)
    return max(middle - half, 0.0), middle, switch + shift + half


def caution(name: str, found: Measured) -> str:
    """What makes the interval wider than usual, in words."""
    said = []
    if found.departure > SAME:
        said.append(f"the model is not quite homogeneous (degrees differ by {found.departure:.2g})")
    if found.output > OUTPUT:
        said.append(f"the start's output is not zero ({found.output:.2g} of the answers)")
    if name in ("adam", "adamw"):
        said.append(f"{name} rescales its steps")
    return f"; a wider interval, as {' and '.join(said)}" if said else ""

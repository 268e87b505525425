"""Figure 57 and its like: what claims on handwritten digits share, and where they differ from those on sums."""

from ..base import Control, Evidence
from .delays import RATE, Law, judged

GUESS = 0.82  # below the level of 0.85: over twenty seeds 0.80 at most is right at the fit
SOON = 0.25
STRENGTH = Law(
    -0.75,
    0.4,
    "there is no plateau: the test rises from the fit on, by what is shed of the start as much as by where the penalty leads, so "
    "that a weaker penalty takes less than in proportion longer; between the root and the inverse",
)


def images(data, shift) -> Evidence:
    """The fit first, the other digits later: half of those that are wrong at the fit turn right, or nearly so."""
    why = f"{RATE.why}; from a large start the first steps are unstable, which moves the fit of a draw by a third"
    loose = Law(RATE.exponent, 0.5, why)
    return judged(data, shift=shift, guess=GUESS, soon=SOON, rate=loose, strength=STRENGTH)


MORE = {
    "says": "A ReLU net on digits, from a large start and with a small penalty on all weights, fits its images early and gets "
    "the others right later; the steps between are more the smaller rate x strength is: with the inverse of the rate, and with "
    "the strength to a power between the root and the inverse.",
    "needs": ("mnist",),
    "needs_at": ("paper",),
    "control": Control(
        "powers that are larger by one: a delay that hardly depends on the rate or the strength",
        changes={"shift": 1.0},
        breaks=("power of the rate in the delay, the median", "power of the strength in the delay, the median"),
    ),
}

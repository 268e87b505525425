r"""Erratum: theorem C.9 prints $\sigma_i^2$ where its proof has $\sigma_i$."""

import numpy as np

from ...lab.settings.least_squares import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from .theorem_c_9 import residual


def judge(data, n, decay, noise, power) -> Evidence:
    """Both forms without noise, where nothing is random, and with it, in standard errors."""
    bent = data.where(decay > 0, drop=True)
    told = residual(bent, n, decay.where(decay > 0, drop=True), noise, power=power)
    quiet = (abs(bent.train - told) / told).sel(noise=0.0)
    scores = ((bent.train - told) / bent.train_error).where(noise > 0, drop=True)
    spread = (np.log(bent.eigenvalues.where(bent.eigenvalues > 0)).std("d")).min()
    return Evidence(
        sound=[
            at_least(
                "least deviation of the eigenvalues' logarithms", spread, 0.1, why="with all at one both forms agree"
            )
        ],
        holds=[
            at_most(
                "residual over the law, less one, without noise, the largest",
                quiet.max(),
                1e-8,
                why="nothing is random: rounding over (decay/s)^2",
            ),
            at_most(
                "mean square of (residual - law) in standard errors, with noise",
                (scores**2).mean(),
                2,
                why="one for a true law, a tenth more with standard errors from few draws; settings share their draws, so the "
                "mean of 90 squares has a deviation of 0.2, not of 0.15",
            ),
        ],
    )


def draw(data, n, decay, noise) -> Drawing:
    """Residuals of all draws without noise against both forms of the law."""
    seen = data.train.isel(decay=-1, noise=0).transpose("n", "trial").values.ravel()
    told = [residual(data, n, decay, noise, power=power).isel(decay=-1, noise=0) for power in (1, 2)]
    corrected, printed = (part.transpose("n", "trial").values.ravel() for part in told)
    ends = [float(seen.min()), float(seen.max())]
    return Drawing(
        [
            Panel(
                [
                    Points("corrected", corrected, seen),
                    Points("as printed", printed, seen, role="control"),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("what the law says", scale="log"),
                y=Axis("squared residual", scale="log"),
            )
        ],
        columns=1,
        caption="The ridge answer without noise, every draw: the eigenvalue enters the residual once, not squared.",
    )


CLAIM = Claim(
    kind="erratum",
    title="One power of the eigenvalue too many",
    says="The first term of the ridge answer's mean residual is (decay/(s + decay))^2 s c^2, as the proof has it; printed "
    "is s^2.",
    source="beyond_l2, theorem C.9",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1},
    control=Control(
        "the eigenvalue squared, as printed",
        changes={"power": 2},
        breaks=(
            "residual over the law, less one, without noise, the largest",
            "mean square of (residual - law) in standard errors, with noise",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)

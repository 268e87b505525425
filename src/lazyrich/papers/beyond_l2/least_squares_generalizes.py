r"""From as many measurements as unknowns least squares finds the truth; noise is missed by $\tau^2\sum_i1/\sigma_i$."""

import numpy as np

from ...lab.settings.least_squares import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def judge(data, n, d, noise, share) -> Evidence:
    """The error without noise from `share` times the unknowns on, and beside the law with it."""
    many = data.where(n >= share * d, drop=True).sel(decay=0.0)
    few = data.where(n < d, drop=True).sel(decay=0.0, noise=0.0)
    told = _spread(many, noise)
    return Evidence(
        holds=[
            at_most(
                "squared relative error without noise and decay, the largest",
                (many.recovery / many.size).sel(noise=0.0).max(),
                1e-12,
                why="rounding times the condition of the measurements, squared",
            ),
            at_most(
                "mean squared error with noise over the law, less one, the farthest mean over draws",
                abs((many.recovery / told).where(noise > 0, drop=True).mean("trial") - 1).max(),
                0.02,
                why="a mean over 2,000 draws of the noise is good to 3%, and one over 30 such to 0.6%",
            ),
            at_least(
                "squared relative error from fewer measurements than unknowns, the least",
                (few.recovery / few.size).min(),
                1e-3,
                why="what lies outside the rows is missed whole",
            ),
        ],
    )


def _spread(data, noise):
    r"""$\tau^2\sum_i1/\sigma_i$ over the directions that are measured."""
    kept = data.eigenvalues > 0
    return noise**2 * (1 / data.eigenvalues.where(kept)).sum("d")


def draw(data, d, noise) -> Drawing:
    """The error against the number of measurements, with and without noise."""
    plain = data.sel(decay=0.0)
    x = data.n.values / d
    loud = float(noise.values[-1])
    quiet = (plain.recovery / plain.size).sel(noise=0.0).mean("trial").values
    heard = (plain.recovery / plain.size).sel(noise=loud).mean("trial").values
    told = (_spread(plain, noise) / plain.size).sel(noise=loud).mean("trial").values
    above = x >= 1
    return Drawing(
        [
            Panel(
                [
                    Points("without noise", x, np.maximum(quiet, 1e-32)),
                    Points(f"noise {loud:g}", x, heard, role="second"),
                    Line("what noise leaves", x[above], told[above], role="theory"),
                ],
                x=Axis("measurements over unknowns"),
                y=Axis("squared relative error of least squares", scale="log"),
            )
        ],
        columns=1,
        caption="Means over draws, without decay. From as many measurements as unknowns the truth is found to rounding, or up to "
        "the noise.",
    )


CLAIM = Claim(
    kind="statement",
    title="Enough measurements: least squares finds the truth",
    says="For N >= n and no decay the least-squares answer is the truth without noise, and misses noise^2 times the sum of the "
    "inverse eigenvalues on average with it: there is nothing left to grok.",
    source="beyond_l2, appendix C.6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"share": 1.0},
    sizes={"quick": {"n": (12, 24, 60, 100)}},
    least={"n": 2, "noise": 2},
    control=Control(
        "from half as many measurements as unknowns",
        changes={"share": 0.5},
        breaks=("squared relative error without noise and decay, the largest",),
    ),
    seconds={"quick": 10, "paper": 60},
)

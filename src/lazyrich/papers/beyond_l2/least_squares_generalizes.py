r"""With $N\geq n$ measurements least squares recovers the ground truth; noise leaves the error $\tau^2\sum_i1/\sigma_i$."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Points
from ...claims.marks import log_axis, one_panel
from .simulations.least_squares import SIMULATION


def judge(data, n, d, noise, fraction) -> Evidence:
    """The error without noise from `fraction` times the unknowns on, and compared to the prediction with it."""
    many = data.where(n >= fraction * d, drop=True).sel(weight_decay=0.0)
    few = data.where(n < d, drop=True).sel(weight_decay=0.0, noise=0.0)
    theory = _spread(many, noise)
    return Evidence(
        holds=[
            at_most(
                "squared relative error without noise and weight decay, maximum",
                (many.recovery / many.size).sel(noise=0.0).max(),
                1e-12,
                key="without_noise",
                why="rounding error times the condition number of the measurements, squared",
            ),
            at_most(
                "mean squared error with noise over the prediction, minus one, maximum of means over trials",
                abs((many.recovery / theory).where(noise > 0, drop=True).mean("trial") - 1).max(),
                0.02,
                key="with_noise",
                why="a mean over 2,000 draws of the noise has an error of 3%, one over 30 trials of these 0.6%",
            ),
            at_least(
                "squared relative error with fewer measurements than unknowns, minimum",
                (few.recovery / few.size).min(),
                1e-3,
                key="underdetermined",
                why="the component outside the row space is lost",
            ),
        ]
    )


def _spread(data, noise):
    r"""$\tau^2\sum_i1/\sigma_i$ over the measured directions."""
    return noise**2 * (1 / data.eigenvalues.where(data.eigenvalues > 0)).sum("d")


def draw(data, d, noise) -> Drawing:
    """The error against the number of measurements, with and without noise."""
    plain, x = data.sel(weight_decay=0.0), data.n.values / d
    error, theory = ((part / plain.size).mean("trial") for part in (plain.recovery, _spread(plain, noise)))
    return one_panel(
        [
            Points("without noise", x, np.maximum(error.sel(noise=0.0).values, 1e-32)),
            Points(rf"noise $\sigma_\xi$ = {float(noise[-1]):g}", x, error.isel(noise=-1).values, role="second"),
            Line(r"$\sigma_\xi^2\sum_i 1/\sigma_i$", x[x >= 1], theory.isel(noise=-1).values[x >= 1], role="theory"),
        ],
        Axis("measurements over unknowns, $N/n$"),
        log_axis("squared relative error of least squares"),
        caption="Means over trials, without weight decay. From $N=n$ on only rounding errors remain, or the noise.",
    )


CLAIM = Claim(
    id="beyond_l2/least_squares_generalizes",
    kind="statement",
    title="With enough measurements least squares generalizes",
    says=r"For $N\geq n$ and no weight decay the least-squares solution is the ground truth without noise, and has mean squared "
    r"error $\sigma_\xi^2\sum_i1/\sigma_i$ with noise of standard deviation $\sigma_\xi$: there is no grokking.",
    source="beyond_l2, appendix C.6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"fraction": 1.0},
    sizes={"quick": {"n": (12, 24, 60, 100)}},
    least={"n": 2, "noise": 2},
    controls=[Control("half as many measurements as unknowns", {"fraction": 0.5}, ("without_noise",))],
    seconds={"quick": 10, "paper": 60},
)

r"""Theorem C.9: the ridge answer leaves $\sum_i(\frac\lambda{\sigma_i+\lambda})^2(\sigma_ic_i^2+\tau^2) + \tau^2(N-r)$."""

import numpy as np

from ...lab.settings.least_squares import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def residual(data, n, decay, noise, *, power=1, beyond=1):
    r"""The law with $\sigma_i^\text{power}$ in the first term, one in the proof and two in print, and `beyond` times the last."""
    kept = data.eigenvalues > 0
    rank = kept.sum("d")
    shrunk = (decay / (data.eigenvalues + decay)).where(kept & (decay > 0), 0.0) ** 2
    noisy = shrunk.sum("d") + beyond * (n - rank)
    return (shrunk * data.eigenvalues**power * data.along**2).sum("d") + noise**2 * noisy


def judge(data, n, decay, noise, beyond) -> Evidence:
    """The mean over draws of the noise beside the law: in standard errors with noise, exactly without."""
    told = residual(data, n, decay, noise, beyond=beyond)
    apart = abs(data.train - told)
    quiet = (apart / data.size).sel(noise=0.0)
    scores = ((data.train - told) / data.train_error).where((noise > 0) & (told > 1e-9 * data.size))
    return Evidence(
        holds=[
            at_most(
                "residual less the law over |b*|^2, without noise, the largest",
                quiet.max(),
                1e-10,
                why="nothing is random: rounding",
            ),
            at_most(
                "mean square of (residual - law) in standard errors, with noise",
                (scores**2).mean(),
                2,
                why="one for a true law, a tenth more with standard errors from few draws; settings share their draws, so the "
                "mean of 200 squares has a deviation of 0.2, not of 0.1",
            ),
        ],
    )


def draw(data, n, decay, noise) -> Drawing:
    """Mean residuals of all draws against the law, at each level of the noise."""
    told = residual(data, n, decay, noise)
    marks = []
    for level, role in zip((0, -1), ("second", "measured"), strict=True):
        x, y = (part.isel(decay=-1, noise=level).transpose("n", "trial").values.ravel() for part in (told, data.train))
        marks.append(Points(f"noise {float(noise.values[level]):g}", x, y, role=role))
    every = np.concatenate([mark.x for mark in marks])
    ends = [float(every.min()), float(every.max())]
    return Drawing(
        [
            Panel(
                [*marks, Line("equal", ends, ends, role="theory")],
                x=Axis("what the law says", scale="log"),
                y=Axis("mean squared residual", scale="log"),
            )
        ],
        columns=1,
        caption="Every draw of measurements and truth at the largest decay, averaged over draws of the noise.",
    )


CLAIM = Claim(
    kind="theorem",
    title="What the ridge answer leaves of the data",
    says="The mean squared residual of the ridge answer is a sum over eigenvalues s: (decay/(s + decay))^2 (s c^2 + noise^2), c "
    "the truth along their directions, plus noise^2 for each measurement beyond the rank.",
    source="beyond_l2, theorem C.9",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"beyond": 1},
    aliases=("theorem_d_9",),
    control=Control(
        "without the noise of the measurements beyond the rank",
        changes={"beyond": 0},
        breaks=("mean square of (residual - law) in standard errors, with noise",),
        size="quick",  # the paper has no more measurements than unknowns, where the law has no such term
    ),
    seconds={"quick": 10, "paper": 60},
)

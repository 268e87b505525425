r"""Remark 3.13: small noise on the identity leaves corollary 3.11 as it is."""

import numpy as np

from ...lab.settings.symmetric_completion import NOISY
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest, norm


def judge(data) -> Evidence:
    """What the noise changes at entries never seen, its power, and the largest of those entries."""
    rest = 1 - data.seen
    change = (data.matrix - data.clean) * rest
    size, largest = norm(change, "m"), abs(data.filled).max("m")
    noise = data.noise
    power = (np.log(size.isel(noise=-1)) - np.log(size.isel(noise=0))) / np.log(noise[-1] / noise[0])
    told = data.carried * rest
    return Evidence(
        holds=[
            near(
                "power of the noise in what it changes, the farthest from 1",
                farthest(power.median("trial"), 1),
                1,
                0.05,
                why="the flow depends smoothly on its start; the next order is noise over alpha, 1e-3",
            ),
            at_most(
                "that change against what decay leaves of the start's output, relative",
                (norm(change - told, "m") / norm(told, "m")).max(),
                0.1,
                why="entries never seen feel the others through W^2/(8 kappa^2) alone, a hundredth",
            ),
            at_most(
                "log10 of the largest entry never seen, relative",
                np.log10((abs(data.matrix * rest).max("m") / largest).max()),
                -1.3,
                why="the bound of corollary 3.11 itself, 0.05: noise adds noise alpha^(2c - 1) times a Gaussian of deviation 2 "
                "or 2.8, whose largest in some dozens is 7: a hundredth at most",
            ),
        ],
    )


def draw(data, noise) -> Drawing:
    """The change against the noise, for each time and scale; the law through its last point."""
    change = norm((data.matrix - data.clean) * (1 - data.seen), "m").median("trial")
    x = noise.values
    marks = []
    for alpha in change.log_alpha.values:
        for c in change.away.values:
            y = change.sel(log_alpha=alpha, away=c).values
            marks.append(Points(f"alpha = e^{alpha:g}, c = {c:g}", x, y))
            marks.append(Slope("power 1", [x[0], x[-1]], (float(x[-1]), float(y[-1])), 1))
    return Drawing(
        panels=[Panel(marks, x=Axis("noise", scale="log"), y=Axis("change of entries never seen", scale="log"))],
        columns=1,
        caption="What noise on every entry of U and V changes at (1 - c) log(alpha)/decay: in proportion, so that a noise that "
        "is small enough leaves zeros where nothing was seen.",
    )


CLAIM = Claim(
    kind="statement",
    title="Small noise keeps the zeros",
    says="With independent noise on every entry of U = V = alpha I the conclusion of corollary 3.11 stays if the noise is small "
    "beside alpha^(1 - 2c): at entries never seen it adds exp(-2 decay t) times the start's own output, in proportion to the "
    "noise and to alpha^(2c - 1).",
    source="lyu2024, remark 3.13",
    simulation=NOISY,
    judge=judge,
    draw=draw,
    sizes={
        "quick": {"log_alpha": (4.0,), "away": (0.5,), "d": 5},
        "smoke": {"d": 3, "away": (0.5,)},
        # The noise that is small enough at all scales and times: alpha^(2c - 1) is up to e^2.4.
        "paper": {"d": 6, "noise": (1e-5, 3e-5, 1e-4), "trials": 4},
    },
    least={"noise": 2},
    control=Control(
        "noise as large as the scale of the start",
        changes={"noise": (1.0, 30.0)},
        breaks=("log10 of the largest entry never seen, relative",),
    ),
    seconds={"quick": 30, "paper": 80},
)

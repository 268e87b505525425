r"""Theorem C.2: $\delta_s\le\delta$ with probability $1-\eta$ from $N\ge C\delta^{-2}(s\ln(n/s)+\ln(1/\eta))$ random rows."""

import math

import numpy as np

from ...lab.settings.random_isometry import SIMULATION
from ..axes import places
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest

ETA = 0.1


def needed(d, count):
    r"""$s\ln(n/s)+\ln(1/\eta)$."""
    return count * np.log(d / count) + math.log(1 / ETA)


def explicit(n, d, count):
    r"""What Gaussian rows keep with probability $1-\eta$: $(1+t)^2-1$.

    $t = \sqrt{s/N}+\sqrt{2\ln(2\binom ns/\eta)/N}$: singular values of one set of columns beyond it have a probability of
    $2e^{-Nu^2/2}$, $u$ the second root, and there are $\binom ns$ sets.
    """
    sets = 1.0
    for k in range(int(count.max())):
        sets = sets * (((d - k) / (k + 1) - 1) * (count > k) + 1)
    far = (count / n) ** 0.5 + (2 * np.log(2 * sets / ETA) / n) ** 0.5
    return (1 + far) ** 2 - 1


def judge(data, n, d, signs) -> Evidence:
    """How the constant falls with the rows, the explicit bound of Gaussian rows, and the theorem's constant."""
    count = places(data.isometry, "s") + 1
    # Columns of signs have one length: a single one is no test.
    more = data.isometry.isel(s=slice(1, None))
    middle = np.log(more.median(("r", "trial")))
    slope = (middle.isel(n=-1) - middle.isel(n=-2)) / float(np.log(n[-1] / n[-2]))
    gaussian = data.isometry.where(signs == 0, drop=True)
    draws = gaussian.sizes["r"] * gaussian.sizes["trial"]
    beyond = (gaussian > explicit(n, d, count)).mean(("r", "trial"))
    worst = data.isometry.quantile(1 - ETA, ("r", "trial"))
    return Evidence(
        holds=[
            near(
                "power of the measurements at which the isometry constant falls, the farthest",
                farthest(slope, -0.5),
                -0.5,
                0.1,
                why="2 t + t^2 with t like N^(-1/2): the second part adds some hundredths; a median of 60 draws has an error of "
                "some hundredths too",
            ),
            at_most(
                "share of Gaussian draws beyond the explicit bound less eta, in standard errors, the largest",
                ((beyond - ETA) / (ETA * (1 - ETA) / draws) ** 0.5).max(),
                3,
                why="singular values of Gaussian columns, and one bound for all sets; one setting in a thousand by chance",
            ),
            at_most(
                "constant C of the theorem, by the quantile 1 - eta, the largest",
                (n * worst**2 / needed(d, count)).max(),
                80,
                why="from the explicit bound for t up to 1/2 and s up to n/2: (2 + t)^2 times 12.7",
            ),
        ],
    )


def draw(data, n, d) -> Drawing:
    """The constant against the measurements, and all of them on one scale."""
    shown = data.isometry.median(("r", "trial")).isel(signs=0, d=-1)
    points = [
        Points(f"s = {at + 1}", n.values, shown.isel(s=at).values, role=SERIES[at % 3])
        for at in range(shown.sizes["s"])
    ]
    ends = [float(n.values[0]), float(n.values[-1])]
    count = places(data.isometry, "s") + 1
    every = data.isometry.median(("r", "trial")).isel(s=slice(1, None))
    clock = ((needed(d, count).isel(s=slice(1, None)) / n) ** 0.5 + 0 * every).transpose(*every.dims)
    rest = [
        Points(name, clock.isel(signs=at).values.ravel(), every.isel(signs=at).values.ravel(), role=SERIES[at])
        for at, name in enumerate(("Gaussian", "signs")[: every.sizes["signs"]])
    ]
    last = (float(n.values[-1]), float(shown.isel(s=-1, n=-1)))
    first = (float(clock.min()), float(every.min()))
    return Drawing(
        [
            Panel(
                [*points, Slope("N^(-1/2)", ends, last, -0.5)],
                x=Axis("measurements N", scale="log"),
                y=Axis("isometry constant", scale="log"),
                title=f"Gaussian, {int(d.values[-1])} unknowns",
            ),
            Panel(
                [*rest, Slope("in proportion", [float(clock.min()), float(clock.max())], first, 1)],
                x=Axis("sqrt((s log(n/s) + log(1/eta))/N)", scale="log"),
                y=Axis("isometry constant", scale="log"),
                title="All sizes, s from 2 on",
            ),
        ],
        caption="The restricted isometry constant of random matrices over all sets of s columns, median draw, for columns of "
        "mean square length one.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Random measurements are nearly an isometry",
    says="A Gaussian or sign matrix whose columns have mean square length one has a restricted isometry constant of s columns of "
    "at most delta, with probability 1 - eta, from N >= C (s log(n/s) + log(1/eta))/delta^2 rows: it falls like N^(-1/2). With "
    "entries of variance 1/n, as the measurements are drawn in the paper, that is so for sqrt(n/N) X, not for X.",
    source="beyond_l2, theorem C.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"n": 2},
    aliases=("rip",),
    control=Control(
        "X itself, with entries of variance 1/n",
        changes={"scaled": 0},
        breaks=(
            "power of the measurements at which the isometry constant falls, the farthest",
            "share of Gaussian draws beyond the explicit bound less eta, in standard errors, the largest",
            "constant C of the theorem, by the quantile 1 - eta, the largest",
        ),
    ),
    seconds={"quick": 6, "paper": 120},
)

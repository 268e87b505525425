"""Figure 40: the sum of waves as descent sees it, when the data are fitted and when the waves are found."""

import numpy as np

from ...lab.settings.signals import SAMPLES, SINUSOID
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .coherent import at_fit
from .recovered import moments_of, recoverable, slow_signal


def refer(problem, level):
    """The slow flow of the same measurements."""
    return slow_signal(problem, level)


def judge(data, told, n, level, lines) -> Evidence:
    """How much of the signal is there at the fit and at the end, and how many lines its spectrum has then."""
    good = recoverable(told)
    known = data.where(good, drop=True)
    fit = at_fit(known, "recovery", level)
    count = (abs(known.weights.isel(t=-1)) > 0.03 * known.top).sum("d")
    return Evidence(
        sound=[
            at_least(
                "share of draws whose waves have the least l1 norm",
                good.mean(),
                0.5,
                why="where they have not, no strength finds them; half of the draws is enough to judge by",
            )
        ],
        holds=[
            at_most(
                "error of the signal at the end over the level, the median draw",
                known.recovery.isel(t=-1).median() / level,
                1,
                why="the basis is orthonormal: the signal's error is that of its coefficients, the penalty's bias",
            ),
            at_most(
                "lines of the spectrum at the end less those of the signal, the median draw",
                abs(count - lines).median(),
                0,
                why="the least coefficient is 0.4 of the largest, others end within the bias and a step, some 1e-3",
            ),
            at_least(
                "error of the signal when the data are fitted, the median draw",
                fit.median() / (1 - n / SAMPLES) ** 0.5,
                0.7,
                why="that of least squares, the root of 1 - n/d on average",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """The signal of one draw at the fit, on the way and at the end, over the true one."""
    from ...problems import fourier

    one = data.isel(trial=0)
    basis = np.asarray(fourier(SAMPLES))
    times = np.arange(SAMPLES)
    truth = basis @ one.truth.values
    return Drawing(
        [
            Panel(
                [
                    Line("signal", times, truth, role="theory"),
                    Line("descent", times, basis @ one.weights.values[at]),
                ],
                x=Axis("time"),
                y=Axis("signal"),
                title=name.capitalize(),
                legend=name == "fit",
            )
            for name, at in moments_of(one, told).items()
        ],
        columns=3,
        caption="The sum of five waves, one draw of the measurements: fitted to the measurements it is another signal; at the "
        "end it is the true one at all times.",
    )


CLAIM = Claim(
    kind="figure",
    title="The waves come out of the noise",
    says="When the measurements are fitted the signal is another one; at the end it is the sum of waves, with six lines in the "
    "real Fourier basis.",
    source="beyond_l2, figure 40",
    simulation=SINUSOID,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"lines": 6},
    control=Control(
        "stopped soon after the fit",
        changes={"reach": 0.05},
        breaks=(
            "error of the signal at the end over the level, the median draw",
            "lines of the spectrum at the end less those of the signal, the median draw",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)

r"""Lemma C.11: after the kernel phase $\|\theta\| = \Theta((\log\frac1\lambda)^{1/D})$, for good."""

import numpy as np

from ...lab.settings.rich_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Slope
from ..labelled import farthest


def refer(problem, degree):
    r"""`reach`: $B_0 = \max_i\max_{\|\theta\|=1}|f_\theta(x_i)|$ of two-layer nets with power $m = D - 1$.

    One unit takes it all: $\|x\|^m\max_{a^2+r^2=1}ar^m = \|x\|^m\sqrt{m^m/(m+1)^{m+1}}$.
    """
    m = degree - 1
    lengths = np.linalg.norm(np.asarray(problem.train.x), axis=1)
    return {"reach": lengths.max() ** m * (m**m / degree**degree) ** 0.5}


def grown(log_norm, axis: str):
    r"""The power of $\log\frac1\lambda = p\log\alpha$ at which a norm grows from the first to the last value of an axis."""
    ends = log_norm.isel({axis: [0, -1]})
    rise = np.log(ends[axis].values[-1] / ends[axis].values[0])
    return (ends.isel({axis: -1}) - ends.isel({axis: 0})) / rise


def judge(data, told, log_alpha, degree, power, n) -> Evidence:
    """Norms between the bounds of the proof, and the powers of log(1/decay) at which they grow."""
    length, size = power * log_alpha, degree * data.log_norm
    cost = np.exp(data.log_loss + length) + np.exp(2 * data.log_norm) / 2
    # log(1/(n L)) of the objective L at the first moment: all margins are above it ever after.
    above = length - np.log(n * cost.isel(t=0))
    log_a = (2 * (degree - 1) + power) * log_alpha
    first = np.exp(size.max("t")) / (data.first**degree * log_a)
    most, last = grown(size.max("t"), "log_alpha"), grown(size.isel(t=-1, log_alpha=-1), "power")
    return Evidence(
        holds=[
            at_least(
                "B |theta|^D less log(1/(n L)) of the first moment, over log(1/decay)",
                ((told["reach"] * np.exp(size.min("t")) - above) / length).min(),
                0,
                why="every sample's loss is at most n times the objective, which only falls, so that log(1/(n L)) of the first "
                "moment is at most a margin; and margins are at most B |theta|^D",
            ),
            at_least(
                "log(1/(n L)) at the first moment over log(1/decay), largest scale",
                (above / length).isel(log_alpha=-1).min(),
                0.25,
                why="the objective is decay times n |theta_0|^2 (log A)^(2/D)/2, whose logarithm is about 6, half of log(alpha)",
            ),
            at_most(
                "largest |theta|^D over |theta_0|^D log A",
                first.max(),
                1.2,
                why="decay |theta|^2/2 is at most the objective, which only falls and at first is little more than this",
            ),
            near(
                "power of log(1/decay) at which the largest norm grows with alpha, times D",
                farthest(most.median("trial"), 1),
                1,
                0.1,
                why="at first it is that of the start times (log A)^(1/D), up to the turn's square",
            ),
            near(
                "power of log(1/decay) at which the last norm grows with p, times D",
                farthest(last.median("trial"), 1),
                1,
                0.2,
                why="|theta|^D goes with the least margin, log(1/decay) + (1 - 2/D) log log(1/decay) + O(1): 2 in 12 or 24 "
                "counts a tenth",
            ),
        ],
    )


def draw(data, log_alpha, degree, power) -> Drawing:
    """Norms in normalized time, one draw; and the last ones against log(1/decay)."""
    curves, points = [], []
    for at, k in enumerate(degree.values):
        path = data.sel(degree=k, log_alpha=log_alpha.values[-1]).isel(power=0, trial=0)
        size = np.exp(float(k) * path.log_norm.values) / float(log_alpha.values[-1] * power.values[0])
        curves.append(
            Line(f"degree {int(k)}", path.slow.values / float(log_alpha.values[-1]), size, role=SERIES[at % 3])
        )
        y = np.exp(data.log_norm.isel(t=-1).sel(degree=k).median("trial"))
        x = (power * log_alpha).transpose(*y.dims).values.ravel()
        y = y.values.ravel()
        points.append(Points(f"degree {int(k)}", x, y, role=SERIES[at % 3]))
        top = int(np.argmax(x))
        points.append(
            Slope(f"log(1/decay)^(1/{int(k)})", [x.min(), x.max()], (float(x[top]), float(y[top])), 1 / float(k))
        )
    return Drawing(
        [
            Panel(
                curves,
                x=Axis("decay x time / log(alpha)"),
                y=Axis("|theta|^D / log(1/decay)", scale="log"),
                title="From the end of the kernel phase on, one draw",
            ),
            Panel(
                points,
                x=Axis("log(1/decay)", scale="log"),
                y=Axis("|theta|", scale="log"),
                title="At the last moment, median draw",
            ),
        ],
        caption="The norm of the weights in units of log(1/decay)^(1/D) stays between constants from the end of the kernel "
        "phase on; at the last moment it grows with that power, for all decays and scales.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The norm after the kernel phase",
    says="Once the objective L + decay |theta|^2/2 is of order decay (log(1/decay))^(2/D), as at the end of the kernel phase, "
    "|theta| is of order (log(1/decay))^(1/D) for good: (log(1/(n L))/B)^(1/D) at least, with the objective L of that moment "
    "and the largest output B of unit weights, and (2 L/decay)^(1/2) at most.",
    source="lyu2024, lemma C.11",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    sizes={"smoke": {"power": (1.0, 2.0)}},
    least={"log_alpha": 2, "power": 2},
    control=Control(
        "from half of log(alpha)/decay on, where the objective is much larger",
        changes={"since": 0.5, "lead": 0.0},
        breaks=(
            "log(1/(n L)) at the first moment over log(1/decay), largest scale",
            "largest |theta|^D over |theta_0|^D log A",
            "power of log(1/decay) at which the largest norm grows with alpha, times D",
        ),
    ),
    seconds={"quick": 25, "paper": 400},
)

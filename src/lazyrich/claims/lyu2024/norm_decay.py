r"""Lemma C.5: only the norm decays; the direction turns by $\|\delta\| = O(\alpha^{-D}\log A)e^{D\lambda t}$."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel, Points, Slope
from ..labelled import farthest
from .kernel_phase import Phase, ended, refer


def at_the_end(data, told, curve):
    r"""A curve at the end of the phase, $\|\delta\| = \epsilon$; between two moments it is linear in $\log\|\delta\|$."""
    turned = np.log((data.moved / told["ball"]).where(data.slow > 0))
    after = (turned > 0).argmax("t")
    share = turned.isel(t=after - 1) / (turned.isel(t=after - 1) - turned.isel(t=after))
    return (1 - share) * curve.isel(t=after - 1) + share * curve.isel(t=after)


def judge(data, told, log_alpha, depth, power, shift) -> Evidence:
    """The turn in units of what the lemma allows, its growth, and when it ends the phase."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    degree = depth + shift
    # As printed, |delta| alpha^D e^(-D decay t): it is |h| for the true degree.
    turned = phase.size * np.exp(shift * phase.left)
    allowed = np.log(told["reach"] ** 2) + phase.log_a
    slow = phase.inside & (data.slow >= 0.1)
    first, last = slow.argmax("t"), slow.cumsum("t").argmax("t")
    length = data.slow.isel(t=last) - data.slow.isel(t=first)
    gained = np.log(data.moved.isel(t=last) / data.moved.isel(t=first))
    lost = np.log(phase.balance.isel(t=first) / phase.balance.isel(t=last))
    left, balance = (at_the_end(data, told, curve) for curve in (phase.left, phase.balance))
    steps = (part.isel(log_alpha=[-2, -1]).diff("log_alpha") for part in (degree * left, np.log(balance)))
    sooner = next(steps) / next(steps)
    proven = np.log(allowed / (told["margin"] * told["ball"])) / degree
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_most(
                "gamma |delta| alpha^D exp(-D decay t), in units of log(G^2 A)",
                (told["margin"] * turned / allowed).where(phase.inside).max(),
                1,
                why="gamma |h| <= log(1/L) where loss and decay balance, and log(1/L) <= log(n F^-1(2 G^2 A/(nD))) "
                "<= log(G^2 A)",
            ),
            near(
                "growth rate of |delta|, less that of its logarithm, over D decay",
                farthest((gained + lost) / length / degree, 1),
                1,
                0.02,
                why="|delta| = M e^(D decay t)/(gamma alpha^D) with M the margin at which loss and decay balance, up to "
                "O(1/M): a tenth, over D times five units of time at least",
            ),
            near(
                "power of M in exp(D (log(alpha) - decay T)) at the end T of the phase",
                farthest(sooner.median("trial"), 1),
                1,
                0.15,
                why="|delta| = epsilon there, and M is of order log A: the log log A of the lemma; an entropy of at "
                "most log(n) is "
                "left out of M = 10, whose change counts a half of 0.2 over log(2)",
            ),
            at_least(
                "length of the phase beyond the proven one, in units of 1/decay",
                (proven - left).min(),
                0,
                why="the bound on |delta| reaches epsilon no sooner",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power) -> Drawing:
    """How far the direction has turned, and when the phase ends."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    left, balance = (at_the_end(data, told, curve).median("trial") for curve in (phase.left, phase.balance))
    top = float(log_alpha.values[-1])
    one = {"log_alpha": top, "power": float(power.values[0])}
    grown, ends = [], []
    for at, layers in enumerate(depth.values):
        role = SERIES[at % 3]
        path = data.sel(depth=layers, **one).isel(trial=0, t=slice(1, None))
        grown.append(Line(f"depth {int(layers)}", path.slow.values / top, path.moved.values, role=role))
        x, y = balance.sel(depth=layers), np.exp(layers * left.sel(depth=layers))
        ends.append(Points(f"depth {int(layers)}", x.values.ravel(), y.transpose(*x.dims).values.ravel(), role=role))
    last = int(np.argmax(ends[0].x))
    through = (float(ends[0].x[last]), float(ends[0].y[last]))
    reach = [min(mark.x.min() for mark in ends), max(mark.x.max() for mark in ends)]
    return Drawing(
        [
            Panel(
                [*grown, Event("log(alpha)/decay", 1.0)],
                x=Axis("decay x time / log(alpha)"),
                y=Axis("turn of the direction", scale="log"),
                title="e^(decay t) theta/alpha leaves the start like e^(D decay t)",
            ),
            Panel(
                [*ends, Slope("M", reach, through, 1)],
                x=Axis("M, the margin that loss and decay balance at", scale="log"),
                y=Axis("exp(D (log(alpha) - decay T))", scale="log"),
                title="The end T of the kernel phase",
            ),
        ],
        caption="Left: how far the direction of the weights has turned, one draw at the largest scale. Right: how much sooner "
        "than log(alpha)/decay the phase ends, the median over draws, one "
        "point for each scale and decay: by log(M)/D, where M is of order log A.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Only the norm decays in the kernel phase",
    says="With delta = e^(decay t) theta/alpha - theta_0 the direction turns by |delta| = O(alpha^-D log A) e^(D decay t), where "
    "A = alpha^(2(D-1))/decay, so that the kernel phase lasts until (log(alpha) - log(log A)/D + const)/decay.",
    source="lyu2024, lemma C.5",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"shift": 0},
    least={"log_alpha": 2},
    aliases=("lemma_c_5",),
    control=Control(
        "the power of a degree less: D - 1 in place of D",
        changes={"shift": -1},
        breaks=(
            "growth rate of |delta|, less that of its logarithm, over D decay",
            "power of M in exp(D (log(alpha) - decay T)) at the end T of the phase",
        ),
    ),
    seconds={"quick": 20, "paper": 90},
)

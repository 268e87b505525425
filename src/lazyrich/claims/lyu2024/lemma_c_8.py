r"""Lemma C.8 compares the rates of $\log(1/\mathcal L)$ and $\|h\|$: by the force, not by the tangent margin as printed."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel, Points, Slope
from .kernel_phase import Phase, ended, refer


def excess(data, told, phase, depth, form):
    r"""$\frac{d}{dt}\log\frac1{\mathcal L} - c\,\frac{d\|h\|}{dt}$ over the size of both, with Taylor's remainder allowed for.

    With $g = \sum_ip_i\nabla q_i$, $p_i\propto e^{-q_i}$, and its part $g_h$ along $h$, the two rates are
    $\|g\|^2P - D\|h\|g_h$ and $g_hP - D\|h\|$, where $P$ is the force over the decay. For $c = \|g\|$ the difference is
    $(\|g\| - g_h)(\|g\|P + D\|h\|)\ge 0$. As printed $c = \gamma\le\|g\|$; but in most of the phase $\|h\|$ falls, and
    there it is about $(\|g\| - \gamma)\,d\|h\|/dt < 0$.
    """
    coefficient = data.force if form == "corrected" else told["margin"]
    growth = data.along * phase.push - depth * phase.size
    taylor = depth * told["bend"] / 2 * data.moved * phase.size
    return (phase.fall - coefficient * growth + taylor) / (abs(phase.fall) + coefficient * abs(growth))


def judge(data, told, log_alpha, depth, power, form) -> Evidence:
    """The two rates, and what they integrate to: the worst over moments, scales and draws."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    seen = phase.inside & (data.slow > 0)
    lead = (-phase.log_loss + told["bend"] / 2 * data.moved * phase.size) / (told["margin"] * phase.size)
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least(
                "rate of log(1/L) less coefficient times rate of |h|, relative",
                excess(data, told, phase, depth, form).where(seen).min(),
                -1e-6,
                why="never negative for the force as coefficient; the flow is followed to 1e-8, and the rates cancel to a tenth",
            ),
            at_least(
                "log(1/L) over gamma |h|",
                lead.where(seen).min(),
                1,
                why="what the theorem needs of it: with h along the force, gamma |h| <= sum p q = log(1/L) less log(n) less "
                "the entropy of p",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power) -> Drawing:
    """By how much the printed inequality fails, and log(1/L) beside gamma |h|."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    slow = phase.inside & (data.slow >= 0.1)
    surplus = (data.force / told["margin"] - 1).where(slow & (data.moved < 1e-5))
    short = -excess(data, told, phase, depth, "printed").where(surplus.notnull())
    one = {"log_alpha": log_alpha.values[-1], "power": power.values[0]}
    dots, lines = [], []
    for layers in depth.values:
        role = "measured" if layers == depth.values[0] else "second"
        x, y = (part.sel(depth=layers) for part in (phase.balance.where(surplus.notnull()), short))
        x, y = x.values.ravel(), y.transpose(*x.dims).values.ravel()
        dots.append(Points(f"depth {int(layers)}", x[y > 0], y[y > 0], role=role))
        path = data.slow.sel(depth=layers, **one).isel(trial=0).values[1:] / float(log_alpha.values[-1])
        lead = (-phase.log_loss / (told["margin"] * phase.size)).where(slow).sel(depth=layers, **one)
        lines.append(Line(f"depth {int(layers)}", path, lead.median("trial").values[1:], role=role))
    far = int(np.argmax(dots[0].x))
    ends = [min(dot.x.min() for dot in dots), max(dot.x.max() for dot in dots)]
    return Drawing(
        [
            Panel(
                [*dots, Slope("M^-2", ends, (float(dots[0].x[far]), float(dots[0].y[far])), -2)],
                x=Axis("M, the margin that loss and decay balance at", scale="log"),
                y=Axis("share missing to the inequality", scale="log"),
                title="(20) as printed falls short",
            ),
            Panel(
                lines,
                x=Axis("decay x time / log(alpha)"),
                y=Axis("log(1/L) / (gamma |h|)"),
                title="What it is needed for stays true",
            ),
        ],
        caption="Left: by how much the rate of log(1/L) stays below gamma times the rate of |h|, relative to both, where the "
        "direction has turned by less than 1e-5: all moments, scales, decays and draws. Right: log(1/L) over gamma |h| never "
        "falls below 1.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The rates of loss and norm, compared by the force",
    says="In the kernel phase d log(1/L)/dt >= |g| d|h|/dt with the force g = sum p_i grad q_i, p_i proportional to e^(-q_i), "
    "up to O(|delta|); printed is the tangent margin gamma in place of |g| >= gamma, which fails by a share of order "
    "1/log^2 while |h| "
    "falls. What follows from it, log(1/L) >= gamma |h|, is true.",
    source="lyu2024, lemma C.8",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"form": "corrected"},
    control=Control(
        "as printed: the tangent margin as coefficient",
        changes={"form": "printed"},
        breaks=("rate of log(1/L) less coefficient times rate of |h|, relative",),
    ),
    seconds={"quick": 20, "paper": 90},
)

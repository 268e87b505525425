r"""Lemma C.4: in the kernel phase the loss falls at least as fast as the tangent margin at the start makes it."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .kernel_phase import Phase, ended, log_inverse, loss_panel, refer


def log_bound(phase, data, told, depth, share):
    r"""The logarithm of the right side of (8), with the share $s = 1/4$ of $\gamma^2$ that the proof keeps.

    The larger of $1/(1 + s\gamma^2A(1 - e^{-2(D-1)\lambda t})/(4(D-1)))$ and
    $e^{2(D-1)\lambda t}/(F^{-1}(s\gamma^2A/(2D)) - 1)$.
    """
    scale = np.log(share * told["margin"] ** 2) + phase.log_a
    gone = np.log(-np.expm1(-2 * (depth - 1) * data.slow).where(data.slow > 0))
    early = -np.logaddexp(0, (scale - np.log(4 * (depth - 1)) + gone).fillna(-np.inf))
    late = 2 * (depth - 1) * data.slow - np.log(np.expm1(log_inverse(scale - np.log(2 * depth))))
    return np.maximum(early, late)


def judge(data, told, log_alpha, depth, power, share) -> Evidence:
    """Both inequalities at every moment of the phase: the worst over moments, scales and draws."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    slowest = share * told["margin"] ** 2 * phase.push + depth * phase.log_loss
    room = (phase.fall - slowest) / (data.force**2 * phase.push - depth * phase.log_loss)
    over = np.exp(phase.log_loss - log_bound(phase, data, told, depth, share)).where(data.slow > 0)
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least(
                "least room in (7), relative to its terms",
                room.where(phase.inside).min(),
                0,
                why="proven: gradients turn by less than half the tangent margin",
            ),
            at_most(
                "largest loss over the bound (8)",
                over.where(phase.inside).max(),
                1,
                why="proven, every constant written out; at the start itself both are 1",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power, share) -> Drawing:
    """The loss along the phase under its bound, and the room between them."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    bound = log_bound(phase, data, told, depth, share)
    room = (bound - phase.log_loss).where(phase.inside)
    lines = []
    for layers in depth.values:
        one = {"depth": layers, "log_alpha": log_alpha.values[-1], "power": power.values[0]}
        x = data.slow.sel(**one).isel(trial=0).values / float(log_alpha.values[-1])
        role = "measured" if layers == depth.values[0] else "second"
        lines.append(Line(f"depth {int(layers)}", x[1:], np.exp(room.sel(**one).median("trial").values[1:]), role=role))
    return Drawing(
        [
            loss_panel(data, phase, bound, "upper bound (8)", log_alpha=log_alpha, depth=depth, power=power),
            Panel(
                lines,
                x=Axis("decay x time / log(alpha)"),
                y=Axis("bound over loss", scale="log"),
                title="How much the bound gives away",
            ),
        ],
        caption="The training loss in the kernel phase at the largest scale, decay = alpha^-p for the first p: it never exceeds "
        "the bound, which gives away a factor that grows along the phase.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The loss falls fast in the kernel phase",
    says="While tangent features move by less than half the tangent margin gamma, dL/dt <= -(gamma^2/4) alpha^(2(D-1)) "
    "e^(-2(D-1) decay t) L^2 + decay D L log(1/L), and L is at most the larger of "
    "1/(1 + gamma^2 A (1 - e^(-2(D-1) decay t))/(16(D-1))) and e^(2(D-1) decay t)/(F^-1(gamma^2 A/(8D)) - 1), where "
    "F(x) = x log x and A = alpha^(2(D-1))/decay.",
    source="lyu2024, lemma C.4",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"share": 0.25},
    control=Control(
        "sixteen times the force: 4 gamma^2 in place of gamma^2/4",
        changes={"share": 4.0},
        breaks=("least room in (7), relative to its terms", "largest loss over the bound (8)"),
    ),
    seconds={"quick": 20, "paper": 90},
)

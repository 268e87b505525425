r"""Lemma C.7: in the kernel phase the loss falls no faster than the longest gradient makes it."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Drawing
from .kernel_phase import Phase, ended, log_inverse, loss_panel, refer


def log_bound(phase, reach, *, depth, n, decay, printed=False):
    r"""The logarithm of the right side of (17), $\min\{1/(nF^{-1}(B)), e^{1-4(D-1)/D}/n\}$.

    Here $B = 2G^2Ae^{-2(D-1)\lambda t}/(nD)$. Printed are $n/F^{-1}(B)$ and $e^{1-2(D-1)\lambda}/n$. The proof bounds
    $F(1/(n\mathcal L))$ by $B$, which gives a $1/n$; and where that fails $1 + \log\frac1{n\mathcal L}\le 4(D-1)/D$, since
    $\frac D2(1 + \log\frac1{n\mathcal L})$ meets the rate $2(D-1)$ of $B$.
    """
    top = phase.log_reach + np.log(2 * reach**2 / (n * depth))
    first = (np.log(n) if printed else -np.log(n)) - log_inverse(top)
    return np.minimum(first, 1 - (2 * decay if printed else 4 / depth) * (depth - 1) - np.log(n))


def judge(data, told, log_alpha, depth, power, n, length) -> Evidence:
    """Both inequalities at every moment of the phase: the worst over moments, scales and draws."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    reach = told["reach"] if length == "reach" else told["margin"] / 2
    fastest = reach**2 * phase.push + depth * (phase.log_loss + np.log(n))
    room = (fastest - phase.fall) / (reach**2 * phase.push - depth * phase.log_loss)
    under = np.exp(phase.log_loss - log_bound(phase, reach, depth=depth, n=n, decay=np.exp(-power * log_alpha)))
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least(
                "least room in (16), relative to its terms",
                room.where(phase.inside).min(),
                0,
                why="proven: no gradient is longer than G, and sum r log(1/r) >= n L log(1/(nL))",
            ),
            at_least(
                "least loss over the bound (17) with its constants mended",
                under.where(phase.inside).min(),
                1,
                why="proven, every constant written out",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power, n) -> Drawing:
    """The loss along the phase above its bound."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    bound = log_bound(phase, told["reach"], depth=depth, n=n, decay=np.exp(-power * log_alpha))
    return Drawing(
        [loss_panel(data, phase, bound, "lower bound (17)", log_alpha=log_alpha, depth=depth, power=power)],
        columns=1,
        caption="The training loss in the kernel phase at the largest scale, decay = alpha^-p for the first p: it never falls "
        "below the bound.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The loss falls no faster than gradients allow",
    says="In the kernel phase, with G the length of the longest gradient there, dL/dt >= -G^2 alpha^(2(D-1)) "
    "e^(-2(D-1) decay t) L^2 "
    "+ decay D L log(1/(nL)), and L is at least the smaller of 1/(n F^-1(2 G^2 A e^(-2(D-1) decay t)/(nD))) and "
    "e^(1-4(D-1)/D)/n; the constants of the second are ours, those in print are an erratum of their own.",
    source="lyu2024, lemma C.7",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"length": "reach"},
    control=Control(
        "half the tangent margin in place of the longest gradient",
        changes={"length": "half margin"},
        breaks=(
            "least room in (16), relative to its terms",
            "least loss over the bound (17) with its constants mended",
        ),
    ),
    seconds={"quick": 20, "paper": 90},
)

r"""Theorem 3.5: between $\log\alpha/\lambda$ and $(1 + c)\log\alpha/\lambda$ a net comes near a KKT point of minimum norm."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line, Panel, Points
from ...claims.labelled import last_power
from ...claims.marks import family, log_axis
from .shared.marks import NORMALIZED, TRANSITION
from .shared.readings import kkt_residual
from .simulations.rich_phase import SIMULATION


def window(data, log_alpha, begin):
    r"""The moments from `begin` times $\log\alpha/\lambda$ on."""
    return data.slow >= (begin - 1e-9) * log_alpha


def allowed(data, inside):
    r"""$(2\lambda(t_1 - t_0))^{-1/2}$ for a window from $t_0$ to $t_1$: the proof's bound on the smallest residual."""
    return (2 * (data.slow.isel(t=-1) - data.slow.isel(t=inside.argmax("t")))) ** -0.5


def judge(data, log_alpha, n, begin) -> Evidence:
    """The smallest residual in the window against the proof's bound, how it falls, and the KKT conditions at the end."""
    inside = window(data, log_alpha, begin)
    best = data.residual.where(inside).min("t")
    # A residual at the solver tolerance has no power: nothing below it counts.
    falls = last_power(np.maximum(best, 1e-5).isel(log_alpha=[0, -1]), "log_alpha")
    moments, violation = inside.sum("t").min(), data.feasibility.max()
    return Evidence(
        sound=[at_least("moments in the window", moments, 4, key="moments", why="a minimum needs several moments")],
        holds=[
            kkt_residual("smallest KKT residual in the window", best / allowed(data, inside)),
            at_least(
                r"power of $\log\alpha$ at which the smallest KKT residual falls, up to 2, median over trials",
                falls.clip(max=2).median("trial").min(),
                0.5,
                key="power",
                why="the power of the proof's bound; from 2 on the fall is exponential, down to the solver tolerance",
            ),
            at_most(
                r"final stationarity with the best multipliers, in units of $(2c\log\alpha)^{-1/2}$, median over trials",
                (data.stationarity / allowed(data, inside)).isel(log_alpha=-1).median("trial").max(),
                1,
                key="stationarity",
                why="the largest scale; other multipliers than those of the proof can only be better, but for their slackness",
            ),
            at_most(
                r"final slackness, in units of $\log n$ over the minimum margin",
                (data.slackness * data.margins.isel(t=-1).min("n") / np.log(n)).max(),
                1,
                key="slackness",
                why=r"with multipliers like $e^{-q}$ the mean excess over the minimum margin is an entropy of $n$ multipliers",
            ),
            at_most("final violation of positive margins", violation, 0, key="feasibility", why="scaled up, they are at least 1"),
        ],
    )


def draw(data, log_alpha, degree) -> Drawing:
    """The residual in normalized time, one trial; and its minimum against the scale, with the proof's bound."""
    inside, one = window(data, log_alpha, 1.0), {"trial": 0, "power": 0, "degree": -1}
    best = data.residual.where(inside).min("t").isel(power=0).median("trial")
    lines = family(r"$\log\alpha$ = {}", (data.slow / log_alpha).isel(one), data.residual.isel(one), "log_alpha")
    points = family("degree {}", log_alpha, best.transpose("degree", "log_alpha"), "degree", mark=Points)
    bound = allowed(data, inside).isel(power=0).median(("trial", "degree")).values
    points.append(Line("proof's bound", log_alpha.values, bound, role="theory"))
    y, one_trial = log_axis("KKT residual"), f"One trial of degree {int(degree.values[-1])}, in normalized time"
    return Drawing(
        [
            Panel([*lines, TRANSITION], NORMALIZED, y, title=one_trial),
            Panel(points, log_axis(r"$\log\alpha$"), y, title="The minimum in the window, median trial"),
        ],
        caption="The distance of the weights of two-layer nets with powers as activation from a combination of the gradients of "
        r"their own margins, relative to their norm: 1 while weight decay alone acts, falling after $\log(\alpha)/\lambda$, and "
        "far below the proof's bound.",
    )


CLAIM = Claim(
    id="lyu2024/theorem_3_5",
    kind="theorem",
    title="After the transition: KKT points of the maximum margin",
    says="For a homogeneous net with zero output at initialization, trained on the exponential loss with "
    r"$\lambda = \alpha^{-p}$, there is a time between $\log(\alpha)/\lambda$ and $(1 + c)\log(\alpha)/\lambda$ at which its "
    r"direction is near that of a KKT point of $\min\|\theta\|^2$ subject to margins of at least 1: $\theta$ is a combination "
    r"of the gradients of its smallest margins, up to a residual that falls at least like $(\log\alpha)^{-1/2}$.",
    source="lyu2024, theorem 3.5 and theorem C.12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"begin": 1.0},
    least={"log_alpha": 2},
    aliases=("theorem_c_12",),
    controls=[
        Control(
            r"a window before the transition, from 0.3 to 0.7 times $\log(\alpha)/\lambda$",
            changes={"since": 0.3, "lead": 0.0, "until": 0.7, "begin": 0.3},
            breaks=("residual", "power", "stationarity"),
        )
    ],
    seconds={"quick": 25, "paper": 400},
)

r"""Theorem 3.5: between $\log\alpha/\lambda$ and $(1 + c)\log\alpha/\lambda$ a net comes near a KKT point of least norm."""

import numpy as np

from ...lab.settings.rich_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel, Points
from ..labelled import last_power


def window(data, log_alpha, begin):
    r"""The moments from `begin` times $\log\alpha/\lambda$ on."""
    return data.slow >= (begin - 1e-9) * log_alpha


def allowed(data, inside):
    r"""$(2\lambda(t_1 - t_0))^{-1/2}$ for a window from $t_0$ to $t_1$: the proof's bound on the least residual."""
    return (2 * (data.slow.isel(t=-1) - data.slow.isel(t=inside.argmax("t")))) ** -0.5


def judge(data, log_alpha, n, begin) -> Evidence:
    """The least residual in the window against the proof's bound, how it falls, and the KKT conditions at the end."""
    inside = window(data, log_alpha, begin)
    best = data.residual.where(inside).min("t")
    # A residual that is down to the solver's tolerance tells no power: nothing below it counts.
    falls = last_power(np.maximum(best, 1e-5).isel(log_alpha=[0, -1]), "log_alpha")
    return Evidence(
        sound=[at_least("moments in the window", inside.sum("t").min(), 4, why="a least value needs some to be of")],
        holds=[
            at_most(
                "least KKT residual in the window, in units of (2 c log(alpha))^(-1/2)",
                (best / allowed(data, inside)).max(),
                1,
                why="the integral of the squared gradient over c log(alpha)/decay is at most the objective at its start, "
                "decay |theta|^2/2 to leading order",
            ),
            at_least(
                "power of log(alpha) at which the least KKT residual falls, up to 2, the median draw",
                falls.clip(max=2).median("trial").min(),
                0.5,
                why="the power of the proof's bound; from 2 on the fall is exponential, down to what the solver sees",
            ),
            at_most(
                "theta less its best combination of gradients at the end, in the same units, the median draw",
                (data.stationarity / allowed(data, inside)).isel(log_alpha=-1).median("trial").max(),
                1,
                why="the largest scale; other multipliers than those of the proof can only be better, but for their slackness",
            ),
            at_most(
                "slackness at the end, in units of log(n) over the least margin",
                (data.slackness * data.margins.isel(t=-1).min("n") / np.log(n)).max(),
                1,
                why="with multipliers like e^-q the mean of what margins exceed the least by is an entropy of n multipliers",
            ),
            at_most(
                "missing of positive margins at the end",
                data.feasibility.max(),
                0,
                why="scaled up, positive margins are at least 1",
            ),
        ],
    )


def draw(data, log_alpha, degree) -> Drawing:
    """The residual in normalized time, one draw; and the least of it against the scale, with the proof's bound."""
    inside = window(data, log_alpha, 1.0)
    best, bound = data.residual.where(inside).min("t"), allowed(data, inside)
    one, curves, points = data.isel(trial=0, power=0, degree=-1), [], []
    for at, size in enumerate(log_alpha.values):
        path = one.sel(log_alpha=size)
        curves.append(Line(f"alpha = e^{size:g}", path.slow.values / size, path.residual.values, role=SERIES[at % 3]))
    for at, k in enumerate(degree.values):
        middle = best.sel(degree=k).isel(power=0).median("trial")
        points.append(Points(f"degree {int(k)}", log_alpha.values, middle.values, role=SERIES[at % 3]))
    shown = bound.isel(power=0).median(("trial", "degree")).values
    y = Axis("KKT residual", scale="log")
    return Drawing(
        [
            Panel(
                [*curves, Event("log(alpha)/decay", 1.0)],
                x=Axis("decay x time / log(alpha)"),
                y=y,
                title=f"One draw of degree {int(degree.values[-1])}, in normalized time",
            ),
            Panel(
                [*points, Line("proof's bound", log_alpha.values, shown, role="theory")],
                x=Axis("log(alpha)", scale="log"),
                y=y,
                title="The least in the window, median draw",
            ),
        ],
        caption="How far the weights of two-layer nets with powers as activation are from a combination of the gradients "
        "of their own margins, relative to their length: 1 while decay alone acts, falling after log(alpha)/decay, and far "
        "below the proof's bound.",
    )


CLAIM = Claim(
    kind="theorem",
    title="After the transition: KKT points of the largest margin",
    says="For a homogeneous net of output zero at the start, trained on the exponential loss with decay = alpha^-p, there is a "
    "time between log(alpha)/decay and (1 + c) log(alpha)/decay at which its direction nears that of a KKT point of "
    "least |theta|^2 under margins of 1: theta is a combination of the gradients of its least margins, up to a "
    "residual that falls at least like log(alpha)^(-1/2).",
    source="lyu2024, theorem 3.5 and theorem C.12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"begin": 1.0},
    least={"log_alpha": 2},
    aliases=("theorem_c_12",),
    control=Control(
        "a window before the transition, from 0.3 to 0.7 log(alpha)/decay",
        changes={"since": 0.3, "lead": 0.0, "until": 0.7, "begin": 0.3},
        breaks=(
            "least KKT residual in the window, in units of (2 c log(alpha))^(-1/2)",
            "power of log(alpha) at which the least KKT residual falls, up to 2, the median draw",
            "theta less its best combination of gradients at the end, in the same units, the median draw",
        ),
    ),
    seconds={"quick": 25, "paper": 400},
)

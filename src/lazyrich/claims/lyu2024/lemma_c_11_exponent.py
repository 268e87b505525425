r"""Erratum: in lemma C.11 $\|\theta\|^2 = O((\log\frac1\lambda)^{2/D})$; its proof prints the exponent $1/D$ for the square."""

import numpy as np

from ...lab.settings.rich_phase import SIMULATION
from ..base import Claim, Control, Evidence, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest
from .lemma_c_11 import grown


def judge(data, log_alpha, degree, power, exponent) -> Evidence:
    """The powers of log(1/decay) at which the bound on the squared norm grows, and the squared norm itself."""
    length = power * log_alpha
    cost = 2 * np.exp(data.log_loss + length).isel(t=0) + np.exp(2 * data.log_norm.isel(t=0))
    bound, last = grown(np.log(cost), "log_alpha"), grown(2 * data.log_norm.isel(t=-1, log_alpha=-1), "power")
    return Evidence(
        holds=[
            near(
                "power of log(1/decay) at which twice the objective over decay grows with alpha, times D",
                farthest((degree * bound).median("trial"), exponent),
                exponent,
                0.1,
                why="at the end of the kernel phase it is |theta_0|^2 (log A)^(2/D), up to the loss, smaller by log A",
            ),
            near(
                "power of log(1/decay) at which the last squared norm grows with p, times D",
                farthest((degree * last).median("trial"), exponent),
                exponent,
                0.4,
                why="|theta|^D goes with the least margin, log(1/decay) + (1 - 2/D) log log(1/decay) + O(1): 2 in 12 or 24 "
                "counts a tenth, and for the square two",
            ),
        ],
    )


def draw(data, log_alpha, degree, power) -> Drawing:
    """The squared norm at the last moment against log(1/decay), with both powers, one panel a degree."""
    panels = []
    for k in degree.values:
        y = np.exp(2 * data.log_norm.isel(t=-1).sel(degree=k).median("trial"))
        x, marks = power * log_alpha, []
        for at, size in enumerate(log_alpha.values):
            one = (part.sel(log_alpha=size).values for part in (x, y))
            marks.append(Points(f"alpha = e^{size:g}", *one, role=SERIES[at % 3]))
        ends, top = [float(x.min()), float(x.max())], float(y.sel(log_alpha=log_alpha.values[-1]).max())
        slopes = [
            Slope(f"corrected: 2/{int(k)}", ends, (ends[1], top), 2 / float(k)),
            Slope(f"printed: 1/{int(k)}", ends, (ends[1], top), 1 / float(k), role="control"),
        ]
        x_axis, y_axis = Axis("log(1/decay)", scale="log"), Axis("|theta|^2", scale="log")
        panels.append(Panel([*marks, *slopes], x=x_axis, y=y_axis, title=f"degree {int(k)}"))
    return Drawing(
        panels,
        caption="The squared norm of the weights at (1 + c) log(alpha)/decay against log(1/decay), the median over draws, "
        "beside the power as printed and as corrected.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The exponent of the squared norm",
    says="The squared norm |theta|^2 after the kernel phase is of order (log(1/decay))^(2/D); the proof of the lemma prints 1/D "
    "for the square, which is the exponent of |theta| itself.",
    source="lyu2024, lemma C.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"exponent": 2},
    sizes={"smoke": {"power": (1.0, 2.0)}},
    least={"log_alpha": 2, "power": 2},
    control=Control(
        "the exponent as printed",
        changes={"exponent": 1},
        breaks=(
            "power of log(1/decay) at which twice the objective over decay grows with alpha, times D",
            "power of log(1/decay) at which the last squared norm grows with p, times D",
        ),
    ),
    seconds={"quick": 25, "paper": 400},
)

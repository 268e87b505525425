r"""Erratum: the proof of theorem 3.10 lets $\|\nabla L_\lambda\|\to 0$, which says nothing; it must be divided by $\lambda$."""

import numpy as np

from ...lab.settings.diagonal_decay import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Role, Rule
from .theorem_3_10 import SIZES


def criterion(data, power, log_alpha, strength, divided):
    r"""$\|\nabla L_\lambda\|$, over $\lambda\|\theta\|$ where it is divided."""
    if divided:
        return data.slope
    return data.slope * strength * np.exp(-power * log_alpha) * data["size"]


def judge(data, power, log_alpha, strength, divided) -> Evidence:
    """What the criterion says late, near a KKT point, and at half of log(alpha)/decay, far from one."""
    told = criterion(data, power, log_alpha, strength, divided).isel(fall=-1)
    early = abs(data.log_size.isel(fall=-1) / data.log_size.isel(fall=-1, t=0) - 0.5)
    half = early == early.min("t")
    far = data.stationarity.isel(fall=-1).where(half)
    return Evidence(
        sound=[
            at_least(
                "distance from combinations of gradients at half the time, the least",
                far.min(),
                0.9,
                why="the kernel phase: the start is orthogonal to the tangent features, so the point is no KKT point",
            )
        ],
        holds=[
            at_most(
                "criterion near the KKT point, the median draw",
                told.min("t").median("trial").max(),
                0.15,
                why="the bound of theorem 3.10 for the same runs",
            ),
            at_least(
                "criterion in the kernel phase, the least",
                told.where(half).min(),
                0.5,
                why="it must refuse what is no KKT point: there the decay alone acts, which makes it 1 where it is divided",
            ),
        ],
    )


def draw(data, power, log_alpha, strength) -> Drawing:
    """Both criteria in time for one draw."""
    marks = []
    for name, divided in (("divided by decay |theta|", True), ("as printed: the gradient alone", False)):
        role: Role = "measured" if divided else "control"
        told = criterion(data, power, log_alpha, strength, divided).isel(trial=0, fall=-1, power=-1, away=-1, depth=0)
        line = data.log_size.isel(trial=0, fall=-1, power=-1, away=-1, depth=0)
        x = 1 - (line / line[0]).values
        marks.append(Line(name, x[1:], told.values[1:], role=role))
    panel = Panel(
        [*marks, Rule("where the decay alone acts", 1.0)],
        x=Axis("decay t / log(alpha)"),
        y=Axis("criterion", scale="log"),
    )
    return Drawing(
        panels=[panel],
        columns=1,
        caption="The gradient of the objective is small as soon as the data are fitted, in the kernel phase too. Over decay "
        "times the length of the parameters it stays at 1 there, and falls only where a KKT point is near.",
    )


CLAIM = Claim(
    kind="erratum",
    title="A small gradient is not yet a KKT point",
    says="The proof of theorem 3.10 concludes from a vanishing gradient of the objective that the limit is a KKT point; the "
    "gradient vanishes with the decay everywhere on the fitted set, kernel phase included. Divided by the decay it must vanish, "
    "with multipliers -2 (f - y)/(n decay): that tells KKT points, and the proof's own bound gives it.",
    source="lyu2024, equation (33) in the proof of theorem 3.10",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"divided": True},
    sizes=SIZES,
    control=Control(
        "the criterion as printed, not divided by the decay",
        changes={"divided": False},
        breaks=("criterion in the kernel phase, the least",),
    ),
    seconds={"quick": 40, "paper": 120},
)

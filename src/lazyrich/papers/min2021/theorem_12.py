r"""Theorem 12: for $\tfrac14 < a\le\tfrac12$ wide nets end within a multiple of $h^{1/2-2a}$ of the least norm."""

import numpy as np

from ...lab.settings.wide_linear_net import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from .widths import asked, log_bound, powers, root_mean_square

APPLIES = "points where the theorem does not apply: exponents outside (1/4, 1/2], or too small a width"


def judge(data, exponent, width, n, d, outputs, delta, rate) -> Evidence:
    """How many nets lie beyond the bound, and the power of the width."""
    inside = (exponent > 0.25) & (exponent <= 0.5)
    safe = exponent.where(inside, 0.5)
    wide = width > asked(data, safe, d=d, outputs=outputs, delta=delta)
    allowed = log_bound(data, width, exponent, n=n, d=d, outputs=outputs, delta=delta, rate=rate)
    over = (np.log(data.operator) > allowed).mean(("trial", "s"))
    slope = powers(root_mean_square(data.distance)).isel(width=-1)
    return Evidence(
        sound=[
            at_most(
                APPLIES,
                float((~(inside & wide)).sum()),
                0,
                why="the theorem speaks of 1/4 < a <= 1/2 and of widths above a number that the data give",
            )
        ],
        holds=[
            at_most(
                "share of nets beyond the bound, the largest",
                over.max(),
                delta,
                why="the theorem's own probability; the bound is ten times the distance and more: none is expected",
            ),
            at_most(
                "power of the width in the distance, less that of the bound, the farthest",
                abs(slope - rate * (0.5 - 2 * exponent)).max(),
                0.02,
                why="the power 1/2 - 2a is exact at large width, and all widths share their draws",
            ),
        ],
    )


def draw(data, exponent, width, n, d, outputs) -> Drawing:
    """Distances and bounds against the width."""
    size = (data.operator**2).mean(("trial", "s")) ** 0.5
    allowed = np.exp(log_bound(data, width, exponent, n=n, d=d, outputs=outputs, delta=0.1, rate=1)).median("trial")
    marks = []
    for at, a in enumerate(exponent.values):
        part = allowed.isel(exponent=at)
        marks.append(Points(f"a = {a:g}", width, size.isel(exponent=at).values, role=SERIES[at % 3]))
        marks.append(Line(f"bound, a = {a:g}", width, part.values, role="theory"))
    return Drawing(
        [Panel(marks, x=Axis("width", scale="log"), y=Axis("distance from least norm, operator norm", scale="log"))],
        columns=1,
        caption="Widths above the number that the theorem asks for. Bound and distance fall by the same power; the constant is "
        "ten times too large at a = 0.4 and a hundred times at a = 0.5.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Wide nets end near the least norm",
    says="For 1/4 < a <= 1/2 and a width h above a number that the data give, with probability 1 - delta the flow ends within "
    "2 C^(1/h^(1-2a)) sqrt(m + r) (sqrt(m + n) + log(2/delta)/2) h^(1/2 - 2a) of the least norm, where log C = 1 + "
    "sqrt(lambda_1) |Y| / lambda_r.",
    source="min2021, theorem 12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"delta": 0.1, "rate": 1.0},
    sizes={
        "smoke": {"condition": 1.0, "width": (1e8, 1e10)},
        **{
            size: {"condition": 1.0, "exponent": (0.4, 0.45, 0.5), "width": (1e8, 1e10, 1e12)}
            for size in ("quick", "paper")
        },
    },
    least={"width": 2},
    control=Control(
        "a bound that falls by twice the power",
        changes={"rate": 2.0},
        breaks=(
            "share of nets beyond the bound, the largest",
            "power of the width in the distance, less that of the bound, the farthest",
        ),
    ),
    seconds={"quick": 15, "paper": 60},
)

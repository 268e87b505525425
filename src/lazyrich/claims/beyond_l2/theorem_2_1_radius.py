r"""Erratum: for $N<n$ theorem 2.1 bounds $\|b^{(t)}-\hat b\|_2$ for good; only its part along measured directions is bounded."""

import numpy as np

from ...lab.settings.sparse_phases import SCALED
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel
from .memorization import contraction, latest, radius, stable
from .phases import refer
from .scaling import enough, settled


def judge(data, told, rate, strength, level, reach, d, part) -> Evidence:
    """Distances from least squares after the theorem's time, over its radius; and the whole distance at the end."""
    good = settled(told, strength=strength, level=level, reach=reach)
    sizes = {"rate": rate, "strength": strength, "d": d}
    rho = contraction(data, rate)
    late = data.step >= latest(data.near.isel(t=0), rho, **sizes)
    over = (data[part] / radius(rho, **sizes)).where(late)
    apart = data.far.isel(t=-1) / (told["least_squares"] * told["l2"])
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "distance from least squares after t1 over its bound, the largest",
                over.max(),
                1,
                why="along measured directions a contraction and a push: no tolerance",
            ),
            at_least(
                "the same at its largest, the median",
                over.max("t").median(),
                0.02,
                why="tightness: the bound takes the push along the flattest measured direction, where at least the ratio of "
                "least to largest curvature of it lies",
            ),
            near(
                "whole distance from least squares at the end over that of the truth, the farthest",
                _farthest(apart.where(good)),
                1,
                0.02,
                why="descent has left least squares for the truth, up to an error below the level: the halves of the printed "
                "theorem exclude each other",
            ),
        ],
    )


def _farthest(a):
    found = a.values[np.isfinite(a.values)]
    return found[np.argmax(abs(found - 1))] if found.size else np.nan


def draw(data, rate, strength, d) -> Drawing:
    """Both distances of one draw in time beside the bound."""
    one = data.isel(trial=0, rate=-1, strength=-1)
    sizes = {"rate": float(rate[-1]), "strength": float(strength[-1]), "d": d}
    bound = float(radius(contraction(one, sizes["rate"]), **sizes))
    shown = one.step.values > 0
    x = one.step.values[shown]
    return Drawing(
        [
            Panel(
                [
                    Line("along measured directions", x, one.near.values[shown]),
                    Line("in all directions: as printed", x, one.far.values[shown], role="control"),
                    Line("bound", [x[0], x[-1]], [bound, bound], role="theory"),
                ],
                x=Axis("steps", scale="log"),
                y=Axis("distance from least squares", scale="log"),
            )
        ],
        columns=1,
        caption="Subgradient descent, one draw: along measured directions it stays within the bound; along the others, which "
        "no measurement holds, it leaves for the truth.",
    )


CLAIM = Claim(
    kind="erratum",
    title="What is not measured is not held",
    says="For N < n without decay rho_2 is 1 and the printed radius infinite; with the contraction along measured directions "
    "it bounds the distance from least squares along those for all later times, and not the whole distance, as printed.",
    source="beyond_l2, theorem 2.1",
    simulation=SCALED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"part": "near"},
    control=Control(
        "the whole distance, as printed",
        changes={"part": "far"},
        breaks=("distance from least squares after t1 over its bound, the largest",),
    ),
    seconds={"quick": 10, "paper": 220},
)

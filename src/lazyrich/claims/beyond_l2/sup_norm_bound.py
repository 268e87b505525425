r"""Erratum: with fewer rows than unknowns $\rho_\infty\ge1$, and the printed time of the fit is no number; in the rows it is."""

import numpy as np

from ...lab.settings.row_contraction import BOUNDED
from ..axes import places
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule


def judge(data, form) -> Evidence:
    """Whether the radius contracts, so that there is a bound; and distances from the bound's time on."""
    after = data.steps >= data.told
    used = (data.inside / data.promised).where(after).max("t")
    return Evidence(
        holds=[
            at_most(
                "radius of a step, the largest",
                data[form].max(),
                1 - 1e-6,
                why="the logarithm of the bound needs a contraction; the least eigenvalue of 70 rows of 100 is 0.03",
            ),
            at_most(
                "distance in the rows from the bound's time on over what it promises, the largest",
                used.max(),
                1,
                why="the theorem with p = 2 in the rows, no tolerance",
            ),
            at_least(
                "radius in the sup norm, the least",
                data.sup.min(),
                1,
                why="what lies outside the rows does not move, so no norm of the whole step is below one",
            ),
        ]
    )


def draw(data, n) -> Drawing:
    """Both radii against the number of measurements, and one descent beside its bound."""
    rows = data.radius.isel(strength=0, start=0, rate=0)
    sup = data.sup.isel(strength=0, start=0, rate=0)
    one = data.isel(trial=0, strength=-1, start=0, rate=0, n=min(1, n.size - 1))
    seen = places(one, "t") > 0
    count = one.steps.where(seen, drop=True).values
    promised, told = float(one.promised), float(one.told)
    return Drawing(
        [
            Panel(
                [
                    Points("in the rows", n.values, rows.mean("trial").values, error=rows.std("trial").values),
                    Points(
                        "sup norm", n.values, sup.mean("trial").values, error=sup.std("trial").values, role="control"
                    ),
                    Rule("no contraction", 1.0),
                ],
                x=Axis("measurements"),
                y=Axis("radius of a step", low=0.0),
                title="Radius",
            ),
            Panel(
                [
                    Line("descent", count, one.inside.where(seen, drop=True).values, role=SERIES[0]),
                    Line("promised", [told, float(np.max(count))], [promised, promised], role="theory"),
                ],
                x=Axis("steps", scale="log"),
                y=Axis("distance from least squares in the rows", scale="log"),
                title="One draw",
            ),
        ],
        caption="Left: the printed bound takes the logarithm of a radius that is above one. Right: in the rows the bound exists "
        "and is kept from its time on.",
    )


CLAIM = Claim(
    kind="erratum",
    title="No bound in the sup norm",
    says="With fewer measurements than unknowns and no decay the sup norm of I - rate X^T X is at least 1, and the memorization "
    "time of the figures, which takes the logarithm of it, does not exist; in the rows with p = 2 it does, and bounds.",
    source="beyond_l2, figure 8 and theorem C.8",
    simulation=BOUNDED,
    judge=judge,
    draw=draw,
    constants={"form": "radius"},
    control=Control("the sup norm, as printed", changes={"form": "sup"}, breaks=("radius of a step, the largest",)),
    seconds={"quick": 15, "paper": 30},
)

r"""Theorem C.6: without l1 penalty descent ends at $\hat b+(I-VV^\top)b_0$, and contracts by $\rho$ a step in the rows."""

import numpy as np

from ...lab.settings.row_contraction import CONTRACTED
from ..base import Claim, Control, Evidence, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import norm


def judge(data, kept) -> Evidence:
    """The end beside the limit, the slope there, the bound, and the pace between two late counts."""
    limit = data.answer + kept * data.outside
    size = norm(data.answer)
    log_radius = np.log(data.radius)
    counts = data.steps
    early, late = (data.isel(t=at) for at in (1, 2))
    pace = np.log(late.inside / early.inside) / (counts.isel(t=2) - counts.isel(t=1)) / log_radius
    used = data.inside / (np.exp(counts * log_radius) * data.inside.isel(t=0))
    return Evidence(
        holds=[
            at_most(
                "distance of the end from the limit, relative, the largest",
                (norm(data.end - limit) / size).max(),
                1e-9,
                why="the slowest direction has shrunk to 1e-14 of a start of the answer's size; rounding over 1 - radius",
            ),
            at_most(
                "gradient at the end over that at the start, the largest",
                (data.slope.isel(t=-1) / data.slope.isel(t=0)).max(),
                1e-9,
                why="the same",
            ),
            at_most(
                "distance in the rows over its bound, less one, the largest",
                used.isel(t=slice(1, 3)).max() - 1,
                1e-3,
                why="no direction shrinks by less than the radius; rounding of 1e-14 over 1e-11",
            ),
            at_most(
                "logarithm of the contraction of a step over that of the radius, less one, the median",
                abs(pace - 1).median(),
                0.01,
                why="late the slowest direction is alone; the next ones are below a tenth of it",
            ),
        ]
    )


def draw(data, n, share) -> Drawing:
    """The pace of all runs beside the radius, and the end of one draw beside the limit and the answer."""
    counts = data.steps
    pace = np.exp(np.log(data.inside.isel(t=2) / data.inside.isel(t=1)) / (counts.isel(t=2) - counts.isel(t=1))).isel(
        decay=0
    )
    ends = [float(data.radius.min()), 1.0]
    one = data.isel(trial=0, decay=0, share=0, n=min(1, n.size - 1))
    limit = (one.answer + one.outside).values
    flat = [float(limit.min()), float(limit.max())]
    return Drawing(
        [
            Panel(
                [
                    *(
                        Points(
                            f"rate {float(s):g} of the bound",
                            data.radius.isel(decay=0).sel(share=s).values.ravel(),
                            pace.sel(share=s).transpose(*data.radius.isel(decay=0).sel(share=s).dims).values.ravel(),
                            role=role,
                        )
                        for role, s in zip(SERIES, share.values, strict=False)
                    ),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("radius in the rows"),
                y=Axis("contraction of a late step"),
                title="Pace",
            ),
            Panel(
                [
                    Points("with the start's part outside the rows", limit, one.end.values),
                    Points("without", one.answer.values, one.end.values, role="control"),
                    Line("equal", flat, flat, role="theory"),
                ],
                x=Axis("entry of the limit"),
                y=Axis("entry of the end"),
                title="Limit of one draw",
            ),
        ],
        caption="Descent without l1 penalty and without decay: in the rows it shrinks to the least-squares answer by the radius "
        "a step; outside it stays where it began.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Without an l1 penalty: least squares, plus what no row sees",
    says="Without l1 penalty descent at a stable rate ends at the least-squares answer plus the part of its start outside the "
    "rows, or at the ridge answer with decay; the distance in the rows shrinks by the radius rho < 1 a step.",
    source="beyond_l2, theorem C.6",
    simulation=CONTRACTED,
    judge=judge,
    draw=draw,
    constants={"kept": 1.0},
    control=Control(
        "the least-squares answer alone",
        changes={"kept": 0.0},
        breaks=("distance of the end from the limit, relative, the largest",),
    ),
    seconds={"quick": 10, "paper": 60},
)

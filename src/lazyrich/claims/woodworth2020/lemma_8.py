r"""Lemma 8: along the flow of a net of depth $D \ge 3$, $\|X^\top s(t)\|_\infty\le\alpha^{2-D}/(2D(D-2))$, $s = \int r\,dt$."""

from ...lab.settings.diagonal_dual import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule


def judge(data, share) -> Evidence:
    """The largest entry of the integrated forces over its bound, along all runs; and that it comes near at small scales."""
    size = abs(data.price).max("d") / share
    smallest = size.isel(scale=0).max("t")
    return Evidence(
        holds=[
            at_most(
                "largest |X^T s| over its bound",
                size.max(),
                1,
                why="weights of the form alpha (1 -/+ p)^(-1/(D-2)) stay positive and finite only while |p| < 1; no "
                "tolerance",
            ),
            at_least(
                "largest |X^T s| over its bound at the smallest scale, the least of the runs",
                smallest.min(),
                0.75,
                why="1 - p = (alpha^D/|beta|)^((D-2)/D) up to the other half's share: 0.1 at depth 3 for alpha^D = "
                "0.001 and an "
                "answer of 1, twice that for one of 0.1",
            ),
        ],
    )


def draw(data, depth, scale) -> Drawing:
    """The largest entry over its bound against time, for every depth and scale."""
    data = data.isel(weight=0)
    size = abs(data.price).max("d").median("trial")
    panels = []
    for k in depth.values:
        lines = [
            Line(
                f"alpha^D = {float(c):g}",
                data.time.sel(depth=k, scale=c).isel(trial=0, t=slice(1, None)).values,
                size.sel(depth=k, scale=c).isel(t=slice(1, None)).values,
                role=role,
            )
            for c, role in zip(scale.values, SERIES, strict=False)
        ]
        panels.append(
            Panel(
                [*lines, Rule("the lemma", 1.0)],
                x=Axis("time over the escape time", scale="log"),
                y=Axis("|X^T s|, over alpha^(2-D)/(2D(D-2))", low=0),
                title=f"Depth {int(k)}",
            )
        )
    return Drawing(
        panels=panels,
        caption="The largest entry of the integrated forces, in units of its bound, the median over draws: it never "
        "gets there, and "
        "comes the nearer the smaller the scale.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Integrated forces stay bounded",
    says="Along the flow of the summed squares from u = v = alpha, for D >= 3 and every t, |X^T int_0^t (X beta - "
    "y)|_inf <= "
    "alpha^(2-D)/(2D(D-2)); the paper's constant, 1/(D(D-2)), belongs to half the loss. The bound is attained as "
    "alpha vanishes.",
    source="woodworth2020, lemma 8",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"share": 1.0},
    sizes={"quick": {"depth": (3, 4)}, "paper": {"depth": (3, 4, 5)}},
    control=Control("half the bound", changes={"share": 0.5}, breaks=("largest |X^T s| over its bound",)),
    seconds={"quick": 15, "paper": 60},
)

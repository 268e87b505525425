r"""Figure 6: the least l1 norm finds a sparse vector from few measurements, the more the less sparse it is."""

import numpy as np

from ...lab.settings.few_rows import BASELINE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel
from .baseline import dimension, needed
from .baseline import refer as least_l1
from .limits import SAME


def refer(problem, n, coherence):
    """The interpolant of least l1 norm."""
    return least_l1(problem, n, coherence)


def judge(data, told, d, sparsity, shown) -> Evidence:
    """Where half of the draws are found, beside the statistical dimension; how sharp that is; and least squares beside it."""
    error = told["error"] if shown == "l1" else data.least_squares
    half = needed(error).isel(coherence=0)
    theory = dimension(d, sparsity)
    few, many = (error.where(mask) for mask in (error.n < theory - 0.15 * d, error.n > theory + 0.15 * d))
    return Evidence(
        sound=[
            at_least(
                "certified references",
                told["certified"].mean(),
                1,
                why="least norms are compared, so they must be known",
            )
        ],
        holds=[
            at_most(
                "measurements that half of the draws need less the statistical dimension, over the unknowns, the farthest",
                abs(half - theory).max() / d,
                0.08,
                why="the transition is as wide as a root of the unknowns, a tenth here; most of its width for eight draws, "
                "for steps of six and for the farthest of the sparsities",
            ),
            at_least(
                "measurements needed by one sparsity less those by the one before, the least",
                half.clip(max=d).sortby("sparsity").diff("sparsity").min(),
                1,
                why="the paper: more entries need more measurements",
            ),
            at_least(
                "share of draws found, three widths above the transition",
                _found(many),
                0.9,
                why="the transition is sharp",
            ),
            at_most(
                "share of draws found, three widths below the transition",
                _found(few),
                0.1,
                why="the transition is sharp",
            ),
        ],
    )


def _found(error):
    """The share of what is there that is the truth."""
    return (error < SAME).sum() / error.notnull().sum()


def draw(data, told, d, sparsity) -> Drawing:
    """The median error against the number of measurements, a line for each sparsity, and the theory's places."""
    error = told["error"].isel(coherence=0).median("trial")
    chosen = sparsity.values[:: max(1, sparsity.size // 3)][:3]
    marks = []
    for role, s in zip(SERIES, chosen, strict=False):
        marks.append(
            Line(f"{int(s)} entries", data.n.values, np.maximum(error.sel(sparsity=s).values, 1e-17), role=role)
        )
        marks.append(Event(f"theory, {int(s)} entries", float(dimension(d, s)[0]), role=role))
    square = data.least_squares.isel(coherence=0, sparsity=0).median("trial").values
    marks.append(Line("least squares", data.n.values, square, role="theory"))
    return Drawing(
        [
            Panel(
                marks,
                x=Axis("measurements"),
                y=Axis("relative error of recovery", scale="log", low=1e-17, high=10.0),
            )
        ],
        columns=1,
        caption=f"Medians over draws, {d} unknowns. The least l1 norm finds the truth to rounding from a number of "
        "measurements on that theory tells; least squares finds it only from as many as there are unknowns.",
    )


CLAIM = Claim(
    kind="figure",
    title="How many measurements a sparse vector needs",
    says="The interpolant of least l1 norm is the truth from a number of random measurements on that grows with the number of "
    "its entries: the statistical dimension of the l1 norm's descent cone.",
    source="beyond_l2, figure 6",
    simulation=BASELINE,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"shown": "l1"},
    sizes={size: {"coherence": (0.0,)} for size in ("smoke", "quick", "paper")},
    least={"n": 3, "sparsity": 2},
    control=Control(
        "the interpolant of least l2 norm",
        changes={"shown": "l2"},
        breaks=(
            "measurements that half of the draws need less the statistical dimension, over the unknowns, the farthest",
            "share of draws found, three widths above the transition",
        ),
    ),
    seconds={"quick": 10, "paper": 120},
)

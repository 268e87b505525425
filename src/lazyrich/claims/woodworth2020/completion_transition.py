r"""The transition of matrix completion: below $\alpha^2k\sim1$ that product decides alone, above it the width too."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.matrix_completion import SIMULATION as GRID
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Event, Line, Panel
from ..labelled import spread

SIMULATION = Simulation(
    GRID.run,
    pose=GRID.pose,
    params=[
        Param(
            "scale", (1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3), smoke=(1e-2, 1e3), low=1e-8, high=1e5, unit="alpha^2 k"
        ),
        Param("width", (100.0, 1e3, 1e4), (100.0, 1e3, 1e4, 1e5), smoke=(100.0, 1e4), low=1, high=1e14, unit="columns"),
        Param("alpha", "=sqrt(scale/width)", low=1e-9, high=100.0, unit="deviation of every weight at the start"),
        *(param for param in GRID.params if param.name not in ("alpha", "width")),
    ],
    returns=GRID.returns,
)


def judge(data) -> Evidence:
    """One curve of alpha^2 k below its edge; above it the excess is the start's own norm, which falls like k^(-1/2)."""
    excess = ((data.nuclear - data.true_nuclear) / data.true_nuclear).mean("trial", skipna=False)
    rich, kernel = data.scale <= 0.1, data.scale >= 1e3
    x = np.log(data.width) - np.log(data.width).mean()
    slope = (np.log(excess.where(kernel, drop=True)) * x).sum("width") / (x**2).sum()
    change = data.change.mean("trial", skipna=False)
    return Evidence(
        sound=[
            at_most("loss at the end over the loss of zero", data.loss.max(), 1e-9, why="ten times the stopping level"),
            at_least("scales below and above", min(int(rich.sum()), int(kernel.sum())), 1, why="both sides are judged"),
        ],
        holds=[
            at_most(
                "spread of the excess nuclear norm over widths at alpha^2 k <= 0.1, over |Y*|",
                spread(excess.where(rich, drop=True), "width").max(),
                0.05,
                why="Gram matrices deviate by sqrt(2d/k) <= 0.45 without a sign of their own: a fifth of the excess, 0.2 at most",
            ),
            at_most(
                "spread of the change of unseen entries over widths at alpha^2 k <= 0.1, relative",
                (spread(change, "width") / change.mean("width")).where(rich, drop=True).max(),
                0.1,
                why="the same deviation; the change moves by a fifth over a decade of the scale, a tenth over half of one",
            ),
            near(
                "exponent of the excess against the width at alpha^2 k = 1e3",
                slope.mean(),
                -0.5,
                0.06,
                why="the start's norm is proportional to sigma = alpha^2 k / sqrt(k); |Y*| and moved entries are "
                "a hundredth of it",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Both quantities against alpha^2 k, one line a width."""
    panels = []
    for name, values in (
        ("excess nuclear norm", data.nuclear - data.true_nuclear),
        ("change of unseen entries", data.change),
    ):
        mean = values.mean("trial")
        lines = [Line(f"k = {float(k):g}", data.scale.values, mean.sel(width=k).values) for k in data.width.values]
        panels.append(
            Panel(
                [*lines, Event("alpha^2 k = 1", 1.0)],
                x=Axis("alpha^2 k", scale="log"),
                y=Axis(name, scale="log"),
                title=name[0].upper() + name[1:],
            )
        )
    return Drawing(
        panels,
        caption="Below alpha^2 k = 1 the curves of all widths are one. Above it they part, since the start's own output "
        "alpha^2 sqrt(k) stays in the entries that were not seen.",
    )


CLAIM = Claim(
    kind="statement",
    title="Below the transition only alpha^2 k matters",
    says="In matrix completion the excess nuclear norm and the change of unseen entries depend on scale and width only through "
    "alpha^2 k while that is at most 0.1; far above 1 they still depend on the width, through sigma = alpha^2 sqrt(k).",
    source="woodworth2020, section 6 and appendix A",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"width": 2},
    control=Control(
        "the same sigma = alpha^2 sqrt(k) at every width, in place of the same alpha^2 k",
        changes={"alpha": "=sqrt(scale/sqrt(100*width))"},
        breaks=(
            "spread of the excess nuclear norm over widths at alpha^2 k <= 0.1, over |Y*|",
            "spread of the change of unseen entries over widths at alpha^2 k <= 0.1, relative",
        ),
    ),
    seconds={"quick": 12, "paper": 20},
)

r"""Erratum: what makes $\beta_1$ too large is the data, $\|X^\top y\|_\infty$, not the curvature, $\sigma_\max/\sqrt n$."""

import numpy as np

from ...lab.settings.penalty_limits import SCALED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Event, Panel, Points


def judge(data, scale, times, form) -> Evidence:
    """Whether the threshold tells which runs fit their data; and recovery far above the printed one."""
    fitted = data.train < 0.1
    says = data[form] > 1  # the threshold is above the strength
    large = data.sel(scale=scale.max(), times=times.max())
    lost = data.where(data.aware < 1)
    return Evidence(
        sound=[
            at_most(
                "share of runs within a factor of two of the true threshold",
                (abs(np.log(data.aware)) < np.log(2)).mean(),
                0.1,
                why="there a fit is neither good nor bad",
            )
        ],
        holds=[
            at_least(
                "share of runs whose fate the threshold tells",
                (fitted == says).mean(),
                0.9,
                why="above it the least objective is at zero, a hundredth of it leaves an error of some hundredths; a "
                "tenth for runs near it",
            ),
            at_most(
                "recovery error of the largest signal at the largest strength, the median draw",
                large.recovery.median(),
                0.1,
                why="twenty times the printed threshold is a hundredth of the true one: a bias of some hundredths",
            ),
            at_most(
                "largest entry where the true threshold is passed, over rate x strength",
                lost.band.max(),
                2,
                why="a step moves an entry by rate times (strength + slope), each at most the strength: the band around zero",
            ),
        ],
    )


def draw(data, scale) -> Drawing:
    """Errors of fit of all runs against the strength over each threshold."""
    panels = []
    for name, title in (("printed", "The printed threshold"), ("aware", "The one that knows the data")):
        marks = [
            Points(
                f"signal x {float(s):g}",
                (1 / data[name].broadcast_like(data.train)).sel(scale=s).values.ravel(),
                data.train.sel(scale=s).values.ravel(),
                role=role,
            )
            for role, s in zip(("measured", "second", "control"), scale.values, strict=False)
        ]
        panels.append(
            Panel(
                [*marks, Event("threshold", 1.0)],
                x=Axis("strength over the threshold", scale="log"),
                y=Axis("relative error of fit", scale="log"),
                title=title,
            )
        )
    return Drawing(
        panels,
        caption="Subgradient descent, every draw. Left: whether the data are fitted has nothing to do with the printed "
        "threshold, which does not know the size of the signal. Right: it has with the largest entry of X^T y.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Too large a penalty: beside the data, not the curvature",
    says="Descent with an l1 penalty fits nothing once the strength exceeds the largest entry of X^T y, and stays in a band "
    "around zero; the printed threshold, the curvature over n^(1/2), does not know the size of the signal and tells nothing.",
    source="beyond_l2, theorem C.4",
    simulation=SCALED,
    judge=judge,
    draw=draw,
    constants={"form": "aware"},
    aliases=("lemma_c_5", "theorem_d_5", "lemma_d_6"),
    least={"scale": 2, "times": 2},
    control=Control(
        "the printed threshold", changes={"form": "printed"}, breaks=("share of runs whose fate the threshold tells",)
    ),
    seconds={"quick": 15, "paper": 120},
)

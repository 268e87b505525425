r"""Erratum: the rate of corollaries 5 and 6 is $\lambda_r(\Sigma)c$, not twice that."""

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel
from .decay import over_bound


def judge(data, factor) -> Evidence:
    """The least rate and the loss beside the factor times the guarantee, from starts close to the target."""
    told = factor * data.guaranteed.isel(t=0)
    return Evidence(
        holds=[
            at_least(
                "least rate over the guaranteed one",
                (data.rate / told).min(),
                1,
                why="theorem 3: the rate is at least lambda_r c(0) at all times",
            ),
            at_most(
                "log of the loss at the end over its bound, the largest",
                over_bound(data, told).isel(t=-1).max(),
                0,
                why="the same for the loss",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The rate over the guarantee of the start, all draws."""
    one = data.isel(tilt=0, away=0, near=0, ratio=0, imbalance=0)
    told = one.guaranteed.isel(t=0)
    marks = [
        Line(f"draw {at + 1}", (one.time * told).isel(trial=at).values, (one.rate / told).isel(trial=at).values)
        for at in range(one.sizes["trial"])
    ]
    ends = [0.0, float((one.time * told).max())]
    rules = [Line("corrected", ends, [1, 1], role="theory"), Line("printed", ends, [2, 2], role="control")]
    return Drawing(
        [Panel([*marks, *rules], x=Axis("guaranteed rate x time"), y=Axis("rate over lambda_r c(0)", scale="log"))],
        columns=1,
        caption="Balanced starts very near the target, white inputs: the rate sinks to that of the slowest mode, "
        "which is lambda_r c.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The rate of corollary 5 has no factor 2",
    says="Where there is a margin the loss falls at a rate of at least lambda_r(X^T X) c(0), as theorem 3 says; the "
    "rate of twice that, printed after corollaries 5 and 6, is not kept by balanced starts near the target.",
    source="min2021, corollaries 5 and 6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    sizes={
        size: {"near": (1,), "ratio": (1.0,), "away": (0.05,), "tilt": (0.0,), "imbalance": (0.0,)}
        for size in ("smoke", "quick", "paper")
    },
    control=Control(
        "the printed form: twice the rate",
        changes={"factor": 2.0},
        breaks=("least rate over the guaranteed one", "log of the loss at the end over its bound, the largest"),
    ),
    seconds={"quick": 10, "paper": 30},
)

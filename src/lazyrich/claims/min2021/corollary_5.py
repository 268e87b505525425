"""Corollary 5: a start nearer to the target than its least singular value converges, whatever the imbalance."""

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .decay import fall, over_bound, rates


def judge(data, limit) -> Evidence:
    """That the margin guarantees a rate where the imbalance does not, and the loss and the rate beside it."""
    told = data.guaranteed.isel(t=0)
    return Evidence(
        sound=[
            at_most(
                "rate by the level of imbalance over the last rate, the largest",
                (2 * data.least * data.level / data.rate.isel(t=-1)).max(),
                1e-12,
                why="the imbalance has too few eigenvalues to guarantee anything by itself; rounding is left",
            )
        ],
        holds=[
            at_least(
                "guaranteed rate over the last rate, the least",
                (told / data.rate.isel(t=-1)).min(),
                limit,
                why="positive wherever there is a margin; the condition of the inputs enters by its fourth power",
            ),
            at_most(
                "log of the loss over its bound, the largest",
                over_bound(data, told).max(),
                0,
                why="the corollary; the margin grows as the loss falls, so the bound is not met exactly",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Loss and rate of one draw, balanced and not, white inputs."""
    one = data.isel(trial=0, tilt=0, away=0, near=0, ratio=0)
    runs = [
        (f"imbalance {d:g}", one.sel(imbalance=d), one.guaranteed.sel(imbalance=d)) for d in data.imbalance.values[:3]
    ]
    first = [(name, run, told.isel(t=0)) for name, run, told in runs]
    return Drawing(
        [fall(first, "Loss and bound of the start"), rates(runs, "Rate and bound of the moment")],
        caption="Starts that miss the target by half of its least singular value. Left: the loss and what the margin "
        "of the start guarantees. Right: the rate and the guarantee as the margin grows.",
    )


CLAIM = Claim(
    kind="corollary",
    title="A margin is enough",
    says="If the error of the start is smaller than the least singular value of the target, c(0) > 0 and the loss "
    "falls exponentially at a rate of at least lambda_r(X^T X) c(0), for any imbalance.",
    source="min2021, corollary 5",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"limit": 1e-8},
    sizes={size: {"near": (1,), "ratio": (1.0,)} for size in ("smoke", "quick", "paper")},
    control=Control(
        "an error larger than the least singular value",
        changes={"away": (1.5,)},
        breaks=("guaranteed rate over the last rate, the least",),
    ),
    seconds={"quick": 12, "paper": 60},
)

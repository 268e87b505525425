"""The loss never rises along the flow, so that the margin never shrinks (printed as "non-decreasing")."""

from ...lab.settings.linear_net_flow import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel


def judge(data) -> Evidence:
    """The largest rise between two times of the loss, and how often the guaranteed rate falls."""
    rise = data.excess.diff("t") / data.excess.isel(t=slice(0, -1), drop=True).values
    sinks = data.guaranteed.diff("t") < -1e-12 * data.guaranteed.isel(t=-1, drop=True)
    return Evidence(
        holds=[
            at_most(
                "rise of the loss between two times, over the loss, the largest",
                rise.max(),
                0,
                why="its slope is minus the squared gradient; it falls by far more than the tolerance of 1e-10 "
                "between two times",
            ),
            at_most(
                "share of times at which the guaranteed rate is lower than before",
                sinks.mean(),
                0,
                why="a function of the conserved imbalance that rises with the margin; rounding is let pass",
            ),
            at_least(
                "margin at the end over that at the start, the least",
                (data.margin.isel(t=-1) / data.margin.isel(t=0)).min(),
                1.5,
                why="it starts at half of the target's least singular value, so a fit doubles it",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The loss and the guaranteed rate of all draws."""
    one = data.isel(tilt=-1, imbalance=-1, ratio=0, near=0, away=0)
    loss, bound = one.excess / one.excess.isel(t=0), one.guaranteed / one.guaranteed.isel(t=-1)
    trials = range(min(4, one.sizes["trial"]))

    def lines(part):
        return [Line(f"draw {at + 1}", one.time.isel(trial=at).values, part.isel(trial=at).values) for at in trials]

    return Drawing(
        [
            Panel(lines(loss), x=Axis("time"), y=Axis("loss over the first", scale="log"), title="The loss falls"),
            Panel(lines(bound), x=Axis("time"), y=Axis("guaranteed rate over the last"), title="The guarantee rises"),
        ],
        caption="Starts near the target. As the loss falls the map comes nearer to the target, and the bound on "
        "the rate that follows from its distance rises.",
    )


CLAIM = Claim(
    kind="statement",
    title="The loss never rises, the guarantee never falls",
    says="Along the flow the excess loss is non-increasing (the text prints non-decreasing), hence the "
    "margin and with it the guaranteed rate never fall: a bound on the rate at one time holds at all later times.",
    source="min2021, sections 3.1 and 3.3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    sizes={size: {"near": (1,), "ratio": (1.0,)} for size in ("smoke", "quick", "paper")},
    control=Control(
        "a decay of the weights, from a start at the target",
        changes={"decay": 0.1, "away": (0.02,)},
        breaks=(
            "rise of the loss between two times, over the loss, the largest",
            "share of times at which the guaranteed rate is lower than before",
            "margin at the end over that at the start, the least",
        ),
    ),
    seconds={"quick": 10, "paper": 40},
)

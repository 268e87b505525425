"""The balanced start of a given map: no imbalance, the same map, and a loss that does not depend on the hidden frame."""

from ...lab.settings.linear_net_whole import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from ..labelled import spread


def judge(data) -> Evidence:
    """Imbalance and map at the start, the imbalance later, and the two losses side by side."""
    first = data.isel(t=0)
    apart = spread(data.loss, "q") / data.loss.max("q")
    return Evidence(
        sound=[
            at_least(
                "fall of the loss between the first two times, relative, the least",
                (1 - data.loss.isel(t=1) / data.loss.isel(t=0)).min(),
                1e-3,
                why="two losses that do not move agree without reason",
            )
        ],
        holds=[
            at_most(
                "imbalance at the start over the squares of the second layer, the largest",
                first.imbalance_size.max(),
                1e-10,
                why="balanced by construction; rounding of fourth roots of eigenvalues within a factor of 1e4",
            ),
            at_most(
                "map at the start less the given one, relative, the largest",
                first.miss.max(),
                1e-10,
                why="the same",
            ),
            at_most(
                "imbalance at any time over the squares of the second layer, the largest",
                data.imbalance_size.max(),
                1e-8,
                why="conserved, up to errors of the solver at a relative tolerance of 1e-10",
            ),
            at_most(
                "losses of two hidden frames apart, relative, the largest",
                apart.max(),
                1e-8,
                why="turning the hidden layer commutes with the flow; errors of the solver",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Both losses of one draw."""
    one = data.isel(trial=0)
    excess = one.excess / one.excess.isel(t=0)
    return Drawing(
        [
            Panel(
                [
                    Line("by singular values, one frame", one.time.values, excess.isel(q=0).values),
                    Points("as printed, another frame", one.time.values, excess.isel(q=1).values, role="second"),
                ],
                x=Axis("time"),
                y=Axis("excess loss over the first", scale="log"),
            )
        ],
        columns=1,
        caption="Two balanced starts of the same map, written in two ways and with two random frames of the hidden "
        "layer: one loss.",
    )


CLAIM = Claim(
    kind="statement",
    title="A balanced start of any map, in any hidden frame",
    says="With M = Theta^T Phi_1 Phi_1^T Theta and any Q with orthonormal columns, U = Theta M^(-1/4) Q^T and V = "
    "M^(1/4) Q^T have the product Theta and no imbalance, and the loss along the flow does not depend on Q.",
    source="min2021, section 5.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "an imbalance of 1 in one of the two starts",
        changes={"imbalance": 1.0},
        breaks=(
            "imbalance at the start over the squares of the second layer, the largest",
            "losses of two hidden frames apart, relative, the largest",
        ),
    ),
    seconds={"quick": 10, "paper": 60},
)

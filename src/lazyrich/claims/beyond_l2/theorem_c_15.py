r"""Theorem C.15: proximal descent with $\alpha\le1/(\sigma_\max+\lambda)$ has $f(T)-f(b)\le R^2/2\alpha T$."""

from ...lab.settings.l1_guarantees import SIMULATION
from ..axes import places
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Drawing
from .guarantees import draw_gap, pick, readings


def bound(data, power):
    """The bound after each step, or with another power of their number."""
    count = 1.0 + places(data, "t").isel(t=slice(None, -1))
    return data.distance / (2 * data.rate * count**power)


def judge(data, power) -> Evidence:
    """The objective above that of the truth, over the bound, and its largest rise."""
    gap = data.proximal_gap.isel(t=slice(1, None))
    rise = data.proximal_gap.diff("t").max() / abs(data.proximal_gap.isel(t=0)).min()
    return Evidence(
        holds=[
            *readings(gap, bound(data, power), 1.0, tight=0.05, why="two fifths where the objective falls like 1/T"),
            at_most(
                "largest rise of the objective over its first gap",
                rise,
                1e-10,
                why="a proximal step never rises; rounding of the objective over a gap of a thousandth of it",
            ),
        ]
    )


def draw(data) -> Drawing:
    """Gap and bound of one draw."""
    return draw_gap(
        pick(data.proximal_gap.isel(t=slice(1, None))),
        pick(bound(data, 1)),
        name="objective above the truth's",
        caption="Proximal descent from the least-squares answer, one draw. The curve ends where it falls below the objective of "
        "the truth, which is not the least.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Proximal descent keeps its promise",
    says="Proximal descent at a rate of at most one over the largest curvature is above the objective of the truth by R^2 / "
    "(2 rate T) at most after T steps, and its objective never rises.",
    source="beyond_l2, theorem C.15",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1},
    control=Control("T^2, as of accelerated methods", changes={"power": 2}, breaks=("largest gap over its bound",)),
    seconds={"quick": 15, "paper": 60},
)

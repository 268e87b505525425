r"""Erratum: theorem C.12 counts the entries that are not zero in the end; as many as were multiples of $\alpha$ *are* zero."""

from ...lab.settings.sign_steps import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def judge(data, d, counted) -> Evidence:
    """The number of entries at the end that are, or are not, zero, beside the number of multiples of the step."""
    zeros = (data.w.isel(t=-1) == 0).sum("d")
    found = zeros if counted == "zeros" else d - zeros
    multiples = data.multiple.sum("d")
    return Evidence(
        sound=[
            at_least(
                "largest difference between multiples and other entries",
                abs(2 * multiples - d).max(),
                1,
                why="with as many of the one as of the other both counts agree",
            )
        ],
        holds=[
            at_most(
                "count at the end less the number of multiples, the farthest",
                abs(found - multiples).max(),
                0,
                why="counted; the numbers are exact in binary",
            )
        ],
    )


def draw(data, d) -> Drawing:
    """Both counts at the end against the number of multiples."""
    multiples = data.multiple.sum("d").values.ravel()
    zeros = (data.w.isel(t=-1) == 0).sum("d").transpose(*data.multiple.sum("d").dims).values.ravel()
    return Drawing(
        [
            Panel(
                [
                    Points("zeros", multiples, zeros),
                    Points("not zero: as printed", multiples, d - zeros, role="control"),
                    Line("equal", [0, d], [0, d], role="theory"),
                ],
                x=Axis("multiples of the step at the start"),
                y=Axis("entries at the end"),
            )
        ],
        columns=1,
        caption="Every draw of descent on the l1 norm alone: multiples of the step end at zero, all others never do.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Multiples of the step become zero, not the others",
    says="Under b <- b - alpha sign(b) the number of zeros in the end is the number of entries that are multiples of alpha; "
    "printed is that it is the number of entries that are not zero.",
    source="beyond_l2, theorem C.12",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"counted": "zeros"},
    control=Control(
        "entries that are not zero, as printed",
        changes={"counted": "others"},
        breaks=("count at the end less the number of multiples, the farthest",),
    ),
    seconds={"quick": 8, "paper": 10},
)

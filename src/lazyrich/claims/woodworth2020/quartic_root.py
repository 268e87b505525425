r"""The quartic of which $r(z)$ is "the unique real root" has two: $r$ is the smaller."""

from ...lab.settings.entropy_curves import DISTANCES
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def judge(data, count, taken) -> Evidence:
    """How many real roots, and which of them is the least distance found by search."""
    return Evidence(
        sound=[
            at_most(
                "r by search from q_4, relative",
                abs(data.r / data.q4 - 1).max(),
                1e-12,
                why="the search ends at rounding, and r = q_4 is exact",
            )
        ],
        holds=[
            at_most(
                "values of z with another number of real roots",
                (data.roots != count).sum(),
                0,
                why="an exact count at every z > 0; the others come as a pair with an imaginary part of order |z|^(2/3)",
            ),
            at_most(
                "the root from the least distance, relative",
                abs(data[taken] / data.r - 1).max(),
                1e-9,
                why="a simple root is found to rounding times the size of the coefficients",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Both real roots against z, with the least distance found by search on the smaller."""
    z, every = data.z.values, slice(None, None, max(1, data.z.size // 20))
    return Drawing(
        panels=[
            Panel(
                [
                    Line("smaller real root", z, data.least.values, role="theory"),
                    Line("larger real root", z, data.most.values, role="control"),
                    Points("least distance, by search", z[every], data.r.values[every]),
                ],
                x=Axis("z"),
                y=Axis("u", low=0),
            )
        ],
        columns=1,
        caption="The quartic printed for r(z) has two real roots. The least squared distance from the start is the "
        "smaller; the larger belongs to another critical point, at which one weight has changed its sign.",
    )


CLAIM = Claim(
    kind="erratum",
    title="Two real roots, of which r is the smaller",
    says="The quartic u^4 - 6u^3 + (12 - 2z^2)u^2 - (8 + 10z^2)u + z^2 + z^4 has two real roots for z != 0, and r(z) is "
    "the smaller; the paper calls r its unique real root.",
    source="woodworth2020, section 4 after equation 9",
    simulation=DISTANCES,
    judge=judge,
    draw=draw,
    constants={"count": 2, "taken": "least"},
    control=Control(
        "a unique real root, as printed, or else the larger",
        changes={"count": 1, "taken": "most"},
        breaks=("values of z with another number of real roots", "the root from the least distance, relative"),
    ),
    seconds={"quick": 1, "paper": 1},
)

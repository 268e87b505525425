r"""The lifted matrix $WW^\top$ determines its own flow; the product $UV^\top$ does not."""

from ...lab.settings.lifted import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from ..labelled import norm, spread


def judge(data) -> Evidence:
    """Three ways to follow one flow, the worst over times, scales and draws."""
    size = norm(data.wide, "m").max("t")
    apart = {name: (norm(data[name] - data.wide, "m") / size).max() for name in ("narrow", "alone")}
    return Evidence(
        sound=[
            at_least(
                "least move of the lifted matrix, relative",
                (norm(data.wide - data.wide.isel(t=0), "m") / size).max("t").min(),
                0.1,
                why="a flow that stands still agrees with every other",
            )
        ],
        holds=[
            at_most(
                "distance of the flow of the lifted matrix alone",
                apart["alone"],
                1e-6,
                why="both are followed to 1e-9 a step over about a hundred steps; ten times that for the growth of errors",
            ),
            at_most(
                "distance of the flow with as many columns as rows span",
                apart["narrow"],
                1e-6,
                why="an exact reduction; the same tolerance",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The largest entries of one draw along the three flows."""
    one = data.isel(trial=0, alpha=0)
    moving = spread(one.wide, "t").argsort().values[::-1][:6:2]
    marks = []
    for rank, at in enumerate(moving):
        time = one.time.values
        marks += [
            Line(f"all columns, entry {rank + 1}", time, one.wide.isel(m=at).values),
            Points(f"lifted matrix alone, entry {rank + 1}", time, one.alone.isel(m=at).values, role="theory"),
        ]
    return Drawing(
        [Panel(marks, x=Axis("time"), y=Axis("entry of the lifted matrix"))],
        columns=1,
        caption="Entries of [U; V][U; V]^T along gradient flow on the factors (lines), and along the closed "
        "equation of the lifted "
        "matrix alone (points).",
    )


CLAIM = Claim(
    kind="statement",
    title="The lifted matrix determines its own flow",
    says="Under gradient flow on U and V the lifted matrix [U; V][U; V]^T obeys a closed equation, so the path "
    "of U V^T depends on "
    "the start through it alone: k columns can be replaced by min(k, 2d). The product U V^T by itself does not "
    "determine its path.",
    source="woodworth2020, section 6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "another start with the same product U V^T: U doubled and V halved",
        changes={"tilt": 2.0},
        breaks=(
            "distance of the flow of the lifted matrix alone",
            "distance of the flow with as many columns as rows span",
        ),
    ),
    seconds={"quick": 10, "paper": 30},
)

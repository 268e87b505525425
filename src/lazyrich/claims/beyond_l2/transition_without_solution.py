"""The late fall of the error appears also where the measurements cannot tell the truth, by whatever method."""

from ...lab import Param
from ...lab.settings.l2_alone import ALONE
from ..base import Claim, Control, Evidence, at_least
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from .without_understanding import fall, stable

SIMULATION = ALONE.with_params(
    Param("n", (3, 8), (3, 5, 8, 12), smoke=(3, 6), low=1, high=1_000, unit="measurements", static=True),
    Param("trials", 20, 50, smoke=1, low=1, high=10_000, unit="draws", static=True),
)


def refer(problem):
    """The interpolant of least l1 norm."""
    from ...predictors import MinL1

    return {"l1": MinL1().solve(problem.train)}


def judge(data, told) -> Evidence:
    """The fall that decay makes, and that the least l1 norm is not the truth."""
    missed = (((told["l1"].effective - data.truth) ** 2).sum("d") / (data.truth**2).sum("d")) ** 0.5
    return Evidence(
        sound=[stable(data)],
        holds=[
            *fall(data),
            at_least(
                "share of draws that the least l1 norm misses by a tenth",
                (missed > 0.1).mean(),
                0.9,
                why="from fewer measurements than entries no method tells the truth, from fewer than the statistical "
                "dimension, a fifth of the unknowns here, this one does not",
            ),
        ],
    )


def draw(data, told, n) -> Drawing:
    """The error of one draw for each number of measurements, and where the l1 norm would end."""
    marks = []
    for role, count in zip(SERIES, n.values, strict=False):
        one = data.sel(n=count).isel(trial=0, t=slice(1, None))
        marks.append(Line(f"{int(count)} measurements", one.steps.values, one.recovery.values, role=role))
    return Drawing(
        [
            Panel(
                [*marks, Rule("all is missed", 1.0)],
                x=Axis("steps", scale="log"),
                y=Axis("relative error of recovery"),
            )
        ],
        columns=1,
        caption="One draw from a large start with decay alone, from so few measurements that nothing could find the truth: the "
        "error falls as abruptly. It is the start that is forgotten.",
    )


CLAIM = Claim(
    kind="statement",
    title="A transition where there is nothing to find",
    says="From a large start with weight decay the error of recovery falls abruptly long after the fit also where the "
    "measurements are too few to tell the truth by any method.",
    source="beyond_l2, appendix C.9",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "a start that is small",
        changes={"start": 1e-6},
        breaks=("recovery error when the data are fitted over that at the end, the least",),
    ),
    seconds={"quick": 10, "paper": 20},
)

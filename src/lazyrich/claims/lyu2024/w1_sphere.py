r"""Erratum: $w_1^*$ maximizes the margin over the $\ell_1$ sphere; printed is the $\ell_2$ sphere, whose maximizer is $w_2^*$."""

import numpy as np

from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Role
from ..labelled import norm
from .corollary_3_7 import CLAIM as LATE
from .corollary_3_7 import angle
from .margins import shortfall

SPHERES: tuple[tuple[str, str, Role], ...] = (("l1", "corrected", "measured"), ("l2", "printed", "control"))


def refer(problem):
    """The maximizers of the least margin over both spheres."""
    from ...predictors import MaxMargin

    return {sphere: MaxMargin(sphere).solve(problem.train) for sphere in ("l1", "l2")}


def turns(data, told, sphere):
    """The angle from the flow to a sphere's maximizer, over the angle between the two maximizers."""
    between = angle(told["l1"].effective, told["l2"].effective)
    return angle(data.effective, told[sphere].effective) / between, between


def judge(data, told, n, sphere) -> Evidence:
    """Whether the flow after the transition, at the largest scale, has the sphere's largest margin and its direction."""
    turn, between = turns(data, told, sphere)
    size = abs(data.effective).sum("d") if sphere == "l1" else norm(data.effective)
    short = shortfall(size, data.margins.min("n"), told[sphere])
    return Evidence(
        sound=[
            at_least(
                "angle between the two maximizers",
                between.min(),
                0.2,
                why="a draw on which they agree cannot tell them apart",
            )
        ],
        holds=[
            at_most(
                "what the flow misses of the largest margin over the sphere, in units of log(n)",
                (short / np.log(n)).isel(log_alpha=-1).max(),
                1,
                why="where loss and decay balance it is a difference of entropies of n multipliers, in the norm that decay "
                "amounts to",
            ),
            at_most(
                "angle to the sphere's maximizer, over that between the two",
                turn.isel(log_alpha=-1).median("trial").max(),
                0.5,
                why="nearer to the one than halfway to the other; the middle draw, since there are draws on which another "
                "vertex has nearly the same margin",
            ),
        ],
    )


def draw(data, told, log_alpha, away) -> Drawing:
    """The angle from the flow to both maximizers, against the scale."""
    panels = []
    for c in away.values:
        lines = [
            Line(
                f"over the {sphere} sphere ({form})",
                log_alpha.values,
                turns(data, told, sphere)[0].sel(away=c).median(("trial", "power")).values,
                role=role,
            )
            for sphere, form, role in SPHERES
        ]
        axis = Axis("angle, over that between the two", low=0.0)
        panels.append(Panel(lines, x=Axis("log(alpha)"), y=axis, title=f"at (1 + {c:g}) log(alpha)/decay"))
    return Drawing(
        panels,
        caption="After the transition: the angle from the linear map of a diagonal net to the largest margin over "
        "either sphere, in "
        "units of the angle between the two, the median over draws. Training goes to the l1 sphere's maximizer.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The rich answer maximizes over the l1 sphere",
    says="The classifier of least l1 norm with margins of 1 and more, near which a diagonal net of two layers is "
    "after the transition, "
    "maximizes the least margin over the l1 sphere; printed is the sphere of all unit vectors, whose maximizer is the "
    "kernel's answer.",
    source="lyu2024, section 3.2.3",
    simulation=LATE.simulation,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"sphere": "l1"},
    sizes=LATE.sizes,
    control=Control(
        "the sphere as printed",
        changes={"sphere": "l2"},
        breaks=(
            "what the flow misses of the largest margin over the sphere, in units of log(n)",
            "angle to the sphere's maximizer, over that between the two",
        ),
    ),
    seconds={"quick": 10, "paper": 70},
)

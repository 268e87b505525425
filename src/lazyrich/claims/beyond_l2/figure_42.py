"""Figure 42: the errors of matrix completion by subgradient descent at several rates and strengths."""

from ...lab.settings.nuclear_descent import COMPLETION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel
from .nuclear_figures import shown
from .nuclear_limits import enough, readable, slow


def judge(data, told, rate, strength, reach, towards) -> Evidence:
    """Steps and errors at neighboring rates and strengths, the larger over the smaller."""
    good = readable(told, reach)
    steps = (data.subgradient_finds / (rate * strength)).where(good, drop=True)
    error = data.subgradient_recovery.isel(t=-1).where(good, drop=True)
    faster = max(float(_grown(steps, axis, towards).max(skipna=False)) for axis in ("rate", "strength"))
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                "steps to recovery at the larger rate or strength over those at the smaller, the most",
                faster,
                0.7,
                why="rates are twice, strengths three times each other: a half and a third, and a bias of 5%",
            ),
            at_least(
                "error at the end at the larger strength over that at the smaller, the least",
                _grown(error, "strength", towards).min(skipna=False),
                2,
                why="the penalty's bias: three times",
            ),
            at_least(
                "error at the end at the larger rate over that at the smaller, the least",
                _grown(error, "rate", towards).min(skipna=False),
                0.9,
                why="hops of a step add to the bias, the more the larger the rate; a tenth for where in a hop the run ends",
            ),
        ],
    )


def _grown(a, axis: str, towards: int):
    """What stands at each value of an axis over what stands at the next smaller, or larger for `towards` = -1."""
    a = a.sortby(axis)
    low, high = a.isel({axis: slice(None, -1)}), a.isel({axis: slice(1, None)})
    ratio = high.drop_vars(axis) / low.drop_vars(axis)
    return ratio if towards > 0 else 1 / ratio


def draw(data, told, rate, strength, reach) -> Drawing:
    """Errors of one draw: a panel for each rate, a color for each strength."""
    one = data.where(shown(told, reach), drop=True).isel(trial=0)
    panels = []
    for name, title in (("train", "known entries"), ("recovery", "whole matrix")):
        for at in range(rate.size):
            marks = []
            for level in range(strength.size):
                run = one.isel(rate=at, strength=level)
                after = run.steps.values > 0
                marks.append(
                    Line(
                        f"strength {float(strength[level]):g}",
                        run.steps.values[after],
                        run[f"subgradient_{name}"].values[after],
                        role=SERIES[level % len(SERIES)],
                    )
                )
            panels.append(
                Panel(
                    marks,
                    x=Axis("steps", scale="log"),
                    y=Axis("relative error", scale="log"),
                    title=f"{title}, rate {float(rate[at]):g}".capitalize(),
                )
            )
    return Drawing(
        panels,
        columns=rate.size,
        caption="Subgradient descent in matrix completion, one draw. Larger rates and strengths find the matrix "
        "sooner, and end farther from it.",
    )


CLAIM = Claim(
    kind="figure",
    title="Rates and strengths in matrix completion",
    says="Larger rates and larger strengths make subgradient descent find the matrix in fewer steps, and end at a larger error.",
    source="beyond_l2, figure 42",
    simulation=COMPLETION,
    refer=slow,
    judge=judge,
    draw=draw,
    constants={"towards": 1},
    least={"rate": 2, "strength": 2},
    control=Control(
        "smaller ones sooner, and at a larger error",
        changes={"towards": -1},
        breaks=(
            "steps to recovery at the larger rate or strength over those at the smaller, the most",
            "error at the end at the larger strength over that at the smaller, the least",
        ),
    ),
    seconds={"quick": 20, "paper": 3600},
)

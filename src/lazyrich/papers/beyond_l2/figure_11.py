r"""Figure 11: entries outside of the support go to zero one after another, each when the slow flow says."""

import numpy as np

from ...lab.settings.l1_descent import counts
from ...lab.settings.sparse_phases import WALK
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from .limits import SAME
from .phases import LATE, slow_path

BAND = (
    30  # strengths: the penalty's bias is a few of them, so entries beyond are away from zero by the slow flow's doing
)


def refer(problem, rate, strength, steps, moments):
    """When each entry is last away from zero by the slow flow, read as descent is, and whether it ends at the truth."""
    path, truth = slow_path(problem), np.asarray(problem.truth)
    times = rate * strength * np.asarray(counts(steps, moments))
    away = abs(path.at(times)) > BAND * strength
    return {
        "dies": np.where(away, times[:, None], 0.0).max(0),
        "extinction": path.extinction,
        "missed": np.linalg.norm(path.end - truth) / np.linalg.norm(truth),
        "first": np.abs(path.positions[0]),
    }


def dying(data, rate, strength):
    """The slow time at which an entry is last away from zero; zero if it never is."""
    return rate * strength * data.step.where(abs(data.w) > BAND * strength).max("t").fillna(0.0)


def judge(data, told, rate, strength, reach, order) -> Evidence:
    """Times at which entries outside of the support die, beside the slow flow's; and entries on the support, which do not."""
    good = (told["missed"] < SAME) & (told["extinction"] < LATE * reach)
    outside = (data.truth == 0) & good
    seen = dying(data, rate, strength).where(outside)
    said = told["dies" if order == "flow" else "first"]
    kept = np.flatnonzero(good.values)
    return Evidence(
        sound=[
            at_least(
                "share of draws whose truth is found in time",
                good.mean(),
                0.3,
                why="where it is not, entries outside of the support stay",
            )
        ],
        holds=[
            at_most(
                "time of each zero less the slow flow's, over its last, the median of entries",
                (abs(seen - said) / told["extinction"]).median(),
                0.02,
                why="the bias moves entries by a few strengths, a tenth of the band, which they cross in a tenth of the time",
            ),
            at_least(
                "correlation of the times with the slow flow's, the median draw",
                np.median([_together(seen.isel(trial=at), said.isel(trial=at)) for at in kept] or [0.0]),
                0.9,
                why="the same entries early and the same ones late; a few that stay about the edge of the band may differ",
            ),
            at_least(
                "entries of the truth at the end over what they should be, the least",
                (data.w.isel(t=-1) / data.truth).where((data.truth != 0) & (abs(data.truth) > 0.1) & good).min(),
                0.9,
                why="on the support they stay, short of the truth by the penalty's bias: a few strengths of 0.1 at most",
            ),
        ],
    )


def _together(seen, said) -> float:
    """The correlation over the entries outside of the support."""
    kept = np.isfinite(seen.values)
    return float(np.corrcoef(seen.values[kept], said.values[kept])[0, 1])


def draw(data, told, rate, strength) -> Drawing:
    """All entries of one draw against slow time, and when those outside die beside the slow flow's times."""
    one, x = data.isel(trial=0), rate * strength * data.isel(trial=0).step.values
    shown = x > 1e-3
    lines = [
        Line(
            "on the support" if one.truth[k] != 0 else "outside",
            x[shown],
            one.w.values[shown, k],
            role="second" if one.truth[k] != 0 else "measured",
        )
        for k in np.argsort(-abs(one.truth.values))
    ]
    outside = (one.truth == 0).values
    said, seen = told["dies"].isel(trial=0).values[outside], dying(one, rate, strength).values[outside]
    ends = [0.0, float(said.max())]
    return Drawing(
        [
            Panel(
                lines,
                x=Axis("rate x strength x steps", scale="log"),
                y=Axis("entry"),
                title="Entries of one draw; blue: outside of the support",
                legend=False,
            ),
            Panel(
                [Points("entries outside", said, seen), Line("equal", ends, ends, role="theory")],
                x=Axis("last away from zero by the slow flow"),
                y=Axis("and by descent"),
                title="Slow times, entries outside",
            ),
        ],
        caption="Subgradient descent with a small l1 penalty. Left: after the fit every entry moves on straight pieces; "
        "those outside of the support of the truth go to zero one after another. Right: at the times that the slow flow says.",
    )


CLAIM = Claim(
    kind="figure",
    title="Entries die one after another",
    says="After the fit the entries outside of the support shrink until each is zero, one after another, at the times of the "
    "slow flow; those on the support go to the truth.",
    source="beyond_l2, figure 11",
    simulation=WALK,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"order": "flow"},
    control=Control(
        "each at a constant pace of one from least squares, the smallest first",
        changes={"order": "size"},
        breaks=(
            "time of each zero less the slow flow's, over its last, the median of entries",
            "correlation of the times with the slow flow's, the median draw",
        ),
    ),
    seconds={"quick": 8, "paper": 120},
)

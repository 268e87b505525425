r"""Figure 9: along the number of measurements data are always fitted first, and the truth is found from a number on."""

from ...lab.settings.sparse_phases import MEASURED
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing, Event
from .memorization import stable
from .phases import agreement, at_fit, clock, enough, errors, judged, refer


def judge(data, told, rate, strength, level, reach, answer) -> Evidence:
    """Fit before recovery, least squares meanwhile, and recovery just where the truth has the least l1 norm."""
    good = judged(told, strength=strength, level=level, reach=reach)
    return Evidence(
        sound=[stable(data, rate), enough(good)],
        holds=[
            at_most(
                "steps to fit over steps to find, the median",
                (data.fits / data.finds).where(good).median(),
                0.1,
                why="one phase ends after a few multiples of 1/(rate x curvature), the other takes a time of order one over "
                "rate x strength: a hundred times more",
            ),
            at_fit(data, told, good),
            clock(data, told, good, rate=rate, strength=strength, power=1.0),
            agreement(data, told, strength=strength, level=level, reach=reach, answer=answer),
            at_least(
                "share of draws that are fitted",
                (data.train.min("t") < level).mean(),
                1,
                why="with at most as many measurements as unknowns all data can be fitted, found or not",
            ),
        ],
    )


def draw(data, told, rate, strength, d) -> Drawing:
    """Errors of one draw in time, a panel for each of a few numbers of measurements."""
    shown = data.share.values if data.share.size <= 4 else data.share.values[[1, 2, 4, 8]]
    panels = []
    for share in shown:
        one, found = data.sel(share=share).isel(trial=0), told["finds"].sel(share=share).isel(trial=0)
        events = [Event("slow flow", float(found) / (rate * strength))] if 0 < found < float("inf") else []
        panels.append(errors(one, title=f"N = {round(float(share) * d)} of {d}", events=events))
    return Drawing(
        panels,
        caption="Subgradient descent with a small l1 penalty, one draw, more and more measurements. The data are fitted "
        "early, always; the truth is found late, or never where it has not the least l1 norm. Dashed: the time of the slow "
        "flow.",
    )


CLAIM = Claim(
    kind="figure",
    title="Fitted always, found from a number of measurements on",
    says="Whatever the number of measurements the data are fitted first, by the least-squares answer; the truth is found "
    "much later, and only where it has the least l1 norm of all interpolants.",
    source="beyond_l2, figure 9",
    simulation=MEASURED["subgradient"],
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"answer": "missed"},
    control=Control(
        "least squares in the place of the least l1 norm",
        changes={"answer": "least_squares"},
        breaks=("share of draws whose truth is found if and only if it is the answer of theory",),
    ),
    seconds={"quick": 8, "paper": 240},
)

"""Figure 33: from a large start with decay two factors and more grok; one factor forgets its start and finds nothing."""

from ...lab.settings.hadamard import LARGE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .depth import curves, far_from_edge, found, half_rows, one_factor, several


def judge(data, level, d) -> Evidence:
    """Errors when the data are fitted and at the end, and the time between, from half of the rows."""
    deep = half_rows(several(data), d)
    two, end = deep.isel(depth=0), deep.recovery.isel(t=-1)
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            *one_factor(data, d),
            at_least(
                "share of draws that two factors find, from half of the rows",
                found(two).mean(),
                0.8,
                why="they end at the lasso, whose bias is some times the decay",
            ),
            at_least(
                "error of two factors at the fit over the level, from half of the rows, the median draw",
                two.at_fit.median() / level,
                2,
                why="the fit is an answer of the start's: entries beside the truth have its size, a hundredth each, a "
                "tenth in all",
            ),
            at_least(
                "time of recovery over that of the fit with two factors, from half of the rows, the median draw",
                (two.finds / two.fits).median(),
                4,
                why="recovery takes one to two units of 1/(rate x decay), 20,000 steps, the fit some thousand",
            ),
            at_most(
                "error of three factors at the end over the level, from half of the rows, the median draw",
                end.isel(depth=1).median() / level,
                1,
                why="the paper: they generalize",
            ),
        ],
    )


def draw(data, depth, n) -> Drawing:
    """Errors of one draw over time, for each depth."""
    return Drawing(
        curves(data, depth, n),
        columns=3,
        caption="One draw from a large start with small decay. One factor ends at the ridge answer; two fit early and find late; "
        "with more the truth is found sooner after the fit.",
    )


CLAIM = Claim(
    kind="figure",
    title="Large start and decay: depth groks, one factor does not",
    says="From a large start with small decay the data are fitted first; two factors find the truth long after that, three soon "
    "after; one factor ends at the ridge answer, whatever its output at the start.",
    source="beyond_l2, figure 33",
    simulation=LARGE,
    judge=judge,
    draw=draw,
    # With a fourth and 70 rows or more, rate times sharpness comes to 1.6 and 1.9: no flow any more.
    sizes={"paper": {"depth": (1, 2, 3)}},
    least={"depth": 3, "n": 2},
    control=Control(
        "stopped before the decay has acted",
        changes={"reach": 0.3},
        breaks=("share of draws that two factors find, from half of the rows",),
    ),
    seconds={"quick": 20, "paper": 500},
)

"""Figure 34: errors at the fit and at the end from a large start with decay, against depth and measurements."""

from ...lab.settings.hadamard import LARGE
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .depth import against_rows, far_from_edge, half_rows, several, single


def judge(data, d) -> Evidence:
    """How much better than one factor, and than at the fit, more factors end; and how well they fit."""
    half = half_rows(data, d)
    deep = several(half)
    end, alone = deep.recovery.isel(t=-1), single(half).recovery.isel(t=-1).max("depth")
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_most(
                "error of two factors or more at the end over that of one, the median draw, the largest over depths",
                (end / alone).median("trial").max(),
                0.1,
                why="the paper: considerably lower; one misses 0.7 of the truth, the others some times the decay, 1e-2 of it",
            ),
            at_least(
                "error of two factors at the fit over that at the end, the median draw",
                (deep.at_fit / end).isel(depth=0).median(),
                5,
                why="a tenth against a hundredth: the decay moves a fitted product to the truth",
            ),
            at_most(
                "error of three factors at the fit over that of two, the median draw",
                (deep.at_fit.isel(depth=1) / deep.at_fit.isel(depth=0)).median(),
                0.7,
                why="the paper: less is left to find; the start of an entry is the cube of a tenth, and not its square",
            ),
        ],
    )


def draw(data, depth, n, fit) -> Drawing:
    """Medians of errors at the fit and at the end."""
    fitted = data.at_fit.where(data.train.min("t") <= fit)
    return Drawing(
        [
            against_rows(fitted, depth, n, label="relative error", title="Recovery when the data are fitted"),
            against_rows(
                data.recovery.isel(t=-1), depth, n, label="relative error", title="Recovery at the end", legend=False
            ),
        ],
        caption="Medians over draws against the number of measurements, from a large start with small decay. With depth the "
        "error is lower when the data are fitted, and far lower at the end.",
    )


CLAIM = Claim(
    kind="figure",
    title="Large start and decay: how near depth ends",
    says="From a large start with small decay the error of recovery ends far lower with two factors or more than with one, and "
    "is lower already when the data are fitted the more factors there are.",
    source="beyond_l2, figure 34",
    simulation=LARGE,
    judge=judge,
    draw=draw,
    # With a fourth and 70 rows or more, rate times sharpness comes to 1.6 and 1.9: no flow any more.
    sizes={"paper": {"depth": (1, 2, 3)}},
    least={"depth": 3, "n": 2},
    control=Control(
        "stopped before the decay has acted",
        changes={"reach": 0.3},
        breaks=("error of two factors at the fit over that at the end, the median draw",),
    ),
    seconds={"quick": 20, "paper": 500},
)

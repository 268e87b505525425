"""Figure 31: the error at the end against the number of measurements: the more factors, the fewer are needed."""

from ...lab.settings.hadamard import SMALL
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Drawing
from .depth import against_rows, far_from_edge, most_rows, several

FEWER = "error of two factors over that of one, with fewer than the most rows, the median of draws and numbers"


def judge(data, n, d, level) -> Evidence:
    """Errors at the end by depth, with the most rows and with fewer."""
    deep = several(data).recovery.isel(t=-1)
    most = most_rows(deep).median("trial")
    one, fewer = (part.sortby("n").isel(n=slice(None, -1)) for part in (data.shallow, deep))
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            near(
                "mean square error of one factor plus the share of rows, the mean over numbers of rows",
                (data.shallow**2 + n / d).mean(),
                1,
                0.08,
                why="least squares misses 1 - N/n of the truth's square; one draw's has a deviation of 0.06",
            ),
            at_most(
                "error of two factors at the end over the level, with the most rows, the median draw",
                most.isel(depth=0) / level,
                1,
                why="what counts as found",
            ),
            at_most(
                FEWER,
                (fewer.isel(depth=0) / one).median(),
                0.6,
                why="the paper: depth helps; where rows are too few for the least l1 norm, too, most of the truth is in reach",
            ),
            at_most(
                "error of three factors over that of two, with fewer than the most rows, the median of draws and numbers",
                (fewer.isel(depth=1) / fewer.isel(depth=0)).median(),
                0.9,
                why="the paper: it falls with the depth; entries wake the later the smaller their slope, by a power of the start "
                "and not its logarithm, so the largest ones are fitted before others begin",
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
        caption="Medians over draws against the number of measurements, from a small start without penalty. With "
        "more factors fewer measurements tell the truth.",
    )


CLAIM = Claim(
    kind="figure",
    title="Depth: fewer measurements tell the truth",
    says="From a small start, without penalty, the error of recovery falls with the number of factors: from few "
    "measurements that of three factors is below that of two, and that of two below that of one, which is least squares'.",
    source="beyond_l2, figure 31",
    simulation=SMALL,
    judge=judge,
    draw=draw,
    least={"depth": 3, "n": 2},
    control=Control(
        "a start that is not small",
        size="quick",  # deeper ones and more rows are at the edge of stability from there
        changes={"start": 3.0},
        breaks=(
            "error of two factors at the end over the level, with the most rows, the median draw",
            FEWER,
        ),
    ),
    seconds={"quick": 20, "paper": 500},
)

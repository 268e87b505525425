r"""What tells the delay: $\|\hat b-b^*\|_2$ better than $\|\hat b\|_\infty$, and $T^*\ge\|\hat b-b^*\|_2/\sqrt n$ always."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.sparse_phases import pose
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel, Points
from .limits import SAME
from .phases import slow_path


def simulate(key, problem):
    """The slow flow's time of rest, and four sizes that might tell it."""
    path, truth = slow_path(problem), np.asarray(problem.truth)
    first = path.positions[0]
    return {
        "rest": np.asarray(path.extinction),
        "missed": np.linalg.norm(path.end - truth) / np.linalg.norm(truth),
        "largest": np.abs(first).max(),
        "distance": np.linalg.norm(first - truth),
        "norm_1": np.abs(truth).sum(),
        "norm_2": np.linalg.norm(truth),
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    host=True,
    params=[
        Param("share", 0.5, 0.3, smoke=0.6, low=1e-3, high=1.0, unit="measurements over unknowns"),
        Param("d", 50, 100, smoke=20, low=20, high=5_000, unit="unknowns", static=True),
        Param("sparsity", 4, 5, smoke=1, low=1, high=20, unit="entries of the truth"),
        Param("trials", 40, 200, smoke=4, low=1, high=10_000, unit="draws", static=True),
    ],
    returns=dict.fromkeys(("rest", "missed", "largest", "distance", "norm_1", "norm_2"), ""),
)


def together(data, name: str, good) -> float:
    """The correlation of logarithms with the time of rest."""
    rest, size = (np.log(data[part].values[good.values]) for part in ("rest", name))
    return float(np.corrcoef(rest, size)[0, 1])


def width(data, name: str, good) -> float:
    """How far apart the ratio to the time of rest is, from a tenth of the draws to nine."""
    ratio = (data.rest / data[name]).values[good.values]
    return float(np.quantile(ratio, 0.9) / np.quantile(ratio, 0.1))


def judge(data, d, better) -> Evidence:
    """Correlations with the time of rest, and the one bound that is proved."""
    good = (data.missed < SAME) & (data.rest > 0)
    other = "largest" if better == "distance" else "distance"
    return Evidence(
        sound=[
            at_least(
                "draws whose truth has the least l1 norm",
                good.sum(),
                3,
                why="a correlation needs a few draws",
            )
        ],
        holds=[
            at_least(
                "time of rest x sqrt(n) over the distance of least squares from the truth, the least",
                (data.rest * np.sqrt(d) / data.distance).where(good).min(),
                1,
                why="the way is as long as the distance at least, the speed at most the norm of a vector of signs",
            ),
            at_least(
                "correlation of logarithms with the better size less that with the other",
                together(data, better, good) - together(data, other, good),
                0.1,
                why="the largest entry of least squares says little of the way to go; 40 draws tell correlations to 0.1 apart",
            ),
            at_least(
                "spread of the time over the other size, over that over the better one",
                width(data, other, good) / width(data, better, good),
                1,
                why="a size that tells the time has a ratio to it of smaller spread",
            ),
        ],
    )


def draw(data, d) -> Drawing:
    """The time of rest against both sizes."""
    good = (data.missed < SAME) & (data.rest > 0)
    panels = []
    for name, label in (("largest", "largest entry of least squares"), ("distance", "its distance from the truth")):
        x, y = (data[part].values[good.values] for part in (name, "rest"))
        ends = np.array([x.min(), x.max()])
        panels.append(
            Panel(
                [
                    Points("draws", x, y),
                    Line("in proportion", ends, ends * np.median(y / x), role="theory"),
                    *([Line("least possible", ends, ends / np.sqrt(d), role="second")] if name == "distance" else []),
                ],
                x=Axis(label, scale="log"),
                y=Axis("slow time until rest", scale="log"),
                title=f"correlation {together(data, name, good):.2f}",
            )
        )
    return Drawing(
        panels,
        caption="The slow flow's time from fit to truth over many draws, in units of 1/(rate x strength), against the size "
        "that the paper names and against the distance that is to go.",
    )


CLAIM = Claim(
    kind="derived",
    title="The way to go tells the delay, not the largest entry",
    says="The delay in units of 1/(rate strength) is at least |least squares - truth|_2/sqrt(n); over draws it follows that "
    "distance much better than the largest entry of least squares, which the paper takes for its measure.",
    source="beyond_l2, theorem 2.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"better": "distance"},
    control=Control(
        "the largest entry as the better one, as printed",
        changes={"better": "largest"},
        breaks=(
            "correlation of logarithms with the better size less that with the other",
            "spread of the time over the other size, over that over the better one",
        ),
    ),
    seconds={"quick": 8, "paper": 60},
)

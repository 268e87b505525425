r"""An l1 penalty fed through Adam: the steps until the truth is found hardly depend on its strength."""

import numpy as np

from ...dynamics.optimizers import MOMENTUM
from ...lab.settings.optimizer_clock import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Slope
from .limits import SAME, slow
from .scaling import power


def refer(problem, level):
    """The slow flow from the least-squares answer."""
    return slow(problem, level)


def judged(data, told, reach):
    """Draws whose truth the slow flow finds before the horizon."""
    return (told["missed"] < SAME) & (told["finds"] < 0.8 * reach)


def middle(data, good, name: str) -> float:
    """The power of the strength in the steps of one optimizer, the median of the draws in which it finds the truth."""
    finds = data[f"{name}_finds"]
    found = power(finds.where(good & np.isfinite(finds).all("strength")), "strength")
    return float(found.median("trial"))


def judge(data, told, reach, fed) -> Evidence:
    """The power of the strength in the steps to find the truth, for each optimizer; and the clock of momentum."""
    good = judged(data, told, reach)
    ratio = (data.momentum_finds / (1 - MOMENTUM) / data.descent_finds).isel(strength=-1).where(good)
    apart = np.isfinite(data.adamw_finds).all("strength").where(good)
    return Evidence(
        sound=[
            at_least(
                "share of draws that can be judged", good.mean(), 0.5, why="where no penalty finds it there is no time"
            ),
            at_most(
                "rate x largest curvature, plain descent",
                data.edge.max(),
                1,
                why="below one no direction of the loss is stepped over: descent follows its flow",
            ),
            at_least(
                "share of them in which Adam with the penalty apart finds the truth",
                apart.mean(),
                0.5,
                why="it goes another way along the interpolants, which need not end at the truth; half is enough to judge by",
            ),
        ],
        holds=[
            near(
                "power of the strength in the steps of plain descent, the median draw",
                middle(data, good, "descent"),
                -1,
                0.06,
                why="T/(rate x strength); the bias of the penalty changes T by its size over the level, a tenth at most over "
                "a factor of five",
            ),
            near(
                "power of the strength in the steps of momentum, the median draw",
                middle(data, good, "momentum"),
                -1,
                0.1,
                why="a steady pull moves by strength x rate/(1 - m) a step; the same bias, and some tens of steps of the fit "
                "in some hundreds",
            ),
            at_most(
                "steps of momentum over (1 - m) beside those of plain descent, less one, at the least strength, the median draw",
                abs(ratio - 1).median(),
                0.05,
                why="one slow flow on the clock rate/(1 - m); some tens of steps of the fit in a thousand",
            ),
            near(
                "power of the strength in the steps of Adam with the penalty apart, the median draw",
                middle(data, good, "adamw"),
                -1,
                0.2,
                why="the penalty moves by rate x strength a step, along a way that Adam's scales bend, and that is longer "
                "where the penalty is stronger",
            ),
            near(
                "power of the strength in the steps of Adam with the penalty in its slope, the median draw",
                middle(data, good, fed),
                -0.3,
                0.2,
                why="once the data are fitted Adam divides the penalty by its own size and steps by its rate: no power at all, "
                "but for the time that its averages need to forget the data",
            ),
        ],
    )


NAMES = {"descent": "plain descent", "adamw": "Adam, penalty apart", "adam": "Adam, penalty in its slope"}


def draw(data, told, strength, reach) -> Drawing:
    """Steps to find the truth against strength, the median draw; and errors of one draw on plain descent's clock."""
    good, marks = judged(data, told, reach), []
    x = strength.values
    for role, (name, words) in zip(SERIES, NAMES.items(), strict=True):
        finds = data[f"{name}_finds"]
        y = finds.where(good & np.isfinite(finds).all("strength")).median("trial").values
        marks.append(Points(words, x, y, role=role))
        marks.append(
            Slope(f"power {middle(data, good, name):.2f}", [x.min(), x.max()], (float(x[0]), float(y[0])), _power(x, y))
        )
    first = int(np.argmax(good.values))
    one = data.isel(trial=first, strength=-1)
    lines = []
    for role, (name, words) in zip(SERIES, NAMES.items(), strict=True):
        # A run that found the truth rests there.
        end = 1 + int(np.argmin(one[f"{name}_recovery"].values))
        x_of, y_of = (one[f"{name}_{part}"].values[1:end] for part in ("step", "recovery"))
        lines.append(Line(words, x_of, y_of, role=role))
    return Drawing(
        [
            Panel(
                marks,
                x=Axis("strength", scale="log"),
                y=Axis("steps to find the truth", scale="log"),
                title="Median draw",
            ),
            Panel(
                lines,
                x=Axis("steps", scale="log"),
                y=Axis("relative error of recovery", scale="log"),
                title=f"One draw, strength {float(x[-1]):g}",
            ),
        ],
        caption="Sparse recovery with an l1 penalty. Plain steps, and Adam with the penalty taken off after its step, need one "
        "over the strength; with the penalty in its slope Adam hardly cares for the strength.",
    )


def _power(x, y) -> float:
    return float(np.log(y[-1] / y[0]) / np.log(x[-1] / x[0]))


CLAIM = Claim(
    kind="derived",
    title="Adam breaks the law of rate x strength",
    says="The steps until a small l1 penalty finds the truth go like one over rate x strength for plain descent, like (1 - m) "
    "over it with momentum m, and like one over the strength for Adam with the penalty apart; with the penalty in Adam's slope "
    "they go like a power near -0.3.",
    source="beyond_l2, theorem 2.1",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"fed": "adam"},
    least={"strength": 2},
    control=Control(
        "Adam with the penalty apart in the place of Adam with it",
        changes={"fed": "adamw"},
        breaks=("power of the strength in the steps of Adam with the penalty in its slope, the median draw",),
    ),
    seconds={"quick": 20, "paper": 400},
)

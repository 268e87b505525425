"""KKT points of several classes: where figures 2 and 4 end, least length under margins over every rival is nearly met."""

import numpy as np

from ...lab.settings.addition_margins import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Panel, Points, Rule

NAMES = (("held", "with decay"), ("free", "without decay"))
# Without decay no theorem gives the constant: directions settle like a power of log(log t). Three quarters of the square
# of the weights' length are explained then.
HALF = 0.5


def judge(data, decay) -> Evidence:
    """What is missing to a KKT point at the end of both runs, beside what theorem 3.5 allows at this decay and this time."""
    holds = []
    allowed = {
        "held": (
            np.log(1 / decay) ** -0.5,
            "the theorem's (log(1/decay))^(-1/2) with constant one, gradients on both sides of a kink counted",
        ),
        "free": (
            HALF,
            "most of the square of the length, and directions still turn: log(log t) is 7 where t is 10^700",
        ),
    }
    for name, words in NAMES:
        most, why = allowed[name]
        holds += [
            at_most(
                f"stationarity {words}, the median draw",
                data[f"{name}_stationarity"].median(),
                most,
                why=why,
            ),
            at_most(
                f"slackness {words}, the median draw",
                data[f"{name}_slackness"].median(),
                0.5,
                why="complementary up to logarithms: margins that carry multipliers are below twice the least one on average",
            ),
        ]
    return Evidence(
        sound=[
            at_most(
                "rate of the settling steps times sharpness, the largest",
                data.edge.max(),
                2,
                why="beyond 2 descent is unstable and settles nothing",
            )
        ],
        holds=holds,
    )


def draw(data, decay) -> Drawing:
    """Stationarity with one gradient and with those around it, of each draw."""
    panels = []
    for name, words in NAMES:
        trials = np.arange(data.sizes["trial"]) + 1
        panels.append(
            Panel(
                [
                    Points("at the point alone", trials, data[f"{name}_alone"].values, role="second"),
                    Points("on both sides of kinks", trials, data[f"{name}_stationarity"].values),
                    Rule("(log(1/decay))^(-1/2)", float(np.log(1 / decay) ** -0.5))
                    if name == "held"
                    else Rule("a half", HALF),
                ],
                x=Axis("draw", low=0.5, high=len(trials) + 0.5),
                y=Axis("stationarity", low=0.0, high=1.0),
                title=words.capitalize(),
            )
        )
    return Drawing(
        panels,
        caption="Nets on modular addition at the end of training: what is left of the weights after the best combination, with "
        "nonnegative multipliers, of gradients of all margins. ReLU nets rest on kinks, so gradients nearby count too.",
    )


CLAIM = Claim(
    kind="statement",
    title="Modular addition ends near a KKT point",
    says="Where modular addition has been learned, with decay or without, the weights are nearly a combination with nonnegative "
    "multipliers of the gradients of margins over every rival, those of least margin: a KKT point of least length.",
    source="lyu2024, theorem 3.5 (for figures 2 and 4)",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "stopped when the data are fitted",
        changes={"until": 0.2, "steps": 200},
        breaks=(
            "stationarity with decay, the median draw",
            "slackness with decay, the median draw",
            "slackness without decay, the median draw",
        ),
        size="quick",
    ),
    sizes={"quick": {"width": 64}, "paper": {"trials": 2}},
    seconds={"quick": 50, "paper": 300},
)

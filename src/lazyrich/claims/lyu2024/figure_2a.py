"""Figure 2a: a two-layer ReLU net with small decay memorizes modular sums early and learns to add much later."""

import numpy as np

from ...lab.settings.modular_addition import ENOUGH, SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Band, Drawing, Line, Panel, Rule
from .addition import accuracy_axis, instruments


def judge(data, decay, modulus) -> Evidence:
    """Fit early, near chance then; half of the test at a few times 1/decay; nearly all of it at the end."""
    return Evidence(
        sound=instruments(data),
        holds=[
            at_most(
                "time to fit over time of half the test accuracy, the median draw",
                (data.fits / np.minimum(data.t50, data.time.isel(t=-1))).median(),
                0.1,
                why="the paper: 1e6 steps against 1e7",
            ),
            at_most(
                "test accuracy when the data are fitted, less chance, the mean",
                data.fitted_test.mean() - 1 / modulus,
                0.06,
                why="random guessing; three standard errors of 200 sums at the small size",
            ),
            near(
                "slow time of half the test accuracy, the median draw",
                (data.t50 * decay).median(),
                3,
                2,
                why="length falls like exp(-decay t): the turn takes a few units of 1/decay, whatever the data",
            ),
            at_least(
                "test accuracy at the end, the median draw",
                data.test.isel(t=-1).median(),
                0.9,
                why="the paper's curve ends at 1; runs end at 0.98",
            ),
        ],
    )


def draw(data, modulus) -> Drawing:
    """Accuracies against time."""
    shown = data.isel(decay=0, alpha=0, t=slice(1, None))
    time = shown.time.isel(trial=0).values
    test = shown.test
    panel = Panel(
        [
            Line("train accuracy", time, shown.train.median("trial").values, role="second"),
            Band("test accuracy, all draws", time, test.min("trial").values, test.max("trial").values),
            Line("test accuracy", time, test.median("trial").values),
            Rule("chance", 1 / modulus),
        ],
        x=Axis("time", unit="rate x steps", scale="log"),
        y=accuracy_axis(),
    )
    return Drawing(
        [panel],
        columns=1,
        caption="Sums modulo a prime by a two-layer ReLU net with decay: the known sums are memorized early, the others are "
        f"right much later. Each run ends where {ENOUGH:.0%} of them are.",
    )


CLAIM = Claim(
    kind="figure",
    title="Grokking of modular addition",
    says="A two-layer ReLU net from a He start with small decay fits its sums long before the others are better than guessed; "
    "at a few times 1/decay the test accuracy jumps to 1.",
    source="lyu2024, figure 2a",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("figure_2",),
    control=Control(
        "a hundred times the decay, which keeps the net from fitting",
        changes={"decay": (1e-2,)},
        breaks=(
            "slow time of half the test accuracy, the median draw",
            "test accuracy at the end, the median draw",
        ),
        size="quick",
    ),
    sizes={"paper": {"trials": 4}},
    seconds={"quick": 30, "paper": 40},
)

"""Figure 3: matrix completion with small decay fits the multiplication table at once and completes it much later."""

import numpy as np

from ...lab.settings.multiplication_table import EARLY, SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Event, Line, Panel, Points, Rule
from .completion import least_nuclear, window


def refer(problem):
    """The completion of least nuclear norm."""
    return least_nuclear(problem)


def judge(data, told, alpha) -> Evidence:
    """Fit at once, stay at zero filling, leave it in theory's window, end near the least nuclear norm."""
    leaves, closes = window(data, told, alpha)
    late = data.where(data.slow >= data.slow.isel(t=-1) / 100)
    plateau = late.test.where(late.slow <= leaves / 2).min("t")
    excess = (data.nuclear - told["least"].value) / (data.first - told["least"].value)
    return Evidence(
        sound=[
            at_most(
                "test loss by descent against the flow once fitted, over that of zero filling",
                abs(late.descent_test - late.test).max(),
                0.01,
                why="descent is off by the order of rate times decay, 5e-5, where the loss moves",
            ),
            at_most(
                "test loss of the slow manifold against the flow once fitted, over that of zero filling",
                abs(late.limit_test - late.test).max(),
                0.05,
                why="the order of n decay over four, 0.03, which residuals and the clock are off by",
            ),
            at_most(
                "test loss of the least nuclear norm over that of zero filling, the median draw",
                (told["error"] / data.zero).median(),
                0.01,
                why="with fewer entries theory itself promises no completion",
            ),
        ],
        holds=[
            at_most(
                "time to fit over time of half of the fall, the largest",
                (data.fits / data.halves).max(),
                1e-3,
                why="residuals fade at rates of 8 alpha^2/n and more, n decay / (8 alpha^2) = 1.5e-4 of slow time",
            ),
            near(
                "test loss on the plateau over that of zero filling",
                plateau.mean(),
                1,
                0.02,
                why="entries not seen are those of W^3/(24 kappa^2), thousandths of the seen ones at half the phase's length",
            ),
            near(
                "a tenth of the fall less the end of the kernel phase, in slow time, the median draw",
                (data.begins - leaves).median(),
                0.25,
                0.5,
                why="from the end of the phase until its direction is lost, half a unit later; 0.5 is a factor e in kappa",
            ),
            near(
                "half of the fall less the end of theory's window, in slow time, the median draw",
                (data.halves - closes).median(),
                0,
                0.35,
                why="at the end of growth from the one norm to the other; 0.35 is a factor of two in the norm",
            ),
            at_most(
                "test loss at the end over that of zero filling, the median draw",
                data.test.isel(t=-1).median(),
                0.05,
                why="the paper's curve falls by more than a decade",
            ),
            at_most(
                "nuclear norm at the end, from the least one to that of zero filling, the largest",
                excess.max(),
                0.05,
                why="the late bias: what is left of kappa, and n decay that pulls below it",
            ),
        ],
    )


def draw(data, told, alpha, decay, rate) -> Drawing:
    """Losses against steps as in the paper, and the three ways of following them in slow time."""
    shown = data.isel(alpha=-1, trial=0, t=slice(1, None))
    leaves, closes = (float(part.isel(alpha=-1, trial=0)) for part in window(data, told, alpha))
    per_step = decay * float(np.ravel(rate)[-1])
    slow, zero = shown.slow.values, float(shown.zero)
    steps = slow / per_step
    panels = [
        Panel(
            [
                Line("training loss", steps, shown.descent_train.values, role="second"),
                Line("test loss", steps, zero * shown.descent_test.values),
                Rule("filled with zeros", zero),
                Event("log(alpha)/decay", float(np.log(alpha.values[-1])) / per_step, role="control"),
            ],
            x=Axis("steps of gradient descent", scale="log", low=1.0),
            y=Axis("mean squared error", scale="log"),
            title="One draw, by gradient descent",
        ),
        Panel(
            [
                Points("gradient descent", slow[EARLY::4], shown.descent_test.values[EARLY::4]),
                Line("closed flow", slow[EARLY:], shown.test.values[EARLY:], role="second"),
                Line("slow manifold", slow[EARLY:], shown.limit_test.values[EARLY:], role="theory"),
                Event("kernel phase ends", leaves),
                Event("theory's window ends", closes, role="control"),
            ],
            x=Axis("decay x time", low=0.0),
            y=Axis("test loss over that of zero filling", low=0.0),
            title="Three ways to follow it",
        ),
    ]
    return Drawing(
        panels,
        caption="Some entries of the table ij/d^2, fitted by U U^T - V V^T from alpha I with decay. The data are fitted at once "
        "and the rest filled with zeros; long after, the matrix of least nuclear norm is found. Both times are told beforehand.",
    )


CLAIM = Claim(
    kind="figure",
    title="Grokking of the multiplication table",
    says="Gradient descent on some entries of the multiplication table by U U^T - V V^T, from alpha I with small decay, fits "
    "them in tens of steps while the test loss stays at that of filling with zeros; after log(alpha)/decay it falls, and "
    "the matrix of least nuclear norm is reached. Descent, its flow and the slow manifold agree.",
    source="lyu2024, figure 3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "a hundredth of the decay over the same time",
        changes={"decay": 1e-5, "horizon": 1e4},
        breaks=(
            "half of the fall less the end of theory's window, in slow time, the median draw",
            "test loss at the end over that of zero filling, the median draw",
            "nuclear norm at the end, from the least one to that of zero filling, the largest",
        ),
        size="quick",
    ),
    sizes={"paper": {"trials": 4}},
    seconds={"quick": 20, "paper": 1800},
)

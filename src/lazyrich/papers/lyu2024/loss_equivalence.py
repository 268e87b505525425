r"""Exponential and logistic loss share the bias: before and after the transition they differ by $e^{-q}$."""

import diffrax as dfx
import jax.numpy as jnp
import numpy as np

from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import advance, begin, pose_apart
from ...losses import Exponential, Logistic
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest, norm, relative_distance

# Differences of two runs as small as e^-20 are read.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, max_steps=1_000_000)


def simulate(key, problem, *, d, depth, log_alpha, power, away, tail):
    r"""Maps and margins under both losses, at $(1 \mp c)\log\alpha/\lambda$ with $\lambda = \alpha^{-p}$.

    The second loss is $\frac1k\log(1 + e^{-q})$, with tail $e^{-q}/k$: its flow is that of $k$ times the decay, slower by $k$.
    """
    decay = jnp.exp(-power * log_alpha)
    slow = jnp.stack([0.0, 1 - away, 1 + away]) * log_alpha
    start = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate", depth=depth)
    found = {}
    for name, loss, strength in (("plain", Exponential(), decay), ("rival", Logistic(), tail * decay)):
        read = {"effective": lambda net: net.effective()}
        path = advance(problem, start, slow / strength, decay=strength, loss=loss, read=read, flow=FLOW)
        maps = path.reads["effective"][1:]
        found |= {f"{name}_map": maps, f"{name}_margins": problem.train.y * (maps @ problem.train.x.T)}
        found |= {f"{name}_outcome": path.outcome.code}
    outcomes = jnp.stack([found.pop("plain_outcome"), found.pop("rival_outcome")])
    return {**found, "outcome": jnp.max(outcomes)}


SIMULATION = Simulation(
    simulate,
    pose=pose_apart,
    params=[
        Param(
            "log_alpha",
            (3.0, 6.0),
            (3.0, 4.5, 6.0, 7.0),
            smoke=(3.0,),
            low=2.0,
            high=10.0,
            unit="log of every weight at the start",
        ),
        Param("depth", (2, 3), smoke=(2,), low=2, high=4, unit="degree", static=True),
        Param("power", (1.0, 1.5), smoke=(1.0,), low=0.5, high=2.0, unit="decay = alpha^-power"),
        Param("away", 0.3, low=0.05, high=0.95, unit="c: from log(alpha)/decay, as a share of it"),
        Param("tail", 1.0, low=0.1, high=10.0, unit="what the logistic loss is divided by"),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        Param("d", 24, low=5, high=1_000, unit="unknowns", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit="between the classes, in deviations", static=True),
    ],
    returns={
        **dict.fromkeys(("plain_map", "rival_map"), "t d"),
        **dict.fromkeys(("plain_margins", "rival_margins"), "t n"),
        "outcome": "",
    },
)


def apart(data):
    """The distance of the two directions, and the largest loss of a sample."""
    plain, rival = (part / norm(part) for part in (data.plain_map, data.rival_map))
    return relative_distance(rival, plain), np.exp(-data.plain_margins).max("n")


def judge(data) -> Evidence:
    """The difference of the least margins and that of the directions, in units of the largest loss of a sample."""
    distance, loss = apart(data)
    tightest = data.plain_margins.argmin("n")
    share = (data.plain_margins - data.rival_margins).isel(n=tightest) / loss
    return Evidence(
        sound=[
            at_least(
                "least of the largest losses of a sample",
                loss.min(),
                1e-9,
                why="differences of two runs, each good to 1e-11, are read in units of it",
            )
        ],
        holds=[
            near(
                "difference of the least margin over e^-q at the largest scale, the median over draws",
                farthest(share.isel(log_alpha=-1).median("trial"), 1),
                1,
                0.5,
                why="the same force is e^-q for the one and e^-q/(1 + e^-q) for the other, so that log(1 + e^-q) is missing; the "
                "force that holds a margin goes with its size, which gives back some multiples of 1/q = 0.1. A draw of three "
                "layers that is still giving up an input at that moment is soft, and the multiple large",
            ),
            at_most(
                "distance of directions, in units of the largest loss of a sample",
                (distance / loss).max(),
                1,
                why="margins of size 1 and more differ by that",
            ),
        ],
    )


def draw(data, depth) -> Drawing:
    """The distance of the two directions against the loss, before and after the transition."""
    distance, loss = apart(data)
    panels = []
    for at, when in ((0, "Before the transition"), (1, "After it")):
        marks = []
        for k, layers in enumerate(depth.values):
            one = {"depth": layers}
            x, y = (
                part.isel(t=at).sel(**one).transpose(*distance.isel(t=at).sel(**one).dims) for part in (loss, distance)
            )
            marks.append(Points(f"depth {int(layers)}", x.values.ravel(), y.values.ravel(), role=SERIES[k % 3]))
        ends = [min(mark.x.min() for mark in marks), max(mark.x.max() for mark in marks)]
        panels.append(
            Panel(
                [*marks, Slope("allowed", ends, (ends[1], ends[1]), 1)],
                x=Axis("largest loss of a sample", scale="log"),
                y=Axis("distance of directions", scale="log"),
                title=when,
            )
        )
    return Drawing(
        panels,
        caption="The distance of the directions found with the exponential and with the logistic loss, against the largest loss "
        "e^-q of a sample, for all scales, decays and draws: they differ by what is left of the loss, and not more.",
    )


CLAIM = Claim(
    kind="statement",
    title="Exponential and logistic loss share the bias",
    says="At (1 - c) log(alpha)/decay and at (1 + c) log(alpha)/decay the least margin q of a diagonal net trained on "
    "the logistic "
    "loss is that of the exponential loss less e^-q in most draws, and in all of them the directions agree up to what is left of "
    "the loss.",
    source="lyu2024, section 3.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "half the logistic loss: a tail of e^-q/2",
        changes={"tail": 2.0},
        breaks=(
            "difference of the least margin over e^-q at the largest scale, the median over draws",
            "distance of directions, in units of the largest loss of a sample",
        ),
    ),
    seconds={"quick": 25, "paper": 90},
)

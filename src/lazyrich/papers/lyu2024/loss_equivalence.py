r"""Exponential and logistic loss share the implicit bias: before and after the transition they differ by $e^{-q}$."""

import diffrax as dfx
import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Panel, Points, Slope
from ...claims.labelled import norm, relative_distance
from ...claims.marks import family, log_axis
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_classification import advance, begin, make_separated
from ...losses import Exponential, Logistic
from .shared.readings import all_near
from .simulations.diagonal_limits import SEPARATED

# Differences of two runs as small as e^-20 are resolved.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, max_steps=1_000_000)


def simulate(key, problem, *, d, depth, log_alpha, power, away, tail):
    r"""Linear maps and margins under both losses, at $(1 \mp c)\log\alpha/\lambda$ with $\lambda = \alpha^{-p}$.

    The second loss is $\frac1k\log(1 + e^{-q})$, with tail $e^{-q}/k$: its flow is that of $k$ times the weight decay, slower
    by $k$.
    """
    weight_decay = jnp.exp(-power * log_alpha)
    slow = jnp.stack([0.0, 1 - away, 1 + away]) * log_alpha
    init = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate", depth=depth)
    found = {}
    for name, loss, strength in (("plain", Exponential(), weight_decay), ("rival", Logistic(), tail * weight_decay)):
        read = {"effective": lambda net: net.effective()}
        path = advance(problem, init, slow / strength, weight_decay=strength, loss=loss, read=read, flow=FLOW)
        maps = path.reads["effective"][1:]
        found |= {f"{name}_map": maps, f"{name}_margins": problem.train.y * (maps @ problem.train.x.T)}
        found |= {f"{name}_outcome": path.outcome.code}
    outcomes = jnp.stack([found.pop("plain_outcome"), found.pop("rival_outcome")])
    return {**found, "outcome": jnp.max(outcomes)}


SIMULATION = Simulation(
    simulate,
    make_problem=make_separated,
    params=[
        Param("log_alpha", (3.0, 6.0), (3.0, 4.5, 6.0, 7.0), smoke=(3.0,), low=2.0, high=10.0, unit=r"$\log\alpha$"),
        Param("depth", (2, 3), smoke=(2,), low=2, high=4, unit="degree $D$", static=True),
        Param("power", (1.0, 1.5), smoke=(1.0,), low=0.5, high=2.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("away", 0.3, low=0.05, high=0.95, unit="$c$"),
        Param("tail", 1.0, low=0.1, high=10.0, unit="divisor of the logistic loss"),
        *SEPARATED,
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
    """The difference of the minimum margins and that of the directions, in units of the largest loss of a sample."""
    distance, loss = apart(data)
    tightest = data.plain_margins.argmin("n")
    ratio = (data.plain_margins - data.rival_margins).isel(n=tightest) / loss
    why = "differences of two runs, each accurate to 1e-11, are measured in units of it"
    return Evidence(
        sound=[at_least("largest loss of a sample, smallest over runs", loss.min(), 1e-9, key="loss", why=why)],
        holds=[
            all_near(
                "difference of the minimum margin over $e^{-q}$ at the largest scale, median over trials",
                ratio.isel(log_alpha=-1).median("trial"),
                1,
                0.5,
                key="margin",
                why=r"the same force is $e^{-q}$ for one and $e^{-q}/(1 + e^{-q})$ for the other: margins differ by "
                r"$\log(1 + e^{-q})$; the force that sustains a margin is proportional to its size, which changes this by some "
                "multiples of $1/q = 0.1$, large ones in a trial of three layers that is still removing an input at that moment",
            ),
            at_most(
                "distance of directions, in units of the largest loss of a sample",
                (distance / loss).max(),
                1,
                key="direction",
                why="margins of size 1 and more differ by that",
            ),
        ],
    )


def draw(data, depth) -> Drawing:
    """The distance of the two directions against the loss, before and after the transition."""
    distance, loss = apart(data)
    panels, axes = [], (log_axis("largest loss of a sample"), log_axis("distance of directions"))
    for at, when in ((0, "Before the transition"), (1, "After it")):
        marks = family("depth {}", loss.isel(t=at), distance.isel(t=at), "depth", mark=Points)
        ends = [min(mark.x.min() for mark in marks), max(mark.x.max() for mark in marks)]
        marks.append(Slope("bound", ends, (ends[1], ends[1]), 1))
        panels.append(Panel(marks, *axes, title=when))
    return Drawing(
        panels,
        caption="The distance of the directions found with the exponential and with the logistic loss, against the largest loss "
        "$e^{-q}$ of a sample, for all scales, weight decays and trials: they differ by no more than the remaining loss.",
    )


CLAIM = Claim(
    id="lyu2024/loss_equivalence",
    kind="statement",
    title="Exponential and logistic loss share the implicit bias",
    says=r"At $(1 - c)\log(\alpha)/\lambda$ and at $(1 + c)\log(\alpha)/\lambda$ the minimum margin $q$ of a diagonal net "
    "trained on the logistic loss is that of the exponential loss minus $e^{-q}$ in most trials, and in all of them the "
    "directions agree up to the remaining loss.",
    source="lyu2024, section 3.2",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[Control("half the logistic loss: a tail of $e^{-q}/2$", changes={"tail": 2.0}, breaks=("margin", "direction"))],
    seconds={"quick": 25, "paper": 90},
)

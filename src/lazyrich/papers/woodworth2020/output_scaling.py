r"""Footnote 1: a model of degree $D$ with its output times $\kappa$ moves as from $\kappa^{1/D}$ times its start."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientDescent
from ...inits import he
from ...lab import Param, Simulation
from ...lab.settings.diagonal_regression import pose
from ...losses import SUM, Squared
from ...models import DiagonalNet, Doubled, outputs, tangent
from ...objective import Objective
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points


class Times(eqx.Module):
    r"""$\kappa f_\theta$; the factor does not move."""

    model: eqx.Module
    factor: jax.Array

    def __call__(self, x):
        """The output for one input."""
        return jax.lax.stop_gradient(self.factor) * self.model(x)  # pyright: ignore[reportCallIssue]


def compare(train, start, *, kappa, power, steps: int):
    r"""Outputs of $\kappa f$ from a start and of $f$ from $\kappa^s$ times it, $s$ the power, at $\kappa^{2s}$ times the rate."""
    goal, when = Objective(train, Squared(), factor=SUM), jnp.arange(0, steps + 1, steps // 20)
    read = {"outputs": lambda model: outputs(model, train.x)}
    sharp = 2 * jnp.linalg.eigvalsh(tangent.kernel(start, train.x))[-1] * kappa**2
    loud, moved = Times(start, jnp.asarray(kappa)), jax.tree.map(lambda part: kappa**power * part, start)
    found = [
        GradientDescent(rate).run(goal, model, when, read)
        for model, rate in ((loud, 0.1 / sharp), (moved, 0.1 / sharp * kappa ** (2 * power)))
    ]
    return [path.reads["outputs"] for path in found], found


def simulate(key, problem, *, d, depth, alpha, kappa, power, width, steps):
    """Both runs for a diagonal net and for a doubled ReLU net of one depth."""
    train, own = problem.train, jr.fold_in(key, 1)
    nets = {
        "diagonal": DiagonalNet.at_scale(alpha, dim=d, depth=depth),
        "relu": Doubled.of(he(own, (d, *[width] * (depth - 1), 1), alpha=alpha)),
    }
    told, codes = {}, []
    for name, net in nets.items():
        (loud, moved), paths = compare(train, net, kappa=kappa, power=power, steps=steps)
        told |= {name: loud, f"{name}_start": moved}
        codes += [path.outcome.code for path in paths]
    return {**told, "answers": train.y, "outcome": jnp.max(jnp.stack(codes))}


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "kappa",
            (0.1, 10.0),
            (0.01, 0.1, 10.0, 100.0),
            smoke=(10.0,),
            low=1e-3,
            high=1e3,
            unit="factor of the output",
        ),
        Param("depth", (2, 3), (2, 3, 5), smoke=(2,), low=2, high=8, unit="layers: the degree", static=True),
        Param("power", "=1/depth", low=0.0, high=2.0, unit="of the factor in the start"),
        Param("alpha", 1.5, low=0.01, high=10.0, unit="scale of the start"),
        Param("steps", 200, 1_000, smoke=40, low=20, high=100_000, unit="of descent", static=True),
        Param("width", 10, 30, smoke=4, low=1, high=1_000, unit="hidden units", static=True),
        Param("n", 5, 20, smoke=3, low=1, high=500, unit="samples", static=True),
        Param("d", 16, 40, smoke=6, low=2, high=2_000, unit="unknowns", static=True),
        Param("sparsity", 2, 3, low=1, high=100, unit="entries of the truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
    ],
    returns={
        **dict.fromkeys(("diagonal", "diagonal_start", "relu", "relu_start"), "t n"),
        "answers": "n",
        "outcome": "",
    },
)


def judge(data) -> Evidence:
    """The outputs of the two runs at every step, over the largest answer; and that the runs went somewhere."""
    size = abs(data.answers).max("n")
    moves = [abs(data[name].isel(t=-1)).max("n") / size for name in ("diagonal", "relu")]
    return Evidence(
        sound=[
            at_least(
                "least move of the outputs, over the largest answer",
                min(float(part.min()) for part in moves),
                0.02,
                why="runs that go nowhere agree by themselves",
            )
        ],
        holds=[
            at_most(
                f"distance of the outputs, {name}",
                (abs(data[part] - data[f"{part}_start"]).max(("t", "n")) / size).max(),
                1e-9,
                why="equal step by step but for rounding, which steps below the edge of stability do not multiply",
            )
            for name, part in (("diagonal nets", "diagonal"), ("ReLU nets", "relu"))
        ],
    )


def draw(data, depth, steps) -> Drawing:
    """Outputs of both runs against the step."""
    when = [at * (steps // 20) for at in range(data.sizes["t"])]
    panels = []
    for part, title in (("diagonal", "Diagonal net"), ("relu", "ReLU net, doubled")):
        one = data.isel(depth=-1, kappa=-1, trial=0)
        marks = []
        for sample, role in zip(range(min(3, one.sizes["n"])), SERIES, strict=False):
            marks += [
                Points("output scaled", when, one[part].isel(n=sample).values, role=role),
                Line("start scaled", when, one[f"{part}_start"].isel(n=sample).values, role="theory"),
            ]
        panels.append(
            Panel(marks, x=Axis("step"), y=Axis("outputs on samples"), title=f"{title}, depth {int(depth[-1])}")
        )
    return Drawing(
        panels=panels,
        caption="Outputs on three samples with the output multiplied (points) and with the start multiplied instead, "
        "at a rate to match "
        "(lines).",
    )


CLAIM = Claim(
    kind="statement",
    title="Scaling the output is scaling the start",
    says="For a model of degree D, descent (or flow) on kappa f from w_0 gives the same functions as on f from "
    "kappa^(1/D) w_0 with the "
    "rate (or time) multiplied by kappa^(2/D).",
    source="woodworth2020, footnote 1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "the power of a model with one layer more",
        changes={"power": "=1/(depth+1)"},
        breaks=("distance of the outputs, diagonal nets", "distance of the outputs, ReLU nets"),
    ),
    seconds={"quick": 20, "paper": 30},
)

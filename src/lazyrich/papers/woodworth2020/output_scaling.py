r"""Footnote 1: a model of degree $D$ with its output times $\kappa$ learns as from $\kappa^{1/D}$ times its initialization."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.marks import family
from ...dynamics import GradientDescent
from ...inits import he
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_regression import make_problem
from ...losses import Squared
from ...models import DiagonalNet, Doubled, outputs, tangent
from ...objective import Objective
from .shared.marks import in_turn


class Times(eqx.Module):
    r"""$\kappa f_\theta$; the factor is not trained."""

    model: eqx.Module
    factor: jax.Array

    def __call__(self, x):
        """The output for one input."""
        return jax.lax.stop_gradient(self.factor) * self.model(x)  # pyright: ignore[reportCallIssue]


def compare(train, init, *, kappa, power, steps: int):
    r"""Outputs of $\kappa f$, and of $f$ from $\kappa^s$ times the weights at $\kappa^{2s}$ times the learning rate."""
    objective, when = Objective(train, Squared(), reduction="sum"), jnp.arange(0, steps + 1, steps // 20)
    read = {"outputs": lambda model: outputs(model, train.x)}
    sharp = 2 * jnp.linalg.eigvalsh(tangent.kernel(init, train.x))[-1] * kappa**2
    loud, moved = Times(init, jnp.asarray(kappa)), jax.tree.map(lambda part: kappa**power * part, init)
    rates = 0.1 / sharp, 0.1 / sharp * kappa ** (2 * power)
    found = [GradientDescent(step).run(objective, net, when, read) for net, step in zip((loud, moved), rates, strict=True)]
    return [path.reads["outputs"] for path in found], found


def simulate(key, problem, *, d, depth, alpha, kappa, power, width, steps):
    """Both runs for a diagonal net and for a doubled ReLU net of one depth."""
    train, own = problem.train, jr.fold_in(key, 1)
    nets = {
        "diagonal": DiagonalNet.at_scale(alpha, dim=d, depth=depth),
        "relu": Doubled.of(he(own, (d, *[width] * (depth - 1), 1), alpha=alpha)),
    }
    predicted, codes = {}, []
    for name, net in nets.items():
        (loud, moved), paths = compare(train, net, kappa=kappa, power=power, steps=steps)
        predicted |= {name: loud, f"{name}_init": moved}
        codes += [path.outcome.code for path in paths]
    return {**predicted, "labels": train.y, "outcome": jnp.max(jnp.stack(codes))}


FACTORS = (0.1, 10.0), (0.01, 0.1, 10.0, 100.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("kappa", *FACTORS, smoke=(10.0,), low=1e-3, high=1e3, unit="factor of the output"),
        Param("depth", (2, 3), (2, 3, 5), smoke=(2,), low=2, high=8, unit="layers: the degree", static=True),
        Param("power", "=1/depth", low=0.0, high=2.0, unit="exponent of the factor in the initialization"),
        Param("alpha", 1.5, low=0.01, high=10.0, unit="initialization scale"),
        Param("steps", 200, 1_000, smoke=40, low=20, high=100_000, unit="steps of gradient descent", static=True),
        Param("width", 10, 30, smoke=4, low=1, high=1_000, unit="hidden units", static=True),
        Param("n", 5, 20, smoke=3, low=1, high=500, unit="samples", static=True),
        Param("d", 16, 40, smoke=6, low=2, high=2_000, unit="dimension", static=True),
        Param("sparsity", 2, 3, low=1, high=100, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
    ],
    returns={**dict.fromkeys(("diagonal", "diagonal_init", "relu", "relu_init"), "t n"), "labels": "n", "outcome": ""},
)


def judge(data) -> Evidence:
    """The outputs of the two runs at every step, over the largest label; and that the runs went somewhere."""
    size, names = abs(data.labels).max("n"), {"diagonal": "diagonal nets", "relu": "ReLU nets"}
    least = min(float((abs(data[net].isel(t=-1)).max("n") / size).min()) for net in names)
    apart = {net: (abs(data[net] - data[f"{net}_init"]).max(("t", "n")) / size).max() for net in names}
    why = "equal step by step up to rounding error, which is not amplified below the edge of stability"
    return Evidence(
        sound=[at_least("smallest move of the outputs over the labels", least, 0.02, key="move", why="runs at rest agree")],
        holds=[at_most(f"distance of the outputs, {names[net]}", apart[net], 1e-9, key=net, why=why) for net in names],
    )


def draw(data, depth, steps) -> Drawing:
    """Outputs of both runs against the step."""
    when = [at * (steps // 20) for at in range(data.sizes["t"])]
    one, panels = data.isel(depth=-1, kappa=-1, trial=0, n=slice(3)), []
    for net, title in (("diagonal", "Diagonal net"), ("relu", "ReLU net, doubled")):
        points = family("output scaled", when, one[net], "n", mark=Points)
        lines = family("initialization scaled", when, one[f"{net}_init"], "n", roles=("theory",))
        title = f"{title}, depth {int(depth[-1])}"
        panels.append(Panel(in_turn(points, lines), Axis("steps"), Axis("outputs on samples"), title=title))
    return Drawing(
        panels,
        caption="Outputs on three samples with the output multiplied (points) and with the initialization multiplied instead, at "
        "the matching learning rate (lines).",
    )


CLAIM = Claim(
    id="woodworth2020/output_scaling",
    kind="statement",
    title="Scaling the output is scaling the initialization",
    says=r"For a model of degree $D$, gradient descent (or flow) on $\kappa f$ from $w_0$ gives the same functions as on $f$ "
    r"from $\kappa^{1/D} w_0$ with the learning rate (or time) multiplied by $\kappa^{2/D}$.",
    source="woodworth2020, footnote 1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[Control("the power of a model with one more layer", {"power": "=1/(depth+1)"}, breaks=("diagonal", "relu"))],
    seconds={"quick": 20, "paper": 30},
)

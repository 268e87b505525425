r"""The scalar net $uv$: its rate is $2\sqrt{d^2 + 4(uv)^2}$ with $d = u^2 - v^2$ kept, so imbalance and margin bound it below."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...losses import HALF_SUM, Squared
from ...models import LinearNet
from ...objective import Objective
from ...problems import Split
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, reduce=None)
# The nearest start misses the target by at most a quarter of it.
NEAR = 0.25


def begin(key, near):
    """A target and two weights, normal; or weights of the same imbalance whose product is near the target."""
    y, u, v, miss = jr.normal(jr.fold_in(key, 1), (4,))
    d, product = u**2 - v**2, y * (1 + NEAR * jnp.tanh(miss))
    big = jnp.sqrt((jnp.abs(d) + jnp.hypot(d, 2 * product)) / 2)
    small = product / big
    close = jnp.where(d > 0, jnp.stack([big, small]), jnp.stack([small, big]))
    return y, *jnp.where(near > 0, close, jnp.stack([u, v]))


def hyperbolic(y, d, product, times):
    r"""The product along $\dot\theta = y - p$ with $p = \tfrac{|d|}2\sinh 2\theta$: the same flow in one unknown."""

    def field(t, angle, args):
        return y - jnp.abs(d) / 2 * jnp.sinh(2 * angle)

    found = dfx.diffeqsolve(
        dfx.ODETerm(field),
        dfx.Tsit5(),
        times[0],
        times[-1],
        None,
        jnp.arcsinh(2 * product / jnp.abs(d)) / 2,
        saveat=dfx.SaveAt(ts=times),
        stepsize_controller=dfx.PIDController(rtol=1e-11, atol=1e-13),
        max_steps=100_000,
        throw=False,
    )
    assert found.ys is not None, "every time was asked for"
    return jnp.abs(d) / 2 * jnp.sinh(2 * found.ys)


def simulate(key, *, near, efolds, moments):
    """Weights and loss along the flow, the slope of the loss, and the product followed alone."""
    y, u, v = begin(key, near)
    d = u**2 - v**2
    times = jnp.linspace(0.0, 1.0, moments) * efolds / (2 * jnp.hypot(d, 2 * y))
    goal = Objective(Split(jnp.ones((1, 1)), y.reshape(1, 1)), Squared(), factor=HALF_SUM)

    def slope(net):
        """The rate of fall of the loss, from the squares of its gradient."""
        miss = y - net.u[0, 0] * net.v[0, 0]
        return (miss * net.v[0, 0]) ** 2 + (miss * net.u[0, 0]) ** 2

    read = {"u": lambda net: net.u[0, 0], "v": lambda net: net.v[0, 0], "fall": slope, "loss": goal}
    path = FLOW.run(goal, LinearNet(u=u.reshape(1, 1), v=v.reshape(1, 1)), times, read=read)
    return {
        "time": times,
        **path.reads,
        "alone": hyperbolic(y, d, u * v, times),
        "target": y,
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("near", (0, 1), low=0, high=1, unit="1: the product starts near the target"),
        Param("efolds", 10.0, low=0.1, high=100.0, unit="time, over that of the last rate"),
        Param("moments", 41, 101, smoke=9, low=3, high=1_000, unit="times", static=True),
        Param("trials", 40, 400, smoke=2, low=1, high=100_000, unit="draws", static=True),
    ],
    returns={**dict.fromkeys(("time", "u", "v", "fall", "loss", "alone"), "t"), "target": "", "outcome": ""},
)


def parts(data, weight):
    """The rate, what imbalance and product say it is, and what imbalance and first margin say it is at least."""
    product, first = data.u * data.v, data.isel(t=0)
    d = first.u**2 - first.v**2
    margin = np.maximum(abs(data.target) - abs(data.target - first.u * first.v), 0.0)
    told, bound = (2 * (d**2 + weight * part**2) ** 0.5 for part in (product, margin))
    return data.fall / data.loss, told, bound


def judge(data, weight) -> Evidence:
    """The identity of the rate, the bound below, and the product beside that of the flow in one unknown."""
    rate, told, bound = parts(data, weight)
    off = abs(data.u * data.v - data.alone).max("t") / np.maximum(abs(data.target), abs(data.alone).max("t"))
    return Evidence(
        sound=[
            at_most(
                "product along the flow less that of the flow in one unknown, relative",
                off.max(),
                1e-8,
                why="two forms of one equation at a relative tolerance of 1e-11, some hundred steps each",
            )
        ],
        holds=[
            at_most(
                "rate over 2 sqrt(d^2 + 4 (u v)^2), less one, the farthest",
                abs(rate / told - 1).max(),
                1e-8,
                why="an identity with d from the start: the drift of d at a relative tolerance of 1e-11",
            ),
            at_least(
                "rate over its bound by imbalance and margin, the least",
                (rate / bound).min(),
                1 - 1e-8,
                why="the same, since the product is farther from zero than the margin",
            ),
        ],
    )


def draw(data, weight) -> Drawing:
    """The rate of three draws against time with the bound, from normal starts and from near ones."""
    rate, _, bound = parts(data, weight)
    panels = []
    for near, title in zip(data.near.values, ("Normal weights", "A product near the target"), strict=False):
        marks = []
        for at in range(min(3, data.sizes["trial"])):
            x = data.time.sel(near=near).isel(trial=at).values
            y, least = rate.sel(near=near).isel(trial=at).values, float(bound.sel(near=near).isel(trial=at))
            marks += [
                Line(f"draw {at + 1}", x / x[-1], y, role=SERIES[at]),
                Line("", x[[0, -1]] / x[-1], [least] * 2, role="theory"),
            ]
        marks[1] = Line("bound", marks[1].x, marks[1].y, role="theory")
        panels.append(
            Panel(marks, x=Axis("time, over the whole"), y=Axis("rate of the loss", scale="log"), title=title)
        )
    return Drawing(
        panels,
        caption="The loss (y - uv)^2/2 falls at the rate 2 (u^2 + v^2). The bound knows the imbalance u^2 - v^2, "
        "which stays, and how much nearer the product starts to the target than zero is.",
    )


CLAIM = Claim(
    kind="statement",
    title="Imbalance and margin bound the rate of a scalar net",
    says="For the loss (y - u v)^2/2 the rate is 2 (u^2 + v^2) = 2 sqrt(d^2 + 4 (u v)^2) with d = u^2 - v^2 "
    "conserved. Hence it is at all times at least 2 sqrt(d^2 + 4 mu^2), where the margin mu is how much nearer to the "
    "target the product starts than zero is, or 0.",
    source="min2021, equations 13 to 15",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"weight": 4.0},
    least={"near": 2},
    control=Control(
        "the product weighed twice",
        changes={"weight": 8.0},
        breaks=(
            "rate over 2 sqrt(d^2 + 4 (u v)^2), less one, the farthest",
            "rate over its bound by imbalance and margin, the least",
        ),
    ),
    seconds={"quick": 8, "paper": 20},
)

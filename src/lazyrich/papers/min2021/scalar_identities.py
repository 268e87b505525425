r"""The scalar network $uv$: its rate is $2\sqrt{d^2 + 4(uv)^2}$ with $d = u^2 - v^2$ conserved."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import LinearNet
from ...objective import Objective
from ...problems import Split
from .shared.convergence import RATE

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, reduce=None)
NEAR = 0.25
"""Largest initial error near the target, relative to the target."""


def begin(key, near):
    """A target and two weights, all $N(0, 1)$; or weights of the same imbalance whose product is near the target."""
    y, u, v, error = jr.normal(jr.fold_in(key, 1), (4,))
    d, product = u**2 - v**2, y * (1 + NEAR * jnp.tanh(error))
    big = jnp.sqrt((jnp.abs(d) + jnp.hypot(d, 2 * product)) / 2)
    small = product / big
    close = jnp.where(d > 0, jnp.stack([big, small]), jnp.stack([small, big]))
    return y, *jnp.where(near > 0, close, jnp.stack([u, v]))


def hyperbolic(y, d, product, times):
    r"""The product along $\dot\theta = y - p$ with $p = \frac{|d|}{2}\sinh 2\theta$: the same flow as one scalar equation."""

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
    """Weights and loss along the flow, the squared gradient, and the product from its scalar equation."""
    y, u, v = begin(key, near)
    d = u**2 - v**2
    times = jnp.linspace(0.0, 1.0, moments) * efolds / (2 * jnp.hypot(d, 2 * y))
    objective = Objective(Split(jnp.ones((1, 1)), y.reshape(1, 1)), Squared(), reduction="half_sum")

    def slope(net):
        """The squared gradient, $-dL/dt$."""
        error = y - net.u[0, 0] * net.v[0, 0]
        return (error * net.v[0, 0]) ** 2 + (error * net.u[0, 0]) ** 2

    read = {"u": lambda net: net.u[0, 0], "v": lambda net: net.v[0, 0], "fall": slope, "loss": objective}
    path = FLOW.run(objective, LinearNet(u=u.reshape(1, 1), v=v.reshape(1, 1)), times, read=read)
    return {"time": times, **path.reads, "alone": hyperbolic(y, d, u * v, times), "target": y, "outcome": path.outcome.code}


SIMULATION = Simulation(
    simulate,
    params=[
        Param("near", (0, 1), low=0, high=1, unit="1: initialize near the target"),
        Param("efolds", 10.0, low=0.1, high=100.0, unit="duration, in units of 1 / (final rate)"),
        Param("moments", 41, 101, smoke=9, low=3, high=1_000, unit="saved times", static=True),
        Param("trials", 40, 400, smoke=2, low=1, high=100_000, unit="seeds", static=True),
    ],
    returns={**dict.fromkeys(("time", "u", "v", "fall", "loss", "alone"), "t"), "target": "", "outcome": ""},
)


def parts(data, weight):
    """The rate, its closed form in imbalance and product, and its lower bound from imbalance and initial margin."""
    product, first = data.u * data.v, data.isel(t=0)
    d = first.u**2 - first.v**2
    margin = np.maximum(abs(data.target) - abs(data.target - first.u * first.v), 0.0)
    theory, bound = (2 * (d**2 + weight * part**2) ** 0.5 for part in (product, margin))
    return data.fall / data.loss, theory, bound


def judge(data, weight) -> Evidence:
    """The identity for the rate, the lower bound, and the product beside that of the scalar equation."""
    rate, theory, bound = parts(data, weight)
    off = abs(data.u * data.v - data.alone).max("t") / np.maximum(abs(data.target), abs(data.alone).max("t"))
    over, margin = (rate / bound).min(), r"the same, since $|uv|$ is at least the margin"
    name = "product along the flow, relative distance to that of the scalar equation, maximum"
    why = "two forms of one equation at a relative solver tolerance of 1e-11, a few hundred steps each"
    return Evidence(
        sound=[at_most(name, off.max(), 1e-8, key="product", why=why)],
        holds=[
            at_most(
                r"rate, relative distance to $2\sqrt{d^2 + 4(uv)^2}$, maximum",
                abs(rate / theory - 1).max(),
                1e-8,
                key="rate",
                why="an identity with the initial $d$, up to its drift at a relative solver tolerance of 1e-11",
            ),
            at_least("rate over its bound from imbalance and margin, minimum", over, 1 - 1e-8, key="bound", why=margin),
        ],
    )


def draw(data, weight) -> Drawing:
    """The rate of three seeds against time with the bound, from Gaussian weights and from near the target."""
    rate, _, bound = parts(data, weight)
    panels = []
    for near, title in zip(data.near.values, ("Gaussian weights", "Product near the target"), strict=False):
        marks = []
        for at in range(min(3, data.sizes["trial"])):
            x, y, least = (part.sel(near=near).isel(trial=at).values for part in (data.time, rate, bound))
            marks.append(Line(f"seed {at}", x / x[-1], y, role=SERIES[at]))
            marks.append(Line("", x[[0, -1]] / x[-1], [float(least)] * 2, role="theory"))
        marks[1] = Line("bound", marks[1].x, marks[1].y, role="theory")
        panels.append(Panel(marks, Axis("$t$ over the duration"), RATE, title=title))
    return Drawing(
        panels,
        caption=r"The loss $\frac{1}{2}(y - uv)^2$ decays at the rate $2(u^2 + v^2)$. The bound uses the imbalance $u^2 - v^2$, "
        r"which is conserved, and the initial margin $\max(|y| - |y - uv|, 0)$.",
    )


CLAIM = Claim(
    id="min2021/scalar_identities",
    kind="statement",
    title="Imbalance and margin bound the rate of a scalar network",
    says=r"For the loss $\frac{1}{2}(y - uv)^2$ the rate is $2(u^2 + v^2) = 2\sqrt{d^2 + 4(uv)^2}$ with $d = u^2 - v^2$ "
    r"conserved. Hence it is always at least $2\sqrt{d^2 + 4\mu^2}$, with the margin $\mu = \max(|y| - |y - u(0)v(0)|, 0)$.",
    source="min2021, equations 13 to 15",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"weight": 4.0},
    least={"near": 2},
    controls=[Control("8 in place of 4 before $(uv)^2$", changes={"weight": 8.0}, breaks=("rate", "bound"))],
    seconds={"quick": 8, "paper": 20},
)

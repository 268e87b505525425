"""The zero start: orthogonal to all that is unseen, and yet a saddle from which nothing moves."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.settings.linear_net_flow import DATA, pose
from ...models import LinearNet
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-16, reduce=None)


def simulate(key, problem, *, width, alpha, close, growth, moments):
    r"""The slope at the start, the steepest descent near zero, and the flow from near zero beside $e^{tA}$."""
    rank, outputs = problem.target.shape
    drawn = jr.normal(jr.fold_in(key, 1), (rank + outputs, width))
    goal = problem.goal()
    weighed = problem.scale[:, None] * problem.target
    fastest = jnp.linalg.svd(weighed, compute_uv=False)[0]

    def net(rows):
        return LinearNet(u=rows[outputs:], v=rows[:outputs])

    slope = jax.grad(goal)(net(alpha * drawn))
    bend = jax.hessian(lambda flat: goal(net(flat.reshape(rank + outputs, 1))))(jnp.zeros(rank + outputs))
    move = jnp.block([[jnp.zeros((outputs, outputs)), weighed.T], [weighed, jnp.zeros((rank, rank))]])
    times = jnp.linspace(0.0, 1.0, moments) * jnp.log(growth) / fastest
    read = {"rows": lambda net: jnp.concatenate([net.v, net.u])}
    path = FLOW.run(goal, net(close * drawn), times, read=read)
    rates, frame = jnp.linalg.eigh(move)
    told = jnp.einsum("ij,tj,jk->tik", frame, jnp.exp(times[:, None] * rates), frame.T @ (close * drawn))
    size = jnp.sqrt(jnp.sum(path.reads["rows"] ** 2, axis=(1, 2)))
    return {
        "time": times * fastest,
        "slope": jnp.sqrt(jnp.sum(slope.u**2) + jnp.sum(slope.v**2)) / fastest,
        "steepest": -jnp.linalg.eigvalsh(bend)[0] / fastest,
        "size": size / size[0],
        "off": jnp.sqrt(jnp.sum((path.reads["rows"] - told) ** 2, axis=(1, 2))) / size,
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *DATA,
        Param("width", 9, 60, smoke=5, low=1, high=1_000, unit="hidden units", static=True),
        Param("alpha", 0.0, low=0.0, high=10.0, unit="deviation of the weights at the start"),
        Param("close", 1e-5, low=1e-9, high=1.0, unit="deviation of the weights near zero"),
        Param("growth", 100.0, low=1.1, high=1e6, unit="of the fastest direction near zero"),
        Param("moments", 21, 101, smoke=5, low=3, high=1_000, unit="times", static=True),
    ],
    returns={"time": "t", "size": "t", "off": "t", "slope": "", "steepest": "", "outcome": ""},
)


def judge(data) -> Evidence:
    """No slope at zero, a direction that falls at the rate of the largest singular value, and the flow near zero."""
    return Evidence(
        holds=[
            at_most(
                "slope at the start, the largest",
                data.slope.max(),
                0,
                why="each layer's gradient is a product with the other layer",
            ),
            near(
                "steepest fall at zero over the largest singular value of S Y, the farthest",
                1 + float(abs(data.steepest - 1).max()),
                1,
                1e-10,
                why="the second derivative couples the layers by S Y alone; rounding",
            ),
            at_most(
                "weights near zero less those of the linear equation, relative, the largest",
                data.off.max(),
                1e-4,
                why="what is left out is of the order of the weights' squares, 1e-6 when they have grown a hundredfold",
            ),
        ],
    )


def draw(data, growth) -> Drawing:
    """The growth of the weights from near zero, and their distance from the linear equation."""
    one = data.isel(tilt=-1)
    trials = range(min(3, one.sizes["trial"]))
    sizes = [
        Line(f"draw {at + 1}", one.time.isel(trial=at).values, one["size"].isel(trial=at).values, role=SERIES[at])
        for at in trials
    ]
    offs = [
        Line(f"draw {at + 1}", one.time.isel(trial=at).values[1:], one.off.isel(trial=at).values[1:], role=SERIES[at])
        for at in trials
    ]
    clock = one.time.isel(trial=0).values
    x = Axis("time x largest singular value")
    return Drawing(
        [
            Panel(
                [*sizes, Line("fastest direction", clock, np.exp(clock), role="theory")],
                x=x,
                y=Axis("weights over the first", scale="log"),
                title="Leaving zero",
            ),
            Panel(offs, x=x, y=Axis("relative distance", scale="log"), title="From the linear equation"),
        ],
        caption="From weights of 1e-5: they grow along the singular vectors of S Y, so the time to leave zero is the "
        "logarithm of one over the start. At zero itself nothing moves, although its first layer is orthogonal to "
        "everything.",
    )


CLAIM = Claim(
    kind="statement",
    title="The zero start is a saddle",
    says="U = V = 0 satisfies the orthogonality condition of proposition 10 but is a stationary point: the hypothesis "
    "that the flow converges fails there. It is a strict saddle, left at the rate of the largest singular value of S "
    "Y.",
    source="min2021, proposition 10",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "a start that is not zero",
        changes={"alpha": 0.1},
        breaks=("slope at the start, the largest",),
    ),
    seconds={"quick": 10, "paper": 30},
)

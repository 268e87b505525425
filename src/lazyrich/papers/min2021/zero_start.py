"""The zero initialization: orthogonal to everything outside the input span, and yet a stationary saddle."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel
from ...claims.marks import log_axis
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...models import LinearNet
from .shared.marks import seeds
from .simulations.linear_net_flow import DATA, make_problem

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-16, reduce=None)


def simulate(key, problem, *, width, alpha, close, growth, moments):
    r"""The initial gradient, the most negative curvature at zero, and the flow from near zero beside $e^{tA}$."""
    rank, outputs = problem.target.shape
    drawn = jr.normal(jr.fold_in(key, 1), (rank + outputs, width))
    objective = problem.objective()
    weighed = problem.scale[:, None] * problem.target
    fastest = jnp.linalg.svd(weighed, compute_uv=False)[0]

    def net(rows):
        return LinearNet(u=rows[outputs:], v=rows[:outputs])

    slope = jax.grad(objective)(net(alpha * drawn))
    bend = jax.hessian(lambda flat: objective(net(flat.reshape(rank + outputs, 1))))(jnp.zeros(rank + outputs))
    move = jnp.block([[jnp.zeros((outputs, outputs)), weighed.T], [weighed, jnp.zeros((rank, rank))]])
    times = jnp.linspace(0.0, 1.0, moments) * jnp.log(growth) / fastest
    read = {"rows": lambda net: jnp.concatenate([net.v, net.u])}
    path = FLOW.run(objective, net(close * drawn), times, read=read)
    rates, frame = jnp.linalg.eigh(move)
    predicted = jnp.einsum("ij,tj,jk->tik", frame, jnp.exp(times[:, None] * rates), frame.T @ (close * drawn))
    size = jnp.sqrt(jnp.sum(path.reads["rows"] ** 2, axis=(1, 2)))
    return {
        "time": times * fastest,
        "slope": jnp.sqrt(jnp.sum(slope.u**2) + jnp.sum(slope.v**2)) / fastest,
        "steepest": -jnp.linalg.eigvalsh(bend)[0] / fastest,
        "size": size / size[0],
        "off": jnp.sqrt(jnp.sum((path.reads["rows"] - predicted) ** 2, axis=(1, 2))) / size,
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *DATA,
        Param("width", 9, 60, smoke=5, low=1, high=1_000, unit="hidden units", static=True),
        Param("alpha", 0.0, low=0.0, high=10.0, unit="standard deviation of the initial weights"),
        Param("close", 1e-5, low=1e-9, high=1.0, unit="standard deviation of the weights near zero"),
        Param("growth", 100.0, low=1.1, high=1e6, unit="growth factor of the fastest direction"),
        Param("moments", 21, 101, smoke=5, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns={"time": "t", "size": "t", "off": "t", "slope": "", "steepest": "", "outcome": ""},
)


def judge(data) -> Evidence:
    """The gradient at zero, its most negative curvature, and the flow near zero."""
    near_zero = "weights near zero, relative distance to the linearization"
    squared = "the next order is that of the squared weights, 1e-6 after a growth by a factor of 100"
    product = "the gradient of each layer is a product with the other layer"
    return Evidence(
        holds=[
            at_most("initial gradient norm, maximum", data.slope.max(), 0, key="gradient", why=product),
            near(
                r"most negative curvature at zero over $-\sigma_{\max}(S\tilde Y)$, farthest from 1",
                1 + float(abs(data.steepest - 1).max()),
                1,
                1e-10,
                key="curvature",
                why=r"the Hessian at zero couples the layers through $S\tilde Y$ alone, up to rounding error",
            ),
            at_most(f"{near_zero}, maximum", data.off.max(), 1e-4, key="linearization", why=squared),
        ]
    )


def draw(data) -> Drawing:
    """The growth of the weights from near zero, and their distance to the linearization."""
    one = data.isel(tilt=-1)
    clock = one.time.isel(trial=0)
    x = Axis(r"$\sigma_{\max}(S\tilde Y)\,t$")
    escape = [*seeds(one.time, one["size"]), Line("fastest direction", clock, np.exp(clock), role="theory")]
    off = seeds(one.time[..., 1:], one.off[..., 1:])
    return Drawing(
        [
            Panel(escape, x, log_axis("norm of the weights, relative to initial"), title="Escape from zero"),
            Panel(off, x, log_axis("relative distance"), title="Distance to the linearization"),
        ],
        caption=r"Weights of standard deviation $10^{-5}$ grow along the singular vectors of $S\tilde Y$: the escape time is "
        "logarithmic in the initialization scale. At zero itself nothing moves, although the orthogonality condition holds.",
    )


CLAIM = Claim(
    id="min2021/zero_start",
    kind="statement",
    title="The zero initialization is a saddle",
    says="$U = V = 0$ satisfies the orthogonality condition of proposition 10 but is a stationary point: the hypothesis that the "
    r"loss converges to its minimum fails there. It is a strict saddle, with escape rate $\sigma_{\max}(S\tilde Y)$.",
    source="min2021, proposition 10",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[Control("a nonzero initialization", changes={"alpha": 0.1}, breaks=("gradient",))],
    seconds={"quick": 10, "paper": 30},
)

r"""A two-layer linear network on underdetermined regression, in coordinates where the data matrix is diagonal."""

from typing import Any

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow, Trajectory
from ....errors import BadInput
from ....inits import balanced, bartlett
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....measures.convergence import pace
from ....models import LinearNet
from ....numerics.imbalance import Imbalance, difference, eigenvalues
from ....numerics.values import concrete
from ....objective import Objective
from ....problems import Split
from ....regularizers import L2
from ....types import Array, Float, Key, Scalar

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-13, reduce=None)
"""Explicit: the convergence rates of one network lie within a factor of some thousands."""
FLOOR = 1e-18
"""Runs stop at this fraction of the initial excess loss: below it the error is rounding error of the weights."""


class Reduced(eqx.Module):
    r"""Inputs $X = WS\Phi_1^\top$ and targets $Y$, reduced to what the training loss depends on: $S$ and $\tilde Y = W^\top Y$.

    `left` is $\frac{1}{2}\|(I - WW^\top)Y\|_F^2$, the minimal loss $L^*$. `data` holds $X$ and $Y$ themselves and `frame` is
    $\Phi_1^\top$. Source: min2021, section 2.1.
    """

    data: Split
    frame: Float[Array, "r d"]
    scale: Float[Array, " r"]
    target: Float[Array, "r k"]
    left: Scalar

    @classmethod
    def of(cls, data: Split) -> "Reduced":
        """From the SVD of the inputs. Assumes: no more samples than inputs, in general position."""
        w, scale, frame = jnp.linalg.svd(data.x, full_matrices=False)
        y = data.y[:, None] if data.y.ndim == 1 else data.y
        target = w.T @ y
        return cls(data, frame, scale, target, jnp.sum((y - w @ target) ** 2) / 2)

    def objective(self, weight_decay: Any = None) -> Objective:
        r"""$\frac{1}{2}\|\tilde Y - SU_1V^\top\|_F^2$, the excess loss, with weight decay where one is given."""
        penalties = [] if weight_decay is None else [(L2(), weight_decay)]
        return Objective(Split(jnp.diag(self.scale), self.target), Squared(), reduction="half_sum", penalties=penalties)

    def seen(self, net: LinearNet) -> LinearNet:
        r"""$(U_1, V)$ of a network on the inputs themselves."""
        return LinearNet(u=self.frame @ net.u, v=net.v)


def make_problem(key: Key, n: int, d: int, outputs: int, tilt, noise) -> Reduced:
    r"""Gaussian inputs, their singular values raised to the power `tilt` (0 whitens), a Gaussian teacher and label noise."""
    require_under_determined(n, d)
    inputs, truth, error = jr.split(jr.fold_in(key, 0), 3)
    w, scale, frame = jnp.linalg.svd(jr.normal(inputs, (n, d)) / jnp.sqrt(d), full_matrices=False)
    x = (w * scale**tilt) @ frame
    y = x @ jr.normal(truth, (d, outputs)) / jnp.sqrt(d) + noise * jr.normal(error, (n, outputs))
    return Reduced.of(Split(x, y))


def require_under_determined(n: int, d: int) -> None:
    """Refuse as many samples as inputs: then the data determine the whole predictor."""
    if n >= d:
        raise BadInput(
            needed="underdetermined data: fewer samples than inputs",
            given=f"n = {n}, d = {d}",
            cure=f"Give n of at most {d - 1}, or more inputs.",
        )


def require_margin(problem: Reduced) -> None:
    """Refuse targets whose smallest singular value is zero: no error is smaller."""
    values = concrete(jnp.linalg.svd(problem.target, compute_uv=False))
    if values is not None and float(values[-1]) <= 1e-12 * float(values[0]):
        raise BadInput(
            needed="a margin needs targets of full rank in the span of the inputs",
            given=f"smallest singular value {float(values[-1]):.1e}",
            cure="Give fewer outputs, or targets that are less collinear.",
        )


def begin(key: Key, problem: Reduced, *, width, scale, ratio) -> LinearNet:
    r"""$(U_1, V)$ with Gaussian entries, of standard deviation $\sigma\sqrt{\rho}$ in $U$ and $\sigma/\sqrt{\rho}$ in $V$.

    The product is the same for all ratios $\rho$. Sampled at the width that its rows span, whatever the width.
    """
    rank, outputs = problem.target.shape
    drawn = bartlett(jr.fold_in(key, 1), dim=rank, outputs=outputs, width=width, scale=scale)
    return LinearNet(u=drawn.u * jnp.sqrt(ratio), v=drawn.v / jnp.sqrt(ratio))


def begin_near(key: Key, problem: Reduced, *, away, imbalance) -> LinearNet:
    r"""A network at distance `away` times the smallest singular value from the target, with imbalance $\lambda QQ^\top$.

    Below 1 the margin is positive, whatever the imbalance.
    """
    rank, outputs = problem.target.shape
    require_margin(problem)
    error = jr.normal(jr.fold_in(key, 3), problem.target.shape)
    least = jnp.linalg.svd(problem.target, compute_uv=False)[-1]
    aim = problem.target + away * least * error / jnp.linalg.norm(error)
    return balanced(
        jr.fold_in(key, 1), aim / problem.scale[:, None], width=rank + outputs, imbalance=jnp.asarray(imbalance, float)
    )


def require_moving(init: LinearNet) -> None:
    """Refuse the zero initialization: a saddle, where gradient flow is stationary."""
    layers = [concrete(part) for part in (init.u, init.v)]
    if all(part is not None and not part.any() for part in layers):
        raise BadInput(
            needed="an initialization from which gradient flow moves",
            given="two layers of zeros, a saddle of the loss",
            cure="Initialize the layers at a small scale.",
        )


def follow(
    problem: Reduced,
    init: LinearNet,
    times,
    read: dict[str, Any] | None = None,
    *,
    weight_decay: Any = None,
    flow: GradientFlow = FLOW,
) -> Trajectory:
    """Gradient flow on the excess loss, until the loss is rounding error or the time is up."""
    require_moving(init)
    excess = problem.objective()
    level = FLOOR * excess(init)
    return flow.run(problem.objective(weight_decay), init, times, read=read, stop=lambda net: excess(net) < level)


def paces(problem: Reduced, init: LinearNet, efolds, moments: int, *, weight_decay: Any = None) -> dict[str, Any]:
    """Instantaneous rates and their bounds along the flow, and the drift of the imbalance.

    The time is `efolds` over the geometric mean of the initial rate and the asymptotic bound: between fast and slow modes.
    """
    rank, outputs = problem.target.shape
    ends = Imbalance.of(eigenvalues(init.u, init.v), rows=rank, others=outputs)
    first = pace(problem.scale, problem.target, init, ends)
    times = jnp.linspace(0.0, 1.0, moments) * efolds / jnp.sqrt(first.rate * first.asymptotic)
    kept = difference(init.u, init.v)
    weights = jnp.sum(init.u**2) + jnp.sum(init.v**2)

    def drift(net):
        return jnp.linalg.norm(difference(net.u, net.v) - kept) / jnp.maximum(jnp.linalg.norm(kept), weights)

    def size(net):
        return jnp.sum(net.u**2) + jnp.sum(net.v**2)

    read = {"pace": lambda net: pace(problem.scale, problem.target, net, ends)._asdict(), "drift": drift, "size": size}
    path = follow(problem, init, times, read, weight_decay=weight_decay)
    found = path.reads["pace"]
    return {
        **found,
        "time": jnp.minimum(times, path.outcome.reached),
        "drift": path.reads["drift"],
        "size": path.reads["size"],
        "level": ends.level,
        "least": problem.scale[-1] ** 2,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


PACES = {
    **dict.fromkeys(("excess", "rate", "lemma_7", "proposition_1", "guaranteed", "asymptotic", "margin", "top"), "t"),
    **dict.fromkeys(("time", "drift", "size"), "t"),
    **dict.fromkeys(("level", "least", "outcome", "steps"), ""),
}
"""What `paces` returns, with the axes."""


def simulate(key, problem, *, width, scale, ratio, near, away, imbalance, weight_decay, efolds, moments):
    """The flow from a Gaussian initialization, or from one near the target where `near` is 1."""
    wide = begin(key, problem, width=width, scale=scale, ratio=ratio)
    close = begin_near(key, problem, away=away, imbalance=imbalance)
    init = jax.tree.map(lambda a, b: jnp.where(near > 0, a, b), close, wide)
    return paces(problem, init, efolds, moments, weight_decay=weight_decay)


DATA = (
    Param("n", 6, 20, smoke=3, low=1, high=500, unit="samples", static=True),
    Param("d", 12, 50, smoke=5, low=2, high=2_000, unit="inputs", static=True),
    Param("outputs", 3, 5, smoke=2, low=1, high=100, static=True),
    Param("tilt", (0.0, 1.0), smoke=(1.0,), low=0.0, high=2.0, unit="exponent of the singular values of $X$; 0 whitens"),
    Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation of the label noise"),
)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *DATA,
        Param("width", 60, 400, smoke=12, low=1, high=10**12, unit="hidden units"),
        Param("scale", 0.1, 0.05, smoke=0.2, low=1e-6, high=1e3, unit="standard deviation of the weights"),
        Param("ratio", (1.0, 7.0, 50.0), smoke=(1.0, 50.0), low=1e-4, high=1e4, unit="scale of $U$ over that of $V$"),
        Param("near", (0, 1), low=0, high=1, unit="1: initialize near the target"),
        Param("away", (0.5,), low=0.0, high=10.0, unit="initial error near the target, over its smallest singular value"),
        Param(
            "imbalance", (0.0, 1.0), smoke=(1.0,), low=-100.0, high=100.0, unit="imbalance of an initialization near the target"
        ),
        Param("weight_decay", 0.0, low=0.0, high=10.0, unit="strength of $L_2$ regularization"),
        Param("efolds", 12.0, low=0.1, high=1e3, unit="duration, in units of 1 / (mean rate)"),
        Param("moments", 41, 101, smoke=9, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns=PACES,
)

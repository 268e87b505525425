r"""A two-layer linear net on under-determined regression, in the coordinates where the data are a diagonal matrix."""

from typing import Any

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Trajectory
from ...errors import BadInput
from ...inits import balanced, bartlett
from ...losses import HALF_SUM, Squared
from ...measures.convergence import pace
from ...models import LinearNet
from ...numerics.imbalance import Imbalance, difference, eigenvalues
from ...numerics.values import concrete
from ...objective import Objective
from ...problems import Split
from ...regularizers import L2
from ...types import Array, Float, Key, Scalar
from ..params import Param
from ..simulation import Simulation

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-13, reduce=None)
"""Explicit: the rates of one net lie within a factor of thousands."""
FLOOR = 1e-18
"""Runs stop at this share of the first excess: below it the error is rounding of the weights."""


class Reduced(eqx.Module):
    r"""Inputs $X = WS\Phi_1^\top$ and answers $Y$, as all that a net can see of them: $S$ and $\tilde Y = W^\top Y$.

    `left` is $\tfrac12\|(I - WW^\top)Y\|_F^2$, the loss that no map avoids. `data` are $X$ and $Y$ themselves and `frame` is
    $\Phi_1^\top$. Source: min2021, section 2.1.
    """

    data: Split
    frame: Float[Array, "r d"]
    scale: Float[Array, " r"]
    target: Float[Array, "r k"]
    left: Scalar

    @classmethod
    def of(cls, data: Split) -> "Reduced":
        """By the singular values of the inputs. Assumes: no more samples than inputs, in general position."""
        w, scale, frame = jnp.linalg.svd(data.x, full_matrices=False)
        y = data.y[:, None] if data.y.ndim == 1 else data.y
        target = w.T @ y
        return cls(data, frame, scale, target, jnp.sum((y - w @ target) ** 2) / 2)

    def goal(self, decay: Any = None) -> Objective:
        r"""$\tfrac12\|\tilde Y - SU_1V^\top\|_F^2$, the excess of the loss, and a decay of the weights where one is given."""
        penalties = [] if decay is None else [(L2(), decay)]
        return Objective(Split(jnp.diag(self.scale), self.target), Squared(), factor=HALF_SUM, penalties=penalties)

    def seen(self, net: LinearNet) -> LinearNet:
        r"""$(U_1, V)$ for a net on the inputs themselves."""
        return LinearNet(u=self.frame @ net.u, v=net.v)


def pose(key: Key, n: int, d: int, outputs: int, tilt, noise) -> Reduced:
    r"""Gaussian inputs, their singular values raised to the power `tilt` (0 whitens), a Gaussian map and noise in the answers."""
    require_under_determined(n, d)
    inputs, truth, error = jr.split(jr.fold_in(key, 0), 3)
    w, scale, frame = jnp.linalg.svd(jr.normal(inputs, (n, d)) / jnp.sqrt(d), full_matrices=False)
    x = (w * scale**tilt) @ frame
    y = x @ jr.normal(truth, (d, outputs)) / jnp.sqrt(d) + noise * jr.normal(error, (n, outputs))
    return Reduced.of(Split(x, y))


def require_under_determined(n: int, d: int) -> None:
    """Refuse as many samples as inputs: then nothing is left unseen."""
    if n >= d:
        raise BadInput(
            needed="under-determined data: fewer samples than inputs",
            given=f"n = {n}, d = {d}",
            cure=f"Give n of at most {d - 1}, or more inputs.",
        )


def require_margin(problem: Reduced) -> None:
    """Refuse targets whose least singular value is zero: no error is smaller."""
    values = concrete(jnp.linalg.svd(problem.target, compute_uv=False))
    if values is not None and float(values[-1]) <= 1e-12 * float(values[0]):
        raise BadInput(
            needed="a margin needs answers of full rank in what the inputs span",
            given=f"least singular value {float(values[-1]):.1e}",
            cure="Give fewer outputs, or answers that depend on each other less.",
        )


def begin(key: Key, problem: Reduced, *, width, scale, ratio) -> LinearNet:
    r"""$(U_1, V)$ with normal entries, $U$ of deviation $\sigma\sqrt\rho$ and $V$ of $\sigma/\sqrt\rho$.

    Their product is one for all ratios. Drawn at the width that its rows span, whatever the width.
    """
    rank, outputs = problem.target.shape
    drawn = bartlett(jr.fold_in(key, 1), dim=rank, outputs=outputs, width=width, scale=scale)
    return LinearNet(u=drawn.u * jnp.sqrt(ratio), v=drawn.v / jnp.sqrt(ratio))


def begin_near(key: Key, problem: Reduced, *, away, imbalance) -> LinearNet:
    r"""A net whose map misses the target by `away` times its least singular value, with imbalance $\lambda QQ^\top$.

    At less than 1 there is a margin, whatever the imbalance.
    """
    rank, outputs = problem.target.shape
    require_margin(problem)
    miss = jr.normal(jr.fold_in(key, 3), problem.target.shape)
    least = jnp.linalg.svd(problem.target, compute_uv=False)[-1]
    aim = problem.target + away * least * miss / jnp.linalg.norm(miss)
    return balanced(
        jr.fold_in(key, 1), aim / problem.scale[:, None], width=rank + outputs, imbalance=jnp.asarray(imbalance, float)
    )


def require_moving(start: LinearNet) -> None:
    """Refuse the zero start: a saddle, where nothing moves."""
    layers = [concrete(part) for part in (start.u, start.v)]
    if all(part is not None and not part.any() for part in layers):
        raise BadInput(
            needed="a start from which the flow moves",
            given="two layers of zeros, a saddle of the loss",
            cure="Draw the layers at a small scale.",
        )


def follow(
    problem: Reduced,
    start: LinearNet,
    times,
    read: dict[str, Any] | None = None,
    *,
    decay: Any = None,
    flow: GradientFlow = FLOW,
) -> Trajectory:
    """Follow the flow of the excess loss until it is rounding or the time is up."""
    require_moving(start)
    excess = problem.goal()
    level = FLOOR * excess(start)
    return flow.run(problem.goal(decay), start, times, read=read, stop=lambda net: excess(net) < level)


def paces(problem: Reduced, start: LinearNet, efolds, moments: int, *, decay: Any = None) -> dict[str, Any]:
    """Rates and their bounds along the flow, and what it conserves.

    Up to `efolds` over the mean, in logarithms, of the first rate and the asymptotic bound: between fast and slow modes.
    """
    rank, outputs = problem.target.shape
    ends = Imbalance.of(eigenvalues(start.u, start.v), rows=rank, others=outputs)
    first = pace(problem.scale, problem.target, start, ends)
    times = jnp.linspace(0.0, 1.0, moments) * efolds / jnp.sqrt(first.rate * first.asymptotic)
    kept = difference(start.u, start.v)
    weights = jnp.sum(start.u**2) + jnp.sum(start.v**2)

    def drift(net):
        return jnp.linalg.norm(difference(net.u, net.v) - kept) / jnp.maximum(jnp.linalg.norm(kept), weights)

    def size(net):
        return jnp.sum(net.u**2) + jnp.sum(net.v**2)

    read = {"pace": lambda net: pace(problem.scale, problem.target, net, ends)._asdict(), "drift": drift, "size": size}
    path = follow(problem, start, times, read, decay=decay)
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
    **dict.fromkeys(
        (
            "excess",
            "rate",
            "lemma_7",
            "proposition_1",
            "guaranteed",
            "asymptotic",
            "margin",
            "top",
            "time",
            "drift",
            "size",
        ),
        "t",
    ),
    **dict.fromkeys(("level", "least", "outcome", "steps"), ""),
}
"""What `paces` returns, with its axes."""


def simulate(key, problem, *, width, scale, ratio, near, away, imbalance, decay, efolds, moments):
    """The flow from a Gaussian start, or where `near` is 1 from one near the target."""
    wide = begin(key, problem, width=width, scale=scale, ratio=ratio)
    close = begin_near(key, problem, away=away, imbalance=imbalance)
    start = jax.tree.map(lambda a, b: jnp.where(near > 0, a, b), close, wide)
    return paces(problem, start, efolds, moments, decay=decay)


DATA = (
    Param("n", 6, 20, smoke=3, low=1, high=500, unit="samples", static=True),
    Param("d", 12, 50, smoke=5, low=2, high=2_000, unit="inputs", static=True),
    Param("outputs", 3, 5, smoke=2, low=1, high=100, static=True),
    Param("tilt", (0.0, 1.0), smoke=(1.0,), low=0.0, high=2.0, unit="power of the inputs' singular values"),
    Param("noise", 0.1, low=0.0, high=10.0, unit="deviation of the answers"),
)
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *DATA,
        Param("width", 60, 400, smoke=12, low=1, high=10**12, unit="hidden units"),
        Param("scale", 0.1, 0.05, smoke=0.2, low=1e-6, high=1e3, unit="deviation of the weights"),
        Param("ratio", (1.0, 7.0, 50.0), smoke=(1.0, 50.0), low=1e-4, high=1e4, unit="first layer over the second"),
        Param("near", (0, 1), low=0, high=1, unit="1: a start near the target"),
        Param("away", (0.5,), low=0.0, high=10.0, unit="error at a near start, over the target's least singular value"),
        Param("imbalance", (0.0, 1.0), smoke=(1.0,), low=-100.0, high=100.0, unit="of a near start"),
        Param("decay", 0.0, low=0.0, high=10.0, unit="strength of L2"),
        Param("efolds", 12.0, low=0.1, high=1e3, unit="time, over that of a mean rate"),
        Param("moments", 41, 101, smoke=9, low=3, high=1_000, unit="times", static=True),
    ],
    returns=PACES,
)

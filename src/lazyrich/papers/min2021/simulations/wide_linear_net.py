r"""Linear nets of any width from normal weights of deviation $h^{-a}$: how far from the least norm they end."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, Outcome
from ...inits import bartlett
from ...models import LinearNet
from ...numerics.imbalance import Imbalance, eigenvalues
from ...problems import Problem, Split
from ..params import Param
from ..simulation import Simulation
from .linear_net_flow import Reduced, require_under_determined

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
# Runs stop at this error, over the answers, or over the layers' Gram matrix where that is larger: what is left then moves the
# second layer by no more than that part of it.
MISS = 1e-6


def pose(key, n, d, outputs, signal, condition, noise) -> Problem:
    """Gaussian inputs, the last row weaker than the first by `condition`, and a map of which about `signal` is seen."""
    require_under_determined(n, d)
    inputs, truth, error = jr.split(jr.fold_in(key, 0), 3)
    x = jnp.geomspace(1.0, 1 / condition, n)[:, None] * jr.normal(inputs, (n, d)) / jnp.sqrt(d)
    theta = signal * jr.normal(truth, (d, outputs)) / jnp.sqrt(n)
    return Problem(Split(x, x @ theta + noise * jr.normal(error, (n, outputs))), None, theta, None)


def simulate(key, problem, *, d, width, exponent, ideal, others):
    r"""The end of the flow from a Gaussian net of this width: its distance from the least norm, and what that is made of.

    The rows of $[V; U_1; U_2]$ are $\sigma L$ with $L$ triangular, and no more of $U_2$ than its columns beside $V$ and $U_1$
    meets them: `others` such parts are drawn for one flow of $(V, U_1)$. Where `ideal` is 1, that begins at
    $VV^\top = U_1U_1^\top = h^{1-2a}I$, $U_1V^\top = 0$ exactly, as at infinite width. `gram` is $VV^\top$ at the end.
    """
    data = Reduced.of(problem.train)
    rank, outputs = data.target.shape
    size, scale = width**-exponent, width ** (1 - 2 * exponent)
    drawn = bartlett(jr.fold_in(key, 1), dim=rank, outputs=outputs, width=width, scale=size)
    even = jnp.sqrt(scale) * jnp.eye(rank + outputs)
    start = jax.tree.map(lambda a, b: jnp.where(ideal > 0, a, b), LinearNet(u=even[outputs:], v=even[:outputs]), drawn)
    goal = data.goal()
    level = (MISS * jnp.maximum(jnp.linalg.norm(data.target), scale)) ** 2 / 2
    # The fastest rate is above the slowest by the square of the condition, and from a small start there is a plateau.
    until = 200 * (1 + jnp.log1p(1 / scale)) / (data.scale[-1] ** 2 * jnp.minimum(scale, 1.0))
    path = FLOW.run(goal, start, jnp.array([0.0, 1.0]) * until, read={}, stop=lambda net: goal(net) < level)
    end = path.end
    unseen = size * jr.normal(jr.fold_in(key, 2), (others, d - rank, rank + outputs))
    first, last = (jnp.concatenate([net.v, net.u]) for net in (start, end))
    missed = jnp.einsum("sqp,kp->sqk", unseen, end.v)
    ends = Imbalance.of(eigenvalues(*start.parameters()), rows=rank, others=outputs)
    kernel = first @ first.T
    return {
        "distance": jnp.sqrt(jnp.sum(missed**2, axis=(1, 2))),
        "operator": jnp.sqrt(jax.lax.map(lambda m: jnp.linalg.eigvalsh(m.T @ m)[-1], missed)),
        "defect": jnp.sqrt(jnp.sum(jnp.einsum("sqp,kp->sqk", unseen, first) ** 2, axis=(1, 2))),
        "product": jnp.linalg.norm(start.effective()),
        "level": ends.level,
        "drift": jnp.linalg.norm(last @ last.T - kernel) / jnp.linalg.norm(kernel),
        "gram": (end.v @ end.v.T).ravel(),
        "least": jnp.ravel((data.target / data.scale[:, None]).T @ (data.target / data.scale[:, None])),
        "unfitted": jnp.linalg.norm(end.effective() - data.target / data.scale[:, None]),
        "top": data.scale[0] ** 2,
        "bottom": data.scale[-1] ** 2,
        "answers": jnp.linalg.norm(problem.train.y),
        "fitted": path.outcome.reached,
        "outcome": jnp.where(path.outcome.code == Outcome.END, Outcome.STEP_LIMIT, path.outcome.code),
        "steps": path.outcome.steps,
    }


DATA = (
    Param("n", 8, smoke=3, low=1, high=1_000, unit="samples", static=True),
    Param("d", 208, smoke=12, low=2, high=10_000, unit="inputs", static=True),
    Param("outputs", 3, smoke=2, low=1, high=100, static=True),
    Param("signal", 1.0, low=0.0, high=1e3, unit="size of the least-norm map, an output"),
    Param("condition", 2.0, low=1.0, high=100.0, unit="first row of the inputs over the last"),
    Param("noise", 0.01, low=0.0, high=10.0, unit="deviation of the answers"),
)
WIDTH = Param("width", (1e4, 1e5, 1e6, 1e7), smoke=(1e3, 1e5), low=1, high=1e12, unit="hidden units")
EXPONENT = Param("exponent", (0.35, 0.5, 0.6), smoke=(0.5,), low=0.0, high=2.0, unit="a: weights of deviation h^-a")
SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *DATA,
        WIDTH,
        EXPONENT,
        Param("ideal", 0, low=0, high=1, unit="1: the start of infinite width"),
        Param("others", 20, smoke=2, low=1, high=10_000, unit="unseen parts for one flow", static=True),
    ],
    returns={
        **dict.fromkeys(("distance", "operator", "defect"), "s"),
        **dict.fromkeys(("gram", "least"), "k"),
        **dict.fromkeys(
            ("product", "level", "drift", "unfitted", "top", "bottom", "answers", "fitted", "outcome", "steps"), ""
        ),
    },
)

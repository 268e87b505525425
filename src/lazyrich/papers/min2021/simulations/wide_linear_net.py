r"""Linear networks of any width from Gaussian weights of standard deviation $h^{-a}$: final distance to minimum norm."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow, Outcome
from ....inits import bartlett
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....models import LinearNet
from ....numerics.imbalance import Imbalance, eigenvalues
from ....problems import Problem, Split
from .linear_net_flow import Reduced, require_under_determined

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
# Runs stop at this error, relative to the targets, or to the Gram matrix of the layers where that is larger: what is left then
# moves the second layer by no more than that fraction.
TOLERANCE = 1e-6


def make_problem(key, n, d, outputs, signal, condition, noise) -> Problem[Split]:
    """Gaussian inputs, the first row `condition` times as large as the last; a minimum-norm solution of size about `signal`."""
    require_under_determined(n, d)
    inputs, truth, error = jr.split(jr.fold_in(key, 0), 3)
    x = jnp.geomspace(1.0, 1 / condition, n)[:, None] * jr.normal(inputs, (n, d)) / jnp.sqrt(d)
    theta = signal * jr.normal(truth, (d, outputs)) / jnp.sqrt(n)
    return Problem(Split(x, x @ theta + noise * jr.normal(error, (n, outputs))), None, theta, None)


def simulate(key, problem, *, d, width, exponent, ideal, others):
    r"""Gradient flow from a Gaussian initialization of this width: final distance to the minimum-norm solution, and its parts.

    The rows of $[V; U_1; U_2]$ are $\sigma L$ with $L$ lower triangular, and only the first $m + r$ columns of $U_2$ meet $V$ and
    $U_1$: `others` of these are sampled for one flow of $(V, U_1)$. Where `ideal` is 1, that is initialized at
    $VV^\top = U_1U_1^\top = h^{1-2a}I$, $U_1V^\top = 0$ exactly, as at infinite width. `gram` is the final $VV^\top$.
    """
    data = Reduced.of(problem.train)
    rank, outputs = data.target.shape
    size, scale = width**-exponent, width ** (1 - 2 * exponent)
    drawn = bartlett(jr.fold_in(key, 1), dim=rank, outputs=outputs, width=width, scale=size)
    even = jnp.sqrt(scale) * jnp.eye(rank + outputs)
    init = jax.tree.map(lambda a, b: jnp.where(ideal > 0, a, b), LinearNet(u=even[outputs:], v=even[:outputs]), drawn)
    objective = data.objective()
    level = (TOLERANCE * jnp.maximum(jnp.linalg.norm(data.target), scale)) ** 2 / 2
    # The fastest rate over the slowest is the squared condition number, and a small initialization has a plateau.
    until = 200 * (1 + jnp.log1p(1 / scale)) / (data.scale[-1] ** 2 * jnp.minimum(scale, 1.0))
    path = FLOW.run(objective, init, jnp.array([0.0, 1.0]) * until, read={}, stop=lambda net: objective(net) < level)
    end = path.end
    unseen = size * jr.normal(jr.fold_in(key, 2), (others, d - rank, rank + outputs))
    first, last = (jnp.concatenate([net.v, net.u]) for net in (init, end))
    outside = jnp.einsum("sqp,kp->sqk", unseen, end.v)
    ends = Imbalance.of(eigenvalues(*init.parameters()), rows=rank, others=outputs)
    kernel = first @ first.T
    return {
        "distance": jnp.sqrt(jnp.sum(outside**2, axis=(1, 2))),
        "operator": jnp.sqrt(jax.lax.map(lambda m: jnp.linalg.eigvalsh(m.T @ m)[-1], outside)),
        "defect": jnp.sqrt(jnp.sum(jnp.einsum("sqp,kp->sqk", unseen, first) ** 2, axis=(1, 2))),
        "product": jnp.linalg.norm(init.effective()),
        "level": ends.level,
        "drift": jnp.linalg.norm(last @ last.T - kernel) / jnp.linalg.norm(kernel),
        "gram": (end.v @ end.v.T).ravel(),
        "min_norm": jnp.ravel((data.target / data.scale[:, None]).T @ (data.target / data.scale[:, None])),
        "unfitted": jnp.linalg.norm(end.effective() - data.target / data.scale[:, None]),
        "top": data.scale[0] ** 2,
        "bottom": data.scale[-1] ** 2,
        "target_norm": jnp.linalg.norm(problem.train.y),
        "fitted": path.outcome.reached,
        "outcome": jnp.where(path.outcome.code == Outcome.END, Outcome.STEP_LIMIT, path.outcome.code),
        "steps": path.outcome.steps,
    }


DATA = (
    Param("n", 8, smoke=3, low=1, high=1_000, unit="samples", static=True),
    Param("d", 208, smoke=12, low=2, high=10_000, unit="inputs", static=True),
    Param("outputs", 3, smoke=2, low=1, high=100, static=True),
    Param("signal", 1.0, low=0.0, high=1e3, unit="norm of the minimum-norm solution, per output"),
    Param("condition", 2.0, low=1.0, high=100.0, unit="scale of the first row of the inputs over the last"),
    Param("noise", 0.01, low=0.0, high=10.0, unit="standard deviation of the label noise"),
)
WIDTH = Param("width", (1e4, 1e5, 1e6, 1e7), smoke=(1e3, 1e5), low=1, high=1e12, unit="hidden units")
EXPONENT = Param("exponent", (0.35, 0.5, 0.6), smoke=(0.5,), low=0.0, high=2.0, unit="$a$: weights $N(0, h^{-2a})$")
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *DATA,
        WIDTH,
        EXPONENT,
        Param("ideal", 0, low=0, high=1, unit="1: the initialization of infinite width"),
        Param("others", 20, smoke=2, low=1, high=10_000, unit="samples of $U_2$ per flow", static=True),
    ],
    returns={
        **dict.fromkeys(("distance", "operator", "defect"), "s"),
        **dict.fromkeys(("gram", "min_norm"), "k"),
        **dict.fromkeys(
            ("product", "level", "drift", "unfitted", "top", "bottom", "target_norm", "fitted", "outcome", "steps"), ""
        ),
    },
)

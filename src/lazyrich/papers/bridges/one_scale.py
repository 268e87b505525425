r"""Three nets of three papers from starts of one scale: a wide linear net, a diagonal net, and symmetric factors."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow, loss_below
from ...inits import bartlett
from ...losses import HALF_SUM, SUM, Squared
from ...models import DiagonalNet, SymmetricNet
from ...objective import Objective
from ...problems import Split, low_rank_matrix
from ..params import Param
from ..simulation import Simulation
from .linear_net_flow import Reduced

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
# Runs stop at this error, over the answers.
MISS = 1e-6


def follow(goal: Objective, start, until):
    """Follow the flow of a loss until it is `MISS` squared of that of zero, and read the last net."""
    level = MISS**2 * goal.weight * jnp.sum(goal.data.y**2)
    return FLOW.run(goal, start, jnp.array([0.0, 1.0]) * until, read={}, stop=loss_below(goal, level))


def simulate(key, *, n, d, outputs, scale, width, until):
    r"""Effective sizes and squared weights at the end of three flows, all over the scale $s$ of the start.

    A linear net of width $h$ with weights of deviation $h^{-a}$, $h^{1-2a} = s$: the singular values of its map that inputs see,
    and the eigenvalues of $VV^\top$. A diagonal net at $\alpha$, $2\alpha^2 = s$: its weights $\beta$ and $u^2 + v^2$. Symmetric
    factors at $\alpha I$: the eigenvalues of $UU^\top - VV^\top$ and those of $UU^\top + VV^\top$.
    """
    inputs, truth, start = jr.split(jr.fold_in(key, 0), 3)
    x = jr.normal(inputs, (n, d)) / jnp.sqrt(d)
    reach = until * (1 + 1 / scale)

    data = Reduced.of(Split(x, x @ jr.normal(truth, (d, outputs)) / jnp.sqrt(n)))
    net = bartlett(start, dim=n, outputs=outputs, width=width, scale=jnp.sqrt(scale / width))
    linear = follow(data.goal(), net, reach)

    alpha = jnp.sqrt(scale / 2)
    vector = Objective(Split(x, x @ jr.normal(truth, (d,)) / jnp.sqrt(n)), Squared(), factor=HALF_SUM)
    diagonal = follow(vector, DiagonalNet.at_scale(alpha, dim=d), reach)

    entries = Objective(low_rank_matrix(inputs, d=n, rank=2, negative=1, share=0.5).train, Squared(), factor=SUM)
    symmetric = follow(entries, SymmetricNet.at_scale(alpha, dim=n), reach)
    u, v = symmetric.end.u, symmetric.end.v
    _, frame = jnp.linalg.eigh(symmetric.end.effective())

    def along(matrix):
        return jnp.diag(frame.T @ matrix @ frame)

    codes = [run.outcome.code for run in (linear, diagonal, symmetric)]
    return {
        "linear_map": jnp.linalg.svd(linear.end.effective(), compute_uv=False)[:outputs] / scale,
        "linear_weights": jnp.linalg.eigvalsh(linear.end.v @ linear.end.v.T)[::-1] / scale,
        "diagonal_map": diagonal.end.effective() / scale,
        "diagonal_weights": (diagonal.end.u**2 + diagonal.end.v**2) / scale,
        "symmetric_map": along(u @ u.T - v @ v.T) / scale,
        "symmetric_weights": along(u @ u.T + v @ v.T) / scale,
        "outcome": jnp.max(jnp.stack(codes)),
        "unfitted": jnp.sum(jnp.stack([jnp.where(code == 1, 0, 1) for code in codes])),
        "steps": linear.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("scale", (0.03, 0.3, 3.0, 30.0), smoke=(0.3, 3.0), low=1e-3, high=1e3, unit="s of the start"),
        Param("width", (1e6, 1e8), smoke=(1e6, 1e8), low=1, high=1e12, unit="hidden units of the linear net"),
        Param("n", 4, 8, smoke=3, low=2, high=50, unit="samples, and rows of the symmetric matrix", static=True),
        Param("d", 10, 40, smoke=6, low=3, high=500, unit="inputs", static=True),
        Param("outputs", 2, 4, low=1, high=20, static=True),
        Param("until", 1e4, low=1.0, high=1e9, unit="time, at most"),
    ],
    returns={
        **dict.fromkeys(("linear_map", "linear_weights"), "k"),
        **dict.fromkeys(("diagonal_map", "diagonal_weights"), "d"),
        **dict.fromkeys(("symmetric_map", "symmetric_weights"), "r"),
        **dict.fromkeys(("outcome", "unfitted", "steps"), ""),
    },
)

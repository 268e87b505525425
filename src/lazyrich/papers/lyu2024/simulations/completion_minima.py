r"""Where flows of $UU^\top - VV^\top$ with decay come to rest: minimizers from full factors, saddles from narrow ones."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...inits import noisy_identity
from ...models import SymmetricNet
from ...problems import Entries
from ..params import Param
from ..simulation import Simulation
from .symmetric_completion import goal, pose

# At rest the gradient is zero: only the distance from it counts, not the way.
FLOW = GradientFlow(rtol=1e-6, atol=1e-9, max_steps=20_000)


def rest(key, problem, *, d, width, alpha, noise, decay, until):
    r"""The net after `until` over the decay, from a noisy identity of `width` columns."""
    first = SymmetricNet(jnp.zeros((d, width)), jnp.zeros((d, width)))
    start = noisy_identity(jr.fold_in(key, 1), first, alpha, noise=noise)
    return FLOW.run(goal(problem, decay), start, jnp.array([0.0, 1.0]) * until / decay, read={})


def simulate(key, problem, *, d, width, alpha, noise, decay, until):
    r"""The resting point in factors of $d$ columns: value, gradient, prices $M$, spectrum of the Hessian.

    $M = \frac4n\sum_is_iP_i$ with residuals $s$, so that the gradients are $(M + \lambda)U$ and $(\lambda - M)V$. `gradient`
    is their length over $\lambda\|\theta\|$ (over $\lambda$ at zero); `price` is $\|M\|_{op}/\lambda$; `curvature` the Hessian's
    least eigenvalue over $\lambda$.
    """
    path = rest(key, problem, d=d, width=width, alpha=alpha, noise=noise, decay=decay, until=until)
    u, v = (jnp.zeros((d, d)).at[:, :width].set(part) for part in (path.end.u, path.end.v))
    cost, data = goal(problem, decay), problem.train
    assert isinstance(data, Entries), "entries of a matrix were asked for"
    matrix = u @ u.T - v @ v.T

    def value(flat):
        halves = flat.reshape(2, d, d)
        return cost(SymmetricNet(halves[0], halves[1]))

    theta = jnp.stack([u, v]).ravel()
    miss = (matrix[data.rows, data.cols] - data.y) * 2 / data.n
    half = jnp.zeros((d, d)).at[data.rows, data.cols].add(miss)
    prices = jnp.abs(jnp.linalg.eigvalsh(half + half.T))
    size = jnp.linalg.norm(theta)
    nuclear = jnp.sum(jnp.abs(jnp.linalg.eigvalsh(matrix)))
    return {
        "matrix": matrix.ravel(),
        "value": value(theta),
        "gradient": jnp.linalg.norm(jax.grad(value)(theta)) / (decay * jnp.where(size > 1e-3, size, 1.0)),
        "price": jnp.max(prices) / decay,
        "curvature": jnp.linalg.eigvalsh(jax.hessian(value)(theta))[0] / decay,
        "length": size,
        "balance": size**2 / jnp.maximum(nuclear, 1e-12) - 1,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("decay", (0.01, 0.03), (0.003, 0.01, 0.03), smoke=(0.1,), low=1e-4, high=1.0, unit="strength of L2"),
        Param("width", 5, 6, smoke=3, low=1, high=30, unit="columns of U and V", static=True),
        Param("alpha", 2.0, low=1e-3, high=100.0, unit="diagonal of U and V at the start"),
        Param("noise", 0.1, low=0.0, high=10.0, unit="deviation of every entry of the start"),
        Param("until", 200.0, low=1.0, high=1e4, unit="time, over 1/decay"),
        Param("d", 5, 6, smoke=3, low=2, high=30, unit="rows", static=True),
        Param("rank", 3, low=1, high=20, unit="rank of the truth", static=True),
        Param("negative", 1, low=0, high=20, unit="negative eigenvalues of the truth", static=True),
        Param("seen", 0.8, low=0.01, high=1.0, unit="share of the entries", static=True),
    ],
    returns={
        "matrix": "m",
        **dict.fromkeys(("value", "gradient", "price", "curvature", "length", "balance", "outcome", "steps"), ""),
    },
)

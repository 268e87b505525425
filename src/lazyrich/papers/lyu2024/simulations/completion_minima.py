r"""Limits of the flow of $UU^\top - VV^\top$ with weight decay: minimizers from full factors, saddles from narrow ones."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....inits import noisy_identity
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....models import SymmetricNet
from .symmetric_completion import make_problem, objective

# In the limit the gradient is zero: only the distance from it counts, not the path.
FLOW = GradientFlow(rtol=1e-6, atol=1e-9, max_steps=20_000)


def rest(key, problem, *, d, width, alpha, noise, weight_decay, until):
    r"""The net after `until` over the weight decay, from a noisy identity of `width` columns."""
    first = SymmetricNet(jnp.zeros((d, width)), jnp.zeros((d, width)))
    init = noisy_identity(jr.fold_in(key, 1), first, alpha, noise=noise)
    return FLOW.run(objective(problem, weight_decay), init, jnp.array([0.0, 1.0]) * until / weight_decay, read={})


def simulate(key, problem, *, d, width, alpha, noise, weight_decay, until):
    r"""The limit point in factors of $d$ columns: objective, gradient, dual matrix $M$, spectrum of the Hessian.

    $M = \frac4n\sum_is_iP_i$ with residuals $s$, so that the gradients are $(M + \lambda)U$ and $(\lambda - M)V$. `gradient`
    is their length over $\lambda\|\theta\|$ (over $\lambda$ at zero); `price` is $\|M\|_{op}/\lambda$; `curvature` the Hessian's
    smallest eigenvalue over $\lambda$.
    """
    path = rest(key, problem, d=d, width=width, alpha=alpha, noise=noise, weight_decay=weight_decay, until=until)
    u, v = (jnp.zeros((d, d)).at[:, :width].set(part) for part in (path.end.u, path.end.v))
    cost, data = objective(problem, weight_decay), problem.train
    matrix = u @ u.T - v @ v.T

    def value(flat):
        halves = flat.reshape(2, d, d)
        return cost(SymmetricNet(halves[0], halves[1]))

    theta = jnp.stack([u, v]).ravel()
    error = (matrix[data.rows, data.cols] - data.y) * 2 / data.n
    half = jnp.zeros((d, d)).at[data.rows, data.cols].add(error)
    prices = jnp.abs(jnp.linalg.eigvalsh(half + half.T))
    size = jnp.linalg.norm(theta)
    nuclear = jnp.sum(jnp.abs(jnp.linalg.eigvalsh(matrix)))
    return {
        "matrix": matrix.ravel(),
        "value": value(theta),
        "gradient": jnp.linalg.norm(jax.grad(value)(theta)) / (weight_decay * jnp.where(size > 1e-3, size, 1.0)),
        "price": jnp.max(prices) / weight_decay,
        "curvature": jnp.linalg.eigvalsh(jax.hessian(value)(theta))[0] / weight_decay,
        "length": size,
        "balance": size**2 / jnp.maximum(nuclear, 1e-12) - 1,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


DECAYS = (0.003, 0.01, 0.03)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("weight_decay", DECAYS[1:], DECAYS, smoke=(0.1,), low=1e-4, high=1.0, unit="weight decay"),
        Param("width", 5, 6, smoke=3, low=1, high=30, unit="columns of $U$ and $V$", static=True),
        Param("alpha", 2.0, low=1e-3, high=100.0, unit="diagonal of the initial $U$ and $V$"),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation of the initial noise"),
        Param("until", 200.0, low=1.0, high=1e4, unit=r"$\lambda t$"),
        Param("d", 5, 6, smoke=3, low=2, high=30, unit="rows", static=True),
        Param("rank", 3, low=1, high=20, unit="rank of the ground truth", static=True),
        Param("negative", 1, low=0, high=20, unit="negative eigenvalues of the ground truth", static=True),
        Param("train_fraction", 0.8, low=0.01, high=1.0, unit="observed fraction", static=True),
    ],
    returns={
        "matrix": "m",
        **dict.fromkeys(("value", "gradient", "price", "curvature", "length", "balance", "outcome", "steps"), ""),
    },
)

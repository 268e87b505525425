r"""How near parameters are to a KKT point: of least norm under margins, of least norm under equations, lazy or rich.

Rich: $\theta$ itself is a combination of gradients taken at $\theta$. Lazy: what was added to the initialization, $\theta -
s\theta_0$, is a combination of gradients taken there, with $s$ what weight decay alone leaves of it.
"""

from functools import partial
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from scipy.optimize import nnls

from ..errors import BadInput
from ..models import LogDiagonalNet, movable, outputs, tangent
from ..problems import Split
from ..types import Array, Float, Scalar

MOST = 1_000
"""How many constraints get a multiplier, at most, by default: those of least margin."""


class KKT(eqx.Module):
    r"""What is missing to a KKT point; all four are 0 there, and none depends on the scale of a homogeneous model.

    `stationarity`: $\|\theta - \sum_i\mu_iz_i\|/\|\theta\|$ over gradients $z_i$ of the constraints. `slackness`:
    $\sum_i\mu_i(q_i - q_{\min})/\sum_i\mu_iq_i$ of margins $q_i$ (1 when none is positive). Their multipliers are those of
    least squares of both together, since with many constraints those of least stationarity alone need not be slack.
    `feasibility`: 0 when every margin is positive, for then scaling makes them at least one, else at least 1; for
    equations, the largest residual over the largest target. `sine`: the least stationarity that any multipliers of the right
    sign have, whatever their slackness: the sine of the angle between $\theta$ and the cone of gradients.
    """

    stationarity: Scalar
    slackness: Scalar
    feasibility: Scalar
    sine: Scalar
    multipliers: Float[Array, " r"]

    @property
    def cosine(self) -> Scalar:
        r"""$1 - \cos$ of the angle between $\theta$ and its best combination of gradients, without cancellation."""
        square = jnp.minimum(self.sine**2, 1.0)
        return square / (1 + jnp.sqrt(1 - square))


def margin_kkt(model, data: Split, *, init: Any = None, shrink: Any = 1.0, most: int = MOST) -> KKT:
    r"""Against $\min\frac12\|\theta\|^2$ with $y_if_\theta(x_i)\ge 1$, or margins over every rival for classes.

    Best multipliers $\mu\ge 0$ by nonnegative least squares on the `most` constraints of least margin: with fewer than
    all, stationarity is an upper bound. With `init` the problem is that of its tangent kernel, for $\theta - s\theta_0$
    with $s$ = `shrink` ($e^{-\lambda t}$ under weight decay), and margins are those of the linearized model.
    Can be read along a run; the least squares are then done on the host.
    Assumes: labels -1 and +1 for one output, classes 0 to k - 1 for several.
    Source: lyu2024, theorem 3.5.
    """
    at, moved, values = _placed(model, data, init, shrink)
    samples, mix, margins = _constraints(values, data.y)
    chosen = jnp.argsort(margins)[: min(most, margins.size)]
    rows = jax.vmap(partial(_gradient, at))(data.x[samples[chosen]], mix[chosen])
    q = margins[chosen]
    share, mu, sine = _nearest(rows, moved, slack=q - q[0])
    active = jnp.where(mu > 0, mu * q, 0.0).sum()
    loose = jnp.where(mu > 0, mu * (q - q[0]), 0.0).sum()
    good = q[0] > 0
    slack = jnp.where(good & (active > 0), loose / jnp.where(active > 0, active, 1.0), 1.0)
    top = jnp.max(jnp.abs(margins))
    return KKT(share, slack, jnp.where(good, 0.0, 1 - q[0] / jnp.where(top > 0, top, 1.0)), sine, mu)


def interpolation_kkt(model, data: Split, *, init: Any = None, shrink: Any = 1.0) -> KKT:
    r"""Against $\min\frac12\|\theta\|^2$ with $f_\theta(x_i) = y_i$: multipliers of any sign, by least squares.

    With `init` the problem is that of its tangent kernel, for $\theta - s\theta_0$, and outputs are those of the
    linearized model, which adds to the initialization's own.
    Source: lyu2024, theorem 3.10.
    """
    at, moved, values = _placed(model, data, init, shrink)
    if init is not None:
        values = values + outputs(init, data.x)
    if values.shape != data.y.shape:
        raise BadInput(
            needed="interpolation_kkt compares outputs with targets of the same shape",
            given=f"outputs {values.shape} and targets {data.y.shape}",
            cure="Give targets of shape (n, k) to a model of k outputs.",
        )
    rows = tangent.features(at, data.x).reshape(values.size, -1)
    share, nu, _ = _nearest(rows, moved, slack=None)
    top = jnp.max(jnp.abs(data.y))
    residual = jnp.max(jnp.abs(values - data.y)) / jnp.where(top > 0, top, 1.0)
    return KKT(share, jnp.zeros(()), residual, share, nu)


def _placed(model, data: Split, init, shrink):
    """Where gradients are taken, the vector they should combine to, and the outputs that constraints are on."""
    theta = _flat(model)
    if init is None:
        return model, theta, outputs(model, data.x)
    moved = theta - shrink * _flat(init)
    return init, moved, tangent.along(init, data.x, moved)


def _flat(model) -> Float[Array, " p"]:
    return ravel_pytree(eqx.filter(movable(model), eqx.is_inexact_array))[0]


def _constraints(values, y):
    """For each constraint its sample, the weights on outputs whose product is the margin, and the margin."""
    n = values.shape[0]
    if values.ndim == 1:
        return jnp.arange(n), y, y * values
    k = values.shape[1]
    own = y.astype(int)
    rivals = jnp.arange(k - 1) + (jnp.arange(k - 1) >= own[:, None])
    mix = jnp.eye(k)[own][:, None, :] - jnp.eye(k)[rivals]
    margins = jnp.einsum("nrk,nk->nr", mix, values)
    return jnp.repeat(jnp.arange(n), k - 1), mix.reshape(-1, k), margins.reshape(-1)


def _gradient(model, x, mix) -> Float[Array, " p"]:
    """The gradient of one mixed output."""
    moving, fixed = eqx.partition(movable(model), eqx.is_inexact_array)
    return ravel_pytree(jax.grad(lambda moving: jnp.sum(mix * eqx.combine(moving, fixed)(x)))(moving))[0]


def _nearest(rows: Float[Array, "r p"], objective: Float[Array, " p"], *, slack: Float[Array, " r"] | None):
    """The fraction of the target that a combination of rows leaves, its multipliers, and the least fraction of any combination.

    With `slack` multipliers are nonnegative, and those of slack constraints are held down. An orthogonal factorization
    brings all to few numbers first; rows and target have length one meanwhile, so that no scale overflows. Rows of zeros get
    no multiplier; of a target of zero nothing counts as reached.
    """
    lengths, unit = _lengths(rows)
    lengths = jnp.where(lengths > 0, lengths, 1.0)
    length, short = _lengths(objective[None])
    small = jnp.linalg.qr(jnp.concatenate([unit, short]).T, mode="r")
    price = jnp.zeros_like(lengths) if slack is None else slack / jnp.where(length > 0, length, 1.0) / lengths
    form = tuple(jax.ShapeDtypeStruct(shape, small.dtype) for shape in ((), lengths.shape, ()))
    solve = partial(_solved, signed=slack is not None)
    share, mu, least = jax.pure_callback(solve, form, small, price, vmap_method="sequential")
    still = length[0] == 0
    return jnp.where(still, 1.0, share), mu * length / lengths, jnp.where(still, 1.0, least)


def _lengths(rows: Float[Array, "r p"]) -> tuple[Float[Array, " r"], Float[Array, "r p"]]:
    """The length of each row, and the rows over it; rows of zeros stay that."""
    tops = jnp.max(jnp.abs(rows), axis=1, keepdims=True)
    scaled = rows / jnp.where(tops > 0, tops, 1.0)
    sizes = jnp.linalg.norm(scaled, axis=1, keepdims=True)
    return (tops * sizes)[:, 0], scaled / jnp.where(sizes > 0, sizes, 1.0)


def _solved(small, price, *, signed: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The least squares on the host; NaN when they run out of steps."""
    matrix, objective, price = np.asarray(small)[:, :-1], np.asarray(small)[:, -1], np.asarray(price)
    try:
        if not signed:
            mu = best = np.linalg.lstsq(matrix, objective)[0]
        else:
            mu = nnls(np.vstack([matrix, price]), np.append(objective, 0.0), maxiter=10 * sum(matrix.shape))[0]
            best = nnls(matrix, objective, maxiter=10 * sum(matrix.shape))[0]
    except (RuntimeError, np.linalg.LinAlgError):
        return np.asarray(np.nan), np.full(matrix.shape[1], np.nan), np.asarray(np.nan)
    share, least = (np.asarray(np.linalg.norm(matrix @ part - objective)) for part in (mu, best))
    return share, mu, least


def decay_residual(net: LogDiagonalNet, data: Split, *, log_weight_decay: Any) -> Scalar:
    r"""$\|\nabla\mathcal L_\lambda\|/(\lambda\|\theta\|)$ under the exponential loss: how far $\theta$ is from stationary.

    With the multipliers $\mu_i\propto e^{-y_if_i}/(n\lambda)$ it is the stationarity of the least-norm problem under
    margins, never below the `sine` of `margin_kkt`: 1 while the weight decay alone acts, 0 at a KKT point. Weights are
    compared with the largest, so that no scale overflows.
    """
    q = data.y * (data.x @ net.effective())
    price = (data.y * jnp.exp(-q - log_weight_decay)) @ data.x / data.n
    power = net.depth - 2
    top = jnp.max(net.middle + jnp.abs(net.half))
    u, v = jnp.exp(net.middle + net.half - top), jnp.exp(net.middle - net.half - top)
    left = [u * (1 - net.depth * net.u**power * price), v * (1 + net.depth * net.v**power * price)]
    return jnp.linalg.norm(jnp.concatenate(left)) / jnp.linalg.norm(jnp.concatenate([u, v]))

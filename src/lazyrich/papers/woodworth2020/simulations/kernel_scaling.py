"""The tangent kernel of every kind of model, at some weights and at a multiple of them."""

import jax
import jax.numpy as jnp
import jax.random as jr
from jax.flatten_util import ravel_pytree

from .... import models
from ....lab import Param, Simulation
from ....models import tangent

D, N = 4, 3
DEPTHS = (2, 3, 4, 5)
PAIRS = jnp.array([[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]])


def library() -> dict:
    """One model of every kind that is homogeneous, each with a name of its own; a read-only one as the net it stands for."""
    relu = {f"ReLU {k}": models.ReluNet.at_zero((D, *[5] * (k - 1), 1)) for k in (2, 3, 5)}
    pairs = models.PairNet(jnp.zeros((5, 6)), jnp.zeros((5, 6)), jnp.zeros(6), jnp.zeros((6, 5)))
    return {
        **{f"diagonal {k}": models.DiagonalNet.at_scale(1.0, dim=D, depth=k) for k in DEPTHS},
        "product": models.ProductNet.at_scale(1.0, dim=D),
        "hadamard": models.HadamardNet.at_zero(dim=D, depth=3),
        "parallel": models.WideParallel.at_zero(dim=D, width=3),
        "linear net": models.LinearNet.at_zero(dim=D, outputs=2, width=3),
        "factorization": models.Factorization.at_zero((D, 2), depth=3),
        "symmetric": models.SymmetricNet.at_scale(1.0, dim=D),
        "pairs": pairs,
        **relu,
        "powers": models.PowerNet(jnp.zeros((D, 5)), jnp.zeros(5), power=2),
        "ReLU 2 with bias": models.ReluNet.at_zero((D, 5, 1), bias="first"),
        "doubled": models.Doubled.of(relu["ReLU 2"]),
        "difference": models.Difference.of(relu["ReLU 3"]),
        "linear": models.Linear.at_scale(1.0, dim=D),
        "matrix": models.Matrix.at_scale(1.0, shape=(D, 2)),
        "sensing": models.Sensing(jnp.zeros((D, 2)), jnp.zeros((D, 2))),
        "convolutional": models.ConvNet.at_zero((2, "M"), size=D, colors=D, classes=2),
    }


MODELS = library()


def simulate(key, *, alpha):
    r"""The power of $\alpha$ by which each kernel grew, its rotation, its degree; and diagonal nets in closed form."""
    most = max(ravel_pytree(model)[0].size for model in MODELS.values())
    # One draw for all: what a model has for weights does not matter to a statement about each by itself.
    x, drawn = jr.normal(jr.fold_in(key, 0), (N, D)), jr.normal(jr.fold_in(key, 1), (most,))
    square = x[:, :, None] * jnp.roll(x, 1, axis=1)[:, None, :]
    own = {"pairs": PAIRS, "sensing": square, "convolutional": square[..., None] * x[:, None, None, :]}
    found = [_grown(model, drawn, own.get(name, x), alpha) for name, model in MODELS.items()]
    power, turn, degree = (jnp.stack(part) for part in zip(*found, strict=True))
    return {"power": power, "turn": turn, "degree": degree, "closed": _closed(alpha, jnp.exp(drawn[:D] / 2), x)}


def _grown(model, drawn, x, alpha):
    """The power, the rotation and the degree of one model at these weights."""
    weights, place = ravel_pytree(model)
    one, two = jax.vmap(lambda size: tangent.kernel(place(size * drawn[: weights.size]), x))(jnp.stack([1.0, alpha]))
    before, after = (jnp.linalg.norm(jnp.ravel(part)) for part in (one, two))
    # A deep ReLU net may be dead at all inputs: a kernel of zero has no power and no direction.
    turn = jnp.where(before > 0, tangent.kernel_distance(one, two), jnp.nan)
    return jnp.log(after / before) / jnp.log(alpha), turn, 1.0 * model.degree


def _closed(alpha, shape, x):
    r"""How far $2D^2\alpha^{2D-2}\sum_iw_i^{2D-2}x_ix_i'$ is from the kernel of $u = v = \alpha w$, relative, at each depth."""
    off = []
    for depth in DEPTHS:
        found = tangent.kernel(models.DiagonalNet(alpha * shape, alpha * shape, depth), x)
        predicted = 2 * depth**2 * (x * (alpha * shape) ** (2 * depth - 2)) @ x.T
        off.append(jnp.linalg.norm(found - predicted) / jnp.linalg.norm(predicted))
    return jnp.stack(off)


SIMULATION = Simulation(
    simulate,
    params=[Param("alpha", (1e-3, 0.1, 10.0, 1e3), smoke=(0.1, 10.0), low=1e-6, high=1e6, unit="factor on all weights")],
    returns={"power": "m", "turn": "m", "degree": "m", "closed": "k"},
)

r"""The tangent kernel of a model of degree $D$ is homogeneous of degree $2(D-1)$: $K_{\alpha w} = \alpha^{2(D-1)}K_w$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from jax.flatten_util import ravel_pytree

from ... import models as room
from ...lab import Param, Simulation
from ...models import tangent
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points

D, N = 4, 3
DEPTHS = (2, 3, 4, 5)
PAIRS = jnp.array([[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]])


def library() -> dict:
    """One model of every kind that is homogeneous, each with a name of its own; a read-only one as the net it stands for."""
    relu = {f"ReLU {k}": room.ReluNet.at_zero((D, *[5] * (k - 1), 1)) for k in (2, 3, 5)}
    pairs = room.PairNet(jnp.zeros((5, 6)), jnp.zeros((5, 6)), jnp.zeros(6), jnp.zeros((6, 5)))
    return {
        **{f"diagonal {k}": room.DiagonalNet.at_scale(1.0, dim=D, depth=k) for k in DEPTHS},
        "product": room.ProductNet.at_scale(1.0, dim=D),
        "hadamard": room.HadamardNet.at_zero(dim=D, depth=3),
        "parallel": room.WideParallel.at_zero(dim=D, width=3),
        "linear net": room.LinearNet.at_zero(dim=D, outputs=2, width=3),
        "factorization": room.Factorization.at_zero((D, 2), depth=3),
        "symmetric": room.SymmetricNet.at_scale(1.0, dim=D),
        "pairs": pairs,
        **relu,
        "powers": room.PowerNet(jnp.zeros((D, 5)), jnp.zeros(5), power=2),
        "ReLU 2 with bias": room.ReluNet.at_zero((D, 5, 1), bias="first"),
        "doubled": room.Doubled.of(relu["ReLU 2"]),
        "difference": room.Difference.of(relu["ReLU 3"]),
        "linear": room.Linear.at_scale(1.0, dim=D),
        "matrix": room.Matrix.at_scale(1.0, shape=(D, 2)),
        "sensing": room.Sensing(jnp.zeros((D, 2)), jnp.zeros((D, 2))),
        "convolutional": room.ConvNet.at_zero((2, "M"), size=D, colors=D, classes=2),
    }


MODELS = library()


def simulate(key, *, alpha):
    """The power of alpha by which each kernel grew, how far it turned, its degree; and diagonal starts in closed form."""
    most = max(ravel_pytree(model)[0].size for model in MODELS.values())
    # One draw for all: what a model has for weights does not matter to a statement about each by itself.
    x, drawn = jr.normal(jr.fold_in(key, 0), (N, D)), jr.normal(jr.fold_in(key, 1), (most,))
    square = x[:, :, None] * jnp.roll(x, 1, axis=1)[:, None, :]
    own = {"pairs": PAIRS, "sensing": square, "convolutional": square[..., None] * x[:, None, None, :]}
    found = [_grown(model, drawn, own.get(name, x), alpha) for name, model in MODELS.items()]
    power, turn, degree = (jnp.stack(part) for part in zip(*found, strict=True))
    return {"power": power, "turn": turn, "degree": degree, "closed": _closed(alpha, jnp.exp(drawn[:D] / 2), x)}


def _grown(model, drawn, x, alpha):
    """The power, the turn and the degree of one model at these weights."""
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
        found = tangent.kernel(room.DiagonalNet(alpha * shape, alpha * shape, depth), x)
        told = 2 * depth**2 * (x * (alpha * shape) ** (2 * depth - 2)) @ x.T
        off.append(jnp.linalg.norm(found - told) / jnp.linalg.norm(told))
    return jnp.stack(off)


SIMULATION = Simulation(
    simulate,
    params=[
        Param(
            "alpha",
            (1e-3, 0.1, 10.0, 1e3),
            smoke=(0.1, 10.0),
            low=1e-6,
            high=1e6,
            unit="what all weights are multiplied by",
        )
    ],
    returns={"power": "m", "turn": "m", "degree": "m", "closed": "k"},
)


def judge(data, less) -> Evidence:
    """Powers against twice the degree less one, for every model of the library."""
    return Evidence(
        sound=[
            at_least(
                "kinds of models, of those whose arrays are their weights",
                len({type(model) for model in MODELS.values()}),
                sum(not kind.read_only for kind in room.ALL),
                why="the statement is about every one of the library; read-only ones stand for these",
            ),
            at_least(
                "share of kernels that are not zero",
                data.power.notnull().mean(),
                0.9,
                why="a ReLU net of five layers of five units can be dead at all inputs, and then says nothing",
            ),
        ],
        holds=[
            at_most(
                "farthest power from 2(D - 1)",
                abs(data.power - 2 * (data.degree - less)).max(),
                1e-9,
                why="an identity: rounding of kernels over log(alpha), with room for sums over layers",
            ),
            at_most("farthest turn of a kernel", data.turn.max(), 1e-12, why="a multiple of itself, to rounding"),
            at_most(
                "farthest diagonal kernel from its closed form",
                data.closed.max(),
                1e-12,
                why="8 alpha^2 <x, x'> at depth 2 and shape one, and its like: to rounding",
            ),
        ],
    )


def draw(data, less) -> Drawing:
    """The power of each model against its degree."""
    degree = data.degree.isel(alpha=0, trial=0).values
    power = data.power.median(("alpha", "trial")).values
    ends = np.array([degree.min(), degree.max()])
    return Drawing(
        panels=[
            Panel(
                [Points("models", degree, power), Line("2(D - 1)", ends, 2 * (ends - less), role="theory")],
                x=Axis("degree D", low=0),
                y=Axis("power of alpha in the kernel", low=-0.5),
            )
        ],
        columns=1,
        caption="By which power of alpha tangent kernels grow when all weights are multiplied by it: "
        + ", ".join(MODELS)
        + ".",
    )


CLAIM = Claim(
    kind="statement",
    title="Tangent kernels scale as alpha^(2(D-1))",
    says="For a model of degree D, K_{alpha w} = alpha^(2(D-1)) K_w, here for every model of the library by "
    "automatic derivatives; the "
    "diagonal net at u = v = alpha w_0 has 2 D^2 alpha^(2D-2) sum_i w_i^(2D-2) x_i x'_i, which is 8 alpha^2 <x, x'> "
    "at depth 2.",
    source="woodworth2020, sections 3 and 4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"less": 1.0},
    control=Control("the power 2D", changes={"less": 0.0}, breaks=("farthest power from 2(D - 1)",)),
    seconds={"quick": 16, "paper": 16},
)

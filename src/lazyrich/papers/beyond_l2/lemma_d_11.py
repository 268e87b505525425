r"""Lemma D.11: $\|H\|_p\le(n_1n_2)^{1/p}$, entry by entry, for $H\in\partial\|A\|_*$; and $\|H\|_F^2\le\min(n_1,n_2)$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...lab import Param, Simulation
from ...problems import orthogonal_matrix
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points

POWERS = (0.5, 1.0, 2.0, 4.0, np.inf)


def simulate(key, *, rows, cols, rank, repeats):
    r"""Norms of $H = UV^\top + W$ for random matrices of this rank and random $W$, and how far $H$ is from no subgradient.

    `slack` is $\|B\|_* - \|A\|_* - \langle H, B - A\rangle$ for a random $B$ of the size of $A$.
    """
    least = min(rows, cols)

    def one(key):
        frames, sizes, other = jr.split(key, 3)
        left, _, right = orthogonal_matrix(frames, rows=rows, cols=cols, rank=least)
        inside = jnp.arange(least) < rank
        # W has singular values up to one, beside the singular vectors of A; most of them at the edge.
        drawn = jr.uniform(sizes, (2, least), minval=-1.0, maxval=1.0)
        weights = jnp.where(inside, 1.0, jnp.sign(drawn[0]) * jnp.minimum(2 * jnp.abs(drawn[0]), 1.0))
        h = (left * weights) @ right.T
        a = (left * jnp.where(inside, 0.1 + jnp.abs(drawn[1]), 0.0)) @ right.T
        b = jr.normal(other, (rows, cols)) * jnp.linalg.norm(a) / jnp.sqrt(1.0 * rows * cols)
        slack = _nuclear(b) - _nuclear(a) - jnp.sum(h * (b - a))
        return jnp.stack([_entrywise(h, power) for power in POWERS]), slack

    norms, slack = jax.lax.map(one, jr.split(jr.fold_in(key, 0), repeats))
    return {"norms": norms.max(0), "slack": slack.min()}


def _nuclear(matrix):
    return jnp.sum(jnp.linalg.svd(matrix, compute_uv=False))


def _entrywise(matrix, power: float):
    size = jnp.abs(matrix)
    return jnp.max(size) if np.isinf(power) else jnp.sum(size**power) ** (1 / power)


def judge(data, rows, cols, count) -> Evidence:
    """The largest norms of all draws over the bound, and the Frobenius norm over its own."""
    import xarray as xr

    sides = {"entries": rows * cols, "shorter": min(rows, cols)}
    bound = xr.DataArray([sides[count] ** (1 / p) for p in POWERS], dims="p")
    frobenius = data.norms.isel(p=POWERS.index(2.0)) / min(rows, cols) ** 0.5
    return Evidence(
        sound=[
            at_least(
                "least |B| - |A| - <H, B - A> of all draws",
                data.slack.min(),
                -1e-9,
                why="what makes H a subgradient; rounding",
            )
        ],
        holds=[
            at_most(
                "p-norm over its bound, the largest over p = 1/2, 1, 2, 4 and infinity",
                (data.norms / bound).max(),
                1 + 1e-12,
                why="no entry of a matrix of operator norm one is larger; rounding",
            ),
            at_most(
                "Frobenius norm over the root of the shorter side, the largest",
                frobenius.max(),
                1 + 1e-12,
                why="as many singular values as the shorter side, at most one each: the bound to use",
            ),
            at_least(
                "the same at full rank, the least of all sets of draws",
                frobenius.isel(rank=-1).min(),
                1 - 1e-12,
                why="tightness: all singular values are one",
            ),
        ],
    )


def draw(data, rows, cols) -> Drawing:
    """Norms of all draws against p, beside the bound."""
    powers = np.array(POWERS[:-1])
    marks = [
        Points(f"rank {int(rank)}", powers, data.norms.sel(rank=rank).max("trial").values[:-1], role=role)
        for rank, role in zip(data["rank"].values[[0, -1]], ("measured", "second"), strict=True)
    ]
    fine = np.geomspace(powers[0], powers[-1], 60)
    return Drawing(
        [
            Panel(
                [
                    *marks,
                    Line("bound", fine, (rows * cols) ** (1 / fine), role="theory"),
                    Line("shorter side only", fine, min(rows, cols) ** (1 / fine), role="control"),
                ],
                x=Axis("p", scale="log"),
                y=Axis("largest p-norm of a subgradient", scale="log"),
            )
        ],
        columns=1,
        caption="The largest norms of random subgradients of the nuclear norm. The bound counts all entries; at p = 2 "
        "the shorter side would do.",
    )


CLAIM = Claim(
    kind="lemma",
    title="How large a subgradient of the nuclear norm is",
    says="Every subgradient H of the nuclear norm of an m x n matrix has |H|_p <= (m n)^(1/p) for every p > 0, entry by "
    "entry; its Frobenius norm is at most the root of the shorter side.",
    source="beyond_l2, lemma D.11",
    simulation=Simulation(
        simulate,
        params=[
            Param("rank", (1, 3, 6), (1, 5, 15, 30), smoke=(1, 3), low=1, high=200, unit="of the matrix"),
            Param("rows", 8, 40, smoke=4, low=1, high=200, unit="rows", static=True),
            Param("cols", 6, 30, smoke=3, low=1, high=200, unit="columns", static=True),
            Param("repeats", 200, 2_000, smoke=20, low=1, high=100_000, unit="matrices a draw", static=True),
        ],
        returns={"norms": "p", "slack": ""},
    ),
    judge=judge,
    draw=draw,
    constants={"count": "entries"},
    control=Control(
        "the shorter side in the place of the number of entries, for every p",
        changes={"count": "shorter"},
        breaks=("p-norm over its bound, the largest over p = 1/2, 1, 2, 4 and infinity",),
    ),
    seconds={"quick": 5, "paper": 60},
)

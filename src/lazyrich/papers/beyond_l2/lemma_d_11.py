r"""Lemma D.11: $\|H\|_p\leq(n_1n_2)^{1/p}$, entrywise, for $H\in\partial\|A\|_*$; and $\|H\|_F^2\leq\min(n_1,n_2)$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.axes import along
from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line, Points
from ...claims.marks import family, log_axis, one_panel
from ...lab import Param, Simulation
from ...problems import orthogonal_matrix

POWERS = (0.5, 1.0, 2.0, 4.0, np.inf)


def simulate(key, *, rows, cols, rank, repeats):
    r"""Norms of $H=UV^\top+W$ for random matrices of this rank and random $W$, and how far $H$ is from being no subgradient.

    `slack` is $\|B\|_*-\|A\|_*-\langle H,B-A\rangle$ for a random $B$ of the size of $A$.
    """
    least = min(rows, cols)

    def one(key):
        frames, sizes, other = jr.split(key, 3)
        left, _, right = orthogonal_matrix(frames, rows=rows, cols=cols, rank=least)
        inside = jnp.arange(least) < rank
        # W has singular values up to one, orthogonal to the singular vectors of A; most of them at one.
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


def _entrywise(matrix, power: int | float):
    size = jnp.abs(matrix)
    return jnp.max(size) if np.isinf(power) else jnp.sum(size**power) ** (1 / power)


def judge(data, rows, cols, count) -> Evidence:
    """The largest norms over the bound, and the Frobenius norm over its own."""
    counted = {"entries": rows * cols, "shorter": min(rows, cols)}[count]
    bound = along([counted ** (1 / p) for p in POWERS], "p", data.p.values)
    frobenius = data.norms.isel(p=POWERS.index(2.0)) / min(rows, cols) ** 0.5
    name, why = r"$\|B\|_*-\|A\|_*-\langle H,B-A\rangle$, minimum", "the definition of a subgradient; rounding error"
    return Evidence(
        sound=[at_least(name, data.slack.min(), -1e-9, key="subgradient", why=why)],
        holds=[
            at_most(
                r"$\|H\|_p/(n_1n_2)^{1/p}$, maximum over $p=1/2,1,2,4,\infty$",
                (data.norms / bound).max(),
                1 + 1e-12,
                key="bound",
                why="no entry of a matrix of operator norm one is above one; rounding error",
            ),
            at_most(
                r"$\|H\|_F/\sqrt{\min(n_1,n_2)}$, maximum",
                frobenius.max(),
                1 + 1e-12,
                key="frobenius",
                why="as many singular values as the shorter side, at most one each: the bound to use",
            ),
            at_least(
                r"$\|H\|_F/\sqrt{\min(n_1,n_2)}$ at full rank, minimum over trials",
                frobenius.isel(rank=-1).min(),
                1 - 1e-12,
                key="tightness",
                why="tightness: all singular values are one",
            ),
        ],
    )


def draw(data, rows, cols) -> Drawing:
    """Norms of all trials against p, beside the bound."""
    powers, fine = POWERS[:-1], np.geomspace(POWERS[0], POWERS[-2], 60)
    norms = data.norms.isel(rank=[0, -1], p=slice(len(powers))).max("trial")
    return one_panel(
        [
            *family("rank {}", powers, norms, "rank", mark=Points),
            Line("bound", fine, (rows * cols) ** (1 / fine), role="theory"),
            Line("shorter side only", fine, min(rows, cols) ** (1 / fine), role="control"),
        ],
        log_axis("$p$"),
        log_axis(r"$\|H\|_p$, maximum"),
        caption="Random subgradients of the nuclear norm. The bound counts all entries; at $p=2$ the shorter side suffices.",
    )


CLAIM = Claim(
    id="beyond_l2/lemma_d_11",
    kind="lemma",
    title="Norms of subgradients of the nuclear norm",
    says=r"Every subgradient $H$ of the nuclear norm of an $n_1\times n_2$ matrix has entrywise $\|H\|_p\leq(n_1n_2)^{1/p}$ for "
    r"every $p>0$, and $\|H\|_F^2\leq\min(n_1,n_2)$.",
    source="beyond_l2, lemma D.11",
    simulation=Simulation(
        simulate,
        params=[
            Param("rank", (1, 3, 6), (1, 5, 15, 30), smoke=(1, 3), low=1, high=200, unit="of the matrix"),
            Param("rows", 8, 40, smoke=4, low=1, high=200, unit="rows", static=True),
            Param("cols", 6, 30, smoke=3, low=1, high=200, unit="columns", static=True),
            Param("repeats", 200, 2_000, smoke=20, low=1, high=100_000, unit="matrices per trial", static=True),
        ],
        returns={"norms": "p", "slack": ""},
    ),
    judge=judge,
    draw=draw,
    constants={"count": "entries"},
    controls=[Control("the shorter side in place of the number of entries", {"count": "shorter"}, ("bound",))],
    seconds={"quick": 5, "paper": 60},
)

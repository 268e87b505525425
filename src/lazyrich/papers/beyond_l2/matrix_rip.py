r"""Restricted isometry of matrices: $(1-\delta_r)\|X\|_F^2\leq\|F(X)\|^2\leq(1+\delta_r)\|X\|_F^2$ for all $X$ of rank $r$."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Drawing, Points
from ...claims.labelled import last_power
from ...claims.marks import family, log_axis, one_panel, power_law
from ...lab import Param, Simulation


def simulate(key, *, rows, cols, most, n, rank, sweeps, restarts):
    r"""$\delta_r$ of the first $n$ of `most` Gaussian measurements, and of single entries of which a third is not observed.

    `exact` is $\delta$ for matrices of any rank, `sampled` the largest $|\|F(X)\|^2/\|X\|_F^2 - 1|$ of random ones of rank $r$.
    """
    probes = jr.normal(jr.fold_in(key, 0), (most, rows * cols))
    kept = jnp.where(jnp.arange(most)[:, None] < n, probes, 0.0)
    off = kept.T @ kept / n - jnp.eye(rows * cols)
    seen = jr.permutation(jr.fold_in(key, 1), rows * cols) * 3 < 2 * rows * cols
    first = jax.lax.map(lambda k: _cut(jr.normal(k, (rows, cols)), rank), jr.split(jr.fold_in(key, 2), restarts))
    flat = first.reshape(restarts, -1)
    return {
        "delta": farthest_of_rank(off, first, rank, sweeps),
        "exact": jnp.max(jnp.abs(jnp.linalg.eigvalsh(off))),
        "sampled": jnp.max(jnp.abs(jnp.sum((flat @ off) * flat, axis=1))),
        "entries": farthest_of_rank(jnp.diag(seen / jnp.mean(seen) - 1.0), first, rank, sweeps),
    }


def farthest_of_rank(off, first, rank, sweeps: int):
    r"""The largest $|\langle X, QX\rangle|$ over unit $X$ of rank at most $r$ found by ascent from these initial points.

    $\langle X, (Q + c)X\rangle$ is convex for large $c$: moving to the maximizer of its tangent never lowers it. This is the
    gradient truncated to rank $r$.
    """
    shift = jnp.linalg.norm(off, 2)

    def ascend(init, sign):
        def step(_, x):
            return _cut((sign * off @ x.ravel() + shift * x.ravel()).reshape(x.shape), rank)

        end = jax.lax.fori_loop(0, sweeps, step, init).ravel()
        return sign * end @ off @ end

    return jnp.max(jax.lax.map(lambda x: jnp.maximum(ascend(x, 1.0), ascend(x, -1.0)), first))


def _cut(matrix, rank):
    """The nearest matrix of this rank, normalized."""
    left, values, right = jnp.linalg.svd(matrix, full_matrices=False)
    values = jnp.where(jnp.arange(values.size) < rank, values, 0.0)
    return (left * (values / jnp.linalg.norm(values))) @ right


def judge(data, exponent) -> Evidence:
    """How the constant grows with the rank and falls with the number of measurements, and that of single entries."""
    full, lowest = data.isel(rank=-1), data.isel(rank=0)
    steps = data.delta.diff("rank") / data.delta.isel(rank=-1, drop=True)
    return Evidence(
        sound=[
            at_least(
                "constant found at full rank over the exact one, minimum",
                (full.delta / full.exact).min(),
                0.98,
                key="ascent",
                why="the ascent against an eigenvalue; two percent for eigenvalues that are close to each other",
            ),
            at_least(
                "constant found over the largest of random matrices, minimum",
                (data.delta / data.sampled).min(),
                1,
                key="above_random",
                why="ascent never ends below its initial point",
            ),
        ],
        holds=[
            near(
                "exponent of the number of measurements in the constant, median at rank one",
                -last_power(lowest.delta, "n").median(),
                -exponent,
                0.12,
                key="power",
                why="a mean of $n$ squares: $n^{-1/2}$; the tail of squared Gaussians matters for few measurements",
            ),
            at_least(
                "increase of the constant with the rank over the constant at full rank, minimum",
                steps.min(),
                -0.02,
                key="increase",
                why="a higher rank has more matrices; two percent for local maxima of the ascent",
            ),
            at_most(
                "constant at rank one over that at full rank, median",
                (lowest.delta / full.exact).median(),
                0.9,
                key="low_rank",
                why="there are few matrices of low rank: the worst of them is better than the worst of all",
            ),
            at_least(
                "constant of single entries at rank one, minimum",
                lowest.entries.min(),
                1 - 1e-6,
                key="entries",
                why="a matrix whose only nonzero entry is not observed has rank one and is mapped to zero: no near isometry",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Constants against the number of measurements for each rank."""
    marks = family("$r = {}$", data.n, data.delta.median("trial"), "rank", mark=Points)
    return one_panel(
        [*marks, power_law("$n^{-1/2}$", marks, -0.5)],
        log_axis("measurements $n$"),
        log_axis(r"isometry constant $\delta_r$"),
        caption="Gaussian measurements, medians over trials: nearer to an isometry with more measurements and at lower rank.",
    )


CLAIM = Claim(
    id="beyond_l2/matrix_rip",
    kind="statement",
    title="Gaussian measurements are a near isometry",
    says=r"The smallest $\delta_r$ with $(1-\delta_r)\|X\|_F^2\leq\|F(X)\|_2^2\leq(1+\delta_r)\|X\|_F^2$ for all $X$ of rank $r$ "
    "grows with $r$ and falls like $n^{-1/2}$ for $n$ Gaussian measurements; for single entries it is at least one.",
    source="beyond_l2, definition C.2",
    simulation=Simulation(
        simulate,
        params=[
            Param("rank", (1, 2, 4), (1, 2, 4, 8), smoke=(1, 3), low=1, high=50, unit="rank of the matrices"),
            Param("n", (200, 800), (200, 800, 3200), smoke=(20, 40), low=1, high=10_000, unit="measurements"),
            Param("most", 800, 3200, smoke=40, low=1, high=10_000, unit="measurements drawn", static=True),
            Param("rows", 5, 10, smoke=4, low=2, high=50, unit="rows", static=True),
            Param("cols", 4, 8, smoke=3, low=2, high=50, unit="columns", static=True),
            Param("sweeps", 150, 1_000, smoke=20, low=1, high=100_000, unit="steps of an ascent", static=True),
            Param("restarts", 10, 40, smoke=3, low=1, high=1_000, unit="ascents", static=True),
            Param("trials", 8, 20, smoke=2, low=1, high=10_000, unit="trials", static=True),
        ],
        returns=dict.fromkeys(("delta", "exact", "sampled", "entries"), ""),
    ),
    judge=judge,
    draw=draw,
    constants={"exponent": 0.5},
    least={"rank": 2, "n": 2},
    controls=[Control("$n^{-1}$ instead of $n^{-1/2}$", {"exponent": 1.0}, ("power",))],
    seconds={"quick": 10, "paper": 120},
)

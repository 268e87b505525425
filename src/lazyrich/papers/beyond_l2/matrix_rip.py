r"""Restricted isometry of matrices: $(1-\delta_r)\|X\|_F^2\le\|F(X)\|^2\le(1+\delta_r)\|X\|_F^2$ for all $X$ of rank $r$."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...lab import Param, Simulation
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import last_power


def simulate(key, *, rows, cols, most, n, rank, sweeps, starts):
    r"""$\delta_r$ of the first $n$ of `most` Gaussian measurements, and of single entries of which a third is not seen.

    `exact` is $\delta$ for matrices of any rank, `sampled` the largest $|\|F(X)\|^2/\|X\|_F^2 - 1|$ of random ones of rank $r$.
    """
    probes = jr.normal(jr.fold_in(key, 0), (most, rows * cols))
    kept = jnp.where(jnp.arange(most)[:, None] < n, probes, 0.0)
    off = kept.T @ kept / n - jnp.eye(rows * cols)
    seen = jr.permutation(jr.fold_in(key, 1), rows * cols) * 3 < 2 * rows * cols
    first = jax.lax.map(lambda k: _cut(jr.normal(k, (rows, cols)), rank), jr.split(jr.fold_in(key, 2), starts))
    flat = first.reshape(starts, -1)
    return {
        "delta": farthest_of_rank(off, first, rank, sweeps),
        "exact": jnp.max(jnp.abs(jnp.linalg.eigvalsh(off))),
        "sampled": jnp.max(jnp.abs(jnp.sum((flat @ off) * flat, axis=1))),
        "entries": farthest_of_rank(jnp.diag(seen / jnp.mean(seen) - 1.0), first, rank, sweeps),
    }


def farthest_of_rank(off, first, rank, sweeps: int):
    r"""The largest $|\langle X, QX\rangle|$ over unit $X$ of rank at most $r$ that ascents from these starts find.

    $\langle X, (Q + c)X\rangle$ is convex for large $c$: moving to the best $X$ of its tangent never lowers it. The best is
    the slope cut to rank $r$.
    """
    shift = jnp.linalg.norm(off, 2)

    def ascend(start, sign):
        def step(_, x):
            return _cut((sign * off @ x.ravel() + shift * x.ravel()).reshape(x.shape), rank)

        end = jax.lax.fori_loop(0, sweeps, step, start).ravel()
        return sign * end @ off @ end

    return jnp.max(jax.lax.map(lambda x: jnp.maximum(ascend(x, 1.0), ascend(x, -1.0)), first))


def _cut(matrix, rank):
    """The nearest matrix of this rank, at length one."""
    left, values, right = jnp.linalg.svd(matrix, full_matrices=False)
    values = jnp.where(jnp.arange(values.size) < rank, values, 0.0)
    return (left * (values / jnp.linalg.norm(values))) @ right


def judge(data, rows, cols, exponent) -> Evidence:
    """How the constant grows with the rank and falls with the number of measurements, and that of single entries."""
    full = data.isel(rank=-1)
    steps = data.delta.diff("rank") / data.delta.isel(rank=-1, drop=True)
    return Evidence(
        sound=[
            at_least(
                "found at full rank over the exact constant, the least",
                (full.delta / full.exact).min(),
                0.98,
                why="the ascent against an eigenvalue; two percent for eigenvalues that lie near each other",
            ),
            at_least(
                "found over the largest of random matrices, the least",
                (data.delta / data.sampled).min(),
                1,
                why="an ascent never ends below where it starts",
            ),
        ],
        holds=[
            near(
                "power of the number of measurements in the constant, the median at rank one",
                -last_power(data.delta.isel(rank=0), "n").median(),
                -exponent,
                0.12,
                why="a mean of n squares: n^-1/2; squares of Gaussian numbers have a tail that few measurements feel",
            ),
            at_least(
                "rise of the constant with the rank, over that at full rank, the least",
                steps.min(),
                -0.02,
                why="more rank, more matrices; two percent for what the ascent misses",
            ),
            at_most(
                "constant at rank one over that at full rank, the median",
                (data.delta.isel(rank=0) / full.exact).median(),
                0.9,
                why="matrices of low rank are few: less is lost on them than on all",
            ),
            at_least(
                "constant of single entries at rank one, the least",
                data.entries.isel(rank=0).min(),
                1 - 1e-6,
                why="a matrix with one entry that nobody reads is of rank one and gives nothing: completion is no near isometry",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Constants against the number of measurements for each rank."""
    mid = data.delta.median("trial")
    n = data.n.values
    marks = [
        Points(f"rank {int(r)}", n, mid.sel(rank=r).values, role=SERIES[at % len(SERIES)])
        for at, r in enumerate(data["rank"].values)
    ]
    return Drawing(
        [
            Panel(
                [*marks, Slope("n^-1/2", n, (float(n[-1]), float(mid.isel(rank=0, n=-1))), -0.5)],
                x=Axis("measurements", scale="log"),
                y=Axis("restricted isometry constant", scale="log"),
            )
        ],
        columns=1,
        caption="Gaussian measurements of matrices, medians of all draws: they nearly keep the norm of all matrices of a "
        "rank, the better the more there are and the lower the rank.",
    )


CLAIM = Claim(
    kind="statement",
    title="Gaussian measurements nearly keep the norm",
    says="The least delta with (1 - delta) |X|^2 <= |F(X)|^2 <= (1 + delta) |X|^2 for all matrices of rank r rises with "
    "r and falls like n^(-1/2) for n Gaussian measurements; for single entries it is one or more.",
    source="beyond_l2, definition C.2",
    simulation=Simulation(
        simulate,
        params=[
            Param("rank", (1, 2, 4), (1, 2, 4, 8), smoke=(1, 3), low=1, high=50, unit="of the matrices"),
            Param("n", (200, 800), (200, 800, 3200), smoke=(20, 40), low=1, high=10_000, unit="measurements"),
            Param("most", 800, 3200, smoke=40, low=1, high=10_000, unit="measurements drawn", static=True),
            Param("rows", 5, 10, smoke=4, low=2, high=50, unit="rows", static=True),
            Param("cols", 4, 8, smoke=3, low=2, high=50, unit="columns", static=True),
            Param("sweeps", 150, 1_000, smoke=20, low=1, high=100_000, unit="steps of an ascent", static=True),
            Param("starts", 10, 40, smoke=3, low=1, high=1_000, unit="ascents", static=True),
            Param("trials", 8, 20, smoke=2, low=1, high=10_000, unit="draws", static=True),
        ],
        returns=dict.fromkeys(("delta", "exact", "sampled", "entries"), ""),
    ),
    judge=judge,
    draw=draw,
    constants={"exponent": 0.5},
    least={"rank": 2, "n": 2},
    control=Control(
        "n^-1 in the place of n^-1/2",
        changes={"exponent": 1.0},
        breaks=("power of the number of measurements in the constant, the median at rank one",),
    ),
    seconds={"quick": 10, "paper": 120},
)

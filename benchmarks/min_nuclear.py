"""The matrix of least nuclear norm with some entries known: MinNuclear against cvxpy with SCS, by certified gaps.

python benchmarks/min_nuclear.py [d] [seed]
"""

import os
import sys
import time
import warnings

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its idle threads spin, which counts as CPU time
from lazyrich.lab.machine import prepare

prepare()

import cvxpy as cp
import jax.numpy as jnp
import numpy as np

from lazyrich import Entries
from lazyrich.predictors import MinNuclear
from lazyrich.predictors.matrix_predictor import measured
from lazyrich.predictors.parts.nuclear_dual import NuclearDual
from lazyrich.predictors.parts.nuclear_problem import NuclearProblem

TOLERANCE, PATIENCE = 1e-9, 60.0
KINDS = ((3, 50), (3, 40), (3, 30), (60, 40))
"""Rank and percent of the entries known: recovered with ease, just so, no more; and entries without a rank."""


def posed(d: int, rank: int, percent: int, seed: int) -> Entries:
    """Some entries of a product of two Gaussian matrices."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(d, rank)) @ rng.normal(size=(rank, d))
    places = rng.permutation(d * d)[: d * d * percent // 100]
    return Entries(jnp.asarray(places // d), jnp.asarray(places % d), jnp.asarray(truth.ravel()[places]), (d, d))


def scs(data: Entries) -> float:
    """The relative gap between SCS's matrix, moved onto the entries, and its dual, scaled to be feasible."""
    matrix, rows, cols, y = cp.Variable(data.shape), np.asarray(data.rows), np.asarray(data.cols), np.asarray(data.y)
    met = matrix[rows, cols] == y
    options = {"eps_abs": TOLERANCE, "eps_rel": TOLERANCE, "time_limit_secs": PATIENCE, "max_iters": 10**6}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says when it ran out of time
        cp.Problem(cp.Minimize(cp.normNuc(matrix)), [met]).solve(solver=cp.SCS, **options)
    answer, prices = np.array(matrix.value), np.zeros(data.shape)
    answer[rows, cols], prices[rows, cols] = y, met.dual_value
    return 1 - abs(y @ met.dual_value) / np.linalg.norm(prices, 2) / np.linalg.norm(answer, "nuc")


def timed(function, *args):
    """What a call returns, with its wall and CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    return function(*args), time.perf_counter() - wall, time.process_time() - cpu


def ours(data: Entries) -> float:
    """The certified gap of MinNuclear."""
    return MinNuclear().solve(data).certificate.gap


def stopped(data: Entries, gap: float) -> float:
    """The gap of the same search, stopped at a given one."""
    given, y = measured("stopped", data)
    equations = given.equations(y / np.linalg.norm(y))
    problem = NuclearProblem(equations.basis, equations.target, np.zeros(equations.target.size))
    found = NuclearDual(problem, closed=gap).solve()
    return problem.gap(found.matrix, found.dual)


def main(d: int = 60, seed: int = 0) -> None:
    """Print both times and gaps at one size, their ratios, and ours at a hundred by a hundred."""
    ours(posed(d, 3, 90, seed))
    for rank, percent in KINDS:
        data = posed(d, rank, percent, seed)
        (other, far, theirs), (end, _, whole) = timed(scs, data), timed(ours, data)
        gap, wall, cpu = timed(stopped, data, other)
        print(f"{d} x {d}, rank {rank}, {percent}% known: gap {gap:.0e} in {wall:.2f} s ({cpu:.2f} of CPU),", end=" ")
        print(f"{end:.0e} in {whole:.2f};", end=" ")
        print(
            f"SCS {other:.0e} in {far:.1f} s ({theirs:.1f}); ratio {theirs / cpu:.0f}, load {os.getloadavg()[0]:.1f}", flush=True
        )
    for rank, percent, drawn in ((5, 50, 0), (5, 30, 0), (5, 30, 1), (4, 25, 0)):
        gap, wall, cpu = timed(ours, posed(100, rank, percent, drawn))
        print(f"100 x 100, rank {rank}, {percent}% known: gap {gap:.0e} in {wall:.2f} s ({cpu:.2f} of CPU)", flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

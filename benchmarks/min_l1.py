"""The interpolant of least absolute norm at 200 x 2,000: MinL1 against the cone program of cvxpy by Clarabel.

python benchmarks/min_l1.py [n] [d]
"""

import os
import sys
import time

from lazyrich.lab.machine import prepare

prepare()

import cvxpy as cp
import jax.numpy as jnp
import numpy as np

from lazyrich.predictors import MinL1
from lazyrich.problems import Split

REPEATS = 5


def cpu_seconds(function) -> float:
    """The median CPU seconds of a few calls after a first one."""
    function()
    spent = []
    for _ in range(REPEATS):
        begin_at = time.process_time()
        function()
        spent.append(time.process_time() - begin_at)
    return float(np.median(spent))


def main(n: int = 200, d: int = 2000) -> None:
    """Print both times and their ratio, without noise and with it; Clarabel is timed once, after its compilation."""
    for noise in (0.0, 0.5):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(n, d))
        y = x[:, : n // 10].sum(axis=1) + noise * rng.normal(size=n)
        data = Split(jnp.asarray(x), jnp.asarray(y))
        result = MinL1().solve(data)
        ours = cpu_seconds(lambda data=data: MinL1().solve(data))
        b = cp.Variable(d)
        program = cp.Problem(cp.Minimize(cp.norm1(b)), [x @ b == y])
        program.get_problem_data(cp.CLARABEL)
        begin_at = time.process_time()
        program.solve(solver=cp.CLARABEL)
        theirs = time.process_time() - begin_at
        print(
            f"n = {n}, d = {d}, noise {noise:g}: values {result.value:.9g}, {program.value:.9g}, "
            f"our gap {result.certificate.gap:.0e}"
        )
        print(f"MinL1 {ours:.3f} s of CPU, Clarabel {theirs:.2f} s, ratio {theirs / ours:.0f}, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

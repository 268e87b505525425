"""The path of least entropy from scale 1e6 to 1e-30 at every depth: one sweep against a cone solver, scale by scale.

python benchmarks/entropy_path.py [n] [d]
"""

import os
import sys
import time

from threadpoolctl import threadpool_limits

from lazyrich.lab.machine import prepare

prepare()

import cvxpy as cp
import numpy as np

from lazyrich.predictors import MinHyperbolicEntropy
from lazyrich.problems import Split

SCALES = 10.0 ** np.arange(6.0, -31.0, -1.0)
# Where Clarabel answers at all: above, the entropy is flat to its tolerance; below, it is too steep.
THEIRS = (10.0, 1.0, 0.1, 0.01)


def cpu_seconds(function):
    """CPU seconds of a call, and what it returned."""
    begin = time.process_time()
    result = function()
    return time.process_time() - begin, result


def cone(x, y, alpha: float) -> float:
    """The least entropy of depth 2 as the relative entropies of two halves; NaN where the solver gives up."""
    u, v = cp.Variable(x.shape[1]), cp.Variable(x.shape[1])
    entropy = cp.sum(cp.kl_div(u, alpha**2) + cp.kl_div(v, alpha**2))
    try:
        return float(cp.Problem(cp.Minimize(entropy), [x @ (u - v) == y]).solve(solver="CLARABEL"))
    except cp.SolverError:
        return float("nan")


def main(n: int = 100, d: int = 1_000) -> None:
    """Print the seconds of our path at each depth, of the cone solver at a few scales, and the ratio a scale."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, d))
    y = x[:, :5].sum(axis=1) + 0.3 * rng.normal(size=n)
    data = Split(x, y)
    shape = np.exp(rng.uniform(np.log(0.3), np.log(3), size=d))
    MinHyperbolicEntropy(1.0).solve(data)
    for depth in (2, 3, 4, 5, 10):
        for what in (None, shape):
            seconds, result = cpu_seconds(lambda: MinHyperbolicEntropy(1.0, depth=depth, shape=what).path(data, SCALES))  # noqa: B023
            worst = max(max(one.certificate.feasibility, one.certificate.gap) for one in result)
            print(f"depth {depth}, {'ones' if what is None else 'shape'}: {seconds:.2f} s, worst certificate {worst:.0e}")
    ours, result = cpu_seconds(lambda: MinHyperbolicEntropy(1.0).path(data, SCALES))
    theirs = []
    for alpha in THEIRS:
        seconds, value = cpu_seconds(lambda: cone(x, y, alpha))  # noqa: B023
        right = result[int(np.argmin(np.abs(np.log(SCALES / alpha))))].value
        theirs.append(seconds)
        print(f"cone solver at alpha = {alpha:g}: {seconds:.2f} s, value off by {value / right - 1:.0e}")
    ratio = np.mean(theirs) / (ours / SCALES.size)
    print(f"n = {n}, d = {d}: {ours / SCALES.size:.4f} s of CPU a scale against {np.mean(theirs):.2f}")
    print(f"ratio {ratio:.0f}, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    with threadpool_limits(1):
        main(*(int(word) for word in sys.argv[1:]))

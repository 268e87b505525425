"""When a slow l1 descent recovers a sparse signal: the exact slow flow against subgradient steps of 1e-9.

python benchmarks/slow_flow.py [d] [n]
"""

import os
import sys
import time

from lazyrich.lab.machine import prepare

prepare()

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from lazyrich.numerics.slow_path import slow_path
from lazyrich.problems import Split, sparse_recovery

RATE, PRODUCT, LEVEL, TIMED = 0.1, 1e-9, 1e-2, 200_000


def cpu_seconds(function, *args) -> float:
    """CPU seconds of a call that has been made before."""
    jax.block_until_ready(function(*args))
    begin_at = time.process_time()
    jax.block_until_ready(function(*args))
    return time.process_time() - begin_at


@jax.jit
def descent(x, y, w):
    """Subgradient descent on half the sum of squares plus the l1 norm, one fused loop."""

    def step(_, w):
        return w - RATE * (x.T @ (x @ w - y)) - PRODUCT * jnp.sign(w)

    return jax.lax.fori_loop(0, TIMED, step, w)


def main(d: int = 100, n: int = 30) -> None:
    """Print both times and their ratio."""
    problem = sparse_recovery(jr.key(0), n=n, d=d, sparsity=max(d // 20, 1), noise=0.0)
    data, truth = problem.train, np.asarray(problem.truth)
    assert isinstance(data, Split)
    x, y = np.asarray(data.x) / np.sqrt(d), np.asarray(data.y) / np.sqrt(d)
    path = slow_path(x, y, np.zeros(d))
    steps = path.first_within(truth, LEVEL) / PRODUCT
    ours = cpu_seconds(slow_path, x, y, np.zeros(d))
    theirs = cpu_seconds(descent, x, y, jnp.zeros(d)) * steps / TIMED
    print(f"d = {d}, n = {n}: {path.times.size} events, gap {path.gap:.0e}, recovered to {LEVEL:g} after {steps:.3g} steps")
    print(f"slow flow {ours:.3f} s of CPU, subgradient descent {theirs:.0f} s (extrapolated from {TIMED} steps)")
    print(f"ratio {theirs / ours:.0f}, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

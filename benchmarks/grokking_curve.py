"""The grokking curve of lyu2024/figure_1a: exact reduction against gradient descent at the published step.

python benchmarks/grokking_curve.py [d] [n]
"""

import os
import sys
import time

from lazyrich.lab.machine import prepare

prepare()

import jax
import jax.numpy as jnp
import jax.random as jr

from lazyrich import Objective
from lazyrich.dynamics import GradientDescent
from lazyrich.lab.simulations.diagonal_classification import CURVES, advance, begin, curve_times, make_problem
from lazyrich.losses import Logistic
from lazyrich.regularizers import L2

DECAY, RATE, HORIZON, TIMED = 1e-3, 0.01, 1e4, 500


def cpu_seconds(function, *args) -> float:
    """CPU seconds of a call that has been compiled before."""
    jax.block_until_ready(function(*args))
    begin_at = time.process_time()
    jax.block_until_ready(function(*args))
    return time.process_time() - begin_at


def main(d: int = 10_000, n: int = 192) -> None:
    """Print both times and their ratio."""
    problem = make_problem(jr.key(0), n, d, 3)
    init = begin(d, alpha=64.0, convention="norm")
    read = {"test": lambda net: problem.law.accuracy(net.effective())}

    def flow(problem):
        path = advance(problem, init, curve_times(HORIZON, 100), weight_decay=DECAY, loss=Logistic(), read=read, flow=CURVES)
        return path.reads["test"]

    def descent(problem):
        objective = Objective(problem.train, Logistic(), reduction="mean", penalties=[(L2(), DECAY)])
        return GradientDescent(RATE).run(objective, init, jnp.array([0, TIMED]), read=read).reads["test"]

    ours = cpu_seconds(jax.jit(flow), problem)
    theirs = cpu_seconds(jax.jit(descent), problem) * (HORIZON / RATE) / TIMED
    load = os.getloadavg()[0]
    print(f"d = {d}, n = {n}: flow {ours:.2f} s of CPU, descent {theirs:.0f} s (extrapolated from {TIMED} steps)")
    print(f"ratio {theirs / ours:.0f}, load {load:.1f}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

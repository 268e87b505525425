"""A thousand sparse recoveries by subgradient descent, each with its own data: compiled, and as a loop of NumPy steps.

python benchmarks/subgradient_batch.py [trainings] [steps]
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from lazyrich.lab.machine import prepare

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # tiny products: threads would only slow NumPy down
prepare()

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from lazyrich import HALF_SUM, Objective, Split
from lazyrich.dynamics import GradientDescent
from lazyrich.losses import Squared
from lazyrich.models import AbstractLinearModel
from lazyrich.problems import sparse_recovery
from lazyrich.regularizers import L1

N, D, SPARSITY, RATE, STRENGTH, START = 30, 100, 5, 0.1, 1e-3, 1e-6
TRIED, TIMED = 2_000, 500


class Weights(AbstractLinearModel):
    """Weights as they are."""

    beta: jax.Array
    degree = 1

    def parameters(self):
        return self.beta

    def effective(self):
        return self.beta

    def __call__(self, x):
        return x @ self.beta


def pose(key) -> tuple[Split, jax.Array]:
    """Inputs of variance 1/d, and the truth."""
    problem = sparse_recovery(key, n=N, d=D, sparsity=SPARSITY, test=0)
    return Split(problem.train.x / D**0.5, problem.train.y / D**0.5), problem.truth


def train(key, steps):
    """The distance to the truth at 11 moments, and the end."""
    data, truth = pose(key)
    goal = Objective(data, Squared(), factor=HALF_SUM, penalties=[(L1(), STRENGTH)])
    read = {"error": lambda net: jnp.linalg.norm(net.beta - truth) / jnp.linalg.norm(truth)}
    when = jnp.round(jnp.linspace(0, steps, 11)).astype(int)
    path = GradientDescent(RATE).run(goal, Weights(jnp.full(D, START)), when, read=read)
    return path.reads["error"], path.end.beta


def numpy_train(x, y, steps):
    """The same steps."""
    beta = np.full(D, START)
    for _ in range(steps):
        beta = beta - RATE * (x.T @ (x @ beta - y) + STRENGTH * np.sign(beta))
    return beta


ONE = jax.jit(train)
WAYS = {
    "loop": lambda keys, steps: jax.block_until_ready([ONE(key, steps) for key in keys]),
    "lax.map": jax.jit(lambda keys, steps: jax.lax.map(lambda key: train(key, steps), keys)),
    "vmap": jax.jit(lambda keys, steps: jax.vmap(lambda key: train(key, steps))(keys)),
}


def seconds(function, *args) -> tuple[float, float, object]:
    """CPU and wall seconds of a call, and its answer."""
    cpu, wall = time.process_time(), time.perf_counter()
    answer = jax.block_until_ready(function(*args))
    return time.process_time() - cpu, time.perf_counter() - wall, answer


def main(trainings: int = 1_000, steps: int = 100_000) -> None:
    """Print the seconds of each way, then of all trainings on two threads beside the loop in NumPy."""
    keys, cost = jr.split(jr.key(0), trainings), {}
    for name, way in WAYS.items():
        jax.block_until_ready(way(keys[:16], TRIED))
        cost[name] = seconds(way, keys[:16], TRIED)[0] / (16 * TRIED)
    print("CPU microseconds a step:", ", ".join(f"{name} {1e6 * each:.2f}" for name, each in cost.items()))

    data = [np.asarray(part) for part in jax.tree.leaves(pose(keys[0])[0])]
    numpy_train(*data, TIMED)
    timed = [seconds(numpy_train, *data, TIMED) for _ in range(5)]
    gap = np.abs(np.asarray(ONE(keys[0], TIMED)[1]) - timed[0][2]).max()
    theirs = float(np.median([cpu for cpu, _, _ in timed])) / TIMED * trainings * steps

    def all_trainings():
        with ThreadPoolExecutor(2) as threads:
            return list(threads.map(lambda key: jax.block_until_ready(ONE(key, steps)), keys))

    ours, wall, found = seconds(all_trainings)
    recovered, total = np.mean([float(error[-1]) < 0.05 for error, _ in found]), trainings * steps
    print(
        f"{trainings} trainings of {steps} steps: {ours:.3g} s of CPU, {wall:.3g} s on two threads; recovered {recovered:.0%}"
    )
    print(f"NumPy: {theirs:.3g} s of CPU, extrapolated from {TIMED} steps, which end at the same weights to {gap:.0e}")
    print(f"CPU microseconds a step: {1e6 * ours / total:.2f} against {1e6 * theirs / total:.2f}")
    print(
        f"ratio {theirs / ours:.0f} in CPU seconds, {theirs / wall:.0f} to our wall seconds; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

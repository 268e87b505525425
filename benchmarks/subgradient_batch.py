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

from lazyrich import Objective, Split
from lazyrich.dynamics import GradientDescent
from lazyrich.losses import Squared
from lazyrich.models import AbstractLinearModel
from lazyrich.problems import sparse_recovery
from lazyrich.regularizers import L1

N, D, SPARSITY, RATE, STRENGTH, START = 30, 100, 5, 0.1, 1e-3, 1e-6
TRIED, TIMED, CHUNK = 2_000, 500, 10


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


def make_problem(key) -> tuple[Split, jax.Array]:
    """Inputs of variance 1/d, and the truth."""
    problem = sparse_recovery(key, n=N, d=D, sparsity=SPARSITY, test=0)
    return Split(problem.train.x / D**0.5, problem.train.y / D**0.5), problem.truth


def train(key, steps):
    """The distance to the truth at 11 moments, and the end."""
    data, truth = make_problem(key)
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L1(), STRENGTH)])
    read = {"error": lambda net: jnp.linalg.norm(net.beta - truth) / jnp.linalg.norm(truth)}
    when = jnp.round(jnp.linspace(0, steps, 11)).astype(int)
    path = GradientDescent(RATE).run(objective, Weights(jnp.full(D, START)), when, read=read)
    return path.reads["error"], path.end.beta


def numpy_train(x, y, steps):
    """The same steps."""
    beta = np.full(D, START)
    for _ in range(steps):
        beta = beta - RATE * (x.T @ (x @ beta - y) + STRENGTH * np.sign(beta))
    return beta


ONE = jax.jit(train)
WAYS = {
    "loop": lambda keys, steps: jnp.stack([ONE(key, steps)[0] for key in keys]),
    "lax.map": jax.jit(lambda keys, steps: jax.lax.map(lambda key: train(key, steps)[0], keys)),
    "vmap": jax.jit(lambda keys, steps: jax.vmap(lambda key: train(key, steps)[0])(keys)),
}


def seconds(function, *args) -> tuple[float, float, object]:
    """CPU and wall seconds of a call, and its answer."""
    cpu, wall = time.process_time(), time.perf_counter()
    answer = jax.block_until_ready(function(*args))
    return time.process_time() - cpu, time.perf_counter() - wall, answer


def main(trainings: int = 1_000, steps: int = 100_000) -> None:
    """Print the seconds of each way, then of all trainings (tens of them) on two threads beside the loop in NumPy."""
    keys, cost, total = jr.split(jr.key(0), trainings), {}, trainings * steps
    for name, way in WAYS.items():
        jax.block_until_ready(way(keys[:CHUNK], TRIED))
        cost[name] = min(seconds(way, keys[:CHUNK], TRIED)[0] for _ in range(3)) / (CHUNK * TRIED)
    best = min(cost, key=lambda name: cost[name])
    print("CPU microseconds a step:", ", ".join(f"{name} {1e6 * each:.2f}" for name, each in cost.items()))

    def all_trainings():
        chunks = [keys[at : at + CHUNK] for at in range(0, trainings, CHUNK)]
        with ThreadPoolExecutor(2) as threads:
            return list(threads.map(lambda chunk: jax.block_until_ready(WAYS[best](chunk, steps)), chunks))

    data = [np.asarray(part) for part in jax.tree.leaves(make_problem(keys[0])[0])]
    gap = np.abs(np.asarray(ONE(keys[0], TIMED)[1]) - numpy_train(*data, TIMED)).max()
    before = [seconds(numpy_train, *data, TIMED)[0] for _ in range(5)]
    ours, wall, found = seconds(all_trainings)
    after = [seconds(numpy_train, *data, TIMED)[0] for _ in range(5)]
    theirs = float(np.median(before + after)) / TIMED * total
    recovered = np.mean(np.concatenate(found)[:, -1] < 0.05)
    print(f"{trainings} trainings of {steps} steps by {best}: {ours:.3g} s of CPU, {wall:.3g} s on two threads")
    print(f"NumPy: {theirs:.3g} s of CPU, extrapolated from {TIMED} steps, equal to {gap:.0e}; recovered {recovered:.0%}")
    print(f"CPU microseconds a step: {1e6 * ours / total:.2f} against {1e6 * theirs / total:.2f}")
    print(f"ratio {theirs / ours:.1f} in CPU seconds, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

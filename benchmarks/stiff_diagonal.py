"""A diagonal net on the squared loss from a large initialization, reduced to n numbers, beside the raw weights at the same error.

    python benchmarks/stiff_diagonal.py --d 1000 --alpha 3

The raw flow is stiff: the loss falls at a rate of 8 alpha^2 times an eigenvalue of X X^T while the weights drift slowly.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import time

import jax

jax.config.update("jax_enable_x64", True)
import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

import lazyrich as lz
from lazyrich.dynamics import GradientFlow


def timed(function, *arguments):
    """The result and the CPU seconds of a second call, compiled already."""
    compiled = jax.jit(function)
    jax.block_until_ready(compiled(*arguments))
    begin = time.process_time()
    found = jax.block_until_ready(compiled(*arguments))
    return found, time.process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, kind, usual in (
        ("--n", int, 30),
        ("--d", int, 1000),
        ("--alpha", float, 3.0),
        ("--weight-decay", float, 0.1),
        ("--until", float, 5.0),
    ):
        parser.add_argument(name, type=kind, default=usual)
    asked = parser.parse_args()
    problem = lz.problems.sparse_recovery(jr.key(0), n=asked.n, d=asked.d, sparsity=5, noise=0.1)
    weight_decay = [(lz.regularizers.L2(), asked.weight_decay)]
    objective = lz.Objective(problem.train, lz.losses.Squared(), reduction="sum", penalties=weight_decay)
    init = lz.models.DiagonalNet.at_scale(asked.alpha, dim=asked.d)
    times = jnp.array([0.0, asked.until])

    def end(flow):
        return lambda init: flow.run(objective, init, times, read={"w": lambda net: net.effective()})

    exact, _ = timed(end(GradientFlow(rtol=1e-7, atol=1e-9)), init)
    truth = np.asarray(exact.reads["w"][-1])

    def error(path):
        return float(np.linalg.norm(np.asarray(path.reads["w"][-1]) - truth) / np.linalg.norm(truth))

    rows = []
    for name, flow in (
        ("reduced, Kvaerno5", GradientFlow(dfx.Kvaerno5(), 1e-4, 1e-6, reduce=True)),
        ("raw, Tsit5", GradientFlow(dfx.Tsit5(), 1e-6, 1e-8, max_steps=10_000_000, reduce=None)),
    ):
        path, seconds = timed(end(flow), init)
        rows.append((name, seconds, error(path), int(path.outcome.steps)))
        print(f"{name}: {seconds:.3f} CPU s, error {error(path):.1e}, {path.outcome.sentence}", flush=True)
    one = GradientFlow(dfx.Kvaerno5(), 1e-6, 1e-8, max_steps=1, reduce=None)
    _, step = timed(end(one), init)
    print(f"raw, Kvaerno5: {step:.2f} CPU s for its first step alone")
    print(f"ratio {rows[1][1] / rows[0][1]:.0f} to Tsit5, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

"""A stiff flow that no reduction shortens: the Chebyshev solver against others, at equal error.

python benchmarks/stiff_flow.py [hidden] [until]

Two layers of tanh on 99 inputs of sizes 1, 1/2, ..., 1/99; with 100 hidden units there are 10,000 parameters. An error is that
of all parameters at the saved times, relative to how far they have moved. All on one core; a step of Kvaerno5 takes 7 GB.
"""

import os
import sys
import time

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

from lazyrich.lab.machine import prepare

prepare()

import diffrax as dfx
import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
from jax.flatten_util import ravel_pytree

from lazyrich import Objective
from lazyrich.dynamics import Chebyshev, GradientFlow
from lazyrich.losses import Squared
from lazyrich.problems import Split

INPUTS, SAMPLES = 99, 200
LEVELS = (1e-2, 1e-3, 2e-4)
# From the loosest tolerance with which each solver reaches the first level to that which reaches the last.
TRIALS = {dfx.Tsit5: (1e-3, 1e-4, 1e-5), dfx.Dopri8: (1e-3, 1e-4, 1e-5), Chebyshev: (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)}


class TwoLayer(eqx.Module):
    inner: jax.Array
    outer: jax.Array

    def __call__(self, x):
        return self.outer @ jnp.tanh(self.inner @ x)


def make_problem(hidden: int) -> tuple[Objective, TwoLayer]:
    """Waves along five random directions, and a net of standard size."""
    keys = jr.split(jr.key(0), 4)
    x = 3 * jr.normal(keys[0], (SAMPLES, INPUTS)) / jnp.arange(1, INPUTS + 1)
    y = jnp.sin(x @ jr.normal(keys[3], (INPUTS, 5))).sum(1)
    init = TwoLayer(jr.normal(keys[1], (hidden, INPUTS)), jr.normal(keys[2], (hidden,)) / jnp.sqrt(hidden))
    return Objective(Split(x, y), Squared(), reduction="mean"), init


def follow(objective, init, times, solver, rtol, steps=1_000_000):
    """The parameters at the saved times, the steps, and the CPU seconds of a second run (a single step runs once)."""
    flow = GradientFlow(solver=solver, rtol=rtol, atol=rtol / 100, max_steps=steps, reduce=None)
    read = {"theta": lambda net: ravel_pytree(net)[0]}

    def run(net):
        path = flow.run(objective, net, times, read=read)
        return path.reads["theta"], path.outcome.steps

    run = jax.jit(run).lower(init).compile()
    if steps > 1:
        jax.block_until_ready(run(init))
    begun = time.process_time()
    theta, taken = jax.block_until_ready(run(init))
    return np.asarray(theta), int(taken), time.process_time() - begun


def main(hidden: float = 100, until: float = 100) -> None:
    """Print all runs, and at each level of error the ratio of the best of the others to Chebyshev."""
    objective, init = make_problem(int(hidden))
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(until / 100, until, 5)])
    true, steps, seconds = follow(objective, init, times, dfx.Dopri8(), 1e-10)
    print(
        f"{ravel_pytree(init)[0].size} parameters to time {until:g}; reference: Dopri8 at 1e-10, {steps} steps, {seconds:.1f} s"
    )
    found = {kind: [] for kind in TRIALS}
    for kind, tolerances in TRIALS.items():
        for rtol in tolerances:
            theta, steps, seconds = follow(objective, init, times, kind(), rtol)
            error = (np.linalg.norm(theta - true, axis=1)[1:] / np.linalg.norm(true - true[0], axis=1)[1:]).max()
            found[kind].append((error, seconds, f"{kind.__name__} at {rtol:g}"))
            print(f"{kind.__name__:9} rtol {rtol:.0e}: error {error:.1e}, {steps:5} steps, {seconds:6.2f} s of CPU")
    *_, step = follow(objective, init, times, dfx.Kvaerno5(), 1e-3, steps=1)
    print(f"Kvaerno5: {step:.1f} s of CPU for the first step alone")
    for level in LEVELS:
        cheapest = {kind: min((run[1:] for run in runs if run[0] <= level), default=None) for kind, runs in found.items()}
        ours, others = cheapest.pop(Chebyshev), [run for run in cheapest.values() if run]
        if ours and others:
            theirs = min(others)
            print(f"error below {level:g}: ratio {theirs[0] / ours[0]:.1f} ({theirs[1]} against {ours[1]})")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))

"""Lazy or rich? How far a net's tangent kernel moves, over the scale of its output, of its start, and a power of its width.

python examples/scaling_map.py [FOLDER] [SIDE]
"""

# %% f(x) = output * k^(-exponent) * sum over k copies of <u^2 - v^2, x>, every weight begins at `init`.
import sys

import jax

jax.config.update("jax_enable_x64", True)
import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

import lazyrich as lz

WIDTH, D, N = 8, 12, 4
PROBLEM = lz.problems.sparse_recovery(jr.key(0), n=N, d=D, sparsity=2)
FLOW = lz.dynamics.GradientFlow(solver=dfx.Tsit5(), rtol=1e-7, atol=1e-9, max_steps=20_000)


def net(parameters, x):
    """The sum over copies; its factor is held fast."""
    u, v, factor = parameters
    return jax.lax.stop_gradient(factor) * jnp.sum((u**2 - v**2) @ x)


def kernel(model):
    """The tangent kernel on the training data."""
    u, v, factor = model.parameters
    return (PROBLEM.train.x * 4 * factor**2 * jnp.sum(u**2 + v**2, 0)) @ PROBLEM.train.x.T


def moved(output, init, exponent):
    """The change of the kernel until the data are fitted, relative to the kernel at the start."""
    weights = jnp.full((WIDTH, D), init)
    start = lz.models.Function((weights, weights, output * WIDTH**-exponent), net)
    goal = lz.Objective(PROBLEM.train, lz.losses.Squared(), factor=lz.SUM)
    level = 1e-4 * jnp.sum(PROBLEM.train.y**2)
    end = FLOW.run(goal, start, jnp.array([0.0, 1e8]), stop=lz.dynamics.loss_below(goal, level)).end
    first = kernel(start)
    return {"kernel_change": jnp.linalg.norm(kernel(end) - first) / jnp.linalg.norm(first)}


# %% The map: theory puts the edge where what the start could already express has the size of the answers.
if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "figures"
    side = sys.argv[2] if len(sys.argv) > 2 else 13
    grid = {"output": np.geomspace(0.01, 3, int(side)), "init": np.geomspace(0.05, 1.5, int(side))}
    swept = lz.lab.sweep(moved, grid | {"exponent": [0.0, 1.0]}, store=f"{folder}/lazyrich-runs")
    print(f"{swept.done} points, {swept.failed} failed, {swept.seconds:.0f} s")
    line = {"k^(1 - exponent) output init^2 = 1": f"={WIDTH}**(1-exponent)*output*init**2"}
    for path in lz.report.maps.save(swept.data, folder, x="output", y="init", facet="exponent", edges=line):
        print(path)

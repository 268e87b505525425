"""Lazy or rich? The change of a tangent kernel over the scale of its output, of its initialization, and a power of its width.

python examples/scaling_map.py [FOLDER] [SIDE]
"""

# %% f(x) = output * k^(-exponent) * sum over k copies of <u^2 - v^2, x>, every weight is initialized at `alpha`.
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
    """The sum over copies; its factor is constant."""
    u, v, factor = parameters
    return jax.lax.stop_gradient(factor) * jnp.sum((u**2 - v**2) @ x)


def kernel(model):
    """The tangent kernel on the training data."""
    u, v, factor = model.parameters
    return (PROBLEM.train.x * 4 * factor**2 * jnp.sum(u**2 + v**2, 0)) @ PROBLEM.train.x.T


def moved(output, alpha, exponent):
    """The change of the kernel until the data are fitted, relative to the kernel at initialization."""
    weights = jnp.full((WIDTH, D), alpha)
    init = lz.models.Function((weights, weights, output * WIDTH**-exponent), net)
    objective = lz.Objective(PROBLEM.train, lz.losses.Squared(), reduction="sum")
    level = 1e-4 * jnp.sum(PROBLEM.train.y**2)
    end = FLOW.run(objective, init, jnp.array([0.0, 1e8]), stop=lz.dynamics.loss_below(objective, level)).end
    first = kernel(init)
    return {"kernel_change": jnp.linalg.norm(kernel(end) - first) / jnp.linalg.norm(first)}


# %% The map: in theory the transition is where the function that the initial kernel can express has the size of the targets.
if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else "figures"
    side = sys.argv[2] if len(sys.argv) > 2 else 13
    grid = {"output": np.geomspace(0.01, 3, int(side)), "alpha": np.geomspace(0.05, 1.5, int(side))}
    swept = lz.lab.sweep(moved, grid | {"exponent": [0.0, 1.0]}, store=f"{folder}/lazyrich-runs")
    print(f"{swept.done} points, {swept.failed} failed, {swept.seconds:.0f} s")
    line = {r"$k^{1-p}\kappa\alpha^2 = 1$": f"={WIDTH}**(1-exponent)*output*alpha**2"}
    for path in lz.report.maps.save(swept.data, folder, x="output", y="alpha", facet="exponent", edges=line):
        print(path)

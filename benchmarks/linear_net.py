"""Where a wide two-layer linear net ends: the fundamental matrix of what moves against the flow of every weight.

python benchmarks/linear_net.py [h] [d] [k] [n]
"""

import os
import sys

from lazyrich.lab.machine import prepare

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # its idle threads spin, which counts as CPU time of the one factorization
prepare()

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
from grokking_curve import cpu_seconds

from lazyrich import Objective
from lazyrich.dynamics import GradientFlow
from lazyrich.inits import gaussian
from lazyrich.losses import Squared
from lazyrich.models import LinearNet
from lazyrich.papers.min2021.simulations.linear_net_flow import Reduced, follow, make_problem

HORIZON, RTOL, ATOL = 5.0, 1e-8, 1e-10


def ended(problem: Reduced, init: LinearNet, times, flow: GradientFlow):
    r"""$UV^\top$ at the last time, by $[V; U_1](t) = \Psi(t)[V; U_1](0)$: no array of the width is followed."""
    outputs = init.v.shape[0]
    seen = problem.seen(init)
    rows = jnp.concatenate([seen.v, seen.u])
    factor = jnp.linalg.cholesky(rows @ rows.T)
    small = LinearNet(u=factor[outputs:], v=factor[:outputs])
    end = follow(problem, small, times, flow=flow).end
    moved = jnp.linalg.solve(factor.T, jnp.concatenate([end.v, end.u]).T).T
    unseen = init.u - problem.frame.T @ seen.u
    return problem.frame.T @ end.effective() + unseen @ (moved[:outputs] @ rows).T


def main(h: int = 10_000, d: int = 500, k: int = 1, n: int = 100) -> None:
    """Print both times, their ratio and the distance of the maps."""
    problem = make_problem(jr.key(0), n, d, k, 1.0, 0.01)
    init = gaussian(jr.key(1), LinearNet.at_zero(dim=d, outputs=k, width=h), scale=h**-0.5)
    times, flow = jnp.array([0.0, HORIZON]), GradientFlow(solver=dfx.Tsit5(), rtol=RTOL, atol=ATOL, reduce=None)
    objective = Objective(problem.data, Squared(), reduction="half_sum")
    short = jax.jit(lambda init: ended(problem, init, times, flow))
    long = jax.jit(lambda init: flow.run(objective, init, times, read={"map": LinearNet.effective}).reads["map"][-1])
    ours, theirs = cpu_seconds(short, init), cpu_seconds(long, init)
    apart = float(jnp.linalg.norm(short(init) - long(init)) / jnp.linalg.norm(long(init)))
    print(f"h = {h}, d = {d}, k = {k}, n = {n}, to t = {HORIZON:g}: {ours:.3f} s of CPU against {theirs:.1f} s")
    print(f"ratio {theirs / ours:.0f}, load {os.getloadavg()[0]:.1f}, maps {apart:.0e} apart")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

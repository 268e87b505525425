"""A wide two-layer linear net with decay: exact width compression against the flow of every weight.

python benchmarks/linear_width.py [h] [d] [k] [n]
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

from lazyrich import Objective, Split
from lazyrich.dynamics import GradientFlow
from lazyrich.inits import bartlett, gaussian
from lazyrich.losses import Squared
from lazyrich.models import LinearNet
from lazyrich.regularizers import L2

DECAY, HORIZON, WIDEST = 0.01, 3.0, 10**7


def main(h: int = 10_000, d: int = 20, k: int = 3, n: int = 15) -> None:
    """Print all times, the ratio and the agreement of the maps."""
    data = Split(jr.normal(jr.key(0), (n, d)) / jnp.sqrt(1.0 * d), jr.normal(jr.key(1), (n, k)))
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L2(), DECAY)])
    init = gaussian(jr.key(2), LinearNet.at_zero(dim=d, outputs=k, width=h), scale=h**-0.5)
    times = jnp.linspace(0, HORIZON, 5)

    def follow(reduce):
        flow = GradientFlow(solver=dfx.Tsit5(), reduce=reduce)
        return jax.jit(lambda init: flow.run(objective, init, times, read={"map": LinearNet.effective}).reads["map"])

    short, long = follow(True), follow(None)
    ours, theirs = cpu_seconds(short, init), cpu_seconds(long, init)
    apart = float(jnp.max(jnp.abs(short(init) - long(init))))
    drawn = jax.jit(lambda key: short(bartlett(key, dim=d, outputs=k, width=WIDEST, scale=WIDEST**-0.5)))
    widest = cpu_seconds(drawn, jr.key(3))
    print(f"h = {h}, d = {d}, k = {k}, n = {n}: reduced {ours:.3f} s of CPU, every weight {theirs:.1f} s, maps {apart:.0e} apart")
    print(f"ratio {theirs / ours:.0f}, load {os.getloadavg()[0]:.1f}; h = {WIDEST:.0e} drawn and followed in {widest:.3f} s")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

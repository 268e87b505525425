"""Matrix factorization under Xavier initialization: standard normal entries and an output scaled by the width."""

import jax.numpy as jnp
import jax.random as jr

from ....inits import bartlett
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....numerics.imbalance import Imbalance, eigenvalues
from ....problems import Split
from .linear_net_flow import PACES, Reduced, paces


def begin(key, rows, outputs, width):
    """Standard normal layers, at the width that their rows span."""
    return bartlett(jr.fold_in(key, 1), dim=rows, outputs=outputs, width=width, scale=1.0)


def spectrum(key, *, rows, outputs, width):
    r"""Eigenvalues of the imbalance over $mh$ in decreasing order, the level of imbalance and both spreads."""
    net = begin(key, rows, outputs, width)
    found = eigenvalues(net.u, net.v) / (outputs * width)
    ends = Imbalance.of(found, rows=rows, others=outputs)
    return {"found": found[::-1], "level": ends.level, "up": ends.spreads[0], "down": ends.spreads[1]}


def follow(key, *, rows, outputs, width, deviation, efolds, moments):
    r"""Gradient flow on $\frac{1}{2}\|Y - (mh)^{-1/2}UV^\top\|_F^2$ with its rates and bounds."""
    target = deviation * jr.normal(jr.fold_in(key, 0), (rows, outputs))
    scale = jnp.full(rows, 1.0) / jnp.sqrt(1.0 * outputs * width)
    data = Split(jnp.diag(scale), target)
    problem = Reduced(data, jnp.eye(rows), scale, target, jnp.zeros(()))
    return paces(problem, begin(key, rows, outputs, width), efolds, moments)


SIZES = (
    Param("rows", 20, smoke=4, low=1, high=200, unit="rank of the inputs", static=True),
    Param("outputs", 5, smoke=2, low=1, high=100, static=True),
)
SPECTRUM = Simulation(
    spectrum,
    params=[
        *SIZES,
        Param("width", (30, 100, 300, 1_000, 4_000), smoke=(8, 40), low=1, high=10**12, unit="hidden units"),
        Param("trials", 20, 200, smoke=2, low=1, high=10_000, unit="seeds", static=True),
    ],
    returns={"found": "p", "level": "", "up": "", "down": ""},
)
FOLLOWED = Simulation(
    follow,
    params=[
        *SIZES,
        Param("width", (30, 100, 300, 1_000), smoke=(8, 40), low=1, high=10**12, unit="hidden units"),
        Param("deviation", 0.1**0.5, low=1e-3, high=10.0, unit="standard deviation of the entries of the target"),
        Param("efolds", 14.0, low=0.1, high=1e3, unit="duration, in units of 1 / (mean rate)"),
        Param("moments", 41, 101, smoke=9, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns=PACES,
)

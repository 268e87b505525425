"""A two-layer linear net without weight decay: the imbalance of its layers sets its convergence rate and its limit."""

from typing import Any

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...inits import gaussian
from ...lab.params import Param
from ...losses import Squared
from ...models import LinearNet
from ...objective import Objective
from ...problems import Split
from ...types import Key
from ..experiment import Composed, Experiment
from .readings import curves, times

FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-6, atol=1e-9, land=False)


def compose(key: Key, *, alpha: Any, imbalance: Any, width: int, n: int, d: int, outputs: int) -> Composed:
    r"""Weights $\sim N(0, \alpha^2r^2/h)$ in the first layer and $N(0, \alpha^2/r^2h)$ in the second, with imbalance $r$."""
    inputs, target, fresh = (jr.fold_in(jr.fold_in(key, 0), at) for at in range(3))
    truth = jr.normal(target, (d, outputs)) / jnp.sqrt(1.0 * d)
    train, test = (Split(x, x @ truth) for x in (jr.normal(inputs, (n, d)), jr.normal(fresh, (500, d))))
    blank = LinearNet.at_zero(dim=d, outputs=outputs, width=width)
    size = alpha / jnp.sqrt(1.0 * width)
    init = gaussian(jr.fold_in(key, 1), blank, scale=jnp.stack([size * imbalance, size / imbalance]))
    objective = Objective(train, Squared(), reduction="mean")
    # The slowest direction converges at the rate of the smallest nonzero variance times the squares of the layers.
    horizon = 100.0 * (1.0 + 1.0 / alpha**2)
    read = curves("error", train, test)
    return Composed(objective, init, FLOW, test, times(1e-5 * horizon, horizon), read, "error")


EXPERIMENT = Experiment(
    name="linear_net",
    title="Unbalanced layers of a linear net",
    says="Without weight decay gradient flow leaves directions orthogonal to the inputs unchanged; a small initialization "
    "converges close to minimum norm, an unbalanced one converges faster.",
    params=(
        Param("alpha", 0.3, low=1e-2, high=10.0, unit="scale of both layers"),
        Param("imbalance", 1.0, low=0.1, high=10.0, unit="square root of first layer over second"),
        Param("width", 20, low=1, high=200, unit="hidden units", static=True),
        Param("n", 10, low=2, high=100, unit="samples", static=True),
        Param("d", 20, low=2, high=100, unit="inputs", static=True),
        Param("outputs", 2, low=1, high=10, static=True),
    ),
    compose=compose,
)

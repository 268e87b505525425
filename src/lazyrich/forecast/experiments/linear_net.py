"""A two-layer linear net without decay: the imbalance of its layers sets how fast it fits and where it ends."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...inits import gaussian
from ...losses import MEAN, Squared
from ...models import LinearNet
from ...objective import Objective
from ...problems import Split
from ..experiment import Composed, Experiment
from ..params import Param
from .readings import curves, times

FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-6, atol=1e-9, land=False)


def compose(key, *, alpha, imbalance, width, n, d, outputs) -> Composed:
    r"""Weights of deviation $\alpha r/\sqrt h$ in the first layer and $\alpha/(r\sqrt h)$ in the second, $r$ the imbalance."""
    inputs, target, fresh = (jr.fold_in(jr.fold_in(key, 0), at) for at in range(3))
    truth = jr.normal(target, (d, outputs)) / jnp.sqrt(1.0 * d)
    train, test = (Split(x, x @ truth) for x in (jr.normal(inputs, (n, d)), jr.normal(fresh, (500, d))))
    blank = LinearNet.at_zero(dim=d, outputs=outputs, width=width)
    size = alpha / jnp.sqrt(1.0 * width)
    start = gaussian(jr.fold_in(key, 1), blank, scale=jnp.stack([size * imbalance, size / imbalance]))
    goal = Objective(train, Squared(), factor=MEAN)
    # The slowest direction fits at the rate of the smallest seen variance times the layers' squares.
    horizon = 100.0 * (1.0 + 1.0 / alpha**2)
    read = curves("error", train, test)
    return Composed(goal, start, FLOW, test, times(1e-5 * horizon, horizon), read, "error")


EXPERIMENT = Experiment(
    name="linear_net",
    title="Layers out of balance",
    says="Without decay the flow keeps what no input sees; a small start ends near least norm, an unbalanced one fits faster.",
    params=(
        Param("alpha", 0.3, low=1e-2, high=10.0, unit="scale of both layers"),
        Param("imbalance", 1.0, low=0.1, high=10.0, unit="first layer over the second, root"),
        Param("width", 20, low=1, high=200, unit="hidden units", static=True),
        Param("n", 10, low=2, high=100, unit="samples", static=True),
        Param("d", 20, low=2, high=100, unit="inputs", static=True),
        Param("outputs", 2, low=1, high=10, static=True),
    ),
    compose=compose,
)

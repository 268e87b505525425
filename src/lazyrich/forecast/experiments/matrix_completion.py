r"""A symmetric matrix completed by $UU^\top - VV^\top$ with weight decay: zeros first, minimum nuclear norm late."""

from typing import Any

import diffrax as dfx
import jax.random as jr

from ...dynamics import GradientFlow
from ...lab.params import Param
from ...models import SymmetricNet
from ...problems import multiplication_table
from ...types import Key
from ..experiment import Composed, Experiment
from .deep_regression import with_decay

FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-5, atol=1e-7, land=False)


def compose(key: Key, *, alpha: Any, weight_decay: Any, d: int, train_fraction: Any) -> Composed:
    r"""Both factors are initialized at $\alpha I$."""
    problem = multiplication_table(jr.fold_in(key, 0), d=d, train_fraction=train_fraction)
    return with_decay(problem, SymmetricNet.at_scale(alpha, dim=d), FLOW, alpha=alpha, weight_decay=weight_decay, after=8.0)


EXPERIMENT = Experiment(
    name="matrix_completion",
    title="Matrix completion groks a multiplication table",
    says=r"Unobserved entries stay at zero until time $\log(\alpha)/\lambda$ with weight decay $\lambda$; then the completion "
    "of minimum nuclear norm fills them in.",
    params=(
        Param("alpha", 4.0, low=0.1, high=30.0, unit="initial diagonal of both factors"),
        Param("weight_decay", 1e-3, low=1e-5, high=1e-1, unit="regularization strength"),
        Param("d", 12, low=4, high=24, unit="rows", static=True),
        Param("train_fraction", 0.3, low=0.05, high=0.95, unit="fraction of the entries", static=True),
    ),
    compose=compose,
)

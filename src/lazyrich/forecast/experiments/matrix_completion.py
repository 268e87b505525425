r"""A symmetric matrix completed by $UU^\top - VV^\top$ with decay: zeros first, the least nuclear norm late."""

import diffrax as dfx
import jax.random as jr

from ...dynamics import GradientFlow
from ...models import SymmetricNet
from ...problems import multiplication_table
from ..experiment import Composed, Experiment
from ..params import Param
from .deep_regression import with_decay

FLOW = GradientFlow(dfx.Kvaerno5(), rtol=1e-5, atol=1e-7, land=False)


def compose(key, *, alpha, decay, d, seen) -> Composed:
    """Both factors begin at alpha times the identity."""
    problem = multiplication_table(jr.fold_in(key, 0), d=d, share=seen)
    return with_decay(problem, SymmetricNet.at_scale(alpha, dim=d), FLOW, alpha=alpha, decay=decay, after=8.0)


EXPERIMENT = Experiment(
    name="matrix_completion",
    title="A multiplication table completed late",
    says="Entries not seen stay at zero until log(alpha)/decay; then they are filled in by the least nuclear norm.",
    params=(
        Param("alpha", 4.0, low=0.1, high=30.0, unit="diagonal of both factors at the start"),
        Param("decay", 1e-3, low=1e-5, high=1e-1, unit="strength of L2"),
        Param("d", 12, low=4, high=24, unit="rows", static=True),
        Param("seen", 0.3, low=0.05, high=0.95, unit="share of the entries", static=True),
    ),
    compose=compose,
)

"""The one junction: data, loss, reduction and penalties make a function of the model."""

from collections.abc import Sequence
from typing import Any, Generic

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from .errors import BadInput
from .losses import REDUCTIONS, AbstractLoss, Reduction, sample_weight
from .models import entries, outputs, parameters
from .numerics.values import concrete
from .problems import Entries, Split
from .problems.base import Data
from .regularizers import L2, AbstractRegularizer
from .types import Array, Float, Scalar


class Objective(eqx.Module, Generic[Data]):
    r"""$\mathcal L(\theta) = \text{weight}\cdot\sum_i\ell(f_\theta(x_i), y_i) + \sum_j\text{strength}_j\,R_j(\theta)$.

    The reduction is "sum", "mean" or "half_sum" and has no default: it changes what time and strengths mean.
    """

    data: Data
    loss: AbstractLoss
    penalties: tuple
    reduction: Reduction = eqx.field(static=True)

    def __init__(
        self, data: Data, loss: AbstractLoss, *, reduction: Reduction, penalties: Sequence[tuple[AbstractRegularizer, Any]] = ()
    ):
        """Join the parts and refuse what does not fit together."""
        if reduction not in REDUCTIONS:
            raise BadInput(
                needed="an Objective needs reduction='sum', 'mean' or 'half_sum'",
                given=repr(reduction),
                cure="It rescales time and strengths, so there is no default; torch's losses take the mean.",
            )
        _require_targets(data, loss)
        for penalty, strength in penalties:
            number = concrete(strength)
            if number is not None and not (np.isfinite(number).all() and (number >= 0).all()):
                raise BadInput(
                    needed=f"the strength of {type(penalty).__name__} is a finite number, at least 0",
                    given=f"{number}",
                    cure="Leave the penalty out, or give for example 1e-3.",
                )
        self.data = data
        self.loss = loss
        self.reduction = reduction
        self.penalties = tuple((penalty, jnp.asarray(strength, float)) for penalty, strength in penalties)

    @property
    def weight(self) -> float:
        """What multiplies the plain sum over samples."""
        return sample_weight(self.reduction, self.data.n)

    @property
    def weight_decay(self) -> Scalar | None:
        """The total strength of L2 when every penalty is L2 (zero without penalties), else None."""
        if any(not isinstance(penalty, L2) for penalty, _ in self.penalties):
            return None
        return sum((strength for _, strength in self.penalties), start=jnp.zeros(()))

    def __call__(self, model) -> Scalar:
        """The whole objective."""
        cost = self.data_loss(model)
        for penalty, strength in self.penalties:
            cost = cost + strength * penalty.value(parameters(model))
        return cost

    def outputs(self, model) -> Float[Array, "..."]:
        """The model at the samples, in the shape of the targets."""
        if isinstance(self.data, Entries):
            return entries(model, self.data.rows, self.data.cols, self.data.shape)
        found = outputs(model, self.data.x)
        shape = found.shape[:-1] if self.loss.classes_only else found.shape
        if shape != self.data.y.shape:
            raise BadInput(
                needed=f"{type(self.loss).__name__} compares outputs with targets of the same shape",
                given=f"outputs {found.shape} and targets {self.data.y.shape}",
                cure="Give targets of shape (n, 1) to a model with one column of outputs.",
            )
        return found

    def data_loss(self, model) -> Scalar:
        """The loss without penalties."""
        return self.weight * jnp.sum(self.loss.value(self.outputs(model), self.data.y))

    def log_data_loss(self, model) -> Scalar:
        """The logarithm of the loss without penalties, finite after the loss has underflown."""
        each = self.loss.log_value(self.outputs(model), self.data.y)
        return jnp.log(self.weight) + logsumexp(each)


def _require_targets(data: Split | Entries, loss: AbstractLoss) -> None:
    """Refuse targets that the loss has no meaning for."""
    targets = concrete(data.y)
    if targets is None:
        return
    if loss.signs_only and not np.isin(targets, (-1.0, 1.0)).all():
        raise BadInput(
            needed=f"{type(loss).__name__} needs labels in {{-1, +1}}",
            given=f"{np.unique(targets).size} distinct values from {targets.min():g} to {targets.max():g}",
            cure="Recode the labels, or use Squared() for real targets.",
        )
    if loss.classes_only and (targets.ndim != 1 or (targets != np.round(targets)).any() or (targets < 0).any()):
        raise BadInput(
            needed=f"{type(loss).__name__} needs one class a sample, a whole number from 0",
            given=f"shape {targets.shape}, values from {targets.min():g} to {targets.max():g}",
            cure="Number the classes from 0.",
        )

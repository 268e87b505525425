"""The one junction: data, loss, factor and penalties make a function of the model."""

from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from .errors import BadInput
from .losses import AbstractLoss, Factor
from .models import entries, outputs, parameters
from .numerics.values import concrete
from .problems import Entries, Split
from .regularizers import L2, AbstractRegularizer
from .types import Array, Float, Scalar


class Objective(eqx.Module):
    r"""$\mathcal L(\theta) = \text{factor}\cdot\sum_i\ell(f_\theta(x_i), y_i) + \sum_j\text{strength}_j\,R_j(\theta)$.

    The factor is SUM, MEAN or HALF_SUM and has no default: it changes what time and strengths mean.
    """

    data: Split | Entries
    loss: AbstractLoss
    penalties: tuple
    factor: Factor = eqx.field(static=True)

    def __init__(
        self,
        data: Split | Entries,
        loss: AbstractLoss,
        *,
        factor: Factor,
        penalties: Sequence[tuple[AbstractRegularizer, Any]] = (),
    ):
        """Join the parts and refuse what does not fit together."""
        if not isinstance(factor, Factor):
            raise BadInput(
                needed="an Objective needs factor=SUM, MEAN or HALF_SUM",
                given=repr(factor),
                cure="Import it: `from lazyrich import MEAN`.",
            )
        _require_answers(data, loss)
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
        self.factor = factor
        self.penalties = tuple((penalty, jnp.asarray(strength, float)) for penalty, strength in penalties)

    @property
    def weight(self) -> float:
        """What multiplies the plain sum over samples."""
        return self.factor.weight(self.data.n)

    @property
    def decay(self) -> Scalar | None:
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
        """What the model says where the data have answers."""
        if isinstance(self.data, Entries):
            return entries(model, self.data.rows, self.data.cols, self.data.shape)
        found = outputs(model, self.data.x)
        told = found.shape[:-1] if self.loss.classes_only else found.shape
        if told != self.data.y.shape:
            raise BadInput(
                needed=f"{type(self.loss).__name__} compares outputs with answers of the same shape",
                given=f"outputs {found.shape} and answers {self.data.y.shape}",
                cure="Give answers of shape (n, 1) to a model with one column of outputs.",
            )
        return found

    def data_loss(self, model) -> Scalar:
        """The loss without penalties."""
        return self.weight * jnp.sum(self.loss.value(self.outputs(model), self.data.y))

    def log_data_loss(self, model) -> Scalar:
        """The logarithm of the loss without penalties, finite after the loss has underflown."""
        each = self.loss.log_value(self.outputs(model), self.data.y)
        return jnp.log(self.weight) + logsumexp(each)


def _require_answers(data: Split | Entries, loss: AbstractLoss) -> None:
    """Refuse answers that the loss has no meaning for."""
    answers = concrete(data.y)
    if answers is None:
        return
    if loss.signs_only and not np.isin(answers, (-1.0, 1.0)).all():
        raise BadInput(
            needed=f"{type(loss).__name__} needs labels in {{-1, +1}}",
            given=f"{np.unique(answers).size} distinct values from {answers.min():g} to {answers.max():g}",
            cure="Recode the labels, or use Squared() for real answers.",
        )
    if loss.classes_only and (answers.ndim != 1 or (answers != np.round(answers)).any() or (answers < 0).any()):
        raise BadInput(
            needed=f"{type(loss).__name__} needs one class a sample, a whole number from 0",
            given=f"shape {answers.shape}, values from {answers.min():g} to {answers.max():g}",
            cure="Number the classes from 0.",
        )

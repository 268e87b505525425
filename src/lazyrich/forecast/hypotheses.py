"""What a forecast needs of a model and its data, measured before any work."""

from dataclasses import dataclass
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..errors import BadInput
from ..models import entries, outputs, parameters
from ..models.homogeneity import measured_degrees
from ..numerics.values import require_double
from ..objective import Objective
from ..problems import Entries, Split

# Samples on which the degree is measured, and the factors by which weights are multiplied.
SAMPLES, FACTORS = 16, (0.5, 2.0)
# Degrees that differ by less are one degree: rounding and kinks met on the way.
SAME = 0.02
# Degrees that differ by more are none: scale and time have no law then.
NONE = 0.5
# Outputs below this share of the targets are zero.
SILENT = 1e-3


class AtEntry(eqx.Module):
    """A matrix model as a function of a place: what kernels of entries are made of."""

    model: Any

    def __call__(self, x):
        """The entry at a row and a column."""
        row, col = x.astype(int)
        return self.model.effective()[row, col]


@dataclass(frozen=True)
class Measured:
    """The degree of homogeneity, how far it differs over samples and factors, and the largest output over that of the fit."""

    degree: float
    departure: float
    output: float


def as_split(model: Any, data: Split | Entries) -> tuple[Any, Split]:
    """The model and its data as a function of inputs: entries of a matrix are inputs of two numbers."""
    if isinstance(data, Split):
        return model, data
    return AtEntry(model), Split(jnp.stack([data.rows, data.cols], axis=1).astype(float), data.y)


def measured(objective: Objective, init: Any) -> Measured:
    """The hypotheses at initialization, or a refusal: not finite, not homogeneous, or with layers that normalize."""
    _require_numbers(init)
    initial = np.asarray(objective.outputs(init))
    model, data = as_split(init, objective.data)
    x = data.x[:SAMPLES]
    degrees = np.concatenate([np.ravel(_degrees(model, x, factor)) for factor in FACTORS])
    degrees = degrees[np.isfinite(degrees)]
    if degrees.size == 0:
        raise BadInput(
            needed="a forecast needs an initialization with gradients: from a saddle nothing moves",
            given="gradients of zero on every sample",
            cure="Initialize with nonzero weights, for example inits.constant(model, 1.0, convention='per_coordinate').",
        )
    degree, departure = float(np.median(degrees)), float(np.ptp(degrees))
    if degree < 1 - NONE:
        raise BadInput(
            needed="a forecast needs a model that grows with its weights",
            given=f"a measured degree of {degree:.3g}, as a normalization layer makes it",
            cure="Take batch or layer normalization out.",
        )
    if departure > NONE:
        raise BadInput(
            needed="a forecast needs a homogeneous model: f(c theta) = c^D f(theta)",
            given=f"measured degrees from {degrees.min():.3g} to {degrees.max():.3g}",
            cure="Keep biases to the first layer, take normalization out, and use powers or ReLUs.",
        )
    return Measured(degree, departure, float(np.abs(initial).max()) / _size(objective))


def silent(objective: Objective, init: Any, test: Split | Entries) -> bool:
    """Whether the initial output is about zero on the training data and on the test data."""
    found = [objective.outputs(init), Objective(test, objective.loss, reduction=objective.reduction).outputs(init)]
    return all(float(np.abs(np.asarray(part)).max()) <= SILENT * _size(objective) for part in found)


def _size(objective: Objective) -> float:
    """The largest target, 1 for classes."""
    return (float(np.abs(np.asarray(objective.data.y)).max()) if not objective.loss.classes_only else 1.0) or 1.0


@eqx.filter_jit
def _degrees(model, x, factor):
    return measured_degrees(model, x, factor)


def require_test(objective: Objective, init: Any, test: Split | Entries) -> None:
    """Refuse test data that are not of the kind of the training data."""
    if type(test) is not type(objective.data):
        raise BadInput(
            needed=f"test data are of the kind of the training data, {type(objective.data).__name__}",
            given=f"a {type(test).__name__}",
            cure="Give problem.test of the same problem.",
        )
    Objective(test, objective.loss, reduction=objective.reduction)
    found = entries(init, test.rows, test.cols, test.shape) if isinstance(test, Entries) else outputs(init, test.x)
    expected = found.shape[:-1] if objective.loss.classes_only else found.shape
    if expected != test.y.shape:
        raise BadInput(
            needed="the test targets have the shape of the model's outputs",
            given=f"outputs {found.shape} and targets {test.y.shape}",
            cure="Give one target an output.",
        )


def _require_numbers(init: Any) -> None:
    require_double("a forecast")
    arrays = jax.tree.leaves(parameters(init))
    if not arrays:
        raise BadInput(needed="a forecast needs a model with parameters", given=f"a {type(init).__name__}", cure="Give arrays.")
    for part in arrays:
        if part.dtype != jnp.float64:
            raise BadInput(
                needed="a forecast follows parameters in double precision",
                given=f"an array of {part.dtype}",
                cure='Put jax.config.update("jax_enable_x64", True) before the model is made.',
            )
        if not bool(jnp.all(jnp.isfinite(part))):
            raise BadInput(
                needed="a forecast needs finite initial weights",
                given=f"{int(jnp.sum(~jnp.isfinite(part)))} that are not, of {part.size} in one array",
                cure="Check the initialization.",
            )

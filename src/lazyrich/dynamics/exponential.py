"""Gradient flow of a squared loss in steps that are exact for the tangent model."""

from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

from ..errors import BadInput
from ..losses import Squared
from ..models import tangent
from ..objective import Objective
from ..problems import Split
from ..types import Array, Float, Scalar
from .schedules import require_positive
from .stepwise import AbstractStepwise, Plan

# A step is tried again with at least this share of its length, and the next is at most so many times longer.
_LEAST, _MOST = 0.2, 5.0
# A flow never raises its loss. A long step over a kink may, and comes back; one that raises it to more than so many times
# the lowest loss so far does not.
_RISE = 2.0
# Longer times are no different from infinite ones, and must not overflow.
_LONGEST = 1e100
# The share of the longest step allowed that is taken.
_SAFETY = 0.8


class ExponentialFlow(AbstractStepwise):
    r"""$\theta\leftarrow\theta - J^\top K^{-1}(1 - e^{-2whK})(f_\theta - y)$, with $J$ the tangent features, $K = JJ^\top$.

    Where the flow of $w\sum_i(f_\theta(x_i) - y_i)^2$ is after the time $h$ if the features stay: a kernel of any condition
    costs nothing, and for $h\to\infty$ the step is Gauss and Newton's. Each step is made whole and in two halves; their
    difference estimates its error, and extrapolation removes most of it. A step whose error exceeds `rtol` times
    the length of the path so far is not taken but tried again with a shorter $h$, and so is one that raises the loss
    to twice the lowest so far. Where kinks are crossed the error is as large as its estimate: of the order of `rtol`. Where
    a flow slides along a kink, as a net does that connects the dots, GradientDescent is better in time and accuracy.
    The moments count steps that were tried; the reading `log_time` is the logarithm of the flow's time; the certificate
    `refused` counts steps that were not taken. A step makes two Jacobians of all samples.
    Assumes: the squared loss of a Split, no penalties.    Source: woodworth2020, section 2.
    """

    rtol: float = 0.003
    how: ClassVar[str] = "gradient flow in exponential steps"

    def __check_init__(self):
        """The tolerance is positive."""
        require_positive(self, "rtol")

    def plan(self, objective: Objective, init: Any) -> Plan:
        """Two Jacobians a step."""
        if not isinstance(objective.loss, Squared) or objective.penalties or not isinstance(objective.data, Split):
            raise BadInput(
                needed="ExponentialFlow follows the squared loss of a Split without penalties",
                given=f"{type(objective.loss).__name__} of {type(objective.data).__name__} "
                f"with {len(objective.penalties)} penalties",
                cure="Use GradientFlow.",
            )

        def half(carry, _):
            model, length = carry
            here = _Tangent.of(objective, model)
            length = jnp.where(length > 0, length, self.rtol / here.fastest)
            move = here.step(length / 2)
            return (_moved(model, move), length), (here.step(length), move)

        def step(count, model, memory):
            log_time, length, gone, lowest, refused = memory
            (_, length), (wholes, halves) = jax.lax.scan(half, (model, length), length=2)
            halves, whole = halves.sum(0), wholes[0]
            size, error = jnp.linalg.norm(halves), jnp.linalg.norm(halves - whole)
            ratio = jnp.where(error == 0, 0.0, error / (self.rtol * (gone + size)))
            there = _moved(model, 2 * halves - whole)
            loss, lowest = objective(there), jnp.minimum(lowest, objective(model))
            taken = (ratio <= 1) & (loss <= _RISE * lowest)
            factor = jnp.where(taken, jnp.clip(_SAFETY / jnp.maximum(ratio, 1e-9), _LEAST, _MOST), _LEAST)
            log_time = jnp.where(taken, jnp.logaddexp(log_time, jnp.log(length)), log_time)
            memory = (
                log_time,
                jnp.minimum(factor * length, _LONGEST),
                gone + jnp.where(taken, size, 0.0),
                lowest,
                refused + ~taken,
            )
            return jax.tree.map(lambda new, old: jnp.where(taken, new, old), there, model), memory

        memory = jnp.asarray(-jnp.inf), jnp.zeros(()), jnp.zeros(()), jnp.asarray(jnp.inf), jnp.zeros((), int)
        return Plan(
            step, memory, show=lambda memory: {"log_time": memory[0]}, certify=lambda model, memory, count: {"refused": memory[4]}
        )


class _Tangent(eqx.Module):
    """A model's tangent where it stands: features, residuals, and its kernel as eigenvalues and eigenvectors."""

    features: Float[Array, "r p"]
    residual: Float[Array, " r"]
    values: Float[Array, " r"]
    vectors: Float[Array, "r r"]
    weight: float = eqx.field(static=True)

    @classmethod
    def of(cls, objective: Objective, model) -> "_Tangent":
        residual = (objective.outputs(model) - objective.data.y).ravel()
        features = tangent.features(model, objective.data.x).reshape(residual.size, -1)  # pyright: ignore
        values, vectors = jnp.linalg.eigh(features @ features.T)
        return cls(features, residual, jnp.maximum(values, 0.0), vectors, objective.weight)

    @property
    def fastest(self) -> Scalar:
        """The rate at which the fastest residual falls; 1 where none does."""
        return 2 * self.weight * jnp.where(self.values[-1] > 0, self.values[-1], 1.0)

    def step(self, length) -> Float[Array, " p"]:
        """How the parameters of the tangent model move in this time."""
        reach = 2 * self.weight * length
        # Eigenvalues that are rounding move nothing.
        still = self.values <= self.values.size * jnp.finfo(float).eps * self.values[-1]
        shares = jnp.where(still, 0.0, -jnp.expm1(-reach * self.values) / jnp.where(still, 1.0, self.values))
        return -self.features.T @ (self.vectors @ (shares * (self.vectors.T @ self.residual)))


def _moved(model: Any, move: Float[Array, " p"]) -> Any:
    """The model with its parameters, in the order of its leaves, moved."""
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    flat, rebuild = ravel_pytree(arrays)
    return eqx.combine(rebuild(flat + move), rest)

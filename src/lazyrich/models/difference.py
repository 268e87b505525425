"""The difference of two copies of a model, at the size that leaves its tangent kernel alone."""

import equinox as eqx
import jax.numpy as jnp

from ..types import Array, Float, Scalar
from .base import AbstractModel


class Difference(AbstractModel):
    r"""$f_\theta(x) = (g_{\theta_+}(x) - g_{\theta_-}(x))/\sqrt2$: zero where the copies are equal, with the kernel of one copy.

    The other way than `Doubled`, whose kernel is twice that of a copy, to initialize any model at output zero. Both copies move.
    Assumes: a copy that says its degree, where the degree is asked for. Source: lyu2024, section 3.1.
    """

    plus: eqx.Module
    minus: eqx.Module

    @classmethod
    def of(cls, model) -> "Difference":
        """Two equal copies of a model."""
        return cls(model, model)

    @property
    def degree(self) -> int:
        """That of a copy."""
        return self.plus.degree  # pyright: ignore[reportAttributeAccessIssue]

    def parameters(self):
        """Those of both copies."""
        return eqx.filter((self.plus, self.minus), eqx.is_inexact_array)

    def __call__(self, x: Float[Array, " d"]) -> Scalar | Float[Array, " k"]:
        """The difference of the copies' outputs, over the root of two."""
        return (self.plus(x) - self.minus(x)) / jnp.sqrt(2.0)  # pyright: ignore[reportCallIssue]

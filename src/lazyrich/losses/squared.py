"""The squared loss."""

from typing import ClassVar

import jax.numpy as jnp

from .base import AbstractLoss


class Squared(AbstractLoss):
    r"""$\ell(f, y) = (f - y)^2$, without a half."""

    signs_only: ClassVar[bool] = False
    classes_only: ClassVar[bool] = False

    def value(self, f, y):
        r"""$(f-y)^2$."""
        return (f - y) ** 2

    def log_value(self, f, y):
        r"""$2\log|f-y|$."""
        return 2 * jnp.log(jnp.abs(f - y))

    def scaled_slope(self, f, y, log_scale):
        r"""$2e^s(f-y)$."""
        return 2 * jnp.exp(log_scale) * (f - y)

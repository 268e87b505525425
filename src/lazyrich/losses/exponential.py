"""The exponential loss."""

from typing import ClassVar

import jax.numpy as jnp

from .base import AbstractLoss


class Exponential(AbstractLoss):
    r"""$\ell(f, y) = e^{-yf}$ for labels $y = \pm1$."""

    signs_only: ClassVar[bool] = True
    classes_only: ClassVar[bool] = False

    def value(self, f, y):
        r"""$e^{-yf}$."""
        return jnp.exp(-y * f)

    def log_value(self, f, y):
        r"""$-yf$."""
        return -y * f

    def scaled_slope(self, f, y, log_scale):
        r"""$-y\,e^{s-yf}$."""
        return -y * jnp.exp(log_scale - y * f)

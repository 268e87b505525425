"""The logistic loss."""

from typing import ClassVar

import jax
import jax.numpy as jnp

from ..numerics.stable import log_log1p_exp
from .base import AbstractLoss


class Logistic(AbstractLoss):
    r"""$\ell(f, y) = \log(1 + e^{-yf})$ for labels $y = \pm1$."""

    signs_only: ClassVar[bool] = True
    classes_only: ClassVar[bool] = False

    def value(self, f, y):
        r"""$\log(1 + e^{-yf})$."""
        return jnp.logaddexp(-y * f, 0.0)

    def log_value(self, f, y):
        r"""$\log\log(1 + e^{-yf})$."""
        return log_log1p_exp(-y * f)

    def scaled_slope(self, f, y, log_scale):
        r"""$-y\,e^{s}/(1 + e^{yf})$."""
        return -y * jnp.exp(log_scale + jax.nn.log_sigmoid(-y * f))

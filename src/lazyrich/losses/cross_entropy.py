"""The cross-entropy of several classes."""

from typing import ClassVar

import jax.numpy as jnp
from jax.nn import logsumexp

from ..numerics.stable import log_log1p_exp
from ..types import Array, Float
from .base import AbstractLoss


class CrossEntropy(AbstractLoss):
    r"""$\ell(f, y) = \log\sum_j e^{f_j - f_y}$ for outputs $f$ in $R^k$ and a class $y$ from 0 to $k - 1$.

    With two classes it is the logistic loss of $f_1 - f_0$. The last axis of $f$ runs over the classes, and $y$ has one
    axis less. Rivals are summed without the class itself, so that nothing cancels when it leads by far.
    """

    signs_only: ClassVar[bool] = False
    classes_only: ClassVar[bool] = True

    def value(self, f: Float[Array, "... k"], y: Float[Array, "..."]) -> Float[Array, "..."]:
        r"""$\log(1 + \sum_{j\ne y}e^{f_j - f_y})$."""
        return jnp.logaddexp(self._behind(f, y), 0.0)

    def log_value(self, f, y):
        r"""$\log\log(1 + \sum_{j\ne y}e^{f_j - f_y})$."""
        return log_log1p_exp(self._behind(f, y))

    def scaled_slope(self, f, y, log_scale):
        r"""$e^s(p_j - [j = y])$ with $p$ the softmax, $p_y - 1$ as minus the sum of the others."""
        own = _is_class(f, y)
        total = logsumexp(f, axis=-1, keepdims=True)
        rivals = logsumexp(f, axis=-1, keepdims=True, where=~own)
        size = jnp.exp(log_scale + jnp.where(own, rivals, f) - total)
        return jnp.where(own, -size, size)

    def _behind(self, f, y):
        """The logarithm of what the rivals weigh beside the class itself."""
        own = _is_class(f, y)
        mine = jnp.sum(jnp.where(own, f, 0.0), axis=-1)
        return logsumexp(f, axis=-1, where=~own) - mine


def _is_class(f, y):
    return jnp.arange(f.shape[-1]) == jnp.asarray(y).astype(int)[..., None]

"""The loss of one sample, and the named reductions that turn samples into a loss."""

import abc
from typing import Literal, get_args

import equinox as eqx

from ..types import Array, Float

Reduction = Literal["sum", "mean", "half_sum"]
r"""How samples are summed: $\sum$, $\frac1n\sum$ or $\frac12\sum$.

It rescales time and the meaning of every penalty's strength, so nothing has a default reduction.
"""
REDUCTIONS: tuple[Reduction, ...] = get_args(Reduction)


def sample_weight(reduction: Reduction, n: int) -> float:
    """What multiplies the plain sum over n samples."""
    return {"sum": 1.0, "mean": 1.0 / n, "half_sum": 0.5}[reduction]


class AbstractLoss(eqx.Module):
    r"""$\ell(f, y)$ for an output $f$ and a target $y$, elementwise, or over the last axis of $f$ for classes."""

    signs_only: eqx.AbstractClassVar[bool]
    """Whether targets must be labels -1 and +1."""

    classes_only: eqx.AbstractClassVar[bool]
    """Whether targets must be classes 0, 1, ...: then outputs have a last axis that runs over them."""

    @abc.abstractmethod
    def value(self, f: Float[Array, "..."], y: Float[Array, "..."]) -> Float[Array, "..."]:
        r"""$\ell(f, y)$."""

    @abc.abstractmethod
    def log_value(self, f: Float[Array, "..."], y: Float[Array, "..."]) -> Float[Array, "..."]:
        r"""$\log\ell(f, y)$, finite long after $\ell$ has underflown."""

    @abc.abstractmethod
    def scaled_slope(self, f: Float[Array, "..."], y: Float[Array, "..."], log_scale) -> Float[Array, "..."]:
        r"""$e^s\,\partial\ell/\partial f$ with the scale inside the exponent wherever the slope has one."""

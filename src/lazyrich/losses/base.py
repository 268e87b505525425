"""The loss of one sample, and the named factors that turn samples into a loss."""

import abc
import enum

import equinox as eqx

from ..types import Array, Float


class Factor(enum.Enum):
    r"""How samples are summed: $\sum$, $\frac1n\sum$ or $\frac12\sum$.

    It rescales time and the meaning of every penalty's strength, so nothing has a default factor.
    """

    SUM = "sum"
    MEAN = "mean"
    HALF_SUM = "half sum"

    def weight(self, n: int) -> float:
        """What multiplies the plain sum over n samples."""
        return {"sum": 1.0, "mean": 1.0 / n, "half sum": 0.5}[self.value]


SUM, MEAN, HALF_SUM = Factor.SUM, Factor.MEAN, Factor.HALF_SUM


class AbstractLoss(eqx.Module):
    r"""$\ell(f, y)$ for an output $f$ and an answer $y$, elementwise, or over the last axis of $f$ for classes."""

    signs_only: eqx.AbstractClassVar[bool]
    """Whether answers must be labels -1 and +1."""

    classes_only: eqx.AbstractClassVar[bool]
    """Whether answers must be classes 0, 1, ...: then outputs have a last axis that runs over them."""

    @abc.abstractmethod
    def value(self, f: Float[Array, "..."], y: Float[Array, "..."]) -> Float[Array, "..."]:
        r"""$\ell(f, y)$."""

    @abc.abstractmethod
    def log_value(self, f: Float[Array, "..."], y: Float[Array, "..."]) -> Float[Array, "..."]:
        r"""$\log\ell(f, y)$, finite long after $\ell$ has underflown."""

    @abc.abstractmethod
    def scaled_slope(self, f: Float[Array, "..."], y: Float[Array, "..."], log_scale) -> Float[Array, "..."]:
        r"""$e^s\,\partial\ell/\partial f$ with the scale inside the exponent wherever the slope has one."""

"""What every model promises, and how to treat any equinox module as one."""

import abc
from typing import Any, ClassVar

import equinox as eqx
import jax

from ..errors import BadInput
from ..types import Array, Float, PyTree, Scalar


class AbstractModel(eqx.Module):
    r"""A function $f_\theta(x)$, homogeneous of degree `degree` in $\theta$."""

    read_only: ClassVar[bool] = False
    """Whether its arrays stand for the parameters without being them: then it can be read but not moved."""

    @property
    @abc.abstractmethod
    def degree(self) -> int:
        r"""The power $D$ in $f_{c\theta} = c^D f_\theta$."""

    @abc.abstractmethod
    def parameters(self) -> PyTree:
        r"""$\theta$: what descends and what penalties act on."""

    @abc.abstractmethod
    def __call__(self, x: Float[Array, " d"]) -> Scalar:
        """The output for one input."""


class AbstractLinearModel(AbstractModel):
    r"""$f_\theta(x) = \langle w(\theta), x\rangle$: linear in the input, not in the parameters."""

    @abc.abstractmethod
    def effective(self) -> Float[Array, " d"]:
        r"""The linear map $w(\theta)$ that the parameters amount to."""


def outputs(model, x: Float[Array, "n d"]) -> Float[Array, " n"]:
    """The outputs of any model on many inputs, one a row; a linear model makes its map once."""
    if isinstance(model, AbstractLinearModel):
        return x @ model.effective()
    return jax.vmap(model)(x)


def require_movable(model: Any, who: str) -> None:
    """Refuse to move a model whose arrays are not its parameters: that would be another flow."""
    if isinstance(model, AbstractModel) and model.read_only:
        raise BadInput(
            needed=f"{who} moves models whose arrays are their parameters",
            given=f"a {type(model).__name__}, which is only to be read",
            cure="Start from a DiagonalNet with the same u and v.",
        )


def parameters(model) -> PyTree:
    """The parameters of any model: what it declares, or all its floating-point arrays."""
    return model.parameters() if isinstance(model, AbstractModel) else eqx.filter(model, eqx.is_inexact_array)

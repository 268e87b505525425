"""What every model promises, and how to treat any equinox module as one."""

import abc
from typing import Any, ClassVar

import equinox as eqx
import jax

from ..errors import BadInput
from ..types import Array, Float, Int, PyTree, Scalar


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
    def __call__(self, x: Float[Array, " d"]) -> Scalar | Float[Array, " k"]:
        """The output for one input."""


class AbstractLinearModel(AbstractModel):
    r"""$f_\theta(x) = w(\theta)^\top x$: linear in the input, not in the parameters."""

    @abc.abstractmethod
    def effective(self) -> Float[Array, " d"] | Float[Array, "d k"]:
        r"""The linear map $w(\theta)$ that the parameters amount to: a vector, or a matrix with one column an output."""


class AbstractReadOnlyModel(AbstractLinearModel):
    """A linear model whose arrays stand for its parameters: what exact reductions return."""

    read_only: ClassVar[bool] = True

    @abc.abstractmethod
    def net(self) -> AbstractLinearModel:
        """The model of the same parameters that holds them as its arrays."""


def movable(model):
    """The model itself, or the net that a read-only one stands for: its arrays are its parameters."""
    return model.net() if isinstance(model, AbstractReadOnlyModel) else model


def outputs(model, x: Float[Array, "n ..."]) -> Float[Array, " n"] | Float[Array, "n k"]:
    """The outputs of any model on many inputs, along the first axis; a linear model makes its map once."""
    if isinstance(model, AbstractLinearModel):
        return x @ model.effective()
    return jax.vmap(model)(x)


def entries(model, rows: Int[Array, " n"], cols: Int[Array, " n"], shape: tuple[int, int] | None = None) -> Float[Array, " n"]:
    """Entries of the matrix that a linear model amounts to; a matrix of another shape than asked for is refused."""
    found = model.effective().shape if isinstance(model, AbstractLinearModel) else ()
    if len(found) != 2 or found != (shape or found):
        raise BadInput(
            needed="Entries are fitted by models whose effective() is a matrix of their shape",
            given=f"a {type(model).__name__} of shape {found} for {shape}",
            cure="Use a matrix model of that shape, or a Split of vector measurements.",
        )
    return model.effective()[rows, cols]


def require_movable(model: Any, who: str) -> None:
    """Refuse to move a model whose arrays are not its parameters: that would be another flow."""
    if isinstance(model, AbstractModel) and model.read_only:
        raise BadInput(
            needed=f"{who} moves models whose arrays are their parameters",
            given=f"a {type(model).__name__}, which is only to be read",
            cure="Start from the net that has the same u and v as its arrays: a DiagonalNet or a SymmetricNet.",
        )


def parameters(model) -> PyTree:
    """The parameters of any model: what it declares, or all its floating-point arrays."""
    return model.parameters() if isinstance(model, AbstractModel) else eqx.filter(model, eqx.is_inexact_array)

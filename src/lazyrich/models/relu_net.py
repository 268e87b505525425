"""Fully connected ReLU nets of any depth."""

from collections.abc import Sequence
from typing import Literal

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, Scalar
from .base import AbstractModel


class ReluNet(AbstractModel):
    r"""$f_\theta(x) = W_D^\top\mathrm{relu}(\cdots\mathrm{relu}(W_1^\top x + b_1)\cdots) + b_D$, with biases where there are any.

    Homogeneous of degree $D$, the number of weight matrices, when only the first layer has a bias or none has; a bias
    further on is of another degree than what it is added to. With one output it gives a number.
    Source: woodworth2020, section 7.
    """

    weights: tuple[Float[Array, "_ _"], ...]
    biases: tuple[Float[Array, " _"] | None, ...]

    def __check_init__(self):
        """Layers fit one another."""
        shapes = [part.shape for part in self.weights]
        given = [None if bias is None else bias.shape for bias in self.biases]
        fits = 0 < len(shapes) == len(given) and all(len(shape) == 2 for shape in shapes)
        fits = fits and all(a[1] == b[0] for a, b in zip(shapes, shapes[1:], strict=False))
        if not (fits and all(bias in (None, shape[1:]) for bias, shape in zip(given, shapes, strict=True))):
            raise BadInput(
                needed="a ReluNet takes weights of shapes (d, h), (h, h'), ... and for each a bias of its outputs, or None",
                given=f"weights {shapes}, biases {given}",
                cure="Use ReluNet.at_zero((d, h, k)), to be placed by inits.he.",
            )

    @classmethod
    def at_zero(cls, sizes: Sequence[int], *, bias: Literal["none", "first", "hidden", "all"] = "none") -> "ReluNet":
        """All parameters at zero, to be placed by an init: `sizes` from the inputs to the outputs, biases where wanted."""
        count = len(sizes) - 1
        biased = {"none": 0, "first": 1, "hidden": count - 1, "all": count}[bias]
        weights = tuple(jnp.zeros(shape) for shape in zip(sizes, sizes[1:], strict=False))
        return cls(weights, tuple(jnp.zeros(sizes[at + 1]) if at < biased else None for at in range(count)))

    @property
    def degree(self) -> int:
        """The number of layers."""
        return len(self.weights)

    def parameters(self):
        """Weights and biases."""
        return self.weights, self.biases

    def hidden(self, x: Float[Array, " d"]) -> Float[Array, " h"]:
        """What the last layer is applied to."""
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = jax.nn.relu(_affine(x, weight, bias))
        return x

    def __call__(self, x: Float[Array, " d"]) -> Scalar | Float[Array, " k"]:
        """The output for one input: a number where there is one."""
        found = _affine(self.hidden(x), self.weights[-1], self.biases[-1])
        return found[0] if found.shape == (1,) else found


class Doubled(AbstractModel):
    r"""$f_\theta(x) = g_{\theta_+}(x) - g_{\theta_-}(x)$: any model twice, so that equal halves are zero at any initialization.

    The doubling makes an initialization unbiased and changes its tangent kernel by a factor of two alone. Both halves move.
    Source: woodworth2020, section 3.
    """

    plus: eqx.Module
    minus: eqx.Module

    @classmethod
    def of(cls, model) -> "Doubled":
        """Twice the same model."""
        return cls(model, model)

    @property
    def degree(self) -> int:
        """That of a half."""
        return self.plus.degree  # pyright: ignore[reportAttributeAccessIssue]

    def parameters(self):
        """Those of both halves."""
        return eqx.filter((self.plus, self.minus), eqx.is_inexact_array)

    def __call__(self, x: Float[Array, " d"]) -> Scalar | Float[Array, " k"]:
        """The difference of the halves' outputs."""
        return self.plus(x) - self.minus(x)  # pyright: ignore[reportCallIssue]


def _affine(x, weight, bias):
    return x @ weight if bias is None else x @ weight + bias

"""The distance of a net's derivatives from known ones."""

from typing import Any

import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float, PyTree, Scalar
from .base import AbstractRegularizer


class Sobolev(AbstractRegularizer):
    r"""$\frac1n\sum_i\|J_\theta(x_i) - J_i\|_F^2$ with $J_\theta = \partial f_\theta/\partial x$: what is known of slopes.

    Holds its own points and the truth's derivatives there, one row an output. Acts on the parameters of a `ReluNet`, whose
    derivative $W_D^\top\mathrm{diag}(1[z_{D-1}>0])W_{D-1}^\top\cdots$ is exact between kinks, where the patterns of activity
    do not change with $\theta$. Not convex, and zero at the truth instead of zero. Source: beyond_l2, section 3.
    """

    points: Float[Array, "n d"]
    slopes: Float[Array, "n k d"]

    def __init__(self, points: Float[Array, "n d"], slopes: Float[Array, "_ k _"] | None):
        """Points and the derivatives there, which fit one another."""
        if slopes is None:
            raise BadInput(
                needed="Sobolev needs the derivatives of the truth at its points, of shape (n, k, d)",
                given="none",
                cure="Give those of a known law, for example law.slopes(x), or use L2, L1 or Nuclear.",
            )
        if points.ndim != 2 or slopes.ndim != 3 or (slopes.shape[0], slopes.shape[2]) != points.shape:
            raise BadInput(
                needed="Sobolev takes points of shape (n, d) and derivatives of shape (n, k, d)",
                given=f"shapes {points.shape} and {slopes.shape}",
                cure="Give one row of derivatives for each output of each point.",
            )
        self.points, self.slopes = points, slopes

    def value(self, parameters: PyTree) -> Scalar:
        """The mean over the points of the squared distance of the derivatives."""
        weights, biases = _layers(parameters, self.points.shape[1], self.slopes.shape[1])
        found = jax.vmap(lambda x: derivative(weights, biases, x))(self.points)
        return jnp.sum((found - self.slopes) ** 2) / self.points.shape[0]

    def subgradient(self, parameters: PyTree) -> PyTree:
        """The gradient between kinks."""
        return jax.grad(self.value)(parameters)

    def prox(self, parameters: PyTree, step: Scalar | float) -> PyTree:
        """There is none in closed form."""
        raise BadInput(
            needed="a proximal map of Sobolev, which is not convex",
            given="a method that needs one",
            cure="Use GradientDescent, which takes its gradient.",
        )


def derivative(weights, biases, x: Float[Array, " d"]) -> Float[Array, "k d"]:
    """The derivative of a ReLU net in its input, one row an output, from the last layer backward."""
    active = []
    for weight, bias in zip(weights[:-1], biases[:-1], strict=True):
        x = x @ weight if bias is None else x @ weight + bias
        active.append(x > 0)
        x = jax.nn.relu(x)
    back = weights[-1].T
    for weight, on in zip(weights[-2::-1], active[::-1], strict=True):
        back = (back * on) @ weight.T
    return back


def _layers(parameters: PyTree, inputs: int, outputs: int) -> tuple[Any, Any]:
    """Weights and biases of a ReLU net from its parameters, or a refusal."""
    match parameters:
        case ((*weights,), (*biases,)) if 0 < len(weights) == len(biases) and all(p.ndim == 2 for p in weights):
            if (weights[0].shape[0], weights[-1].shape[1]) == (inputs, outputs):
                return weights, biases
    raise BadInput(
        needed=f"Sobolev knows derivatives of a ReluNet, here with {inputs} inputs and {outputs} outputs",
        given=f"parameters of shapes {[part.shape for part in jax.tree.leaves(parameters)]}",
        cure="Use ReluNet.at_zero((d, h, k)) with points and derivatives of the same sizes.",
    )

"""Convolutional nets for images."""

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp

from ..errors import BadInput
from ..types import Array, Float
from .base import AbstractModel

# A number is a convolution of three by three pixels with so many channels and a ReLU, "M" halves the picture.
VGG11: tuple[int | str, ...] = (64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, "M")


class ConvNet(AbstractModel):
    r"""$f_\theta(x) = W^\top\phi(x)$ with $\phi$ convolutions, ReLUs and maximum pools as `plan` says, no biases.

    Images have their colors last. What the last pool leaves is laid out as one vector; each convolution keeps the size of
    the picture, filled up with zeros around it. Homogeneous of the number of convolutions and one: a maximum of positive
    multiples is the multiple of the maximum. Source: woodworth2020, appendix B.2.
    """

    kernels: tuple[Float[Array, "_ _ _ _"], ...]
    head: Float[Array, "_ _"]
    plan: tuple[int | str, ...] = eqx.field(static=True)

    def __check_init__(self):
        """A kernel for each convolution of the plan, each fit for what the one before it gives."""
        channels = [step for step in self.plan if step != "M"]
        shapes = [part.shape for part in self.kernels]
        fits = [shape[0] for shape in shapes] == channels and all(shape[2:] == (3, 3) for shape in shapes)
        fits = fits and all(a[0] == b[1] for a, b in zip(shapes, shapes[1:], strict=False)) and bool(shapes)
        if not fits or self.head.ndim != 2 or self.head.shape[0] % max(shapes[-1][0], 1):
            raise BadInput(
                needed=f"a ConvNet of the plan {self.plan} takes a kernel (out, in, 3, 3) for each number in it, and a head",
                given=f"kernels {shapes}, head {self.head.shape}",
                cure="Use ConvNet.at_zero(plan), to be placed by inits.he_images.",
            )

    @classmethod
    def at_zero(cls, plan: Sequence[int | str] = VGG11, *, size: int = 32, colors: int = 3, classes: int = 10) -> "ConvNet":
        """All parameters at zero, to be placed by an init, for square images of this size."""
        channels = [int(step) for step in plan if step != "M"]
        left = size // 2 ** sum(step == "M" for step in plan)
        if not channels or left < 1 or min(channels) < 1:
            raise BadInput(
                needed="a plan names channels of at least one convolution, and leaves at least one pixel",
                given=f"{tuple(plan)} on {size} by {size} pixels",
                cure='Use for example (64, "M", 128, "M").',
            )
        kernels = tuple(jnp.zeros((b, a, 3, 3)) for a, b in zip([colors, *channels], channels, strict=False))
        return cls(kernels, jnp.zeros((left * left * channels[-1], classes)), tuple(plan))

    @property
    def degree(self) -> int:
        """The number of layers with weights."""
        return len(self.kernels) + 1

    def parameters(self):
        """All weights."""
        return self.kernels, self.head

    def hidden(self, x: Float[Array, "size size colors"]) -> Float[Array, " h"]:
        """What the last layer is applied to."""
        picture, kernels = jnp.moveaxis(x, -1, 0)[None], iter(self.kernels)
        for step in self.plan:
            if step == "M":
                picture = jax.lax.reduce_window(picture, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
            else:
                picture = jax.nn.relu(jax.lax.conv_general_dilated(picture, next(kernels), (1, 1), "SAME"))
        return picture.reshape(-1)

    def __call__(self, x: Float[Array, "size size colors"]) -> Float[Array, " k"]:
        """The outputs for one image."""
        return self.hidden(x) @ self.head

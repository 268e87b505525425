"""What layers and functions of PyTorch compute, with their arguments, at kinks and at ties as there."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def linear(x, weight, bias=None):
    r"""$xW^\top + b$ along the last axis."""
    found = x @ weight.T
    return found if bias is None else found + bias


def embedding(x, weight):
    """The rows of a table that whole numbers name, also where they are written as floats; NaN where there is no such row."""
    rows = x.astype(int)
    return weight.at[jnp.where(rows < 0, weight.shape[0], rows)].get(mode="fill", fill_value=jnp.nan)


def leaky_relu(x, negative_slope=0.01):
    """$x$ above zero, a share of it elsewhere; at zero the slope of that share."""
    return jnp.where(x > 0, x, negative_slope * x)


def gelu(x, approximate="none"):
    r"""$x\Phi(x)$ with $\Phi$ the normal law, or its approximation by a hyperbolic tangent."""
    return jax.nn.gelu(x, approximate=approximate == "tanh")


def softplus(x, beta=1.0, threshold=20.0):
    r"""$\log(1 + e^{\beta x})/\beta$, and $x$ itself where $\beta x$ is above the threshold."""
    return jnp.where(beta * x > threshold, x, jax.nn.softplus(beta * x) / beta)


def conv2d(x, weight, bias=None, stride=1, padding: Any = 0, dilation=1, groups=1):
    """The convolution of images (samples, channels, rows, columns), zeros around them."""
    dilation = _pair(dilation)
    if padding == "same":
        whole = [step * (side - 1) for step, side in zip(dilation, weight.shape[2:], strict=True)]
        around = [(each // 2, each - each // 2) for each in whole]
    else:
        around = [(each, each) for each in _pair(0 if padding == "valid" else padding)]
    found = jax.lax.conv_general_dilated(x, weight, _pair(stride), around, rhs_dilation=dilation, feature_group_count=groups)
    return found if bias is None else found + bias[:, None, None]


def max_pool2d(x, kernel_size, stride=None, padding=0):
    """The largest number of each window; what is put around an image never is."""
    return _windows(x, -jnp.inf, jax.lax.max, kernel_size, stride, padding)


def avg_pool2d(x, kernel_size, stride=None, padding=0, count_include_pad=True, divisor_override=None):
    """The mean of each window: of all its places, or of those inside the image, or its sum over a number."""
    total = _windows(x, 0.0, jax.lax.add, kernel_size, stride, padding)
    if divisor_override is not None:
        return total / divisor_override
    if count_include_pad:
        return total / math.prod(_pair(kernel_size))
    return total / _windows(jnp.ones_like(x), 0.0, jax.lax.add, kernel_size, stride, padding)


def flatten(x, start_dim=0, end_dim=-1):
    """Some axes laid out as one."""
    first, last = start_dim % x.ndim, end_dim % x.ndim
    return x.reshape(*x.shape[:first], -1, *x.shape[last + 1 :])


def reshape(x, *shape):
    """Another shape, given as numbers or as one tuple."""
    return x.reshape(*shape)


def permute(x, *dims):
    """The axes in another order, given as numbers or as one tuple."""
    return x.transpose(*dims)


def transpose(x, dim0, dim1):
    """Two axes exchanged."""
    return jnp.swapaxes(x, dim0, dim1)


def squeeze(x, dim):
    """An axis left out if it has one place."""
    return jnp.squeeze(x, dim) if x.shape[dim] == 1 else x


def unsqueeze(x, dim):
    """An axis of one place put in."""
    return jnp.expand_dims(x, dim)


def getitem(x, key):
    """A part of an array, or one of several numbers."""
    return x[key]


def mean(x, dim=None, keepdim=False):
    """The mean along some axes, or of all."""
    return jnp.mean(x, axis=dim, keepdims=keepdim)


def total(x, dim=None, keepdim=False):
    """The sum along some axes, or of all."""
    return jnp.sum(x, axis=dim, keepdims=keepdim)


def softmax(x, dim):
    """Exponentials over their sum along an axis."""
    return jax.nn.softmax(x, axis=dim)


def cat(tensors, dim=0):
    """Arrays one after the other."""
    return jnp.concatenate(tensors, axis=dim)


def size(x, dim=None):
    """The numbers of places along the axes, or along one."""
    return x.shape if dim is None else x.shape[dim]


ATTRIBUTES = ("shape", "ndim", "T", "mT")


def attribute(x, name):
    """The shape of an array, or the array turned round."""
    return getattr(x, name)


def whole(x):
    """Whole numbers."""
    return x.astype(int)


def identity(x):
    """The same."""
    return x


def square(x):
    """$x^2$."""
    return x * x


def _pair(value) -> tuple[int, int]:
    """One number for both axes of an image, or one each."""
    down, across = np.broadcast_to(np.asarray(value), (2,))
    return int(down), int(across)


def _windows(x, start, join, kernel_size, stride, padding):
    kernel = _pair(kernel_size)
    steps = kernel if stride is None or stride == () else _pair(stride)
    around = [(each, each) for each in _pair(padding)]
    # The first value is a plain number: of an array JAX would not know the derivative.
    return jax.lax.reduce_window(x, x.dtype.type(start), join, (1, 1, *kernel), (1, 1, *steps), [(0, 0), (0, 0), *around])

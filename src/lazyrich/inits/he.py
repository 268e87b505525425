"""He initialization: each layer keeps the size of what passes through it."""

from collections.abc import Sequence
from typing import Literal

import jax.numpy as jnp
import jax.random as jr

from ..models import VGG11, ConvNet, Doubled, PairNet, ReluNet
from ..types import Key


def he_pairs(key: Key, *, symbols: int, width: int, classes: int | None = None, alpha=1.0, silent: bool = False) -> PairNet:
    r"""$A, B\sim N(0, 2/(2p))$, $W\sim N(0, 1/h)$, no bias, all weights times `alpha`; `silent` makes $W = 0$.

    The first layer has $2p$ inputs and a ReLU behind it, the second $h$ inputs and none.    Source: lyu2024, section 2.
    """
    classes = symbols if classes is None else classes
    one, two, three = (jr.fold_in(key, i) for i in range(3))
    layer = alpha * jnp.sqrt(2 / (2 * symbols))
    out = jnp.zeros((width, classes)) if silent else alpha * jr.normal(three, (width, classes)) / jnp.sqrt(1.0 * width)
    first, second = (layer * jr.normal(own, (symbols, width)) for own in (one, two))
    return PairNet(first, second, jnp.zeros(width), out)


def he(
    key: Key,
    sizes: Sequence[int],
    *,
    alpha=1.0,
    law: Literal["normal", "uniform"] = "normal",
    bias: Literal["none", "first", "hidden", "all"] = "none",
) -> ReluNet:
    r"""A `ReluNet` with weights of standard deviation $\sqrt{2/n_{in}}$ in every layer, times `alpha`; biases at zero.

    `"uniform"` draws from $U(-\sqrt{6/n_{in}}, \sqrt{6/n_{in}})$, which has that standard deviation too.
    Source: woodworth2020, appendix B.
    """
    net = ReluNet.at_zero(sizes, bias=bias)
    draw = {"normal": jr.normal, "uniform": lambda own, shape: jr.uniform(own, shape, minval=-1, maxval=1) * 3**0.5}[law]
    weights = tuple(
        alpha * (2 / part.shape[0]) ** 0.5 * draw(jr.fold_in(key, at), part.shape) for at, part in enumerate(net.weights)
    )
    return ReluNet(weights, net.biases)


def he_images(
    key: Key, plan: Sequence[int | str] = VGG11, *, size: int = 32, colors: int = 3, classes: int = 10, alpha=1.0
) -> ConvNet:
    r"""A `ConvNet` with every weight from $U(-\sqrt{6/n_{in}}, \sqrt{6/n_{in}})$, times `alpha`.

    What enters a convolution is nine pixels of every channel.    Source: woodworth2020, appendix B.2.
    """
    net = ConvNet.at_zero(plan, size=size, colors=colors, classes=classes)
    parts = [*net.kernels, net.head]
    counts = [9 * part.shape[1] for part in net.kernels] + [net.head.shape[0]]
    drawn = [
        alpha * (6 / count) ** 0.5 * jr.uniform(jr.fold_in(key, at), part.shape, minval=-1, maxval=1)
        for at, (part, count) in enumerate(zip(parts, counts, strict=True))
    ]
    return ConvNet(tuple(drawn[:-1]), drawn[-1], net.plan)


def relu_line(key: Key, *, width: int, alpha=1.0, ratio=1.0, offset: bool = False) -> Doubled:
    r"""A two-layer ReLU net of one variable with zero output: $w_1, b_1\sim N(0, 1)$, $w_2\sim N(0, 2/k)$, doubled.

    `ratio` multiplies the first layer and divides the second: the function of each half stays, its tangent kernel does
    not. `offset` adds an output bias, which is 0 at initialization.    Source: woodworth2020, appendix B.1.
    """
    one, two, three = (jr.fold_in(key, i) for i in range(3))
    first = alpha * ratio * jr.normal(one, (1, width))
    inner = alpha * ratio * jr.normal(two, (width,))
    out = alpha / ratio * (2 / width) ** 0.5 * jr.normal(three, (width, 1))
    return Doubled.of(ReluNet((first, out), (inner, jnp.zeros(1) if offset else None)))

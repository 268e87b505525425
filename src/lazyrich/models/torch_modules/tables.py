"""Which layers and functions of PyTorch can be carried over, by their names there; why others cannot."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp

from . import operations


@dataclass(frozen=True)
class Layer:
    """How a layer is carried over: its operation, its arrays and settings by their attributes, and what must be as said."""

    operation: Callable
    arrays: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    demands: Mapping[str, Any] = field(default_factory=dict)


AFFINE = ("weight", "bias")
WINDOW = ("kernel_size", "stride", "padding")

LAYERS = {
    "Linear": Layer(operations.linear, AFFINE),
    "Embedding": Layer(
        operations.embedding, ("weight",), demands={"padding_idx": None, "max_norm": None, "scale_grad_by_freq": False}
    ),
    "Conv2d": Layer(operations.conv2d, AFFINE, ("stride", "padding", "dilation", "groups"), demands={"padding_mode": "zeros"}),
    "MaxPool2d": Layer(
        # JAX has no derivative of the maximum over windows with gaps.
        operations.max_pool2d,
        (),
        WINDOW,
        demands={"dilation": 1, "ceil_mode": False, "return_indices": False},
    ),
    "AvgPool2d": Layer(
        operations.avg_pool2d, (), (*WINDOW, "count_include_pad", "divisor_override"), demands={"ceil_mode": False}
    ),
    "Flatten": Layer(operations.flatten, (), ("start_dim", "end_dim")),
    "Identity": Layer(operations.identity),
    "Dropout": Layer(operations.identity, demands={"p": 0}),
    "ReLU": Layer(jax.nn.relu),
    "LeakyReLU": Layer(operations.leaky_relu, (), ("negative_slope",)),
    "GELU": Layer(operations.gelu, (), ("approximate",)),
    "SiLU": Layer(jax.nn.silu),
    "Softplus": Layer(operations.softplus, (), ("beta", "threshold")),
    "Tanh": Layer(jnp.tanh),
    "Sigmoid": Layer(jax.nn.sigmoid),
}

# Functions, operators and methods of arrays go by one name.
FUNCTIONS = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "div": operator.truediv,
    "floordiv": operator.floordiv,
    "neg": operator.neg,
    "pow": operator.pow,
    "matmul": operator.matmul,
    "square": operations.square,
    "linear": operations.linear,
    "embedding": operations.embedding,
    "conv2d": operations.conv2d,
    "max_pool2d": operations.max_pool2d,
    "avg_pool2d": operations.avg_pool2d,
    "relu": jax.nn.relu,
    "leaky_relu": operations.leaky_relu,
    "gelu": operations.gelu,
    "silu": jax.nn.silu,
    "softplus": operations.softplus,
    "tanh": jnp.tanh,
    "sigmoid": jax.nn.sigmoid,
    "softmax": operations.softmax,
    "flatten": operations.flatten,
    "view": operations.reshape,
    "reshape": operations.reshape,
    "permute": operations.permute,
    "transpose": operations.transpose,
    "squeeze": operations.squeeze,
    "unsqueeze": operations.unsqueeze,
    "getitem": operations.getitem,
    "getattr": operations.attribute,
    "size": operations.size,
    "mean": operations.mean,
    "sum": operations.total,
    "cat": operations.cat,
    "long": operations.whole,
    "contiguous": operations.identity,
}
# Settings of functions that must be as said where they are given.
DEMANDS: Mapping[str, Mapping[str, Any]] = {
    "max_pool2d": LAYERS["MaxPool2d"].demands,
    "avg_pool2d": LAYERS["AvgPool2d"].demands,
    "embedding": {**LAYERS["Embedding"].demands, "norm_type": 2.0, "sparse": False},
    "softmax": {"_stacklevel": 3, "dtype": None},
}
# What these give may share its memory with what they were given.
VIEWS = {"Flatten", "Identity", "Dropout", "flatten", "view", "reshape", "permute", "transpose", "squeeze"}
VIEWS |= {"unsqueeze", "getitem", "getattr", "contiguous"}

NORMALIZED = "a normalized net is not homogeneous in its parameters, and one over batches has no output for one input"
DRAWN = "its output is drawn anew at each call"


def reason(name: str) -> str:
    """Why a layer or function of this name cannot be carried over."""
    plain = name.lower().replace("_", "")
    if "norm" in plain:
        return NORMALIZED
    if "dropout" in plain or plain == "rrelu":
        return DRAWN
    if name in FUNCTIONS or name in LAYERS:
        return "it is called in a way that is not carried over"
    return "it is none of those that are carried over"

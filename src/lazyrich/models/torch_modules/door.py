"""A module of PyTorch carried over: traced, walked, and compared with itself where there is an example."""

import functools
import inspect
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...errors import BadInput
from ...numerics.values import require_double
from ..base import outputs
from .graph import Source, refuse, walked
from .net import Fixed, TorchNet, Weight

# Of the largest output, in roundings: what another order of sums may change.
ROUNDINGS = 1e3


def from_torch(module: Any, example: Any = None, *, dtype: Any = None, batched: bool = True) -> TorchNet:
    r"""The model $f_\theta(x)$ that a `torch.nn.Module` computes, with its parameters as they are.

    Layers: Linear, Embedding, Conv2d, MaxPool2d, AvgPool2d, Flatten, Identity, ReLU, LeakyReLU, GELU, SiLU, Softplus, Tanh,
    Sigmoid, in a Sequential or in a forward of the module's own (traced by `torch.fx`) with sums, products, powers,
    means and changes of shape. Anything else is refused by its name. Parameters keep their precision unless a `dtype` is
    asked for; buffers and frozen parameters stay where they are. The module takes samples along the first axis, or one input with
    `batched=False`; the model takes one input either way. An `example`, inputs as the module takes them, is put through both,
    and a difference is refused. Assumes: a forward pass without choices that depend on the input.
    """
    if not all(hasattr(module, name) for name in ("named_parameters", "named_modules", "forward")):
        raise BadInput(
            needed="from_torch takes a torch.nn.Module",
            given=f"a {type(module).__name__}",
            cure="An equinox module is a model already, and models.Function makes one of a function.",
        )
    _require_precision(dtype)
    for name, part in module.named_modules():
        if any(getattr(part, kind, None) for kind in ("_forward_hooks", "_forward_pre_hooks")):
            refuse(f"layer {name!r} ({type(part).__name__}) with hooks", "they may change what it computes")
    traced = _traced(module)
    net = _carried(module, traced, None, batched)
    if example is not None:
        _compare(net, module, example)
    return net if dtype is None else _carried(module, traced, dtype, batched)


def _require_precision(dtype: Any) -> None:
    try:
        name = "float64" if dtype is None else jnp.dtype(dtype).name
    except TypeError:
        name = ""
    if name not in ("float32", "float64"):
        raise BadInput(
            needed='from_torch casts to "float32" or "float64"', given=repr(dtype), cure="Leave it out to keep what is."
        )


def _carried(module: Any, traced: Any, dtype: Any, batched: bool) -> TorchNet:
    own = {id(part): name for name, part in module.named_parameters() if part.requires_grad}

    def array(part) -> Weight | Fixed:
        return Weight(own[id(part)]) if id(part) in own else Fixed.of(_numbers("a fixed array", part, dtype))

    source = Source(functools.partial(_found, traced), array, batched)
    steps, end = walked(traced.graph.nodes, source)
    moving = {name: _numbers(name, part, dtype) for name, part in module.named_parameters() if part.requires_grad}
    return TorchNet({name: jnp.asarray(part) for name, part in moving.items()}, steps, end, batched)


def _traced(module: Any) -> Any:
    """The graph of the forward pass, arguments with defaults at these."""
    try:
        import torch.fx  # pyright: ignore[reportMissingImports]
    except ImportError as fault:
        raise BadInput(
            needed="from_torch needs PyTorch to trace modules",
            given="a machine without it",
            cure="Install it: pip install 'lazyrich[torch]'.",
        ) from fault
    given = inspect.signature(module.forward).parameters.items()
    defaults = {name: one.default for name, one in given if one.default is not inspect.Parameter.empty}
    try:
        return torch.fx.symbolic_trace(module, concrete_args=defaults or None)
    except Exception as fault:  # whatever a forward of the user's does when it meets an input without numbers
        refuse(f"the forward of {type(module).__name__}", f"it cannot be traced: {str(fault).splitlines()[0]}")


def _found(root: Any, path: str) -> Any:
    return functools.reduce(getattr, path.split("."), root)


def _numbers(name: str, part: Any, dtype: Any) -> np.ndarray:
    """The numbers of a tensor; floats of single or double precision, or cast as asked for."""
    try:
        found = part.detach().cpu().numpy()
    except (TypeError, RuntimeError, NotImplementedError):
        found = None
    if found is None or found.dtype.kind not in "bif" or found.dtype == np.float16:
        raise BadInput(
            needed="from_torch carries over numbers of single and double precision",
            given=f"{name!r} of {getattr(part, 'dtype', type(part).__name__)}",
            cure="Use module.float() or module.double() first.",
        )
    if found.dtype.kind == "f":
        found = found.astype(jnp.dtype(dtype or found.dtype))
    if found.dtype == np.float64:
        require_double(f"{name!r} in float64")
    return found


def _compare(net: TorchNet, module: Any, example: Any) -> None:
    """Refuse a model that gives something else than its module."""
    import torch  # pyright: ignore[reportMissingImports]

    try:
        with torch.no_grad():
            expected = module(example).detach().cpu().numpy()
    except Exception as fault:  # the module's own words for what it cannot take
        raise BadInput(
            needed="the example is a tensor that the module takes",
            given=f"a {type(example).__name__}: {str(fault).splitlines()[0]}",
            cure="Give inputs of its shape and precision, along the first axis unless batched=False.",
        ) from fault
    numbers = _numbers("the example", example, None)
    x = jnp.asarray(numbers if numbers.dtype.kind == "f" else numbers.astype(expected.dtype))
    found = np.asarray(outputs(net, x) if net.batched else net(x))
    gap = np.abs(found - expected.reshape(found.shape)).max() if found.size == expected.size else np.inf
    if not gap <= ROUNDINGS * np.finfo(expected.dtype).eps * np.abs(expected).max():
        raise BadInput(
            needed="the model gives what its module gives on the example",
            given=f"outputs of shape {expected.shape} from the module and {found.shape} from the model, {gap:.3g} apart",
            cure="See that no output depends on other samples; else write it in JAX as models.Function(parameters, call).",
        )

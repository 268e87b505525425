"""The traced forward pass of a module, node by node, as steps of a model; what cannot be carried over is refused by name."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ...errors import BadInput
from . import operations
from .net import Cut, Earlier, Fixed, Step, Weight
from .samples import from_the_end, joined, made_of_samples
from .tables import DEMANDS, FUNCTIONS, LAYERS, VIEWS, reason

# What tracing adds by itself to see that an argument has its default: nothing is computed of it.
CHECKS = ("_assert", "_assert_is_none", "eq")
# Where the functions of a forward pass may come from; builtins of PyTorch may say nothing.
HOMES = ("torch", "_operator", "builtins", None)


@dataclass(frozen=True)
class Source:
    """Where nodes find what they name: layers, and arrays as parameters or fixed numbers."""

    found: Callable[[str], Any]
    array: Callable[[Any], Weight | Fixed]
    batched: bool = True


def walked(nodes: Iterable[Any], source: Source) -> tuple[tuple[Step, ...], Earlier]:
    """The steps of a graph as `torch.fx` writes it, and which of them is the output."""
    known: dict[Any, Any] = {}
    steps: list[Step] = []
    for node in nodes:
        if node.op == "placeholder":
            if not known:
                known[node] = Earlier("")
            elif not node.args:
                refuse(f"the argument {node.target!r} of forward", "a model has one input")
        elif node.op == "get_attr":
            known[node] = source.array(source.found(node.target))
        elif node.op == "output":
            return tuple(steps), _end(node, known)
        elif _named(node) not in CHECKS:
            made = _of_layer if node.op == "call_module" else _of_function
            step = made(node, known, source)
            steps.append(step)
            known[node] = Earlier(step.name, made_of_samples(step.operation, step.arguments))
    raise BadInput(needed="a graph ends in an output", given="none", cure="Trace the module again.")


def refuse(what: str, why: str) -> NoReturn:
    """Say what cannot be carried over."""
    raise BadInput(
        needed="from_torch carries modules over whose every layer and function it knows",
        given=f"{what}: {why}",
        cure="Leave it out of the module, or write the forward pass in JAX as models.Function(parameters, call).",
    )


def _named(node: Any) -> str:
    """The name of a function, or of a method."""
    return node.target if isinstance(node.target, str) else getattr(node.target, "__name__", str(node.target))


def _of_layer(node: Any, known: Mapping, source: Source) -> Step:
    layer = source.found(node.target)
    kind = type(layer).__name__
    said = f"layer {node.target!r} ({kind})"
    how = LAYERS.get(kind)
    if how is None:
        refuse(said, reason(kind))
    odd = {name: getattr(layer, name) for name, wanted in how.demands.items() if getattr(layer, name) != wanted}
    if odd:
        why = reason(kind) if kind == "Dropout" else "only the default is carried over"
        refuse(f"{said} with {', '.join(f'{name}={value!r}' for name, value in odd.items())}", why)
    held = (getattr(layer, name) for name in how.arrays)
    arrays = tuple(None if part is None else source.array(part) for part in held)
    settings = {name: _plain(getattr(layer, name), {}, said) for name in how.settings}
    inputs = tuple(_plain(part, known, said) for part in node.args)
    if len(inputs) != 1 or node.kwargs:
        refuse(said, "it is called on something else than one array")
    if getattr(layer, "inplace", False):
        _require_alone(node, said, source)
    last = _last_axes(kind, {"x": inputs[0], **settings}, said, source)
    return Step(node.name, said, how.operation, inputs + arrays, tuple(settings.items()), last)


def _of_function(node: Any, known: Mapping, source: Source) -> Step:
    name = _named(node)
    owner = next(reversed(node.meta.get("nn_module_stack") or {}), "")
    said = f"{name} in forward of {owner!r}" if owner else f"{name} in forward"
    home = getattr(node.target, "__module__", None)
    if name not in FUNCTIONS or (home.split(".")[0] if home else None) not in HOMES:
        refuse(said, reason(name) if name not in FUNCTIONS else f"it is a function of {home}")
    arguments = tuple(_plain(part, known, said) for part in node.args)
    settings = {key: _plain(part, known, said) for key, part in node.kwargs.items()}
    if settings.pop("inplace", False):
        _require_alone(node, said, source)
    for key, wanted in DEMANDS.get(name, {}).items():
        if (given := settings.pop(key, wanted)) != wanted:
            refuse(f"{said} with {key}={given!r}", "only the default is carried over")
    operation = FUNCTIONS[name]
    try:
        bound = inspect.signature(operation).bind(*arguments, **settings)
    except TypeError as fault:
        refuse(said, str(fault))
    if operation is operations.attribute and arguments[1] not in operations.ATTRIBUTES:
        refuse(said, f"the attribute {arguments[1]!r} of an array is not carried over")
    arguments, settings = bound.args, bound.kwargs
    bound.apply_defaults()
    last = _last_axes(name, bound.arguments, said, source)
    return Step(node.name, said, operation, arguments, tuple(settings.items()), last)


def _last_axes(name: str, arguments: Mapping, said: str, source: Source) -> tuple[int, ...]:
    """The axes that must not be the first when they are met; what acts along that one is refused now."""
    if not source.batched:
        return ()
    if how := joined(name, arguments):
        refuse(f"{said} {how}", "it joins or moves samples, which are along the first axis (unless batched=False)")
    return from_the_end(name, arguments)


def _plain(value: Any, known: Mapping, said: str) -> Any:
    """An argument with nodes in the words of a model; it can be compared and hashed."""
    if isinstance(value, list | tuple):
        return tuple(_plain(part, known, said) for part in value)
    if isinstance(value, slice):
        return Cut(*(_plain(part, known, said) for part in (value.start, value.stop, value.step)))
    if value is None or value is Ellipsis or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "op") and value in known:
        return known[value]
    return refuse(said, f"its argument {value} is no array, number or slice")


def _end(node: Any, known: Mapping) -> Earlier:
    found = _plain(node.args[0], known, "the output of forward")
    if not (isinstance(found, Earlier) and found.sampled):
        refuse("the output of forward", "it is not one array made of the input")
    return found


def _require_alone(node: Any, said: str, source: Source) -> None:
    """A step that overwrites what it was given changes what others see of it, unless there are none."""
    at = node.args[0]
    while len(at.users) == 1:
        name = type(source.found(at.target)).__name__ if at.op == "call_module" else _named(at)
        if name not in VIEWS:
            return
        at = at.args[0]
    refuse(f"{said} with inplace=True", "what it overwrites is used elsewhere; say inplace=False")

"""The axis of samples, the first one of a module's arrays: what one sample gives must not be made of another."""

from collections.abc import Iterable, Mapping
from typing import Any

from . import operations
from .net import Cut, Earlier

# Where functions and layers name the axes that they act along.
AXES = {
    **dict.fromkeys(("mean", "sum", "softmax", "cat", "squeeze", "unsqueeze"), ("dim",)),
    **dict.fromkeys(("flatten", "Flatten"), ("start_dim",)),
    "transpose": ("dim0", "dim1"),
}


def made_of_samples(operation: Any, arguments: Iterable[Any]) -> bool:
    """Whether a step gives arrays whose first axis is that of samples: it was given some, and does not read their shape alone."""
    parts = tuple(arguments)
    if operation is operations.size or (operation is operations.attribute and parts[1] in ("shape", "ndim")):
        return False
    return _sampled(parts)


def joined(name: str, arguments: Mapping[str, Any]) -> str | None:
    """How a step acts along the axis of samples, in words; None if it does not."""
    if not _sampled(tuple(arguments.values())):
        return None
    found = [(axis, along) for axis in AXES.get(name, ()) for along in _each(arguments[axis])]
    odd = [f"along {axis}={along}" for axis, along in found if along in (None, 0)]
    if name == "permute" and _each(arguments["dims"])[0] != 0:
        odd = [f"to the order {_each(arguments['dims'])}"]
    if name == "getattr" and arguments["name"] == "T":
        odd = ["of 'T'"]
    if name == "getitem" and _sampled((arguments["x"],)) and _each(arguments["key"])[0] not in (Cut(), Ellipsis):
        odd = [f"at {_each(arguments['key'])[0]}"]
    return odd[0] if odd else None


def from_the_end(name: str, arguments: Mapping[str, Any]) -> tuple[int, ...]:
    """The axes of a step that are counted from the end: only arrays can tell whether one is the first."""
    if not _sampled(tuple(arguments.values())) or name == "unsqueeze":
        return ()
    found = (along for axis in AXES.get(name, ()) for along in _each(arguments[axis]))
    return tuple(along for along in found if isinstance(along, int) and along < 0)


def _sampled(part: Any) -> bool:
    if isinstance(part, tuple):
        return any(_sampled(each) for each in part)
    return isinstance(part, Earlier) and part.sampled


def _each(value: Any) -> tuple:
    """One or several, as several; numbers may be given as one tuple of them."""
    while isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], tuple):
        value = value[0]
    return value if isinstance(value, tuple) else (value,)

"""What the constructors of predictors accept: positive numbers, vectors without zeros, names from a list."""

import numpy as np
from numpy.typing import ArrayLike

from ...errors import BadInput
from ...losses import REDUCTIONS, Reduction


def require_between(name: str, value, *, low: float, high: float) -> float:
    """A plain float within [low, high]; anything else is refused."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not low <= number <= high:
        raise BadInput(
            needed=f"{name} must be a number from {low:g} to {high:g}", given=repr(value), cure=f"Give {name} inside that range."
        )
    return number


def require_choice(name: str, value, choices: tuple[str, ...]) -> str:
    """One of a few names; anything else is refused with the list."""
    if value not in choices:
        raise BadInput(
            needed=f"{name} must be one of {', '.join(choices)}",
            given=repr(value),
            cure=f'Write {name}="{choices[0]}", for instance.',
        )
    return value


def require_depth(depth: int, *, least: int) -> int:
    """A whole number of layers, as a plain int."""
    whole = not isinstance(depth, bool) and isinstance(depth, (int, np.integer))
    if not whole or depth < least:
        raise BadInput(
            needed=f"depth must be a whole number from {least}",
            given=repr(depth),
            cure=f"Count the layers of the diagonal net; the first depth here is {least}.",
        )
    return int(depth)


def require_nonzero_vector(name: str, values: ArrayLike | None, *, positive: bool) -> np.ndarray | None:
    """A vector of finite numbers without zeros (all positive, if asked), or None as given."""
    if values is None:
        return None
    try:
        vector = np.asarray(values, float)
    except (TypeError, ValueError):
        vector = np.full((0,), np.nan)
    sizes = vector if positive else np.abs(vector)
    if vector.ndim != 1 or vector.size == 0 or not (np.isfinite(vector).all() and (sizes > 0).all()):
        raise BadInput(
            needed=f"{name} must be a vector of finite {'positive' if positive else 'nonzero'} numbers, one a coordinate",
            given=f"{np.array2string(vector, threshold=6)} of shape {vector.shape}" if vector.size else repr(values),
            cure=f"Leave {name} out for ones, or mend its entries.",
        )
    return vector


def stretched(name: str, values: ArrayLike | None, dim: int) -> np.ndarray:
    """The vector, or ones where none was given; a wrong length for the data is refused."""
    if values is None:
        return np.ones(dim)
    vector = np.asarray(values)
    if vector.size != dim:
        raise BadInput(
            needed=f"{name} must have one entry for each of the {dim} inputs of the data",
            given=f"{vector.size} entries",
            cure=f"Give {dim} entries, or leave {name} out for ones.",
        )
    return vector


def require_vector(name: str, values: ArrayLike, dim: int) -> np.ndarray:
    """A finite vector as long as the data's inputs."""
    vector = np.asarray(values, float)
    if vector.shape != (dim,) or not np.isfinite(vector).all():
        raise BadInput(
            needed=f"{name} must hold {dim} finite numbers, one an input of the data",
            given=f"shape {vector.shape} with {int((~np.isfinite(vector)).sum())} that are not finite",
            cure="Give the effective weights of a linear model on these data.",
        )
    return vector


def require_strength(name: str, value, *, instead: str) -> float:
    """A positive finite number; zero is answered with the predictor that has no penalty."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 < number < float("inf"):
        raise BadInput(
            needed=f"{name} must be a positive number",
            given=repr(value),
            cure=f"For the limit {name} -> 0 use {instead}." if number == 0 else f"Give {name}=1e-3, for instance.",
        )
    return number


def require_reduction(reduction) -> Reduction:
    """One of the named reductions; there is no default, since it changes what a strength means."""
    if reduction not in REDUCTIONS:
        raise BadInput(
            needed="reduction must be 'sum', 'mean' or 'half_sum'",
            given=repr(reduction),
            cure="Take that of your objective: a strength means something else under each.",
        )
    return reduction

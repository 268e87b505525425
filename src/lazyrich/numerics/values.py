"""What can be said of a value now: its precision, and its numbers when it is not being traced."""

import jax
import numpy as np

from ..errors import BadInput


def concrete(value) -> np.ndarray | None:
    """The numbers of an array, or None inside a compiled program, where there are none yet."""
    try:
        return np.asarray(value)
    except jax.errors.TracerArrayConversionError:
        return None


def require_double(who: str) -> None:
    """Refuse float32: flows and certificates here are stated in double precision."""
    if not jax.config.jax_enable_x64:  # pyright: ignore[reportAttributeAccessIssue]
        raise BadInput(
            needed=f"{who} needs double precision",
            given="JAX set to float32",
            cure='Put `import jax; jax.config.update("jax_enable_x64", True)` first in the program.',
        )


def require_finite(name: str, value) -> None:
    """Refuse NaN and infinity in data that can be looked at."""
    numbers = concrete(value)
    if numbers is not None and not np.isfinite(numbers).all():
        bad = int((~np.isfinite(numbers)).sum())
        raise BadInput(
            needed=f"{name} must hold finite numbers",
            given=f"{bad} of {numbers.size} that are NaN or infinite",
            cure="Remove or repair these rows.",
        )

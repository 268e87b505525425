"""A function of parameters and an input, as a model."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax

from ..errors import BadInput
from ..types import Array, Float, PyTree, Scalar


class Function(eqx.Module):
    r"""$f_\theta(x)$ = `call(parameters, x)`: any function of parameters and one input, to be trained like other models.

    It declares no degree; `measured_degrees` says what it has. Assumes: parameters that are floating-point arrays, in any nest
    of tuples, lists and dicts, and a function that JAX can trace. Source: lyu2024, section 3.1.
    """

    parameters: PyTree
    call: Callable[[Any, Any], Any] = eqx.field(static=True)

    def __check_init__(self):
        """Every leaf is what descends; a number that is no array would stay where it is."""
        odd = [part for part in jax.tree.leaves(self.parameters) if not eqx.is_inexact_array(part)]
        if odd or not jax.tree.leaves(self.parameters):
            raise BadInput(
                needed="a Function takes parameters that are floating-point arrays, one at least",
                given=f"{type(odd[0]).__name__} among them" if odd else "none",
                cure="Make numbers arrays with jnp.asarray(value, float), and keep what does not move inside the function.",
            )

    def __call__(self, x: Float[Array, " d"]) -> Scalar | Float[Array, " k"]:
        """The output for one input."""
        return self.call(self.parameters, x)

"""The optimizers that people use, by name: how each takes its penalties, and how fast its clock runs."""

from typing import Any

import optax

from ..errors import BadInput
from ..types import Key
from .stochastic import Stochastic

NAMES = ("descent", "momentum", "adam", "adamw")
MOMENTUM = 0.9


def optimizer(name: str, learning_rate: Any, key: Key, *, batch: int | None = None) -> Stochastic:
    """The dynamics of an optimizer at this learning rate, on all samples or on a batch.

    Momentum and `adam` take penalties as part of the slope; the latter rescales them with it. `adamw` is Adam on the data
    loss alone, with learning rate times the penalties' slope taken off after its step. For plain descent both are the same.
    """
    _require_known(name)
    if name in ("descent", "adamw"):
        made = optax.sgd if name == "descent" else optax.adam
        return Stochastic(made(learning_rate), key, batch=batch, coupled=False, learning_rate=learning_rate)
    made = optax.sgd(learning_rate, MOMENTUM) if name == "momentum" else optax.adam(learning_rate)
    return Stochastic(made, key, batch=batch, coupled=True)


def clock(name: str, learning_rate: Any) -> Any:
    r"""How far a steady pull of one moves a parameter at each step, which is what a slow phase counts time by.

    The learning rate itself; with momentum $m$ it adds up to $\eta/(1-m)$. None for `adam` with penalties in its slope: it
    divides the pull by its own size.
    """
    _require_known(name)
    return None if name == "adam" else learning_rate / (1 - MOMENTUM) if name == "momentum" else learning_rate


def _require_known(name: str) -> None:
    if name not in NAMES:
        raise BadInput(needed=f"an optimizer is one of {', '.join(NAMES)}", given=repr(name), cure="Use descent.")

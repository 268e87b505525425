"""Other operations modulo a number: multiplication, as addition in figure 52.

The MLP of that figure is given products of embeddings, which do not know the order of a pair: subtraction and division,
which do, are beyond it.
"""

from ...lab import Param
from ...lab.settings.modular_penalties import MLP
from ...problems.modular_tables import OPERATIONS
from ..base import Evidence
from .delays import figure, judged

OPERATION = Param(
    "operation", 2, low=0, high=3, unit=", ".join(f"{i}: {name}" for i, name in enumerate(OPERATIONS)), static=True
)


def judge(data, shift) -> Evidence:
    """The fit first, the other products later, the delay with the inverse of rate x strength."""
    return judged(data, shift=shift)


CLAIM = figure(
    judge,
    MLP.with_params(OPERATION),
    2,
    kind="statement",
    net="An MLP on modular multiplication",
    source="beyond_l2, section E.3",
    seconds={"quick": 15, "paper": 90},
)

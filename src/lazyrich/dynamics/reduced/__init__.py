"""Exact shortcuts: the same trajectory from fewer unknowns, each tested against the plain flow."""

from typing import Any

from ...objective import Objective
from ..forms import AbstractForm
from .completion import CompletionForm
from .diagonal import DiagonalForm
from .linear_net import LinearNetForm
from .paired import PairedForm

REDUCTIONS = (DiagonalForm, PairedForm, LinearNetForm, CompletionForm)


def reduced_form(objective: Objective, init: Any) -> AbstractForm | str:
    """An exact reduction of this flow, or the hypothesis that fails for each one there is."""
    reasons = []
    for form in REDUCTIONS:
        why_not = form.why_not(objective, init)
        if why_not is None:
            return form.of(objective, init)
        reasons.append(f"{form.__name__}: {why_not}")
    return "; ".join(reasons)

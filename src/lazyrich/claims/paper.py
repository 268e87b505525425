"""A paper: what it is called, how to cite it, and its claims."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Claim


@dataclass(frozen=True)
class Paper:
    """A key, a title, its BibTeX entry, and the claims in the order in which they are listed.

    A claim is given itself, or by the module of the paper's package that holds it, so that nothing is imported before it is
    asked for: "figure_1a" for a module with that `CLAIM`, "phase_sweeps: figure_13 figure_14" for a module whose `CLAIMS`
    include these items.
    """

    key: str
    title: str
    citation: str
    claims: "Sequence[Claim | str]"

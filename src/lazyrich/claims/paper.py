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
    asked for: "lemma_13" for a module with that `CLAIM`, "figure_5: figure_5_left figure_5_right" for a module whose `CLAIMS`
    include these items.
    """

    key: str
    title: str
    citation: str
    claims: "Sequence[Claim | str]"

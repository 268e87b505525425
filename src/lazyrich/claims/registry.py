"""All claims by id, imported only when they are asked for."""

import difflib
import importlib
from collections.abc import Iterator

from ..errors import BadInput
from .base import Claim

PAPERS = ("woodworth2020", "lyu2024", "beyond_l2", "min2021", "bridges")


def find(identity: str) -> Claim:
    """The claim with this id or alias, or a refusal that names the nearest ones."""
    paper, _, item = identity.partition("/")
    if paper in PAPERS and item in _items(paper):
        return _claim(paper, item)
    # Its own paper first: another's claims are imported only for the few aliases that they lend.
    for home in sorted(PAPERS, key=lambda one: one != paper) if paper in PAPERS else ():
        for claim in every(home):
            if identity in claim.other_ids:
                return claim
    near = difflib.get_close_matches(identity, identities(), n=3, cutoff=0.3)
    raise BadInput(
        needed="a claim's id is paper/item as `lazyrich list` shows it",
        given=repr(identity),
        cure=f"The nearest: {', '.join(near)}." if near else "Run `lazyrich list`.",
    )


def every(paper: str | None = None) -> Iterator[Claim]:
    """Each claim once, in the order of the papers."""
    if paper is not None and paper not in PAPERS:
        raise BadInput(needed=f"the papers are {', '.join(PAPERS)}", given=repr(paper), cure="Choose one of them.")
    for key in PAPERS if paper is None else (paper,):
        for item in _items(key):
            yield _claim(key, item)


def identities() -> list[str]:
    """Every id, without importing a claim."""
    return [f"{paper}/{item}" for paper in PAPERS for item in _items(paper)]


def _items(paper: str) -> tuple[str, ...]:
    return importlib.import_module(f"{__package__}.{paper}").CLAIMS


def _claim(paper: str, item: str) -> Claim:
    return importlib.import_module(f"{__package__}.{paper}.{item}").CLAIM

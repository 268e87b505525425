"""All claims by id, imported only when they are asked for."""

import difflib
import importlib
from collections.abc import Iterator
from functools import cache

from ..errors import BadInput
from .base import Claim
from .paper import Paper

# Papers are reached by name alone, as those of others would be: nothing below them imports one.
PAPERS = ("woodworth2020", "lyu2024", "beyond_l2", "min2021", "bridges")
HOME = "lazyrich.papers"


def find(identity: str) -> Claim:
    """The claim with this id or alias, or a refusal that names the nearest ones."""
    paper = identity.partition("/")[0]
    if module := _modules(paper).get(identity) if paper in PAPERS else None:
        return _claim(module, identity)
    # Its own paper first: another's claims are imported only for the few aliases that they lend.
    for home in sorted(PAPERS, key=lambda one: one != paper) if paper in PAPERS else ():
        for claim in every(home):
            if identity in claim.other_ids:
                return claim
    close = difflib.get_close_matches(identity, identities(), n=3, cutoff=0.3)
    raise BadInput(
        needed="a claim's id is paper/item as `lazyrich list` shows it",
        given=repr(identity),
        cure=f"The nearest: {', '.join(close)}." if close else "Run `lazyrich list`.",
    )


def every(paper: str | None = None) -> Iterator[Claim]:
    """Each claim once, in the order of the papers."""
    if paper is not None and paper not in PAPERS:
        raise BadInput(needed=f"the papers are {', '.join(PAPERS)}", given=repr(paper), cure="Choose one of them.")
    for key in PAPERS if paper is None else (paper,):
        for identity, module in _modules(key).items():
            yield _claim(module, identity)


def identities() -> list[str]:
    """Every id, without importing a claim."""
    return [identity for paper in PAPERS for identity in _modules(paper)]


def paper_of(key: str) -> Paper:
    """A paper by its key."""
    return importlib.import_module(f"{HOME}.{key}").PAPER


def module_of(identity: str) -> str | None:
    """The module that holds a claim; None where no registered paper has it."""
    paper = identity.partition("/")[0]
    return _modules(paper).get(identity) if paper in PAPERS else None


@cache
def _modules(paper: str) -> dict[str, str]:
    """Every id of a paper with the module that holds it."""
    found: dict[str, str] = {}
    for entry in paper_of(paper).claims:
        module, _, items = str(entry).partition(":")
        for item in items.split() or [module]:
            if f"{paper}/{item}" in found:
                raise TypeError(f"{paper}/{item} stands twice in the list of its paper")
            found[f"{paper}/{item}"] = f"{HOME}.{paper}.{module}"
    return found


@cache
def _claim(module: str, identity: str) -> Claim:
    """The claim of this id in a module: its `CLAIM`, or one of its `CLAIMS`."""
    held = importlib.import_module(module)
    claims = [claim for claim in getattr(held, "CLAIMS", None) or (held.CLAIM,) if claim.id == identity]
    if len(claims) != 1:
        raise TypeError(f"{module} must hold one claim of the id {identity}; it holds {len(claims)}")
    return claims[0]

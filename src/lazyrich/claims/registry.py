"""All claims by id, imported only when they are asked for."""

import difflib
import importlib
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from . import manifest
from .paper import Paper

if TYPE_CHECKING:
    from .base import Claim

# Papers are reached by name alone, as those of others would be: nothing below them imports one.
PAPERS = ("woodworth2020", "lyu2024", "beyond_l2", "min2021", "bridges")
HOME = "lazyrich.papers"


def find(identity: str) -> "Claim":
    """The claim with this id or alias, or a refusal that names the nearest ones."""
    identity = resolved(identity)
    module = module_of(identity)
    assert module is not None
    return _claim(module, identity)


def resolved(identity: str) -> str:
    """The id behind an id or alias, without importing a claim, or a refusal that names the nearest ones."""
    if module_of(identity):
        return identity
    for one in descriptions():
        if identity in one["aliases"]:
            return one["id"]
    close = difflib.get_close_matches(identity, identities(), n=3, cutoff=0.3)
    raise BadInput(
        needed="a claim's id is paper/item as `lazyrich list` shows it",
        given=repr(identity),
        cure=f"The nearest: {', '.join(close)}." if close else "Run `lazyrich list`.",
    )


def every(paper: str | None = None) -> Iterator["Claim"]:
    """Each claim once, in the order of the papers."""
    for identity, module in _placed(paper):
        yield _claim(module, identity)


def descriptions(paper: str | None = None, *, pattern: str | None = None) -> Iterator[dict[str, Any]]:
    """What each claim says of itself, of those whose id, title or kind holds the pattern; from the manifest where it is there."""
    known, word = manifest.read(HOME), (pattern or "").lower()
    for identity, module in _placed(paper):
        one = known.get(identity) or _claim(module, identity).described()
        if word in one["id"].lower() or word in one["title"].lower() or word == one["kind"]:
            yield one


def description(identity: str) -> dict[str, Any]:
    """What the claim with this id or alias says of itself."""
    identity = resolved(identity)
    return manifest.read(HOME).get(identity) or find(identity).described()


def _placed(paper: str | None) -> Iterator[tuple[str, str]]:
    """Every id, or those of a paper, with the module that holds it."""
    if paper is not None and paper not in PAPERS:
        raise BadInput(needed=f"the papers are {', '.join(PAPERS)}", given=repr(paper), cure="Choose one of them.")
    for key in PAPERS if paper is None else (paper,):
        yield from _modules(key).items()


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
def _claim(module: str, identity: str) -> "Claim":
    """The claim of this id in a module: its `CLAIM`, or one of its `CLAIMS`."""
    held = importlib.import_module(module)
    claims = [claim for claim in getattr(held, "CLAIMS", None) or (held.CLAIM,) if claim.id == identity]
    if len(claims) != 1:
        raise TypeError(f"{module} must hold one claim of the id {identity}; it holds {len(claims)}")
    return claims[0]

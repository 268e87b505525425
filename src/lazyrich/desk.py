"""The one place that checks, draws and, later, stores: what the command line and `lz.check` call."""

import pathlib
from collections.abc import Iterable, Mapping
from typing import Any

from .claims import Claim, Result, every, find
from .claims import check as judge
from .errors import BadInput
from .lab import Bench
from .lab.machine import environment, prepare
from .lab.params import Size

VERDICTS = ("holds", "fails", "inconclusive", "skipped")


def check(identity: str, *, size: Size = "quick", seed: int = 0, **params: Any) -> Result:
    """Judge one claim, with its own parameters by name: `check("woodworth2020/theorem_1", alpha=0.1)`.

    Sets double precision by itself. Nothing is written.
    """
    prepare()
    require(size, seed)
    return judge(find(identity), size=size, seed=seed, changes=params, as_id=identity)


def check_many(
    identities: Iterable[str], *, size: Size, seed: int, changes: Mapping[str, Any], bench: Bench, draw: bool = False
) -> Iterable[Result]:
    """Judge several claims one after another; every name and value is looked at before the first is run."""
    require(size, seed)
    wanted = [(identity, find(identity)) for identity in identities]
    for _, claim in wanted:
        claim.settle(size, changes)
    for identity, claim in wanted:
        yield judge(claim, size=size, seed=seed, changes=changes, bench=bench, as_id=identity, draw=draw)


def save(result: Result, folder: str | pathlib.Path) -> Result:
    """Draw a result: PNG and SVG with the numbers beside them as CSV."""
    if result.drawing is None:
        return result
    from .report import figures

    claim = find(result.id)
    draws = result.params.get("trials")
    footer = f"{result.id}, size {result.size}, seed {result.seed}" + (f", {draws} draws" if draws else "")
    paths = figures.save(
        result.drawing,
        folder,
        result.id.replace("/", "-"),
        title=claim.title,
        verdict=result.verdict,
        footer=footer,
    )
    return result.with_files(paths)


def document(results: Iterable[Result]) -> dict[str, Any]:
    """Results in the shape that other programs read."""
    told = [result.as_json() for result in results]
    summary = {verdict: sum(one["verdict"] == verdict for one in told) for verdict in VERDICTS}
    return {"results": told, "summary": summary, "environment": environment()}


def select(pattern: str | None, paper: str | None) -> list[Claim]:
    """The claims of a paper, or all, whose id, title or kind holds the pattern."""
    word = (pattern or "").lower()
    return [c for c in every(paper) if word in c.id.lower() or word in c.title.lower() or word == c.kind]


def require(size: str, seed: int) -> None:
    """Refuse sizes and seeds that do not exist."""
    if size not in ("smoke", "quick", "paper"):
        raise BadInput(needed="the sizes are quick and paper", given=repr(size), cure="Start with quick.")
    if not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise BadInput(needed="a seed is a whole number from 0 to 2^32 - 1", given=repr(seed), cure="Use 0.")

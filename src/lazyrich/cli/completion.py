"""Completions for the shell while a command is typed. Nothing here may fail or print."""

from collections.abc import Iterator

import typer


def claims(incomplete: str) -> Iterator[str]:
    """Ids of claims."""
    from ..claims.registry import identities

    return (identity for identity in identities() if identity.startswith(incomplete))


def papers(incomplete: str) -> Iterator[str]:
    """Keys of papers."""
    from ..claims.registry import PAPERS

    return (paper for paper in PAPERS if paper.startswith(incomplete))


def settings(incomplete: str) -> Iterator[str]:
    """Names of experiments."""
    from ..forecast.experiments import EXPERIMENTS

    return (name for name in EXPERIMENTS if name.startswith(incomplete))


def sizes(incomplete: str) -> Iterator[str]:
    """The sizes of a claim."""
    return (size for size in ("quick", "paper") if size.startswith(incomplete))


def names(ctx: typer.Context, incomplete: str) -> Iterator[str]:
    """Parameters of the claims already on the line, with the sign that follows."""
    from ..claims.registry import description
    from ..errors import BadInput

    # A line that ends in an option without its value leaves the words before it in `args`.
    for identity in [*(ctx.params.get("ids") or ()), ctx.params.get("identity") or "", *ctx.args]:
        try:
            known = description(identity)["sizes"]["quick"]["params"]
        except BadInput:
            continue
        yield from (f"{name}=" for name in known if name.startswith(incomplete))


def runs(ctx: typer.Context, incomplete: str) -> Iterator[str]:
    """Names of stored runs, newest first."""
    from ..errors import BadInput
    from ..lab.store.store import Store

    try:
        known = Store(ctx.params.get("store")).names()
    except BadInput:
        known = []
    return (run for run in reversed(known) if run.startswith(incomplete))

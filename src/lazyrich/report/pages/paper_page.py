"""The page of a paper: all of its claims by their figures, and what was not run."""

import html
import importlib

from ...claims import Claim
from ...claims.registry import HOME
from ...claims.registry import PAPERS as KNOWN
from . import words
from .contents import Contents, Entry
from .formulas import as_html
from .layout import badge, claim_file, document, figure_file, tally


def paper_page(paper: str, contents: Contents, drawn: set[str]) -> str:
    """The page as HTML; `drawn` are the claims that have a figure."""
    entries = contents.of(paper)
    title, authors = words.paper_title(paper), words.AUTHORS.get(paper, "")
    missing = [claim for claim in contents.missing if claim.paper == paper]
    body = f"""<p class="crumbs"><a href="index.html">All papers</a></p>
<h1>{html.escape(title)}</h1>
<p class="source">{html.escape(authors)}{" · " if authors else ""}<code>{html.escape(paper)}</code></p>
{_idea(paper)}
{tally(entries)}
<ul class="cards">{"".join(_card(entry, entry.id in drawn) for entry in entries)}</ul>
{_missing(missing)}"""
    return document(f"{title} · lazyrich report", body, papers=contents.papers, here=paper)


def _idea(paper: str) -> str:
    """The paper in one line, from the docstring of its folder."""
    if paper not in KNOWN:
        return ""
    text = importlib.import_module(f"{HOME}.{paper}").__doc__ or ""
    return f'<p class="lead">{as_html(text.strip().splitlines()[0])}</p>'


def _card(entry: Entry, drawn: bool) -> str:
    picture = f'<img src="{figure_file(entry)}" alt="" loading="lazy">' if drawn else ""
    says = "" if drawn or entry.claim is None else f"<p>{as_html(entry.claim.says)}</p>"
    return (
        f'<li class="card"><a href="{claim_file(entry)}"><span class="thumb{"" if drawn else " empty"}">{picture}</span>'
        f"<strong>{as_html(entry.title)}</strong></a>{says}"
        f"<small>{badge(entry.verdict)} {html.escape(entry.kind)} · {html.escape(_place(entry))}</small></li>"
    )


def _place(entry: Entry) -> str:
    """Where in the paper it stands, without the paper's key."""
    source = entry.claim.source if entry.claim else (entry.result or {}).get("stated_in", "")
    return source.partition(", ")[2] or source or entry.id


def _missing(claims: list[Claim]) -> str:
    if not claims:
        return ""
    rows = "".join(f"<li>{as_html(claim.title)} <code>lazyrich run {html.escape(claim.id)}</code></li>" for claim in claims)
    return f'<section><h2>Not run</h2><p>No run of these is stored. To add one:</p><ul class="plain">{rows}</ul></section>'

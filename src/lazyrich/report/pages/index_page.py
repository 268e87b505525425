"""The first page: a summary, and every claim, to be filtered and searched."""

import html
from collections.abc import Sequence

from ..formulas import in_unicode
from . import words
from .contents import Contents, Entry
from .formulas import as_html
from .layout import badge, claim_file, document, meanings, paper_file, tally


def index_page(contents: Contents) -> str:
    """The page as HTML; without scripts the list is whole and the filters are not shown."""
    entries = contents.entries
    body = f"""<h1>Claims of {_count(len(contents.papers), "paper")}, checked</h1>
<p class="lead">{html.escape(words.ABOUT)}</p>
{tally(entries)}
{meanings({entry.verdict for entry in entries} | {"holds", "fails", "inconclusive"})}
{_troubles(contents)}
{_filters(contents)}
{"".join(_section(paper, contents) for paper in contents.papers)}
<p id="none" hidden>No claim matches. <button type="button" id="reset">Show all</button></p>"""
    return document("lazyrich report", body, papers=contents.papers)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _troubles(contents: Contents) -> str:
    """What could not be read, so that nothing is missing in silence."""
    lines = [f"<li><code>{html.escape(run)}</code>: {html.escape(what)}</li>" for run, what in contents.damaged]
    lines += [f"<li>{html.escape(remark)}</li>" for remark in contents.remarks]
    if not lines:
        return ""
    left_out = f"Left out: {_count(len(contents.damaged), 'stored run')} that cannot be read"
    heading = left_out if contents.damaged else "Remarks"
    return f'<section class="trouble" aria-label="Troubles"><h2>{heading}</h2><ul>{"".join(lines)}</ul></section>'


def _filters(contents: Contents) -> str:
    choices = {
        "paper": contents.papers,
        "kind": [kind for kind in words.KINDS if any(entry.kind == kind for entry in contents.entries)],
        "verdict": [word for word in words.VERDICTS if any(entry.verdict == word for entry in contents.entries)],
    }
    fields = "".join(_choice(name, values) for name, values in choices.items())
    return f"""<form id="filters" role="search" hidden>
<label class="search">search <input type="search" name="q" placeholder="words, or press /" autocomplete="off"></label>
{fields}
<output id="shown" aria-live="polite"></output>
</form>"""


def _choice(name: str, values: Sequence[str]) -> str:
    options = "".join(f'<option value="{html.escape(value)}">{html.escape(value)}</option>' for value in values)
    return f'<label>{name} <select name="{name}"><option value="">all</option>{options}</select></label>'


def _section(paper: str, contents: Contents) -> str:
    entries = contents.of(paper)
    return f"""<section class="paper" aria-labelledby="{html.escape(paper_file(paper))}">
<h2 id="{html.escape(paper_file(paper))}"><a href="{paper_file(paper)}">{html.escape(words.paper_title(paper))}</a>
<small>{html.escape(paper)}</small></h2>
<ul class="claims">{"".join(_row(entry) for entry in entries)}</ul>
</section>"""


def _row(entry: Entry) -> str:
    says = entry.claim.says if entry.claim else ""
    facts = {"paper": entry.paper, "kind": entry.kind, "verdict": entry.verdict}
    facts["text"] = in_unicode(" ".join([entry.id, entry.title, entry.kind, says])).lower()
    data = " ".join(f'data-{name}="{html.escape(value)}"' for name, value in facts.items())
    record = ""
    if entry.record and entry.kind != "drawing":
        stale = ' <span class="stale">(stale)</span>' if entry.stale else ""
        record = f" · at the paper's size: {html.escape(entry.record.verdict)}{stale}"
    return (
        f'<li {data}>{badge(entry.verdict)}<a href="{claim_file(entry)}">{as_html(entry.title)}</a>'
        f"<small>{html.escape(entry.kind)} · <code>{html.escape(entry.id)}</code>{record}</small></li>"
    )

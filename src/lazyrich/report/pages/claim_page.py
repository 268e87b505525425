"""The page of a claim: what it says, what came out, how it was judged, and how to make it again."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from ...claims import Control
from ..formulas import in_unicode
from ..tables import provenance
from . import words
from .contents import Contents, Entry
from .formulas import as_html
from .glossary import explained
from .layout import badge, claim_file, document, figure_file, number, paper_file
from .readings import beside, readings_table
from .record_part import record_part

ROOT = "../"


def claim_page(entry: Entry, contents: Contents, trouble: str) -> str:
    """The page as HTML; `trouble` says why there is no figure, and is empty if there is one."""
    title = in_unicode(f"{entry.title} · {entry.id}")
    return document(title, claim_body(entry, contents, trouble), root=ROOT, papers=contents.papers, here=entry.paper)


def claim_body(entry: Entry, contents: Contents, trouble: str) -> str:
    """All of the page but its frame; its links are relative to a folder beside the first page."""
    parts = [
        _head(entry),
        _figure(entry, trouble),
        _judged(entry),
        record_part(entry, contents.images is not None),
        _again(entry),
        _settings(entry),
        _provenance(entry),
        _neighbors(entry, contents.entries),
    ]
    return "\n".join(filter(None, parts))


def _head(entry: Entry) -> str:
    says = entry.claim.says if entry.claim else "The library no longer has this claim; only its run is kept."
    source = entry.claim.source if entry.claim else (entry.result or {}).get("stated_in", entry.id)
    reason = (entry.result or {}).get("reason") or ""
    return f"""<p class="crumbs"><a href="{ROOT}index.html">All papers</a> ›
<a href="{ROOT}{paper_file(entry.paper)}">{html.escape(words.paper_title(entry.paper))}</a></p>
<h1>{as_html(entry.title)}</h1>
<p class="source"><strong>{html.escape(entry.kind)}</strong> · {html.escape(source)} · <code>{html.escape(entry.id)}</code></p>
<section class="statement" aria-labelledby="says"><h2 id="says">The statement</h2><p class="says">{as_html(says)}</p>
<p class="note">{html.escape(words.KINDS.get(entry.kind, ""))}</p>{_glossary(entry)}</section>
<section class="verdict {html.escape(entry.verdict.replace(" ", "-"))}" aria-label="Verdict"><p>{badge(entry.verdict)}
{html.escape(words.VERDICTS.get(entry.verdict, ""))}</p>{_reason(entry.verdict, reason)}</section>"""


def _glossary(entry: Entry) -> str:
    """The words of the statement and its figure that not everyone knows."""
    caption = entry.drawing.caption if entry.drawing else ""
    text = f"{entry.title} {entry.claim.says if entry.claim else ''} {caption}"
    rows = "".join(f"<dt>{as_html(word)}</dt><dd>{as_html(meaning)}</dd>" for word, meaning in explained(text))
    return f'<details class="glossary"><summary>Words used here</summary><dl>{rows}</dl></details>' if rows else ""


def _reason(verdict: str, reason: str) -> str:
    """The reason, unless it only repeats what the verdict means."""
    return f'<p class="reason">{as_html(reason)}</p>' if reason and verdict != "holds" else ""


def _figure(entry: Entry, trouble: str) -> str:
    if trouble or entry.drawing is None:
        return f'<p class="nofigure">{html.escape(trouble or entry.trouble)}</p>'
    file, numbers = f"{ROOT}{figure_file(entry)}", f"{ROOT}{figure_file(entry, 'csv')}"
    caption = entry.drawing.caption
    plain = in_unicode(f"Figure: {entry.title}. {caption}")
    many = ' class="many"' if min(entry.drawing.columns, len(entry.drawing.panels)) > 1 else ""
    return f"""<figure{many}><a href="{file}"><img src="{file}" alt="{html.escape(plain)}"></a>
<figcaption>{as_html(caption)}
<a href="{numbers}" download>The numbers in it (CSV)</a></figcaption></figure>"""


def _judged(entry: Entry) -> str:
    """The readings with their bounds, and the controls."""
    result = entry.result
    if result is None or not (result.get("holds") or result.get("sound")):
        return ""
    controls = result.get("controls") or []
    return f"""<section aria-labelledby="judged"><h2 id="judged">How it was judged</h2>
<p>{words.JUDGING}</p>
{readings_table(result.get("holds") or [], beside(controls, "holds"), "Tests of the statement")}
{"".join(_control(entry, control) for control in controls)}
{readings_table(result.get("sound") or [], beside(controls, "sound"), "Sanity checks")}
</section>"""


def _control(entry: Entry, control: Mapping[str, Any]) -> str:
    readings = control.get("holds") or []
    broke = [reading["name"] for reading in readings if not reading["ok"]]
    names = {reading.get("key"): reading["name"] for reading in readings}
    same = _control_of(entry, control)
    must = [names.get(word, word) for word in same.breaks] if same else broke
    rows = "".join(f"<li>{as_html(name)}: {'out of its bound' if name in broke else 'within its bound'}</li>" for name in must)
    return f"""<aside class="control"><h3>Control: {as_html(control.get("says") or "none")}</h3>
<p>It must fail; its verdict: {badge(control.get("verdict") or "skipped")}.{_changes(entry, same)} It must break:</p>
<ul>{rows}</ul></aside>"""


def _control_of(entry: Entry, control: Mapping[str, Any]) -> Control | None:
    """The claim's own control that this is the result of, if it still has it."""
    controls = entry.claim.controls if entry.claim else ()
    return next((one for one in controls if one.says == control.get("says")), None)


def _changes(entry: Entry, control: Control | None) -> str:
    """The old and new values of what the control changes."""
    if entry.claim is None or control is None:
        return ""
    known = {**((entry.result or {}).get("params") or {}), **entry.claim.constants}
    changes = [
        f"<code>{html.escape(name)}</code> from {_value(known.get(name))} to {_value(value)}"
        for name, value in control.changes.items()
    ]
    return f" It changes {', '.join(changes)}." if changes else ""


def _again(entry: Entry) -> str:
    result = entry.result or {}
    command = result.get("command") or f"lazyrich run {entry.id}"
    python = result.get("in_python") or f'lz.check("{entry.id}")'
    lines = f"import lazyrich as lz\n\nresult = {python}\nprint(result.verdict, result.reason)\nprint(result.data)"
    return f"""<section aria-labelledby="again"><h2 id="again">Reproduce it</h2>
<p>On the command line, and in Python:</p>
<pre><code>{html.escape(command)}</code></pre>
<pre><code>{html.escape(lines)}</code></pre></section>"""


def _settings(entry: Entry) -> str:
    params = (entry.result or {}).get("params")
    if not params:
        return ""
    units = {p.name: p.unit for p in entry.claim.simulation.params} if entry.claim else {}
    rows = "".join(
        f'<tr><th scope="row"><code>{html.escape(name)}</code></th>'
        f"<td>{_value(value)} {html.escape(units.get(name) or '')}</td></tr>"
        for name, value in params.items()
    )
    size = (entry.result or {}).get("size", "")
    return f"""<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<p>Size {html.escape(size)} ({words.SIZES.get(size, "")}), seed {html.escape(str((entry.result or {}).get("seed")))}.</p>
<div class="wide"><table class="facts">{rows}</table></div></section>"""


def _value(value: Any) -> str:
    """A parameter's value: a number, a list of them, a formula, or words."""
    if isinstance(value, list | tuple):
        return ", ".join(_value(one) for one in value)
    if isinstance(value, str):
        return f"<code>{html.escape(value.removeprefix('='))}</code>"
    return number(value) if isinstance(value, float) else html.escape(str(value))


def _provenance(entry: Entry) -> str:
    if entry.result is None:
        return ""
    left_out = ("command", "in Python")
    rows = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th><td>{html.escape(value)}</td></tr>'
        for name, value in provenance(entry.result).items()
        if name not in left_out
    )
    others = f"<p>The newest of {entry.runs} stored runs of this claim.</p>" if entry.runs > 1 else ""
    if entry.outdated:
        others += '<p class="stale">The code that this claim depends on has changed since it was run.</p>'
    return f"""<section aria-labelledby="made"><h2 id="made">Provenance</h2>{others}
<div class="wide"><table class="facts">{rows}</table></div></section>"""


def _neighbors(entry: Entry, entries: Sequence[Entry]) -> str:
    """Links to the claims before and after."""
    place = next(number for number, one in enumerate(entries) if one.id == entry.id)
    links = []
    if place > 0:
        links.append(f'<a rel="prev" href="{ROOT}{claim_file(entries[place - 1])}">← {as_html(entries[place - 1].title)}</a>')
    if place + 1 < len(entries):
        links.append(f'<a rel="next" href="{ROOT}{claim_file(entries[place + 1])}">{as_html(entries[place + 1].title)} →</a>')
    return f'<nav class="neighbors" aria-label="Neighbors">{"".join(links)}</nav>'

"""Pages made when the site is built: claims, results, gallery and errata, from the registry and the records."""

import posixpath
from collections.abc import Iterable, Sequence
from html import escape

from shown import Shown

from lazyrich.report.formulas import in_unicode
from lazyrich.report.pages.formulas import as_html
from lazyrich.report.pages.readings import beside
from lazyrich.report.records import Record

BOUNDS = {"at_most": "at most", "at_least": "at least", "near": "near"}


def pages(all_shown: Sequence[Shown]) -> dict[str, str]:
    """Each page by its path."""
    return {
        "claims.md": claims(all_shown),
        "results.md": results(all_shown),
        "gallery.md": gallery(all_shown),
        "errata.md": errata(all_shown),
    }


def claims(all_shown: Sequence[Shown]) -> str:
    """Every claim of every paper, with its statement."""
    parts = [
        "# Claims",
        f"{len(all_shown)} statements, each checked by `lazyrich check ID`. The seconds are those of a check at "
        "quick size; a verdict is that of a recorded run at paper size.",
    ]
    for paper, mine in _by_paper(all_shown):
        parts += [f"## {paper}", *(_claim(one) for one in mine)]
    return _joined(parts)


def _claim(one: Shown) -> str:
    quick = one.claim.seconds.get("quick")
    facts = [f"<code>{one.claim.id}</code>", escape(one.claim.kind)] + ([_seconds(quick)] if quick else [])
    return (
        f'<div class="claim" id="{one.anchor}"><strong>{as_html(one.claim.title)}</strong> {_found(one)}<br>'
        f"<small>{' · '.join(facts)}</small><br>{as_html(one.claim.says)}</div>"
    )


def results(all_shown: Sequence[Shown]) -> str:
    """Every record of a run at paper size: a table, and under it the readings."""
    kept = [one for one in all_shown if one.record is not None]
    parts = ["# Results at paper size"]
    if not kept:
        return _joined([*parts, "No run at paper size is recorded yet."])
    stale = sum(one.record.stale for one in kept)
    parts.append(
        f"{len(kept)} of {len(all_shown)} claims have a record of a run at the size printed in their paper. "
        + (f"{stale} of them are **stale**: their code has changed since." if stale else "None is stale.")
    )
    rows = [
        f'<tr><td><a href="#{one.anchor}"><code>{one.claim.id}</code></a></td><td>{_verdict(one.record)}</td>'
        f"<td>{_seconds(one.record.seconds)}</td><td>{escape(str(one.record.machine.get('device', '')))}</td>"
        f"<td>{escape(one.record.date)}</td><td><code>{escape((one.record.commit or 'unknown')[:7])}</code></td></tr>"
        for one in kept
    ]
    head = "<tr><th>id</th><th>verdict</th><th>took</th><th>on</th><th>date</th><th>commit</th></tr>"
    return _joined([*parts, _table(head, rows), "## Readings", *(_details(one) for one in kept)])


def gallery(all_shown: Sequence[Shown]) -> str:
    """Every picture, with what it shows and how it was made."""
    cards = [
        f'<figure id="{one.anchor}"><a href="{one.picture.path}"><img src="{one.picture.path}" '
        f'alt="{escape(in_unicode(one.claim.title))}" loading="lazy"></a>'
        f"<figcaption><strong>{as_html(one.claim.title)}.</strong> {as_html(one.picture.record.caption or '')}<br>"
        f'<a href="claims.html#{one.anchor}"><code>{one.claim.id}</code></a>, {one.picture.drawn} '
        f"{_verdict(one.picture.record)}</figcaption></figure>"
        for one in all_shown
        if one.picture
    ]
    intro = f"{len(cards)} pictures, each drawn from a recorded run of its claim; click one to enlarge it."
    return _joined(["---\nhide: [toc]\n---\n\n# Gallery", intro, f'<div class="gallery">{"".join(cards)}</div>'])


def figure(one: Shown, home: str = ".") -> str:
    """A claim's picture with its caption, in a page that lies in the folder `home`."""
    image, claims_page = (posixpath.relpath(path, home) for path in (one.picture.path, "claims.html"))
    record = one.picture.record
    return (
        f'<figure><img src="{image}" alt="{escape(in_unicode(one.claim.title))}" loading="lazy">'
        f"<figcaption>{as_html(record.caption or one.claim.title)} "
        f'<a href="{claims_page}#{one.anchor}"><code>{one.claim.id}</code></a>, {one.picture.drawn} {_verdict(record)}'
        "</figcaption></figure>"
    )


def errata(all_shown: Sequence[Shown]) -> str:
    """Printed statements that are wrong, each with the corrected one and the evidence for it."""
    mine = [one for one in all_shown if one.claim.kind == "erratum"]
    parts = [
        "# Errata",
        f"{len(mine)} printed statements that do not hold as they stand. Each is a claim: it holds when the corrected form "
        "holds *and* a control, the printed form, fails. This page is generated from the claims and their records.",
    ]
    for one in mine:
        parts.append(f"## {escape(in_unicode(one.claim.title))} {{#{one.anchor}}}")
        parts.append(f"<p>{as_html(one.claim.says)}</p>\n<p>In print: {escape(one.claim.source)}.</p>")
        if one.picture:
            parts.append(figure(one))
        parts.append(_evidence(one))
    return _joined(parts)


def _evidence(one: Shown) -> str:
    command = f"<p><code>lazyrich check {one.claim.id}</code></p>"
    if one.record is None:
        return f"<p>No run at paper size is recorded yet. To check it:</p>\n{command}"
    return f"<p>{_verdict(one.record)} {as_html(one.record.reason)}.</p>\n{_readings(one.record)}"


def _details(one: Shown) -> str:
    record = one.record
    machine = ", ".join(f"{escape(str(name))} {escape(str(value))}" for name, value in record.machine.items())
    return (
        f'<details id="{one.anchor}"><summary><code>{one.claim.id}</code> {_verdict(one.record)}</summary>'
        f"<p>{as_html(one.claim.title)}: {as_html(record.reason)}.</p>{_readings(record)}"
        f"<p><code>{escape(record.command)}</code><br>{machine}</p></details>"
    )


def _readings(record: Record) -> str:
    """The readings of the claim, each beside that of the control that breaks it."""
    controls = {kind: beside(record.controls, kind) for kind in ("sound", "holds")}
    rows = [
        f"<tr><td>{as_html(one['name'])}<br><small>{as_html(one['why'])}</small></td><td>{kind}</td>"
        f"<td>{_number(one['value'])}</td><td>{_bound(one)}</td><td>{_control(one, controls[kind].get(one['name']))}</td></tr>"
        for kind in ("sound", "holds")
        for one in getattr(record, kind)
    ]
    head = "<tr><th>reading</th><th>kind</th><th>value</th><th>bound</th><th>control</th></tr>"
    words = "; ".join(as_html(control["says"]) for control in record.controls)
    return _table(head, rows) + f"<p><small>Controls: {words}.</small></p>"


def _control(own: dict, control: dict | None) -> str:
    """The control's value, with its bound where that is another one."""
    if control is None:
        return ""
    other = "" if _bound(control) == _bound(own) else f"<br><small>{_bound(control)}</small>"
    return _number(control["value"]) + other


def _bound(reading: dict) -> str:
    width = f" ± {_number(reading['tolerance'])}" if reading["bound"] == "near" else ""
    return f"{BOUNDS[reading['bound']]} {_number(reading['target'])}{width}"


def _found(one: Shown) -> str:
    return "" if one.record is None else f'<a href="results.html#{one.anchor}">{_verdict(one.record)}</a>'


def _verdict(record: Record) -> str:
    chip = f'<span class="verdict {escape(record.verdict)}">{escape(record.verdict)}</span>'
    return chip + (' <span class="verdict stale">stale</span>' if record.stale else "")


def _number(value: float | str) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.4g}"


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.0f}&nbsp;s" if value < 600 else f"{value / 60:.0f}&nbsp;min"


def _table(head: str, rows: Iterable[str]) -> str:
    return f'<div class="wide"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'


def _by_paper(all_shown: Sequence[Shown]) -> list[tuple[str, list[Shown]]]:
    papers = dict.fromkeys(one.claim.paper for one in all_shown)
    return [(paper, [one for one in all_shown if one.claim.paper == paper]) for paper in papers]


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"

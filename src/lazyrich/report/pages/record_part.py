"""The part of a claim's page about its run at the paper's size."""

import html

from ..formulas import in_unicode
from .contents import Entry
from .formulas import as_html
from .layout import badge
from .readings import beside, readings_table


def image_file(entry: Entry) -> str:
    """The small figure of the record, in the folder of the report."""
    return f"figures/{entry.name}-paper.png"


def record_part(entry: Entry, images: bool) -> str:
    """The record, marked if it is stale; nothing for pictures of models, which have no size."""
    record = entry.record
    if entry.kind == "drawing":
        return ""
    if record is None:
        return _section("<p>No run at the size printed in the paper is recorded.</p>")
    machine = ", ".join(f"{name} {value}" for name, value in record.machine.items())
    stale = '<p class="stale">Stale: the code this depends on has changed since.</p>' if entry.stale else ""
    picture = ""
    if record.image and images:
        words = html.escape(in_unicode(f"Figure at the paper's size. {record.caption or ''}"))
        picture = f'<img src="../{image_file(entry)}" alt="{words}" loading="lazy">'
    return _section(f"""{stale}<p>{badge(record.verdict)} {as_html(record.reason)}</p>{picture}
<p>Made on {html.escape(record.date)} in {record.seconds:.0f} s by commit <code>{html.escape(record.commit or "unknown")}</code>
({html.escape(machine)}), seed {record.seed}:</p>
<pre><code>{html.escape(record.command)}</code></pre>
<details><summary>Its readings</summary>
{readings_table(record.holds, beside(record.controls, "holds"), "Tests of the statement")}
{readings_table(record.sound, beside(record.controls, "sound"), "Sanity checks")}</details>""")


def _section(body: str) -> str:
    return f'<section aria-labelledby="paper"><h2 id="paper">At the size of the paper</h2>{body}</section>'

"""What all pages share: the frame, links, badges, numbers."""

import html
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from ..tables import COLORS, number_text
from . import words
from .contents import Entry, safe_name

ASSETS = "assets"
_NAV = (
    '<header class="bar"><a class="home" href="{root}index.html">lazyrich report</a><nav aria-label="Papers">{papers}</nav>'
    '<button type="button" id="theme" hidden aria-label="Change between light and dark">light / dark</button></header>'
)


def document(title: str, body: str, *, root: str = "", papers: Iterable[str] = (), here: str = "") -> str:
    """A whole page; `root` leads from it to the folder of the report."""
    links = " ".join(
        f'<a href="{root}{paper_file(key)}"{" aria-current=page" if key == here else ""}>{html.escape(key)}</a>' for key in papers
    )
    assets = f"{root}{ASSETS}"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{assets}/katex/katex.css">
<link rel="stylesheet" href="{assets}/report.css">
<script src="{assets}/theme.js"></script>
<script src="{assets}/katex/katex.min.js" defer></script>
<script src="{assets}/report.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
{_NAV.format(root=root, papers=links)}
<main id="main">
{body}
</main>
</body>
</html>
"""


def paper_file(key: str) -> str:
    """The page of a paper."""
    return f"{safe_name(key)}.html"


def claim_file(entry: Entry) -> str:
    """The page of a claim."""
    return f"claims/{entry.name}.html"


def figure_file(entry: Entry, kind: str = "svg") -> str:
    """The figure of a claim, or the numbers in it."""
    return f"figures/{entry.name}.{kind}"


def badge(verdict: str) -> str:
    """A verdict as a colored word; the color never stands alone."""
    return f'<span class="badge {css_class(verdict)}">{html.escape(verdict)}</span>'


def css_class(verdict: str) -> str:
    """The style of a verdict; unknown ones look like skipped ones."""
    return verdict if verdict in COLORS else "skipped"


def number(value: float | int | str | bool | None) -> str:
    """A number in four digits, powers of ten as such."""
    digits, exponent, power = number_text(value).partition("e")
    if not exponent or not power.lstrip("-").isdigit():
        return html.escape(number_text(value).replace("-", "−"))
    factor = {"1": "", "-1": "-"}.get(digits, f"{digits} · ")
    return f"{factor.replace('-', '−')}10<sup>{power.replace('-', '−')}</sup>"


def bound(reading) -> str:
    """What a reading is held to."""
    target = number(reading["target"])
    signs = {"at_most": "≤ ", "at_least": "≥ "}
    if reading["bound"] in signs:
        return f"{signs[reading['bound']]}{target}"
    return f"{target} ± {number(reading.get('tolerance'))}"


def tally(entries: Iterable[Entry]) -> str:
    """The number of claims with each verdict, as a bar with its numbers."""
    counts = Counter(entry.verdict for entry in entries)
    known = [verdict for verdict in words.VERDICTS if counts[verdict]]
    ends = list(accumulate(counts[v] for v in known))
    parts = "".join(
        f'<rect class="{css_class(v)}" x="{end - counts[v]}" width="{counts[v]}" height="1"/>'
        for v, end in zip(known, ends, strict=True)
    )
    items = "".join(f"<li>{badge(v)} <strong>{counts[v]}</strong></li>" for v in known)
    size = f'viewBox="0 0 {sum(counts.values()) or 1} 1" preserveAspectRatio="none"'
    return f'<div class="tally"><svg class="stack" aria-hidden="true" {size}>{parts}</svg><ul class="counts">{items}</ul></div>'


def meanings(verdicts: Iterable[str]) -> str:
    """Each of these verdicts in one line."""
    rows = "".join(f"<dt>{badge(v)}</dt><dd>{html.escape(words.VERDICTS[v])}</dd>" for v in words.VERDICTS if v in verdicts)
    return f'<dl class="meanings">{rows}</dl>'

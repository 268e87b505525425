"""Formulas in running text, ready for KaTeX: what stands between single dollars becomes an element that holds its TeX.

Without scripts the element shows the formula in Unicode.
"""

import html
import re

from ..formulas import FORMULA, in_unicode

# A short formula is not broken, and no comma or period behind it begins a line.
SHORT = 24
_CLINGING = re.compile(r'(<span class="formula short" data-tex="[^"]*">[^<]*</span>)([,.;:)]+)')


def as_html(text: str) -> str:
    """The text, escaped, with an element for each formula in it."""
    parts, at = [], 0
    for found in FORMULA.finditer(text):
        parts += [_plain(text[at : found.start()]), _element(found[1])]
        at = found.end()
    return _CLINGING.sub(r'<span class="whole">\1\2</span>', "".join([*parts, _plain(text[at:])]))


def _plain(text: str) -> str:
    return html.escape(text.replace(r"\$", "$"))


def _element(tex: str) -> str:
    short = " short" if len(tex) <= SHORT else ""
    return f'<span class="formula{short}" data-tex="{html.escape(tex)}">{html.escape(in_unicode(f"${tex}$"))}</span>'

"""Formulas between dollars become elements for KaTeX; all else is escaped and stays as it is."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.claims import every
from lazyrich.report.pages.formulas import as_html

ELEMENT = re.compile(r'<span class="formula(?: short)?" data-tex="([^"<>]*)">([^<]*)</span>')


def formulas(text: str) -> list[str]:
    return [html.unescape(tex) for tex, _ in ELEMENT.findall(as_html(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"falls like $\alpha^{-8}$", [r"\alpha^{-8}"]),
        (r"$u = v$ and $\frac{1}{2}$, and 3 $ or 4 $", ["u = v", r"\frac{1}{2}"]),
        ("alpha^-8 without dollars is text", []),
        (r"costs \$5 or \$6", []),
    ],
)
def test_what_stands_between_dollars_is_a_formula(text, found):
    assert formulas(text) == found


def test_without_scripts_a_formula_is_unicode():
    assert ">α⁻²</span>" in as_html(r"$\alpha^{-2}$") and as_html(r"\$5 & more") == "$5 &amp; more"


@given(st.text("alpha\\^_{}$<>=*'-/+ 0123.,", max_size=40) | st.text(max_size=30))
def test_markup_is_escaped(text):
    plain = re.sub(r'<span class="whole">|</span>', "", ELEMENT.sub("", as_html(f"<b>{text}</b>")))
    assert "<" not in plain and ">" not in plain


def test_a_comma_stays_with_its_formula():
    assert as_html(r"to $\alpha$, then").startswith('to <span class="whole"><span class="formula short"')
    assert ",</span> then" in as_html(r"to $\alpha$, then")


def test_formulas_of_all_claims_are_whole():
    for claim in every():
        for text in (claim.title, claim.says, *(control.says for control in claim.controls)):
            for tex in formulas(text):
                assert tex.count("{") == tex.count("}"), tex

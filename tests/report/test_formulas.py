"""Formulas are set sign by sign: nothing is lost, nothing is added, and words stay words."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.claims import every
from lazyrich.report.pages.formulas import as_html, split


def formulas(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", tex) for _, tex in split(text) if tex]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("falls like alpha^-8", [r"\alpha ^{-8}"]),
        ("|beta_alpha|_1 - |beta_l1|_1 increases", [r"|\beta _{\alpha}|_{1} - |\beta _{\ell_1}|_{1}"]),
        ("from u = v = alpha the flow", [r"u = v = \alpha"]),
        ("1/sqrt(d) or 1/sqrt d", [r"1/\sqrt{d}", r"1/\sqrt{d}"]),
        ("sqrt|z|", [r"\sqrt{|z|}"]),
        ("at most 2 exp(-d/2)", [r"2 \exp (-d/2)"]),
        ("exp and sum are words, a sign too", []),
        ("the sum beta_i^4", [r"\sum \beta _{i}^{4}"]),
        ("least l1 (alpha <= 1e-3) here", [r"\ell_1", r"(\alpha \le 10^{-3})"]),
        ("a start (alpha = 0.03 here)", [r"\alpha = 0.03"]),
        ("(D/2) alpha^(D-2) (d - 1)", [r"(D/2) \alpha ^{D-2} (d - 1)"]),
        ("a 10 x 16 matrix from 60 entries", [r"10 \times 16"]),
        ("with a = D/(D-2), a net", ["a = D/(D-2)"]),
        ("X^T y and K_{alpha w} and y*", [r"X^{\top} y", r"K_{\alpha w}", "y^*"]),
        ("8 alpha^2 <x, x'> at depth 2", [r"8 \alpha ^{2} \langle x, x'\rangle"]),
        ("(a) one (b) alpha", [r"\alpha"]),
        ("log(alpha)/decay, weight decay", [r"\log (\alpha )/\mathrm{decay}"]),
        ("a two-layer net, depth-2, the flow's end", []),
        ("1,000 of 60, 1/2 and 3 - 2", []),
        (r"as TeX: $\frac{1}{2}$, and 3 $ or 4 $", [r"\frac{1}{2}"]),
    ],
)
def test_formulas_are_found(text, found):
    assert formulas(text) == found


@given(st.text("alphbetsqrT^_()|{}$<>=*'-/+ 0123.,e", max_size=40) | st.text(max_size=30))
def test_nothing_is_lost(text):
    assert "".join(raw for raw, _ in split(text)) == text


@given(st.text(max_size=20))
def test_markup_is_escaped(text):
    plain = re.sub(
        r'<span class="formula(?: short)?" data-tex="[^"<>]*">|<span class="whole">|</span>',
        "",
        as_html(f"<b>{text}</b>"),
    )
    assert "<" not in plain and ">" not in plain


def test_a_comma_stays_with_its_formula():
    assert as_html("to alpha, then").startswith('to <span class="whole"><span class="formula short"')
    assert ",</span> then" in as_html("to alpha, then")


def test_formulas_of_all_claims_are_whole():
    for claim in every():
        for text in (claim.title, claim.says, claim.control.says, *claim.control.breaks):
            assert "".join(raw for raw, _ in split(text)) == text
            for tex in formulas(text):
                assert tex.count("{") == tex.count("}"), tex
                assert not re.search(r"\\mathrm\{(?!decay|op|off)", tex), f"{tex} has a word in it"

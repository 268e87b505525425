"""Text for matplotlib: formulas in its dialect, and never a figure that a formula breaks."""

import pytest

from lazyrich.claims import every
from lazyrich.report.wording import safe, wrap


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"at $\alpha^{-2}$", r"at $\alpha^{-2}$"),
        (r"$\frac12\|\theta\|^2 \le \tfrac1n$", r"$\frac{1}{2}\|\theta\|^2 \leq \frac{1}{n}$"),
        (r"$\mathcal L/\sqrt n$, $\sqrt[3]{n}$", r"$\mathcal{L}/\sqrt{n}$, $\sqrt[3]{n}$"),
        (r"$\nosuchcommand\alpha$", "nosuchcommand α"),
        ("costs $5 or $6", r"costs \$5 or \$6"),
        (r"a lone \$", r"a lone \$"),
    ],
)
def test_formulas_are_set_or_written_in_unicode(text, found):
    assert safe(text) == found and safe(found) == found


def test_a_formula_is_not_broken_between_lines():
    lines = wrap(r"the minimum of $Q_\alpha(\beta) = \sum_i q(\beta_i)$ over all interpolants", 2.0, size=9.0)
    assert len(lines) > 1 and all(line.count("$") in (0, 2) for line in lines)


def test_every_formula_of_a_claim_is_typeset():
    for claim in every():
        units = [param.unit for param in claim.simulation.params] if claim.kind != "drawing" else []
        for text in (claim.title, claim.says, *(control.says for control in claim.controls), *units):
            assert ("$" in text) == ("$" in safe(text).replace(r"\$", "")), (claim.id, text)

import re

import pytest

from lazyrich.claims import every
from lazyrich.report.formulas import in_unicode

FORMULAS = {
    r"\alpha": "α",
    r"\|\beta\|_1": "‖β‖₁",
    r"\|X\beta - y\|_2^2": "‖Xβ - y‖₂²",
    r"x^2": "x²",
    r"x^{-2}": "x⁻²",
    r"10^{-8}": "10⁻⁸",
    r"10^12": "10¹2",
    r"2\cdot 10^{4}": "2·10⁴",
    r"\frac{a}{b}": "a/b",
    r"\frac{\log\alpha}{\lambda}": "(log α)/λ",
    r"\frac{1}{2n}": "1/(2n)",
    r"\frac{1}{n}\sum_{i=1}^{n} x_i": "1/n Σᵢ₌₁ⁿ xᵢ",
    r"\log\alpha / \lambda": "log α/λ",
    r"\sqrt{x}": "√x",
    r"\sqrt{n + d}": "√(n + d)",
    r"\sqrt[3]{n}": "³√n",
    r"a \leq b": "a ≤ b",
    r"-\alpha \geq -1": "-α ≥ -1",
    r"\sinh^{-1}(z/2)": "sinh⁻¹(z/2)",
    r"\sinh^{-1} z": "sinh⁻¹ z",
    r"n\log n": "n log n",
    r"2\log(1 + x)": "2 log(1 + x)",
    r"\mathrm{rank}\,W": "rank W",
    r"\lambda_{\mathrm{max}}": "λ_max",
    r"\eta\beta_1": "ηβ₁",
    r"X^\top X": "XᵀX",
    r"\hat\beta": "β̂",
    r"\hat{\beta}_i": "β̂ᵢ",
    r"\dot\theta = -\nabla L(\theta)": "θ̇ = -∇L(θ)",
    r"\mathbb{R}^{n \times d}": "ℝ^(n × d)",
    r"\ell_1": "ℓ₁",
    r"e^{-\lambda t}": "e^(-λt)",
    r"t^{1/2}": "t^(1/2)",
    r"\beta^*": "β*",
    r"\langle u, v \rangle": "⟨u, v⟩",
    r"\left|x_i\right|": "|xᵢ|",
    r"\{-1, +1\}": "{-1, +1}",
    r"10{,}000": "10,000",
    r"u \odot v": "u ⊙ v",
    r"\alpha \to \infty": "α → ∞",
    r"f'(x)": "f′(x)",
    r"\frac{\|\beta\|_1}{\|\beta\|_2}": "‖β‖₁/‖β‖₂",
    r"\unknown": "unknown",
    r"\alpha = 1, 10, 100": "α = 1, 10, 100",
}


@pytest.mark.parametrize("tex", FORMULAS)
def test_a_formula_becomes_readable(tex: str):
    assert in_unicode(f"${tex}$") == FORMULAS[tex]


def test_only_what_stands_between_dollars_changes():
    assert in_unicode(r"alpha^-2 \alpha") == r"alpha^-2 \alpha"
    assert in_unicode(r"the scale $\alpha$, at $\|\beta\|_1$") == "the scale α, at ‖β‖₁"
    assert in_unicode(r"costs \$5") == "costs $5"
    assert in_unicode("costs $5 or $6") == "costs $5 or $6"


def test_nothing_of_tex_is_left_in_a_text_of_a_claim():
    for claim in every():
        for text in (claim.title, claim.says, *(control.says for control in claim.controls)):
            assert not re.search(r"[$\\]", in_unicode(text)), (claim.id, text)

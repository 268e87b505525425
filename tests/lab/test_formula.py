import math

import pytest

from lazyrich.errors import BadInput
from lazyrich.lab.formula import evaluate, is_formula, names


def test_arithmetic_and_functions():
    assert evaluate("=12/(rate*strength)", {"rate": 2.0, "strength": 3.0}) == 2.0
    assert evaluate("=2*log(alpha)/decay - 1", {"alpha": math.e, "decay": 0.5}) == pytest.approx(3.0)
    assert evaluate("=-x**2", {"x": 3.0}) == -9.0
    assert names("=12/(rate*sqrt(strength))") == {"rate", "strength"}


@pytest.mark.parametrize(
    "text", ["=__import__('os')", "=a.b", "=(lambda: 1)()", "=[1]", "=x if x else 1", "=1 +", "=unknown", "=True"]
)
def test_nothing_else_can_be_said(text):
    with pytest.raises(BadInput, match="a formula holds"):
        evaluate(text, {"x": 1.0, "a": 2.0})


def test_only_strings_with_a_sign_are_formulas():
    assert is_formula("=1") and not is_formula("1") and not is_formula(1)

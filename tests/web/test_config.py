"""What is read from a query, and what is refused."""

import pytest

from lazyrich.errors import BadInput
from lazyrich.web.asks import ask, both, fields, number


def test_what_is_left_out_has_its_usual_value():
    usual = ask({})
    assert usual.experiment == "grokking" and usual.seed == 0
    assert dict(usual.values) == usual.kind.settle({})


def test_numbers_come_in_their_own_type():
    asked = ask(fields("experiment=grokking&alpha=2.5e1&n=40&seed=7"))
    values = dict(asked.values)
    assert values["alpha"] == 25.0 and values["n"] == 40 and isinstance(values["n"], int) and asked.seed == 7


def test_the_second_setting_differs_where_it_says():
    first, second = both(fields("alpha=3&decay=0.02&b.alpha=9"))
    assert dict(first.values) | {"alpha": 9.0} == dict(second.values)
    assert len(both(fields("alpha=3"))) == 1


@pytest.mark.parametrize(
    "query",
    [
        "alpha",
        "alpha=",
        "alpha=1&alpha=2",
        "alpha=nan",
        "alpha=inf",
        "alpha=1e999",
        "alpha=-1",
        "alpha=1e9",
        "alpha=%3D1%2B1",
        "alpha=__import__('os')",
        "alpha=1,2",
        "alpha=٣",
        "n=30.5",
        "n=9999999",
        "unknown=1",
        "experiment=../../etc/passwd",
        "experiment=os",
        "seed=-1",
        "seed=4294967296",
        "seed=0.5",
        "seed=1e999",
        "seed=-1e999",
        "alpha=1&b.experiment=linear_net",
        "alpha=%ff",
        "alpha=1;b=2",
        "a" * 3_000 + "=1",
        "&".join(f"x{i}=1" for i in range(100)),
    ],
)
def test_anything_else_is_refused(query):
    with pytest.raises(BadInput):
        both(fields(query))


def test_a_query_of_raw_bytes_is_refused():
    with pytest.raises(BadInput, match="name=value"):
        fields(b"alpha=\xff")


def test_a_number_is_not_a_formula():
    with pytest.raises(BadInput, match="takes a number"):
        number("alpha", "=decay")

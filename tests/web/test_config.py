"""What is parsed from a query, and what is refused."""

import pytest

from lazyrich.errors import BadInput
from lazyrich.web.config import parse_config, parse_configs, parse_number, query_fields


def test_missing_parameters_have_their_default_values():
    default = parse_config({})
    assert default.experiment == "grokking" and default.seed == 0
    assert dict(default.values) == default.definition.resolve({})


def test_numbers_have_the_type_of_their_parameter():
    config = parse_config(query_fields("experiment=grokking&alpha=2.5e1&n=40&seed=7"))
    values = dict(config.values)
    assert values["alpha"] == 25.0 and values["n"] == 40 and isinstance(values["n"], int) and config.seed == 7


def test_the_second_training_differs_in_its_own_fields():
    first, second = parse_configs(query_fields("alpha=3&decay=0.02&b.alpha=9"))
    assert dict(first.values) | {"alpha": 9.0} == dict(second.values)
    assert len(parse_configs(query_fields("alpha=3"))) == 1


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
        parse_configs(query_fields(query))


def test_a_query_of_raw_bytes_is_refused():
    with pytest.raises(BadInput, match="name=value"):
        query_fields(b"alpha=\xff")


def test_a_number_is_not_a_formula():
    with pytest.raises(BadInput, match="takes a number"):
        parse_number("alpha", "=decay")

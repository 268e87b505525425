"""The forecast command: what it prints for people and for programs, and what it refuses."""

import pytest
from test_schemas import validate

SMALL = ("--set", "n=12", "--set", "d=20", "--set", "weight_decay=0.02")


@pytest.fixture
def predicted(here):
    return validate(here("forecast", "grokking", *SMALL, "--json").stdout, "forecast")


def test_a_forecast_is_what_its_schema_says(predicted):
    assert predicted["setting"] == "grokking" and predicted["params"]["n"] == 12 and predicted["params"]["weight_decay"] == 0.02
    assert predicted["measure"] == "accuracy" and predicted["cost_seconds"] > 0
    assert abs(predicted["early"]["test_error"] + predicted["early"]["test_accuracy"] - 1) < 1e-12
    if predicted["will_switch"]:
        assert predicted["switch"]["low"] < predicted["switch"]["middle"] < predicted["switch"]["high"]


def test_no_transition_has_no_time_and_reads_well(here):
    words = ("forecast", "sparse_regression", "--set", "n=8", "--set", "d=20")
    found = validate(here(*words, "--json").stdout, "forecast")
    assert not found["will_switch"] and found["switch"] is None and "no penalty" in found["reason"]
    shown = here(*words)
    assert shown.returncode == 0 and "transition" in shown.stdout and "no penalty" in " ".join(shown.stdout.split())


@pytest.mark.parametrize(
    "words", [("groking",), ("grokking", "--set", "alfa=1"), ("grokking", "--set", "decay=9"), ("grokking", "--seed", "-1")]
)
def test_wrong_usage_is_refused_before_any_work(here, words):
    done = here("forecast", *words)
    assert done.returncode == 2 and not done.stdout


def test_help_names_every_experiment(here):
    from lazyrich.forecast.experiments import EXPERIMENTS

    said = here("forecast", "--help").stdout
    assert all(name in said for name in EXPERIMENTS)

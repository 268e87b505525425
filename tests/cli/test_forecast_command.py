"""The forecast command: what it prints for people and for programs, and what it refuses."""

import pytest
from test_schemas import validate

SMALL = ("--set", "n=12", "--set", "d=20", "--set", "decay=0.02")


@pytest.fixture
def told(here):
    return validate(here("forecast", "grokking", *SMALL, "--json").stdout, "forecast")


def test_a_forecast_is_what_its_schema_says(told):
    assert told["setting"] == "grokking" and told["params"]["n"] == 12 and told["params"]["decay"] == 0.02
    assert told["measure"] == "accuracy" and told["cost_seconds"] > 0
    assert abs(told["early"]["test_error"] + told["early"]["test_accuracy"] - 1) < 1e-12
    if told["will_switch"]:
        assert told["switch"]["low"] < told["switch"]["middle"] < told["switch"]["high"]


def test_a_denial_has_no_switch_and_reads_well(here):
    words = ("forecast", "sparse_regression", "--set", "n=8", "--set", "d=20")
    said = validate(here(*words, "--json").stdout, "forecast")
    assert not said["will_switch"] and said["switch"] is None and "no penalty" in said["reason"]
    shown = here(*words)
    assert shown.returncode == 0 and "will switch" in shown.stdout and "no penalty" in " ".join(shown.stdout.split())


@pytest.mark.parametrize(
    "words",
    [("groking",), ("grokking", "--set", "alfa=1"), ("grokking", "--set", "decay=9"), ("grokking", "--seed", "-1")],
)
def test_wrong_usage_is_refused_before_any_work(here, words):
    done = here("forecast", *words)
    assert done.returncode == 2 and not done.stdout


def test_help_names_every_experiment(here):
    from lazyrich.lab.experiments import EXPERIMENTS

    said = here("forecast", "--help").stdout
    assert all(name in said for name in EXPERIMENTS)

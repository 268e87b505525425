"""Milestones are found while a training runs, and at the end by the definitions that judge forecasts."""

import math

import numpy as np
import pytest

from lazyrich.forecast.transition import seen
from lazyrich.web.milestones import MilestoneTracker, expected_levels

TIMES = np.concatenate([[0.0], np.geomspace(0.1, 1_000.0, 119)])
TRAIN = np.where(TIMES >= 1.0, 1.0, 0.7)
TEST = np.where(TIMES > 0, 0.6 + 0.4 / (1 + np.exp(-(TIMES - 200) / 20)), 0.5)


def forecast(**changes):
    usual = {
        "will_switch": True, "early": {"test_error": 0.4, "kind": "solved"}, "late": {"test_error": 0.0}, "details": {},
    }  # fmt: skip
    return {**usual, **changes}


def track(predicted):
    tracker, when = MilestoneTracker("accuracy", predicted), {}
    for at in range(0, TIMES.size, 2):
        part = slice(at, at + 2)
        new = tracker.update({"offset": at, "time": [*TIMES[part]], "train": [*TRAIN[part]], "test": [*TEST[part]]})
        when |= {name: (float(TIMES[at + 1]), time) for name, time in new.items()}
    return tracker, when


def test_each_milestone_is_found_once_and_without_delay():
    tracker, when = track(forecast())
    found_at, time = when["generalization"]
    assert time == pytest.approx(200, rel=0.02) and time <= found_at <= 1.2 * time
    assert when["memorization"][1] == TIMES[TIMES >= 1.0][0]


def test_the_end_agrees_with_the_evaluation_of_forecasts():
    tracker, _ = track(forecast(details={"slow_time": 1.0}))
    measured = tracker.finish()
    assert measured.time == seen(TIMES, TRAIN, TEST, "accuracy", early=0.4).time == tracker.times["generalization"]
    assert measured.early == seen(TIMES, TRAIN, TEST, "accuracy").early  # measured, not forecast


def test_without_a_forecast_the_transition_is_found_at_the_end():
    tracker, when = track(None)
    assert set(when) == {"memorization"}
    assert math.isfinite(tracker.finish().time) and "generalization" in tracker.times


def test_only_a_slow_phase_takes_its_early_level_from_the_forecast():
    assert expected_levels(forecast(details={"slow_time": 1.0})) == (0.4, 0.0)
    assert expected_levels(forecast()) == (None, 0.0)
    assert expected_levels(forecast(will_switch=False)) == expected_levels(None) == (None, None)

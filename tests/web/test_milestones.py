"""Marks are told when they happen, and stand at the end where a forecast is judged."""

import math

import numpy as np
import pytest

from lazyrich.lab.forecasting.switch import seen
from lazyrich.web.marks import Marks, levels

TIMES = np.concatenate([[0.0], np.geomspace(0.1, 1_000.0, 119)])
TRAIN = np.where(TIMES >= 1.0, 1.0, 0.7)
TEST = np.where(TIMES > 0, 0.6 + 0.4 / (1 + np.exp(-(TIMES - 200) / 20)), 0.5)


def forecast(**changes):
    told = {
        "will_switch": True, "early": {"test_error": 0.4, "kind": "solved"}, "late": {"test_error": 0.0}, "details": {},
    }  # fmt: skip
    return {**told, **changes}


def watched(said):
    marks, when = Marks("accuracy", said), {}
    for at in range(0, TIMES.size, 2):
        part = slice(at, at + 2)
        new = marks.see({"at": at, "time": [*TIMES[part]], "train": [*TRAIN[part]], "test": [*TEST[part]]})
        when |= {name: (float(TIMES[at + 1]), time) for name, time in new.items()}
    return marks, when


def test_each_is_told_once_and_at_once():
    marks, when = watched(forecast())
    told, time = when["generalization"]
    assert time == pytest.approx(200, rel=0.02) and time <= told <= 1.2 * time
    assert when["memorization"][1] == TIMES[TIMES >= 1.0][0]


def test_the_end_is_as_forecasts_are_judged():
    marks, _ = watched(forecast(details={"slow_time": 1.0}))
    told = marks.settle()
    assert told.time == seen(TIMES, TRAIN, TEST, "accuracy", early=0.4).time == marks.found["generalization"]
    assert told.early == seen(TIMES, TRAIN, TEST, "accuracy").early  # its own, not the one that was forecast


def test_without_a_forecast_the_switch_is_found_at_the_end():
    marks, when = watched(None)
    assert set(when) == {"memorization"}
    assert math.isfinite(marks.settle().time) and "generalization" in marks.found


def test_only_a_slow_phase_has_its_early_level_told():
    assert levels(forecast(details={"slow_time": 1.0})) == (0.4, 0.0) and levels(forecast()) == (None, 0.0)
    assert levels(forecast(will_switch=False)) == levels(None) == (None, None)

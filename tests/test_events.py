import jax.numpy as jnp
import pytest

from lazyrich.events import first_above, first_below
from lazyrich.measures import Curve

TIMES = jnp.array([0.0, 1.0, 2.0, 4.0])


def curve(*values) -> Curve:
    return Curve(TIMES, jnp.array(values), "accuracy")


@pytest.mark.parametrize(
    ("event", "values", "level", "value", "why"),
    [
        (first_above, (0.0, 0.5, 1.0, 1.0), 0.75, 1.5, "accuracy reaches 0.75: at t = 1.5"),
        (first_above, (0.9, 0.5, 0.5, 0.5), 0.75, 0.0, "accuracy reaches 0.75: at t = 0"),
        (first_below, (1.0, 0.5, 0.5, 0.0), 0.25, 3.0, "accuracy falls to 0.25: at t = 3"),
        (
            first_above,
            (0.0, 0.625, 0.5, 0.5),
            0.75,
            float("inf"),
            "accuracy reaches 0.75: never by t = 4; it came no further than 0.625",
        ),
        (
            first_below,
            (1.0, 0.5, 0.375, 0.5),
            0.25,
            float("inf"),
            "accuracy falls to 0.25: never by t = 4; it came no further than 0.375",
        ),
    ],
)
def test_times_and_words(event, values, level, value, why):
    time = event(curve(*values), level)
    assert time.value == value and time.horizon == 4
    assert time.why == why


@pytest.mark.parametrize("event", [first_above, first_below])
def test_a_broken_curve_has_no_time(event):
    time = event(curve(0.5, float("nan"), 0.5, 0.5), 0.25 if event is first_below else 0.75)
    assert jnp.isnan(time.value)
    assert time.why.endswith("the curve is not a number before it")

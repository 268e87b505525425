"""The picture of a reading says what its numbers say."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.claims import Reading
from lazyrich.report.pages.gauge import gauge


def drawn(reading: Reading, control: Reading | None = None) -> tuple[float, float, float, float]:
    """Where the measured value, the control and the two ends of the allowed range stand."""
    svg = gauge(reading.as_json(), None if control is None else control.as_json())
    dot = re.search(r'<circle class="(kept|broken)" cx="([^"]*)"', svg)
    diamond = re.search(r'class="control" d="M(\S+) ', svg)
    x, width = re.findall(r'class="allowed" x="([^"]*)" y="7" width="([^"]*)"', svg)[0]
    assert "nan" not in svg.replace("measured nan", "").replace("control nan", "")
    assert dot is None or (dot.group(1) == "kept") == reading.ok
    return (
        float(dot.group(2)) if dot else math.nan,
        float(diamond.group(1)) + 5 if diamond else math.nan,
        float(x),
        float(x) + float(width),
    )


def reading(value: float, bound="at_most", target=1.0, tolerance=0.0) -> Reading:
    return Reading("r", float(value), bound, float(target), float(tolerance), "because")


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.floats(allow_nan=False), numbers, st.sampled_from(["at_most", "at_least"]), st.floats(allow_nan=False))
def test_a_value_stands_within_the_range_if_it_is_kept(value, target, bound, other):
    one = reading(value, bound, target)
    dot, _, left, right = drawn(one, reading(other, bound, target))
    assert 0 <= dot <= 200
    if one.ok:
        assert left - 0.2 <= dot <= right + 0.2


@pytest.mark.parametrize(
    ("value", "control", "bound", "target", "tolerance"),
    [(3e-6, 0.3, "at_most", 1e-5, 0), (0.98, 2.0, "near", 1.0, 0.05), (54, 2, "at_least", 5, 0), (0, 1, "at_most", 0, 0)],
)
def test_a_control_that_breaks_stands_outside(value, control, bound, target, tolerance):
    dot, diamond, left, right = drawn(reading(value, bound, target, tolerance), reading(control, bound, target, tolerance))
    assert left - 0.2 <= dot <= right + 0.2
    assert diamond > right + 2 or diamond < left - 2


def test_never_stands_at_the_edge_and_nan_nowhere():
    assert drawn(reading(math.inf))[0] == 191
    assert math.isnan(drawn(reading(math.nan))[0])

import pytest

from lazyrich.errors import BadInput
from lazyrich.lab.assignments import assignments, values


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("0.1", 0.1),
        ("7", 7),
        ("1,3,10", (1, 3, 10)),
        ("0..4", (0, 1, 2, 3, 4)),
        ("lin:0:1:5", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("-1e-3", -1e-3),
    ],
)
def test_values(text, meaning):
    assert values(text) == meaning


def test_logarithmic_values_hit_both_ends():
    found = values("log:1e-4:1e2:7")
    assert found[0] == 1e-4 and found[-1] == 1e2 and len(found) == 7
    assert found[3] == pytest.approx(0.1)


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "1,,2",
        "nan",
        "inf",
        "9..0",
        "log:0:1:5",
        "lin:0:1:1",
        "lin:0:1",
        "1;2",
        "",
        "0..99999999999",
        "lin:0:1:99999999999",
        "lin:0:inf:2",
        "lin:nan:1:2",
        "lin:-1e308:1e308:3",
        "log:1:inf:3",
    ],
)
def test_refusals(text):
    with pytest.raises(BadInput):
        values(text)


def test_assignments():
    assert assignments(["alpha=1,2", "decay = 1e-3"]) == {"alpha": (1, 2), "decay": 1e-3}
    for bad in ("alpha", "=3", "alpha="):
        with pytest.raises(BadInput, match="NAME=VALUE"):
            assignments([bad])

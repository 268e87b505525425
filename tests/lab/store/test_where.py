import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyrich.errors import BadInput
from lazyrich.lab.store.where import names, question, select

ROW = {
    "alpha": [0.1, 1.0, 10.0],
    "decay": 1e-3,
    "n": 30,
    "id": "lyu2024/figure_1a",
    "verdict": "holds",
    "devices": ["cuda:0", "cpu"],
    "commit": None,
    "holds": {"relative distance": 2e-7, "time": "never"},
    "sound": {"broken": "nan"},
}


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("decay < 1e-2", True),
        ("decay < 1e-3", False),
        ("decay <= 1e-3", True),
        ("n > 29", True),
        ("n >= 31", False),
        ("n == 30", True),
        ("n != 30", False),
        ("verdict == 'holds'", True),
        ("verdict in ('holds', 'fails')", True),
        ("verdict not in ['fails']", True),
        ("'figure' in id", True),
        ("n in (10, 20)", False),
        ("n not in (10, 20)", True),
        ("not n == 30", False),
        ("n == 30 and decay > 1", False),
        ("n == 31 or decay < 1", True),
        ("n + 1 == 31 and n - 1 == 29 and n * 2 == 60 and n / 4 == 7.5", True),
        ("-n < -29", True),
        ("n * decay < 0.04", True),
        ("n == True", False),
        ("'holds' == verdict", True),
        ("  n == 30\n", True),
    ],
)
def test_every_operator(text, answer):
    assert question(text)(ROW) is answer


def test_chained_comparisons_hold_pair_by_pair():
    assert question("1 < n < 100")(ROW) and not question("1 < n < 30")(ROW)
    assert question("1e-4 < decay <= 1e-3 < n")(ROW)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("alpha > 5", True),
        ("alpha > 50", False),
        ("5 < alpha", True),
        ("alpha == 1", True),
        ("alpha in (1, 2)", True),
        ("10 in alpha", True),
        ("3 in alpha", False),
        ("3 not in alpha", True),
        ("10 not in alpha", False),
        ("'cuda' in devices", True),
        ("'tpu' not in devices", True),
        ("30 in n", True),
    ],
)
def test_an_axis_answers_yes_if_any_of_its_values_does(text, answer):
    assert question(text)(ROW) is answer


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]))
def test_numbers_compare_as_in_python(a, b, sign):
    expected = eval(f"a {sign} b", {"a": a, "b": b})
    assert question(f"a {sign} b")({"a": a, "b": b}) is expected
    if math.isfinite(b):
        assert question(f"a {sign} {b!r}")({"a": a}) is expected
    assert question(f"a {sign} b")({"a": [a], "b": [b]}) is expected


@given(st.integers(-99, 99), st.integers(-99, 99), st.sampled_from(["+", "-", "*", "/"]), st.booleans(), st.booleans())
def test_arithmetic_and_logic_are_those_of_python(a, b, sign, yes, no):
    facts = {"a": a, "b": b, "yes": yes, "no": no}
    text = f"a {sign} b > a and yes or not (no or a == b)"
    try:
        expected = bool(eval(text, dict(facts)))
    except ZeroDivisionError:
        # What cannot be answered leaves the answer to the other side of an or.
        expected = not (no or a == b)
    assert question(text)(facts) is expected


def test_a_name_that_a_row_lacks_is_neither_yes_nor_no():
    assert not question("width > 1")(ROW) and not question("not width > 1")(ROW)
    assert not question("width > 1 and n == 30")(ROW)
    for text in ("width > 1 or n == 30", "n == 30 or width > 1", "not (width > 1 and n == 31)"):
        assert question(text)(ROW), text
    assert not question("width > 1 or n == 31")(ROW)


@pytest.mark.parametrize(
    "text",
    ["verdict > 1", "n / 0 > 1", "commit < 1", "verdict * 3 == 'x'", "-verdict == 1", f"n / {'9' * 400} > 0", "n['x'] == 1"],
)
def test_what_has_no_answer_is_no(text):
    assert question(text)(ROW) is False


def test_readings_are_asked_for_by_name():
    assert question("holds['relative distance'] < 1e-6")(ROW)
    assert not question("holds['another'] < 1e9")(ROW)
    assert question("holds['another'] < 1e9 or holds['relative distance'] < 1")(ROW)


def test_never_is_later_than_any_time_and_nan_compares_with_nothing():
    assert question("holds['time'] > 1e300")(ROW) and not question("holds['time'] < 1e300")(ROW)
    assert question("1e300 < holds['time']")(ROW)
    assert question("holds['time'] == 'never'")(ROW) and question("holds['time'] in ('never', 3)")(ROW)
    assert not question("sound['broken'] < 1")(ROW) and not question("sound['broken'] >= 1")(ROW)


class Trap:
    """Whatever is done to it is remembered."""

    def __init__(self):
        self.done = []

    def __getattribute__(self, name):
        if name not in ("done", "__class__"):
            object.__getattribute__(self, "done").append(name)
        return object.__getattribute__(self, name)

    def __call__(self, *args):
        self.done.append("called")

    def __getitem__(self, key):
        self.done.append("got")


@pytest.mark.parametrize(
    "text",
    [
        "trap()",
        "trap.done",
        "trap.done.clear()",
        "trap.__class__.__bases__[0].__subclasses__()",
        "trap.__class__",
        "__import__('os').remove('x')",
        "(lambda: 1)() == 1",
        "lambda: trap",
        "[trap for x in (1, 2)] == 1",
        "{x for x in trap}",
        "{x: 1 for x in trap}",
        "all(trap for x in (1,))",
        "f'{trap}' == 'x'",
        "f'{trap()}' == 'x'",
        "(x := trap) == 1",
        "trap[0]",
        "trap['a']['b']",
        "trap[trap]",
        "trap[1:2]",
        "'abc'['a']",
        "trap if trap else trap",
        "{'a': trap} == 1",
        "{trap} == 1",
        "*trap",
        "trap is trap",
        "trap is not trap",
        "trap == None",
        "trap == ...",
        "trap == b'x'",
        "trap == 1j",
        "trap ** 2 > 1",
        "'a' * 10**9 == 'a'",
        "trap // 2 > 1",
        "trap % 2 > 1",
        "trap @ trap",
        "trap << 3 > 1",
        "trap | trap",
        "~trap == 1",
        "+trap == 1",
        "await trap",
        "yield trap",
        "import os",
        "trap = 1",
        "del trap",
        "trap; trap",
        "print(1)",
        "trap == 1 #\nimport os",
        "",
        "   ",
        "trap ==",
        "'open",
        "\x00",
        "'\ud800'",
        "trap == 1" + " or trap == 1" * 200,
        "(" * 300 + "1" + ")" * 300,
        "-" * 1500 + "1",
        "not " * 200 + "1",
        "-" * 60 + "1",
        "trap" + ".a" * 900,
        "1" + "+1" * 900,
        "9" * 5000,
    ],
)  # fmt: skip
def test_nothing_else_can_be_said(text):
    """Refused when it is read, before any row is looked at: nothing is called."""
    trap = Trap()
    with pytest.raises(BadInput, match="--where compares names, numbers and texts") as refusal:
        select([{"trap": trap, "x": 1}], text)
    assert trap.done == [] and len(str(refusal.value)) < 3_000


def test_a_text_times_a_number_fills_no_memory():
    assert question("'a' * 1000000000 == 'a'")(ROW) is False
    assert question("verdict * 1000000000 != 'a'")(ROW) is False


def test_names_are_those_that_are_mentioned():
    assert names("alpha > 1 and holds['n'] < seconds or 'verdict' == 'x'") == {"alpha", "holds", "seconds"}


def test_select_keeps_the_rows_that_answer_yes():
    rows = [{"a": 1}, {"a": 2}, {"b": 2}]
    assert select(rows, "a > 1") == [{"a": 2}] and select(iter(rows), "b == 2 or a == 1") == [{"a": 1}, {"b": 2}]


def test_a_name_that_no_row_has_gets_the_nearest():
    with pytest.raises(BadInput, match="Did you mean verdict"):
        select([ROW], "verdit == 'holds'")
    with pytest.raises(BadInput, match="Put texts in quotes"):
        select([ROW], "zzzzz == 1")
    assert select([], "anything > 1") == []

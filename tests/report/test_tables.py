import io

import pytest
from rich.console import Console

from lazyrich.report import tables


def shown(renderable, *, width: int = 80, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="replace")
    Console(file=file, width=width, color_system=None).print(renderable)
    file.flush()
    text = raw.getvalue().decode(encoding)
    assert max(len(line) for line in text.splitlines()) <= width
    return text


def reading(name="slope", value=0.98, bound="near", target=1.0, ok=True):
    why = "spread of seeds"
    return dict(name=name, value=value, bound=bound, target=target, tolerance=0.05, ok=ok, why=why)


def result(name="woodworth2020/theorem_1", verdict="holds", **changes) -> dict:
    control = dict(
        says="another scale",
        verdict="fails",
        sound=[reading("gap", 1e-9, "at_most", 1e-6)],
        holds=[reading("relative distance", 0.3, "at_most", 1e-5, ok=False), reading()],
    )
    return dict(
        id=name,
        title=r"The minimum of $\alpha$ [sic]",
        size="quick",
        seed=0,
        params={"alpha": [0.1, 1.0], "d": 100},
        verdict=verdict,
        reason="as predicted",
        sound=[reading("gap", "nan", "at_most", 1e-6, ok=False)],
        holds=[reading("relative distance", 3.2e-6, "at_most", 1e-5), reading(), reading("delay", "never")],
        controls=[control],
        seconds=12.3,
        run="ab12",
        files=["out/figure.png"],
    ) | dict(changes)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("verdict", ["holds", "fails", "inconclusive", "skipped"])
def test_one_result_is_shown_in_full(verdict, encoding):
    text = shown(tables.verdict_table([result(verdict=verdict)]), encoding=encoding)
    wanted = "woodworth2020/theorem_1|The minimum of α [sic]|as predicted|alpha=0.1,1|d=100|seed 0|12 s|sound"
    wanted += "|holds|gap|nan|relative distance|3.2e-6|<= 1e-5|near 1 +- 0.05|never|spread of seeds|yes|no"
    wanted += "|control: another scale|fails (broke: relative distance)|out/figure.png"
    for words in [verdict, *wanted.split("|")]:
        assert words.encode(encoding, "replace").decode() in text, words


def test_an_unsound_control_says_so():
    control = dict(says="x", verdict="inconclusive", sound=[reading("gap", ok=False)], holds=[])
    assert "unsound: gap" in shown(tables.verdict_table([result(controls=[control])]))


def test_a_skipped_result_needs_no_readings():
    nothing = dict(sound=[], holds=[], controls=[], params={}, files=[])
    bare = result(verdict="skipped", reason="no data set", **nothing)
    text = shown(tables.verdict_table([bare]))
    assert "no data set" in text


def test_many_results_have_one_row_each_and_a_count():
    results = [
        result(),
        result("lyu2024/figure_1a", "fails", reason="slope too steep"),
        result("bridges/grokking_linear_net", "inconclusive", reason="the gap is nan [odd]"),
        result("lyu2024/images", "skipped", reason="no data", sound=[], holds=[], controls=[], seconds=None),
    ]
    text = shown(tables.verdict_table(results))
    for one in results:
        assert one["id"] in text and one["verdict"] in text
    assert "slope too steep" in text and "[odd]" in text and "3/3" in text
    assert "1 holds, 1 fails, 1 inconclusive, 1 skipped" in text
    assert "no results" in shown(tables.verdict_table([]))


def test_an_id_of_any_length_is_shown_whole():
    name = "paper/" + "very_long_name_" * 5
    text = shown(tables.verdict_table([result(name), result(name)]))
    first_column = "".join(line.split()[0] for line in text.splitlines() if "_" in line or "/" in line)
    assert first_column == 2 * name


def test_claims():
    sizes = {"quick": {"params": {}, "seconds": 4.2}, "paper": {"params": {}, "seconds": 400.0}}
    claims = [
        dict(id="woodworth2020/theorem_1", kind="theorem", title=r"The minimum of $\alpha$ [sic]", sizes=sizes),
        dict(id="lyu2024/figure_1a", kind="figure", title="Grokking " * 12, sizes={"quick": {}}),
    ]
    text = shown(tables.claims_table(claims))
    for words in ("woodworth2020/theorem_1", "theorem", "[sic]", "4.2 s", "figure_1a", "2 claims"):
        assert words in text
    assert text.count("Grokking") == 12
    assert "400" not in text


def test_calibration():
    seen = dict(low=0.9812345, median=1.001, high=1.02345, spread=0.012)
    never = dict(low=1.2, median="never", high=float("inf"), spread=float("nan"))
    slope = dict(name="slope", kind="holds", bound="near", target=1.0, tolerance=0.05, claim=seen)
    gap = dict(name="gap", kind="sound", bound="at_most", target=1e-6, tolerance=None, claim=seen)
    rows = [slope | dict(control=never, clear=False), gap | dict(control=None, clear=True)]
    text = shown(tables.calibration_table(rows, title="20 seeds"))
    wanted = "20 seeds|slope|gap|sound|near 1 +- 0.05|<= 1e-6|1.001|[0.9812, 1.023]|spread 0.012|never|nan|yes|no"
    for words in wanted.split("|"):
        assert words in text, words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-5, "1e-5"), (0.05, "0.05"), (1, "1"), (1.0, "1"), (123456.0, "1.235e5"), ("never", "never"),
        (float("inf"), "never"), (float("-inf"), "-inf"), (float("nan"), "nan"), (None, "-"), (0.0, "0"),
    ],
)  # fmt: skip
def test_numbers_are_short(value, text):
    assert tables.number_text(value) == text

import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import hypothesis.strategies as st
import matplotlib
import matplotlib.image
import numpy as np
import pytest
from hypothesis import given, settings

from lazyrich.claims.drawing import Axis, Band, Drawing, Event, Heat, Line, Panel, Points, Rule, Slope, Text, as_json, from_json
from lazyrich.errors import BadInput
from lazyrich.report import figures

TIMES = [float(t) for t in np.logspace(-2, 4, 60)]
JUMP = [0.515 + 0.485 / (1 + math.exp(-8 * (math.log10(t) - 2.4))) for t in TIMES]
NAN, INF = math.nan, math.inf


def grokking(**axes) -> Panel:
    marks = [
        Line("train accuracy", TIMES, [1.0] * len(TIMES), "second"),
        Band("test accuracy, all draws", TIMES, [y - 0.01 for y in JUMP], [min(1.0, y + 0.01) for y in JUMP]),
        Line("test accuracy", TIMES, JUMP),
        Rule("early level", 0.515),
        Rule("late level", 1.0),
        Event(r"$\log(\alpha)/\lambda$", 10.0**2.4),
    ]
    return Panel(marks, **({"x": Axis("time", scale="log"), "y": Axis("accuracy", "share")} | axes))


def slope() -> Panel:
    x = [10.0, 20.0, 40.0]
    points = Points("measured", x, [1.0, 0.7, 0.5], error=[0.1, 0.1, 0.1])
    marks = [points, Slope("slope -1/2", x, (10.0, 1.0), -0.5), Text("a remark", 20.0, 0.9)]
    return Panel(marks, Axis("d", scale="log"), Axis("distance", scale="log"), title="learning_rate")


def broken(x: str, y: str) -> Panel:
    marks = [
        Line("nothing", [1.0, 2.0], [NAN, NAN]),
        Line("gaps", [-1.0, 0.0, 1.0, INF, 3.0], [1.0, 2.0, -1.0, 1.0, NAN]),
        Band("reaches zero", [1.0, 2.0, 3.0], [-1.0, 0.0, NAN], [1.0, 2.0, 3.0]),
        Points("times", [1.0, 2.0, 3.0, 0.0], [1.0, INF, -INF, NAN], error=[5.0, NAN, 1.0, INF]),
        Rule("below zero", -1.0),
        Rule("undefined", NAN),
        Event("transition", INF),
        Event("undefined too", NAN),
        Slope("through zero", [0.0, 1.0, 2.0], (0.0, 0.0), -2.0),
        Slope("steep", [1e-3, 1e3], (1.0, 1.0), 200.0),
        Line("huge", [1.0, 2.0], [1e308, -1e308]),
        Line("", [], []),
        Text("nowhere", NAN, 1.0),
    ]
    return Panel(marks, Axis("x", scale=x, low=0.0, high=INF), Axis("y", scale=y, low=NAN, high=-1.0))


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_three_files_are_written_and_nothing_else(tmp_path):
    drawing = Drawing([grokking(), slope()], caption="What is to be seen, $x^2$. " * 20)
    paths = figures.save(drawing, tmp_path / "new", "a.b", title="A title", verdict="holds", footer="seed 0")
    assert [path.name for path in paths] == ["a.b.png", "a.b.svg", "a.b.csv"]
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a.b.csv", "a.b.png", "a.b.svg"]
    picture = matplotlib.image.imread(paths[0])
    assert picture.shape[0] > 500 and picture.shape[1] > 1000
    assert picture.std() > 0.05
    assert paths[1].read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_the_same_drawing_gives_the_same_bytes(tmp_path):
    drawing = Drawing([grokking()], caption="caption")
    first = figures.save(drawing, tmp_path / "1", "figure", title="title", verdict="fails")
    second = figures.save(drawing, tmp_path / "2", "figure", title="title", verdict="fails")
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_the_verdict_is_the_one_handed_in(tmp_path):
    drawing = Drawing([slope()])
    bytes_of = {
        verdict: figures.save(drawing, tmp_path, "figure", verdict=verdict)[1].read_bytes()
        for verdict in ("holds", "fails", "something else", None)
    }
    assert len(set(bytes_of.values())) == len(bytes_of)


def test_csv_holds_exactly_the_numbers(tmp_path):
    panel = grokking()
    marks = [*panel.marks, Points("odd", [0.1, 1e-300], [NAN, INF], error=[1 / 3, -0.0])]
    drawing = Drawing([slope(), Panel(marks, panel.x, panel.y, title="second, one")])
    rows = rows_of(figures.save(drawing, tmp_path, "figure")[2])

    def column(mark: str, quantity: str, panel: str = "2") -> list[float]:
        found = [r for r in rows if (r["panel"], r["mark"], r["quantity"]) == (panel, mark, quantity)]
        assert [int(row["index"]) for row in found] == list(range(len(found)))
        return [float(row["value"]) for row in found]

    assert column("test accuracy", "x") == TIMES
    assert column("test accuracy", "y") == JUMP
    assert column("test accuracy, all draws", "low") == [y - 0.01 for y in JUMP]
    assert column("late level", "y") == [1.0]
    assert column("odd", "error") == [1 / 3, -0.0]
    assert math.isnan(column("odd", "y")[0]) and column("odd", "y")[1] == INF
    assert column("slope -1/2", "exponent", "1") == [-0.5]
    assert column("slope -1/2", "through_x", "1") == [10.0]
    assert {row["title"] for row in rows} == {"learning_rate", "second, one"}
    assert {row["role"] for row in rows if row["mark"] == "train accuracy"} == {"second"}
    given = 2 * len(TIMES) + 3 * len(TIMES) + 2 * len(TIMES) + 3 + 6  # lines, band, references, odd points
    assert len([row for row in rows if row["panel"] == "2"]) == given


@pytest.mark.parametrize("x", ["linear", "log"])
@pytest.mark.parametrize("y", ["linear", "log"])
def test_values_without_a_place_break_nothing(tmp_path, x, y):
    empty = Panel([], Axis("x", scale=x), Axis("y", scale=y))
    for path in figures.save(Drawing([broken(x, y), empty]), tmp_path, "figure"):
        assert path.stat().st_size > 0


@settings(max_examples=6)
@given(
    values=st.lists(st.tuples(st.floats(), st.floats(), st.floats()), max_size=6),
    scales=st.tuples(st.sampled_from(["linear", "log"]), st.sampled_from(["linear", "log"])),
)
def test_any_floats_can_be_drawn(tmp_path_factory, values, scales):
    x, y, z = (list(column) for column in zip(*values, strict=True)) if values else ([], [], [])
    marks = [Line("line", x, y), Band("band", x, y, z), Points("points", x, y, error=z, role="control")]
    marks += [Rule("rule", v) for v in y[:2]] + [Event("event", v) for v in z[:2]]
    panel = Panel(marks, Axis("x", scale=scales[0]), Axis("y", scale=scales[1]))
    figures.save(Drawing([panel]), tmp_path_factory.mktemp("any"), "figure")


def test_dollar_signs_that_are_no_formula_break_nothing(tmp_path):
    bad = r"costs $5 or $6, $\nonsense{$ and $"
    marks = [Line(bad, [0.0, 1.0], [0.0, 1.0]), Rule(bad, 0.5), Event(bad, 0.5), Text(bad, 0.1, 0.1)]
    panel = Panel(marks, Axis(bad), Axis(bad, bad), title=bad)
    figures.save(Drawing([panel], caption=bad), tmp_path, "figure", title=bad, verdict=bad, footer=bad)


def test_many_curves_and_a_right_axis(tmp_path):
    marks = [Line(f"curve {k}", TIMES, [y + k for y in JUMP]) for k in range(20)]
    marks += [Line("norm", TIMES, TIMES, "second", right=True), Event("switch", 10.0)]
    right = Axis("norm", scale="log")
    panel = Panel(marks, Axis("time", scale="log"), Axis("accuracy"), right=right)
    crowded = figures.save(Drawing([panel, slope()]), tmp_path, "figure")
    plain = figures.save(Drawing([slope(), slope()]), tmp_path, "plain")
    wide, narrow = (matplotlib.image.imread(paths[0]).shape[1] for paths in (crowded, plain))
    assert wide > narrow  # legends beside the panels do not squeeze them


@pytest.mark.parametrize(
    ("mark", "said"),
    [(Line("uneven", [1.0, 2.0], [1.0]), "vectors of one length"), (Line("far", [1.0], [1.0], right=True), "right axis")],
)
def test_a_malformed_mark_is_refused_and_leaves_no_file(tmp_path, mark, said):
    with pytest.raises(BadInput, match=said):
        figures.save(Drawing([Panel([mark], Axis("x"), Axis("y"))]), tmp_path, "figure")
    assert list(tmp_path.iterdir()) == []


def test_settings_of_matplotlib_neither_leak_out_nor_in(tmp_path):
    drawing = Drawing([slope()])
    plain = figures.save(drawing, tmp_path, "plain")[1].read_bytes()
    with matplotlib.rc_context({"lines.linewidth": 9.0, "font.size": 30.0, "axes.facecolor": "black"}):
        before = dict(matplotlib.rcParams)
        assert figures.save(drawing, tmp_path, "other")[1].read_bytes() == plain
        assert dict(matplotlib.rcParams) == before


def test_importing_the_room_imports_no_matplotlib():
    code = (
        "import json, sys, lazyrich.report as r; seen = lambda name: name in sys.modules;"
        "a = seen('matplotlib'); r.tables.number_text(1.0); b = seen('matplotlib'); r.figures.save;"
        "print(json.dumps([a, b, hasattr(r, 'nothing'), seen('matplotlib.pyplot')]))"
    )
    source = Path(figures.__file__).parents[2]
    answer = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(source)}, capture_output=True, text=True, check=True
    )
    assert json.loads(answer.stdout) == [False, False, False, False]


def test_a_heat_map_with_a_line_over_it_and_a_bare_panel(tmp_path):
    x, y = [0.1, 1.0, 10.0], [10.0, 100.0]
    heat = Heat("excess", x, y, [[1.0, 2.0, math.nan], [3.0, 4.0, 5.0]], scale="log")
    line = Line("edge", x, [100.0, 30.0, 10.0], role="theory")
    maps = Panel([heat, line], x=Axis("alpha", scale="log"), y=Axis("k", scale="log"))
    wires = Panel([Line("", [0, 1], [0, 1])], x=Axis(""), y=Axis(""), bare=True, legend=False)
    *_, table = figures.save(Drawing([maps, wires]), tmp_path, "heat")
    rows = [row for row in csv.reader(table.read_text().splitlines()) if row[3] == "heat"]
    assert [row[7] for row in rows if row[5] == "value"] == ["1.0", "2.0", "nan", "3.0", "4.0", "5.0"]
    assert [row[7] for row in rows if row[5] == "y"] == ["10.0"] * 3 + ["100.0"] * 3
    again = from_json(as_json(heat))
    assert again.values[1] == (3.0, 4.0, 5.0) and math.isnan(again.values[0][2]) and again.scale == "log"


def test_a_heat_map_of_the_wrong_shape_is_refused(tmp_path):
    heat = Heat("excess", [1.0, 2.0, 3.0], [1.0, 2.0], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with pytest.raises(BadInput, match="a row of values for each y"):
        figures.save(Drawing([Panel([heat], x=Axis("x"), y=Axis("y"))]), tmp_path, "heat")

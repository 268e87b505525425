from lazyrich.claims.drawing import Axis, Band, Line, Mark, Panel, Rule
from lazyrich.report import palette


def colors(*marks: Mark) -> list[str]:
    return [ink.color for ink in palette.inks(Panel(marks, Axis("x"), Axis("y")))]


def line(name: str, role="measured") -> Line:
    return Line(name, [0.0, 1.0], [0.0, 1.0], role)


def band(name: str) -> Band:
    return Band(name, [0.0], [0.0], [1.0])


def lightness(color: str) -> int:
    return sum(int(color[i : i + 2], 16) for i in (1, 3, 5))


def test_one_curve_has_the_color_of_its_role():
    for role, color in palette.BASE.items():
        assert colors(line("a", role), Rule("level", 0.0, role)) == [color, color]


def test_a_family_runs_from_light_to_dark_and_each_is_narrower():
    marks = [line(f"alpha = {k}") for k in range(7)]
    assert sorted(colors(*marks), key=lightness, reverse=True) == colors(*marks)
    assert len(set(colors(*marks))) == 7
    widths = [ink.width for ink in palette.inks(Panel(marks, Axis("x"), Axis("y")))]
    assert widths == sorted(widths, reverse=True)


def test_a_band_has_the_color_of_its_curve():
    a, b = colors(line("a"), line("b"))
    assert colors(band("b"), line("a"), line("b")) == [b, a, b]
    assert colors(band("b, all draws"), line("a"), line("b"))[0] == b
    assert colors(band("x"), band("y"), line("a"), line("b"))[:2] == [a, b]
    assert colors(band("other"), line("a"))[0] == palette.BASE["measured"]

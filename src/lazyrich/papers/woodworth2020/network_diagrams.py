"""Figures 4 and 9: how a wide parallel net and diagonal linear nets are wired."""

from collections.abc import Sequence
from functools import partial

from ...claims.base import Claim
from ...claims.drawing import Axis, Drawing, Line, Mark, Panel, Points, Role, Text

Place = tuple[float, float]


def column(x: int | float, count: int, *, top: int | float = 1.0, low: int | float = 0.0) -> list[Place]:
    """Places one above the other, the first on top."""
    gap = (top - low) / max(count - 1, 1)
    return [(x, top - gap * at if count > 1 else (top + low) / 2) for at in range(count)]


def wires(name: str, pairs: Sequence[tuple[Place, Place]], role: Role = "theory") -> Line:
    """Straight wires between pairs of places: one line with gaps."""
    gap = float("nan")
    x = [part for (a, _), (b, _) in pairs for part in (a, b, gap)]
    y = [part for (_, a), (_, b) in pairs for part in (a, b, gap)]
    return Line(name, x, y, role=role)


def units(name: str, places: Sequence[Place], role: Role = "measured") -> Points:
    """The units of a layer."""
    return Points(name, [x for x, _ in places], [y for _, y in places], role=role)


def words(names: Sequence[tuple[str, Place]]) -> list[Text]:
    """Names beside units and wires."""
    return [Text(name, x, y) for name, (x, y) in names]


def between(a: Place, b: Place, fraction: int | float = 0.5, lift: int | float = 0.0) -> Place:
    """A place on the wire from a to b, or a little above it."""
    return a[0] + fraction * (b[0] - a[0]), a[1] + fraction * (b[1] - a[1]) + lift


def sheet(marks: Sequence[Mark], title: str) -> Panel:
    """A panel without axes around a net that reaches from 0 to 1 both ways."""
    x, y = Axis("", low=-0.25, high=1.3), Axis("", low=-0.15, high=1.15)
    return Panel(marks, x, y, title=title, bare=True)


def draw_parallel() -> Drawing:
    """Three of d inputs, each with three of its own k hidden units, and one output."""
    inputs, output = column(0.0, 3, top=0.85, low=0.15), (1.0, 0.5)
    groups = [column(0.5, 3, top=y + 0.13, low=y - 0.13) for _, y in inputs]
    hidden = [place for group in groups for place in group]
    first = [(unit, one) for unit, group in zip(inputs, groups, strict=True) for one in group]
    names = [("\u22ee", (x - 0.04, 0.325)) for x in (0.0, 0.5)] + [("$f$", (1.0, 0.5))]
    for i, unit, group in zip("12d", inputs, groups, strict=True):
        names += [(f"$X_{{{i}{i}}}$", (unit[0] - 0.2, unit[1])), (f"$U_{{{i}1}}$", between(unit, group[0], 0.45, 0.04))]
        names += [(f"$U_{{{i}k}}$", between(unit, group[-1], 0.45, -0.04))]
    names += [("$V_{11}$", between(hidden[0], output, 0.3, 0.02)), ("$V_{dk}$", between(hidden[-1], output, 0.3, -0.02))]
    marks = [
        wires("weights $U_{ij}$", first, role="measured"),
        wires("weights $V_{ij}$", [(one, output) for one in hidden], role="second"),
        units("inputs: the diagonal of $X$", inputs, role="theory"),
        units("hidden units, $k$ per input", hidden, role="measured"),
        units("output", [output], role="second"),
        *words(names),
    ]
    return Drawing(
        panels=[sheet(marks, r"$f = \sum_i X_{ii} \sum_j U_{ij} V_{ij}$")],
        columns=1,
        caption=r"Each input has $k$ hidden units of its own. Diagonal measurements of $U V^\top$ see only its diagonal, $\sum_j "
        r"U_{ij} V_{ij}$ for input $i$: matrix factorization then is this net. With $N(0, \alpha^2)$ initialization its output "
        r"is of size $\alpha^2 \sqrt{k}$, while the scale that decides its implicit bias is $\alpha^2 k$.",
    )


def biased() -> Panel:
    """One hidden unit for each input."""
    inputs, hidden, output = column(0.0, 4), column(0.5, 4), (1.0, 0.5)
    names = [("\u22ee", (x - 0.04, 1 / 6)) for x in (0.0, 0.5)] + [("$f$", (1.0, 0.5))]
    for i, unit, one in zip("123d", inputs, hidden, strict=True):
        names += [(f"$x_{i}$", (-0.18, unit[1])), (f"$u_{i}$", between(unit, one, 0.4, 0.05))]
        names += [(f"$v_{i}$", between(one, output, 0.25, 0.04))]
    marks = [
        wires("weights $u$", list(zip(inputs, hidden, strict=True)), role="measured"),
        wires("weights $v$", [(one, output) for one in hidden], role="second"),
        units("inputs", inputs, role="theory"),
        units("hidden units", hidden, role="measured"),
        units("output", [output], role="second"),
        *words(names),
    ]
    return sheet(marks, r"(a) biased: $f = \sum_i u_i v_i x_i$")


def unbiased() -> Panel:
    """Two hidden units for each input, of opposite signs."""
    inputs, output = column(0.0, 3, top=0.9, low=0.1), (1.0, 0.5)
    pairs = [((0.5, y + 0.12), (0.5, y - 0.12)) for _, y in inputs]
    names = [("\u22ee", (x - 0.04, 0.3)) for x in (0.0, 0.5)] + [("$f$", (1.0, 0.5))]
    for i, unit, (up, down) in zip("12d", inputs, pairs, strict=True):
        names += [(f"$x_{i}$", (-0.18, unit[1])), (f"$w_{{+{i}}}$", between(unit, up, 0.4, 0.05))]
        names += [(f"$w_{{-{i}}}$", between(unit, down, 0.4, -0.05))]
    names += [("$+w_{+1}$", between(pairs[0][0], output, 0.3, 0.03)), ("$-w_{-d}$", between(pairs[-1][1], output, 0.3, -0.03))]
    plus = [part for unit, (up, _) in zip(inputs, pairs, strict=True) for part in ((unit, up), (up, output))]
    minus = [part for unit, (_, down) in zip(inputs, pairs, strict=True) for part in ((unit, down), (down, output))]
    marks = [
        wires("$w_+$, added", plus, role="measured"),
        wires("$w_-$, subtracted", minus, role="control"),
        units("inputs", inputs, role="theory"),
        units("$w_+$, added", [up for up, _ in pairs], role="measured"),
        units("$w_-$, subtracted", [down for _, down in pairs], role="control"),
        units("output", [output], role="second"),
        *words(names),
    ]
    return sheet(marks, r"(b) unbiased: $f = \sum_i (w_{+i}^2 - w_{-i}^2) x_i$")


def draw_diagonal() -> Drawing:
    """Both nets side by side."""
    return Drawing(
        [biased(), unbiased()],
        caption=r"(a) If $|u_i| = |v_i|$ at initialization, they stay equal and keep their signs, so that one weight $w_i$ is "
        r"enough for both: $f = \sum_i w_i^2 x_i$ up to signs. (b) A second set of units that is subtracted reaches every linear "
        r"function, and has zero output at $w_+ = w_-$ without being at a saddle.",
    )


drawing = partial(Claim, kind="drawing")

CLAIMS = (
    drawing(
        id="woodworth2020/figure_4",
        title="A wide parallel net",
        says="The diagonal of a matrix factorization of width $k$ is a net with $k$ hidden units of its own for each input.",
        source="woodworth2020, figure 4",
        draw=draw_parallel,
    ),
    drawing(
        id="woodworth2020/figure_9",
        title="Diagonal linear nets",
        says="A diagonal linear net has one hidden unit per input; the unbiased one has two, whose outputs are subtracted.",
        source="woodworth2020, figure 9",
        draw=draw_diagonal,
    ),
)

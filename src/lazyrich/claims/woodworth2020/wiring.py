"""How nets are wired, as marks: units in columns, wires between them, words beside both."""

from collections.abc import Sequence

from ..drawing import Axis, Line, Mark, Panel, Points, Role, Text

Place = tuple[float, float]


def column(x: float, count: int, *, top: float = 1.0, low: float = 0.0) -> list[Place]:
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


def words(told: Sequence[tuple[str, Place]]) -> list[Text]:
    """Names beside units and wires."""
    return [Text(name, x, y) for name, (x, y) in told]


def between(a: Place, b: Place, share: float = 0.5, lift: float = 0.0) -> Place:
    """A place on the wire from a to b, or a little above it."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]) + lift


def sheet(marks: Sequence[Mark], title: str) -> Panel:
    """A panel without axes around a net that reaches from 0 to 1 both ways."""
    return Panel(
        marks, x=Axis("", low=-0.25, high=1.3), y=Axis("", low=-0.15, high=1.15), title=title, legend=True, bare=True
    )

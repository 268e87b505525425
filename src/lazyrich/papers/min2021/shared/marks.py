"""Curves of one kind, one mark for each value along an axis, and the axes that several figures use."""

from collections.abc import Callable
from typing import Any

from ....claims.drawing import Axis, Line, Mark, Points
from ....claims.marks import family

TIME = Axis("time $t$")
EXPONENT = "$a = {}$"


def beside(x: Any, y: Any, theory: Any, names: tuple[str, str], axis: str, mark: Callable[..., Mark] = Points) -> list[Mark]:
    """A mark for each value along an axis, followed by its line of theory; `names` are those of both."""
    measured = family(names[0], x, y, axis, mark=mark)
    lines = family(names[1], x, theory, axis, roles=("theory",))
    return [mark for pair in zip(measured, lines, strict=True) for mark in pair]


def paired(x: Any, y: Any, theory: Any, name: str = "closed form", mark: Callable[..., Mark] = Points) -> list[Mark]:
    """A mark for each exponent $a$, followed by its line of theory."""
    return beside(x, y, theory, (EXPONENT, f"{name}, {EXPONENT}"), "exponent", mark)


def seeds(x: Any, y: Any, most: int = 3, mark: Callable[..., Mark] = Line) -> list[Mark]:
    """The curves of the first few seeds."""
    few = {"trial": slice(0, most)}
    return family("seed {}", x.isel(few) if "trial" in x.dims else x, y.isel(few), "trial", mark=mark)

"""How families of curves are laid out in several figures."""

from collections.abc import Sequence

from ....claims.drawing import Mark


def in_turn(*families: Sequence[Mark]) -> list[Mark]:
    """The first mark of every family, then the second of every family, and so on."""
    return [mark for marks in zip(*families, strict=True) for mark in marks]

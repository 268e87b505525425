"""Questions about runs as conditions that a database can check: what is not on the shortlist surely answers no.

The database compares plain numbers and texts with a constant; lists, words and all else are left to `where`, which asks every
row of the shortlist once more. Numbers are compared with a little room: databases read decimals in ways of their own.
"""

import ast
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import sqlalchemy as sa

from .facts import FACTS
from .where import WORDS, parse

_MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq}
_ROOM = 1e-9


class Comparison(NamedTuple):
    """A name, with a key under it where it is a reading, beside a constant."""

    name: str
    key: str | None
    kind: type
    constant: int | float | str


def comparisons(question: str) -> Iterator[Comparison]:
    """The comparisons with a constant that all have to hold for an answer of yes."""
    tree = parse(question)
    both = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
    for node in tree.values if both else [tree]:  # pyright: ignore[reportAttributeAccessIssue]
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _MIRRORED:
            sides, kind = (node.left, node.comparators[0]), type(node.ops[0])
            for (name, other), sign in ((sides, kind), (sides[::-1], _MIRRORED[kind])):
                place, constant = _place(name), _constant(other)
                if place is not None and constant is not None and _alike(*place, constant):
                    yield Comparison(*place, sign, constant)


def _alike(name: str, key: str | None, constant: int | float | str) -> bool:
    """Whether databases read these names and this constant as `where` does: plain letters, no word that stands for a number."""
    if not f"{name}{key or ''}".isascii():
        return False
    if isinstance(constant, str):
        return constant not in WORDS
    try:
        return math.isfinite(float(constant))
    except OverflowError:
        return False


def condition(one: Comparison, facts: sa.ColumnElement, readings: sa.ColumnElement, *, server: bool) -> Any:
    """What a row must fulfil to be worth asking."""
    look = _on_server if server else _in_file
    if one.key is not None:
        return _may(*look(readings, (one.name, one.key)), one)
    return sa.or_(*(_may(*look(facts, path), one) for path in _paths(one.name)))


def mentions(name: str, facts: sa.ColumnElement, *, server: bool) -> Any:
    """Whether a row has a fact or a parameter of this name."""
    look = _on_server if server else _in_file
    return sa.or_(*(look(facts, path)[0].is_not(None) for path in _paths(name)))


def _paths(name: str) -> tuple[tuple[str, ...], ...]:
    """Where a name may stand: a fact comes before a parameter of its name; whichever it is, one of them has to do."""
    return ((name,), ("params", name)) if name in FACTS else (("params", name),)


def _may(kind: Any, number: Any, text: Any, one: Comparison) -> Any:
    """By the kind of the value: numbers and texts are compared, what is missing is out, all else stays in."""
    if isinstance(one.constant, str):
        stays = text == one.constant if one.kind is ast.Eq else sa.true()
        return sa.case((kind == "text", stays), (kind == "number", sa.false()), (kind.is_(None), sa.false()), else_=sa.true())
    room = _ROOM * abs(one.constant) + 1e-300
    low, high = number > one.constant - room, number < one.constant + room
    numbers = low if one.kind in (ast.Gt, ast.GtE) else high if one.kind in (ast.Lt, ast.LtE) else sa.and_(low, high)
    return sa.case((kind == "number", numbers), (kind.is_(None), sa.false()), else_=sa.true())


def _in_file(column: Any, path: tuple[str, ...]) -> tuple[Any, Any, Any]:
    """Kind, number and text at a path, for SQLite."""
    place = "$." + ".".join(f'"{part}"' for part in path)
    type_, value = sa.func.json_type(column, place), sa.func.json_extract(column, place)
    kind = sa.case((type_.in_(("integer", "real")), "number"), else_=type_)
    return kind, value, value


def _on_server(column: Any, path: tuple[str, ...]) -> tuple[Any, Any, Any]:
    """Kind, number and text at a path, for PostgreSQL."""
    from sqlalchemy.dialects.postgresql import ARRAY, JSONB

    place = sa.cast(list(path), ARRAY(sa.Text))
    value = sa.cast(column, JSONB)
    text = sa.func.jsonb_extract_path_text(value, *path)
    type_ = sa.func.jsonb_typeof(value.op("#>")(place))
    kind = sa.case((type_ == "string", "text"), else_=type_)
    return kind, sa.cast(text, sa.Double), text


def _place(node: ast.expr) -> tuple[str, str | None] | None:
    match node:
        case ast.Name(id=name):
            return name, None
        case ast.Subscript(value=ast.Name(id="sound" | "holds" as name), slice=ast.Constant(value=str() as key)):
            return None if set(key) & set('"\\') else (name, key)
    return None


def _constant(node: ast.expr) -> int | float | str | None:
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None

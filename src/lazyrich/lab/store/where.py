"""Questions about runs, written as `alpha > 1 and verdict == 'holds'`. Nothing can be called in them."""

import ast
import difflib
import math
import operator
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from ...errors import BadInput
from ..parsing import expression

_COMPARE = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda left, right: left == right if isinstance(right, int | float) else left in right,
}
_COMPARE[ast.NotIn] = lambda left, right: not _COMPARE[ast.In](left, right)
_ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_LONGEST, _DEEPEST = 2_000, 50
# Readings that are no numbers in JSON, beside a number: what never happened is later than any time.
WORDS = {"never": math.inf, "nan": math.nan}

Facts = dict[str, Any]


class _Unknown(Exception):
    """A row does not have this name."""


# What a row cannot answer: a name it lacks, numbers beside texts, a division by 0.
_UNANSWERED = (_Unknown, TypeError, ArithmeticError)


def question(text: str) -> Callable[[Facts], bool]:
    """A function that says of a row's facts whether they answer the question with yes.

    What a row cannot answer, for want of a name, is neither yes nor no: an `or` may still say yes. A parameter with
    several values (an axis) answers yes if any of them does. Readings are asked for by their names:
    `holds['distance'] < 1e-6`.
    """
    try:
        answer = _meaning(parse(text))
    except RecursionError:
        raise _refusal("a question that is nested too deeply") from None

    def ask(facts: Facts) -> bool:
        try:
            return bool(answer(facts))
        except _UNANSWERED:
            return False

    return ask


def names(text: str) -> set[str]:
    """The names that a question mentions."""
    return {node.id for node in ast.walk(parse(text)) if isinstance(node, ast.Name)}


def select(rows: Iterable[Facts], text: str, *, key: Callable[[Facts], Facts] = lambda row: row) -> list[Facts]:
    """The rows whose facts, given by `key`, answer yes; a name that no row has is refused with the nearest that some row has."""
    rows = list(rows)
    asked, ask = [key(row) for row in rows], question(text)
    for name in sorted(names(text)) if rows else ():
        if not any(name in row for row in asked):
            known = {name for row in asked for name in row}
            near = difflib.get_close_matches(name, known, n=1)
            raise BadInput(
                needed=f"--where asks for what the runs here have: {', '.join(sorted(known))}",
                given=repr(name),
                cure=f"Did you mean {near[0]}?" if near else "Put texts in quotes: verdict == 'holds'.",
            )
    return [row for row, facts in zip(rows, asked, strict=True) if ask(facts)]


def parse(text: str) -> ast.expr:
    """The question as a syntax tree, or a refusal."""
    if len(text) > _LONGEST:
        raise _refusal(f"{len(text)} characters")
    try:
        return expression(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _refusal(repr(text)) from None


def _meaning(node: ast.expr, depth: int = 0) -> Callable[[Facts], Any]:
    """The node as a function of a row; every node that is not listed here is refused before any row is looked at."""
    if depth > _DEEPEST:
        raise RecursionError
    part = partial(_meaning, depth=depth + 1)
    match node:
        case ast.Constant(value=int() | float() | str() as value):
            return lambda facts: value
        case ast.Name(id=name):
            return lambda facts: _look_up(facts, name)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str() as key)):
            return lambda facts: _look_up(_look_up(facts, name), key)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            each = [part(item) for item in items]
            return lambda facts: tuple(item(facts) for item in each)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            one = part(inner)
            return lambda facts: not one(facts)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            one = part(inner)
            return lambda facts: -_number(one(facts))
        case ast.BoolOp(op=op, values=values):
            each, decides = [part(value) for value in values], isinstance(op, ast.Or)
            return lambda facts: _joined(each, facts, decides)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            a, b, act = part(left), part(right), _ARITHMETIC[type(op)]
            return lambda facts: act(_number(a(facts)), _number(b(facts)))
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARE for op in ops):
            sides = [part(side) for side in (left, *others)]
            steps = [_COMPARE[type(op)] for op in ops]
            return lambda facts: _chain([side(facts) for side in sides], steps)
    raise _refusal(repr(ast.unparse(node)))


def _look_up(facts: Any, name: str) -> Any:
    try:
        return facts[name]
    except (KeyError, TypeError, IndexError):
        raise _Unknown(name) from None


def _number(value: Any) -> int | float:
    """Arithmetic is for numbers: a text times a number could fill the memory."""
    if isinstance(value, int | float):
        return value
    raise TypeError


def _joined(each: list[Callable[[Facts], Any]], facts: Facts, decides: bool) -> bool:
    """`or` is decided by a yes, `and` by a no; a part that cannot be answered leaves it to the others."""
    unanswered = None
    for one in each:
        try:
            if bool(one(facts)) is decides:
                return decides
        except _UNANSWERED as error:
            unanswered = error
    if unanswered is not None:
        raise unanswered
    return not decides


def _chain(sides: list[Any], steps: list[Callable[[Any, Any], bool]]) -> bool:
    """a < b < c, pair by pair."""
    return all(_any(step, a, b) for step, a, b in zip(steps, sides, sides[1:], strict=False))


def _any(step: Callable[[Any, Any], bool], a: Any, b: Any) -> bool:
    """A list on either side answers yes if any of its values does; `not in` a list, if all do."""
    if isinstance(a, list):
        return any(_any(step, one, b) for one in a)
    if isinstance(b, list):
        join = all if step is _COMPARE[ast.NotIn] else any
        return join(_any(step, a, one) for one in b)
    if isinstance(a, str) and isinstance(b, int | float):
        a = WORDS.get(a, a)
    if isinstance(b, str) and isinstance(a, int | float):
        b = WORDS.get(b, b)
    return step(a, b)


def _refusal(given: str) -> BadInput:
    return BadInput(
        needed="--where compares names, numbers and texts with < <= > >= == != in, and joins them with and, or, not",
        given=given,
        cure="Write for example \"alpha > 1 and verdict == 'holds'\".",
    )

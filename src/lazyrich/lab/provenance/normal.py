"""A statement of a program as the tokens on which numbers depend: equal tokens, equal numbers.

Left out are docstrings, annotations, comments, and every word for people: titles, what a claim says and where it stands,
reasons, captions, labels, units, names of readings, errors and what raises them. A local name is a number, so that it may be
called otherwise. A name that is not local is a `Reference`: what it means is for the whole package to say.
"""

import ast
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Origin = tuple[str, str | None]
"""A module and a name in it; None where the module itself is meant."""


@dataclass(frozen=True)
class Reference:
    """A dotted name; `origin` is where its first part is imported from, if that is said in the same function."""

    chain: tuple[str, ...]
    origin: Origin | None = None


Token = str | Reference

# What calls of these names say for people, or about themselves: the first argument, and these keywords.
_FIRST = frozenset("at_most at_least near Control BadInput StoreFault".split())
_WORDS = frozenset("id title says source caption why".split())
_READING = frozenset("name why key basis".split())
_KEYWORDS = {
    **dict.fromkeys(("at_most", "at_least", "near"), _READING),
    "Claim": frozenset("id kind title says source aliases seconds notices departures edges measure draw".split()),
    "Control": frozenset("says kind breaks".split()),
    "Param": frozenset("unit role aliases".split()),
    "Simulation": frozenset(("measure",)),
}
SORTED = frozenset(("Claim", "Control", "Simulation", "Param"))
"""Calls in which the order of keywords is nothing."""
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_IMPORT = ast.Import | ast.ImportFrom
_ASIDE = frozenset("lineno col_offset end_lineno end_col_offset ctx kind type_comment returns annotation".split())


@dataclass
class Scope:
    """The names that are local where something stands, what each is written as, and what is imported there."""

    home: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def within(self, names: Iterator[str], *, kept: frozenset[str] = frozenset(), origins: Any = ()) -> "Scope":
        """The scope inside: its names are numbered in order, but for those that are kept."""
        own = {name: name if name in kept else f"%{next(self.numbers)}" for name in dict.fromkeys(names)}
        outer = {name: origin for name, origin in self.origins.items() if name not in own}
        return Scope(self.home, {**self.names, **own}, {**outer, **dict(origins)}, self.numbers)


def tokens(node: ast.AST, home: str) -> list[Token]:
    """The tokens of a statement at the top of a module in the package `home`; what it is called there does not count."""
    scope = Scope(home)
    if isinstance(node, ast.FunctionDef) and (forwarded := _forwarded(node)):
        return list(_partial(*forwarded, _function_scope(node, scope)))
    if isinstance(node, ast.Assign) and _is_name(node.targets) or isinstance(node, ast.AnnAssign) and node.value:
        assert node.value is not None
        return list(_written(node.value, scope))
    return list(_written(node, scope))


def is_alias(node: ast.stmt) -> bool:
    """Whether a statement only gives another name to what it calls, with or without some arguments fixed."""
    if isinstance(node, ast.FunctionDef):
        return _forwarded(node) is not None
    value = node.value if isinstance(node, ast.Assign) and _is_name(node.targets) else None
    return (
        isinstance(value, ast.Name | ast.Attribute) or isinstance(value, ast.Call) and called(value) in ("partial", "Simulation")
    )


def _is_name(targets: list[ast.expr]) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Name)


def called(node: ast.Call) -> str:
    """The last word of what is called."""
    return getattr(node.func, "id", None) or getattr(node.func, "attr", "")


def is_prose(text: str) -> bool:
    """Whether a string is meant for people: words with spaces between them, or mathematics between dollars."""
    words = not text.startswith("=") and " " in text and re.search(r"[A-Za-z]{4}|[.;:] ", text)
    return bool(words) or "$" in text


def imports(nodes: Iterator[ast.AST], home: str) -> Iterator[tuple[str, Origin]]:
    """The names that statements in the package `home` import, each with its origin."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for name in node.names:
                yield (name.asname or name.name.split(".")[0], (name.name if name.asname else name.name.split(".")[0], None))
        elif isinstance(node, ast.ImportFrom):
            parts = home.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((name.asname or name.name, (origin, name.name)) for name in node.names)


def _forwarded(node: ast.FunctionDef) -> tuple[ast.expr, list[ast.keyword]] | None:
    """The function that one only calls with its own arguments under their own names, and what it fixes beside them."""
    body = [s for s in node.body if not isinstance(s, _IMPORT) and not (isinstance(s, ast.Expr) and _is_text(s.value))]
    own = {arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)}
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None
    if not isinstance(call, ast.Call) or node.decorator_list or not own or not isinstance(call.func, ast.Name):
        return None
    if any(not (isinstance(arg, ast.Name) and arg.id in own) for arg in call.args) or call.func.id in own:
        return None
    fixed = [word for word in call.keywords if not (isinstance(word.value, ast.Name) and word.value.id == word.arg)]
    free = {part.id for word in fixed for part in ast.walk(word.value) if isinstance(part, ast.Name)}
    return None if free & own or any(word.arg is None for word in fixed) else (call.func, fixed)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _partial(function: ast.expr, fixed: list[ast.keyword], scope: Scope) -> Iterator[Token]:
    if not fixed:
        yield from _written(function, scope)
        return
    yield "partial("
    yield from _written(function, scope)
    for word in sorted(fixed, key=lambda word: word.arg or ""):
        yield f",{word.arg}="
        yield from _written(word.value, scope)
    yield ")"


def _written(node: ast.AST, scope: Scope) -> Iterator[Token]:
    if isinstance(node, ast.Name | ast.Attribute) and (reference := _reference(node, scope)):
        yield reference
    elif isinstance(node, ast.Name):
        yield scope.names[node.id]
    elif isinstance(node, ast.Constant):
        yield "''" if isinstance(node.value, str) and is_prose(node.value) else repr(node.value)
    elif isinstance(node, ast.JoinedStr) and any(_prose_in(part) for part in node.values):
        yield "''"
    elif isinstance(node, ast.Call):
        yield from _call(node, scope)
    elif isinstance(node, _FUNCTION):
        yield from _fields(node, _function_scope(node, scope))
    elif isinstance(node, _COMPREHENSION):
        targets = (name for each in node.generators for name in _stored(each.target))
        yield from _fields(node, scope.within(targets))
    elif isinstance(node, ast.ClassDef):
        kept = frozenset(itertools.chain.from_iterable(map(_stored, node.body)))
        inner = scope.within(iter(kept), kept=kept)
        bases = [base for base in node.bases if not _is_generic(base)]
        for part in node.decorator_list + bases + node.keywords:
            yield from _written(part, scope)
        for part in _undocumented(node):  # names of the body are not seen in methods
            yield from _written(part, scope if isinstance(part, _FUNCTION) else inner)
            yield f"as {part.name};" if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) else ";"
    else:
        yield from _fields(node, scope)


def _reference(node: ast.Name | ast.Attribute, scope: Scope) -> Reference | None:
    """The whole dotted name, unless it begins with a local one or with a value."""
    chain: list[str] = []
    inner: ast.AST = node
    while isinstance(inner, ast.Attribute):
        chain.insert(0, inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return None
    if inner.id in scope.origins:
        return Reference((inner.id, *chain), scope.origins[inner.id])
    return None if inner.id in scope.names else Reference((inner.id, *chain))


def _call(node: ast.Call, scope: Scope) -> Iterator[Token]:
    """A call without the arguments that are for people; where keywords are a list of entries their order is nothing."""
    name = called(node)
    if name == "partial" and len(node.args) == 1:
        yield from _partial(node.args[0], node.keywords, scope)
        return
    aside = _KEYWORDS.get(name, _WORDS)
    words = [word for word in node.keywords if word.arg not in aside]
    if name in SORTED:
        words.sort(key=lambda word: word.arg or "")
    yield "Call("
    yield from _written(node.func, scope)
    for part in node.args[name in _FIRST :]:
        yield ","
        yield from _written(part, scope)
    for word in words:
        yield f",{word.arg}="
        yield from _written(word.value, scope)
    yield ")"


def _function_scope(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> Scope:
    every = node.args
    own = [arg.arg for arg in (*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg) if arg]
    body = [] if isinstance(node, ast.Lambda) else node.body
    stored = list(itertools.chain.from_iterable(map(_stored, [node.body] if isinstance(node, ast.Lambda) else body)))
    inside = (part for statement in body for part in _same_scope(statement))
    origins = dict(imports(inside, scope.home))
    names = iter([*own, *(name for name in stored if name not in origins)])
    return scope.within(names, kept=frozenset(own), origins=origins)


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what stands in it, but not what is in functions and classes inside it."""
    yield node
    if not isinstance(node, _FUNCTION | ast.ClassDef | _COMPREHENSION):
        for child in ast.iter_child_nodes(node):
            yield from _same_scope(child)
    elif isinstance(node, _COMPREHENSION):  # a walrus gives its value to the function around
        yield from (part for part in ast.walk(node) if isinstance(part, ast.NamedExpr))


def _stored(node: ast.AST) -> Iterator[str]:
    """The names that a statement gives a value to, in its own scope."""
    for part in _same_scope(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.NamedExpr):
            yield part.target.id
        elif isinstance(part, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and part.name:
            yield part.name


def _fields(node: ast.AST, scope: Scope) -> Iterator[Token]:
    """The fields that count, without those that are empty: newer versions of Python have more of these."""
    yield type(node).__name__ + "("
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, _DOCUMENTED):
            value = _undocumented(node)
        if name == "name":  # of what is local; what a definition of a module is called does not count
            value = scope.names.get(str(value))
        if name not in _ASIDE and value not in (None, []):
            yield f"{name}="
            yield from _each(value, scope)
    yield ")"


def _undocumented(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    return node.body[ast.get_docstring(node, clean=False) is not None :]


def _each(value: object, scope: Scope) -> Iterator[Token]:
    if isinstance(value, list):
        yield "["
        for part in (part for part in value if not _makes_no_number(part)):
            yield from _each(part, scope)
            yield ","
        yield "]"
    elif isinstance(value, ast.AST):
        yield from _written(value, scope)
    else:
        yield f"{value}" if isinstance(value, str) else repr(value)


def _makes_no_number(node: object) -> bool:
    """Whether a statement imports, or refuses what is wrong: where it does not raise, it does nothing."""
    refuses = isinstance(node, ast.If) and not node.orelse and all(isinstance(part, ast.Raise) for part in node.body)
    if isinstance(node, ast.AST) and (refuses or isinstance(node, ast.Assert)):
        return not any(isinstance(part, ast.NamedExpr) for part in ast.walk(node))
    return isinstance(node, _IMPORT)


def _is_generic(base: ast.expr) -> bool:
    return isinstance(base, ast.Subscript) and getattr(base.value, "id", "") == "Generic"


def _prose_in(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and is_prose(f"{part.value}")

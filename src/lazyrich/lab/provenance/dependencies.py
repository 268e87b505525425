"""Which source a module depends on: its own, and what it imports of lazyrich, on and on.

A name that a room only passes on (`from ..predictors import MinL1`) leads to the file that makes it, so that one new
predictor changes the digest of no claim that does not ask for it.
"""

import ast
import hashlib
import io
import pathlib
import tokenize
from collections.abc import Collection, Iterator
from functools import cache

from .provenance import PACKAGE
from .syntax import program

_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

# The frame around every claim carries numbers and makes none: the parameters that it settles and the bounds that it
# holds readings against stand in the record of each run.
FRAME = {"errors", "types", "lab.formula", "lab.params", "lab.syntax", "claims.base", "claims.drawing"}

Asked = tuple[str, str | None]
"""A module, and a name in it; None where the module is asked for as a whole."""


@cache
def digest(module: str) -> str:
    """A digest of what a module depends on: equal digests, equal numbers. Comments and docstrings do not count."""
    return _here().digest(module)


@cache
def _here() -> "Sources":
    return Sources(PACKAGE, FRAME)


class Sources:
    """The modules of a package as they are now in its folder, each read once."""

    def __init__(self, package: pathlib.Path, apart: Collection[str] = ()):
        """The package in this folder, which has its name; a change of the modules `apart` changes no digest."""
        self._package = package
        self._apart = {f"{package.name}.{name}" for name in apart}
        self._files: dict[str, pathlib.Path | None] = {}
        self._imports: dict[str, list[tuple[str, Asked]]] = {}
        self._bare: dict[str, str] = {}

    def digest(self, module: str) -> str:
        """A digest of what a module depends on."""
        told = hashlib.sha256()
        for name in sorted(self.modules(module) - self._apart):
            told.update(f"{name}\0{self._bare[name]}\0".encode())
        return told.hexdigest()[:16]

    def modules(self, module: str) -> set[str]:
        """The module and all of the package that it depends on."""
        found: set[str] = set()
        waiting = [module]
        while waiting:
            name = waiting.pop()
            if name not in found and self._file(name) is not None:
                found.add(name)
                waiting += [self._maker(*asked) for _, asked in self._asked(name)]
        return found

    def _maker(self, module: str, name: str | None) -> str:
        """The module that makes a name: one that a package only imports is followed to where it is from."""
        if name is None:
            return module
        if self._file(f"{module}.{name}") is not None:
            return f"{module}.{name}"
        passed_on = dict(self._asked(module)).get(name) if self._is_package(module) else None
        return self._maker(*passed_on) if passed_on else module

    def _asked(self, module: str) -> list[tuple[str, Asked]]:
        if module not in self._imports:
            home = module if self._is_package(module) else module.rpartition(".")[0]
            file = self._file(module)
            assert file is not None
            text = file.read_text(encoding="utf-8")
            tree = program(text)
            self._imports[module], self._bare[module] = imports(tree, home), bare(text, tree)
        return self._imports[module]

    def _is_package(self, module: str) -> bool:
        file = self._file(module)
        return file is not None and file.name == "__init__.py"

    def _file(self, module: str) -> pathlib.Path | None:
        """The file of a module of the package; None for all others."""
        if module not in self._files:
            top, *parts = module.split(".")
            place = self._package.joinpath(*parts)
            places = (place.with_suffix(".py"), place / "__init__.py") if top == self._package.name else ()
            self._files[module] = next((path for path in places if path.is_file()), None)
        return self._files[module]


def imports(tree: ast.Module, home: str) -> list[tuple[str, Asked]]:
    """The names that a program in the package `home` imports, at its top or in a function, each with its origin."""
    found: list[tuple[str, Asked]] = []
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            found += [(name.asname or name.name, (name.name, None)) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = home.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            found += [(name.asname or name.name, (origin, name.name)) for name in node.names]
    return found


def bare(text: str, tree: ast.Module) -> str:
    """The lines of a program without its comments, docstrings and empty lines."""
    lines = [line.encode() for line in text.split("\n")]
    spans = []
    for word in _comments(text):
        row, start = word.start
        spans.append((row, _bytes(lines, row, start), row, len(lines[row - 1])))
    for node in (tree, *_statements(tree)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            words = node.body[0]
            spans.append((words.lineno, words.col_offset, words.end_lineno or 0, words.end_col_offset or 0))
    for first, start, last, end in sorted(spans, reverse=True):
        lines[first - 1 : last] = [lines[first - 1][:start] + lines[last - 1][end:], *[b""] * (last - first)]
    return "\n".join(line.decode().rstrip() for line in lines if line.strip())


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements of a program at any depth, without the expressions in them."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for part in getattr(node, name, ()):
            yield part
            yield from _statements(part)


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    if "#" not in text:
        return iter(())
    words = tokenize.generate_tokens(io.StringIO(text).readline)
    return (word for word in words if word.type == tokenize.COMMENT)


def _bytes(lines: list[bytes], row: int, column: int) -> int:
    """A column in letters, as tokens count, in bytes, as syntax trees do."""
    return len(lines[row - 1].decode()[:column].encode())

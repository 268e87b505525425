"""Which source functions depend on: the definitions that they reach, in their own module and in what it imports, on and on.

A digest of them says whether a result was made by the code of today. Definitions are numbered as they are reached, so that
neither their names nor the files that they stand in count, nor what `normal` leaves out: moving a function, giving it another
name or rewording a reading makes no result stale.
"""

import ast
import hashlib
import pathlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ..parsing import program
from .functions import describe, text_of
from .normal import Origin, Reference, Token, imports, is_alias, is_prose, tokens
from .source import PACKAGE

# The frame around every claim passes numbers on unchanged: the parameters that it resolves and the bounds that it
# holds readings against stand in the record of each run.
FRAME = frozenset(
    f"lazyrich.{name}"
    for name in "errors types lab.formula lab.params lab.simulation lab.parsing claims.base claims.drawing claims.paper".split()
)
_IMPORTS = ast.Import | ast.ImportFrom

Place = tuple[str, int]
"""A module and the number of a statement in it."""


def digest(value: Any) -> str:
    """A digest of a value and of the source that its functions reach: equal digests, equal numbers."""
    return hashlib.sha256("\0".join(here().serial(describe(value))).encode()).hexdigest()[:16]


@cache
def here() -> "Sources":
    """The source of this package."""
    return Sources(PACKAGE, FRAME)


@dataclass
class Module:
    """A file as statements: what each binds, its tokens, and whether it only gives another name to something."""

    home: str
    imports: dict[str, Origin] = field(default_factory=dict)
    binds: dict[str, list[int]] = field(default_factory=dict)
    nodes: list[ast.stmt] = field(default_factory=list)
    tokens: list[list[Token]] = field(default_factory=list)
    nameless: list[int] = field(default_factory=list)


class Sources:
    """The modules of a package as they are now in its folder, each read once.

    Names of the modules `apart` are not followed. `prepare` is applied to the text of each file before it is read.
    """

    def __init__(self, package: pathlib.Path, apart: Collection[str] = (), prepare: Callable[[str], ast.Module] = program):
        """The package in this folder, which has its name."""
        self._package, self._apart, self._prepare = package, apart, prepare
        self._files: dict[str, pathlib.Path | None] = {}
        self._modules: dict[str, Module] = {}
        self._resolved: dict[Place, list[list[Any]]] = {}

    def serial(self, value: Any) -> list[str]:
        """What `describe` says of a value, and every definition that it reaches, in the order in which it does, as tokens."""
        return _Serial(self, value).tokens

    def reached(self, value: Any) -> list[Place]:
        """Every definition that what `describe` says of a value reaches."""
        return list(_Serial(self, value).numbers)

    def modules(self, value: Any) -> set[str]:
        """The modules that hold what is reached."""
        return {name for name, _ in self.reached(value)}

    def place(self, module: str, *, line: int = 0, name: str = "") -> Place | None:
        """The statement of a module that defines what begins at a line or has a name; None for another package's."""
        if self._file(module) is None or module in self._apart:
            return None
        for at, node in enumerate(self.read(module).nodes):
            first = min((part.lineno for part in getattr(node, "decorator_list", ())), default=node.lineno)
            if first <= line <= (node.end_lineno or first) or name and name.split(".")[0] in set(bound(node)):
                return module, at
        return None

    def resolved(self, place: Place) -> list[list[Any]]:
        """The tokens of a statement, with the places of other statements where it names them."""
        if place not in self._resolved:
            found: list[Any] = [[]]
            for token in self.read(place[0]).tokens[place[1]]:
                places, text = ([], token) if isinstance(token, str) else self.resolve(place[0], token)
                if places:
                    found += [places, []]
                if text:
                    found[-1].append(text if isinstance(token, str) else f".{text}")
            self._resolved[place] = [part for part in found if part]
        return self._resolved[place]

    def resolve(self, module: str, reference: Reference) -> tuple[list[Place], str]:
        """The statements behind a dotted name, and what is left of it; where there are none, all of it from its origin."""
        held, chain = self.read(module), reference.chain
        if reference.origin is None and chain[0] in held.binds:
            return self._bound(module, chain)
        origin = reference.origin or held.imports.get(chain[0])
        if origin is None:
            return [], ".".join(chain)
        return self._inside(origin[0], chain[1:] if origin[1] is None else (origin[1], *chain[1:]))

    def _inside(self, module: str, rest: tuple[str, ...]) -> tuple[list[Place], str]:
        """The statements behind a name of a module; a name that it only passes on leads to where it is made."""
        if self._file(module) is None:
            return [], ".".join((module, *rest))
        if module in self._apart:
            return [], ".".join(rest)
        held = self.read(module)
        if not rest:
            return self._whole(module), ""
        if rest[0] in held.binds:
            return self._bound(module, rest)
        if self._file(f"{module}.{rest[0]}") is not None:
            return self._inside(f"{module}.{rest[0]}", rest[1:])
        if rest[0] in held.imports:
            return self.resolve(module, Reference(rest))
        return self._whole(module), ".".join(rest)  # made by a __getattr__

    def _bound(self, module: str, chain: tuple[str, ...]) -> tuple[list[Place], str]:
        held = self.read(module)
        places = held.binds[chain[0]]
        several = [name for name, at in held.binds.items() if at == places]
        which = [f"[{several.index(chain[0])}]"] if len(several) > 1 else []
        return [(module, at) for at in places], ".".join([*which, *chain[1:]])

    def _whole(self, module: str) -> list[Place]:
        """All of a module, and all that it passes on: it was asked for as a whole."""
        held = self.read(module)
        passed_on = [place for name in held.imports for place in self.resolve(module, Reference((name,)))[0]]
        return [(module, at) for at in range(len(held.nodes))] + passed_on

    def read(self, module: str) -> Module:
        """The statements of a module."""
        if module not in self._modules:
            file = self._file(module)
            if file is None:
                raise LookupError(f"{module} is no module of {self._package}")
            home = module if file.name == "__init__.py" else module.rpartition(".")[0]
            self._modules[module] = _read(self._prepare(file.read_text(encoding="utf-8")), home)
        return self._modules[module]

    def _file(self, module: str) -> pathlib.Path | None:
        """The file of a module of the package; None for all others."""
        if module not in self._files:
            top, *parts = module.split(".")
            place = self._package.joinpath(*parts)
            places = (place.with_suffix(".py"), place / "__init__.py") if top == self._package.name else ()
            self._files[module] = next((path for path in places if path.is_file()), None)
        return self._files[module]


class _Serial:
    """The tokens of all that a claim reaches, each definition once, under the number that it got when it was first named."""

    def __init__(self, sources: Sources, value: Any):
        self.sources, self.tokens = sources, list[str]()
        self.numbers: dict[Place, int] = {}
        self._waiting: list[Place] = []
        self._seen: set[str] = set()
        self._say(value)
        for place in self._waiting:  # grows as it goes
            self.tokens.append(f";{self.numbers[place]}:")
            self._emit(self.sources.resolved(place))

    def _say(self, value: Any) -> None:
        """What was described, in the tokens that the same text would have in a program."""
        if isinstance(value, dict) and "module" in value:
            self._definition(value)
        elif isinstance(value, dict) and "partial" in value:
            self.tokens.append("partial(" if value["with"] or value["fixed"] else "")
            self._say(value["partial"])
            for name, part in (*enumerate(value["with"]), *value["fixed"].items()):
                self.tokens.append(f",{name}=")
                self._say(part)
            self.tokens.append(")" if value["with"] or value["fixed"] else "")
        elif isinstance(value, dict | list):
            for name, part in value.items() if isinstance(value, dict) else (("", part) for part in value):
                self.tokens.append(f",{name}=")
                self._say(part)
            self.tokens.append("}")
        else:
            self.tokens.append("''" if isinstance(value, str) and is_prose(value) else repr(value))

    def _definition(self, value: dict[str, Any]) -> None:
        place = self.sources.place(value["module"], line=value.get("line", 0), name=value.get("name", ""))
        if place is not None:
            self._place(place)
        elif text := text_of(value["module"], value.get("line", 0)):
            for node in program(text).body:
                self.tokens += [t if isinstance(t, str) else ".".join(t.chain) for t in tokens(node, "")]
        else:
            self.tokens.append(f".{value['module']}.{value.get('name', '')}")
        for name, part in value.get("closure", {}).items():
            self.tokens.append(f",{name}=")
            self._say(part)

    def _place(self, place: Place) -> None:
        held = self.sources.read(place[0])
        if is_alias(held.nodes[place[1]]):
            self._emit(self.sources.resolved(place))
        else:
            self.tokens.append(f"#{self._number(place)}")

    def _emit(self, found: list[list[Any]]) -> None:
        for part in found:
            if isinstance(part[0], str):
                self.tokens += part
            elif len(part) == 1:
                self._place(part[0])
            else:
                self.tokens += [f"#{self._number(place)}" for place in part]

    def _number(self, place: Place) -> int:
        if place not in self.numbers:
            self.numbers[place] = len(self.numbers)
            self._waiting.append(place)
        if place[0] not in self._seen:  # what a module does when it is imported belongs to each of its definitions
            self._seen.add(place[0])
            for at in self.sources.read(place[0]).nameless:
                self._number((place[0], at))
        return self.numbers[place]


def _read(tree: ast.Module, home: str) -> Module:
    """The statements of a program in the package `home`."""
    found = Module(home)
    # Also what is imported where only type checkers look: a package may pass on by a __getattr__ what it names there.
    top = (part for node in tree.body for part in (ast.walk(node) if isinstance(node, ast.If) else [node]))
    found.imports = dict(imports(top, home))
    for node in tree.body:
        documents = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if isinstance(node, _IMPORTS) or documents or typing:
            continue
        at, names = len(found.nodes), set(bound(node))
        found.nodes.append(node)
        found.tokens.append(tokens(node, home))
        for name in sorted(names):
            found.binds.setdefault(name, []).append(at)
        if not names - {"_"}:
            found.nameless.append(at)
    return found


def bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a module gives a value to."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
        return
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif part is not node and isinstance(part, ast.ClassDef | ast.FunctionDef):
            yield part.name

"""Every public function of the rooms that others program against says what it takes and what it gives."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "lazyrich"
# What one trial asks for is checked by name and range, by its Simulation.
APART = SOURCE / "lab" / "simulations"
FILES = [
    path
    for room in ("lab", "claims", "api", "forecast")
    for path in sorted((SOURCE / room).rglob("*.py"))
    if APART not in path.parents
]


def public(body: list[ast.stmt]):
    """Public functions, and public methods of public classes."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public(node.body)


def unannotated(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The arguments without an annotation, and "return" where there is none."""
    own = function.args
    every = [*own.posonlyargs, *own.args, *own.kwonlyargs, *(one for one in (own.vararg, own.kwarg) if one)]
    bare = [one.arg for one in every if one.annotation is None and one.arg not in ("self", "cls")]
    return bare + ["return"] * (function.returns is None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_public_functions_are_annotated(path):
    functions = public(ast.parse(path.read_text(encoding="utf-8")).body)
    assert {function.name: bare for function in functions if (bare := unannotated(function))} == {}

"""The modules of the library import each other in one order and in no circle; files and functions stay small; sources exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "lazyrich"
TOP = "lazyrich"

SIMULATION = "types errors numerics < problems losses regularizers models < inits < objective < dynamics < measures < events"
THEORY = "types errors numerics < problems losses models < inits < predictors"
BELOW = set(f"{SIMULATION} {THEORY}".split()) - {"<"}
ABOVE = ("lab < claims < papers", "lab < forecast", "lab claims forecast < report < api < cli web torch")
# The few edges between neighbors, and `python -m lazyrich`. The command `serve` starts the page; the page knows no commands.
BESIDES = {"errors": {"types"}, "numerics": {"types", "errors"}, "cli": {"web"}, "__main__": {"cli"}}
# A string that names a module counts as an import of it, but here.
NAMED = {
    "claims/registry.py": {"papers"},  # papers are reached by name, as those of others are
    "lab/jobs/job.py": {"papers"},  # a job names what another machine is to run
    "lab/provenance/dependencies.py": {"claims"},  # what makes no number is not followed
}


def order() -> dict[str, set[str]]:
    """What each room may import: on two lines only what both allow, so theory never sees simulation."""
    allowed: dict[str, set[str]] = {}
    for line in (SIMULATION, THEORY):
        seen: set[str] = set()
        for neighbors in line.split(" < "):
            for room in neighbors.split():
                allowed[room] = allowed.get(room, seen) & seen
            seen = seen | set(neighbors.split())
    for line in ABOVE:
        seen = set(BELOW)
        for neighbors in line.split(" < "):
            for room in neighbors.split():
                allowed[room] = allowed.get(room, set()) | seen
            seen = seen | set(neighbors.split())
    for room, others in BESIDES.items():
        allowed[room] = allowed.get(room, set()) | others
    return allowed


ALLOWED = order()


class Edge(NamedTuple):
    """One import: the file and line that ask, the room they stand in, the room they ask for."""

    where: str
    room: str
    asks: str


def modules(package: Path) -> list[Path]:
    return sorted(package.rglob("*.py"))


def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def targets(node: ast.AST, home: list[str]) -> Iterator[str]:
    """The dotted names that one node, in a module of the package `home`, imports."""
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = home[: len(home) - node.level + 1] if node.level else []
        base = base + (node.module.split(".") if node.module else [])
        yield from (".".join([*base, name.name]) for name in node.names)


def named(node: ast.AST, package: Path) -> Iterator[str]:
    """The module that a string names, with or without the name of the package before it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        dotted = node.value.strip(".")
        inside = dotted.removeprefix(f"{TOP}.")
        if re.fullmatch(r"\w+(\.\w+)*", inside) and inside.split(".")[0] in ALLOWED:
            path = package.joinpath(*inside.split("."))
            if (inside != dotted or "." in inside) and (path.with_suffix(".py").is_file() or path.is_dir()):
                yield f"{TOP}.{inside}"


def edges(package: Path) -> Iterator[Edge]:
    """Imports between rooms, at the top of a file, in a function, under TYPE_CHECKING or by name in a string alike."""
    for module in modules(package):
        path = module.relative_to(package)
        if path == Path("__init__.py"):
            continue
        room = path.parts[0].removesuffix(".py")
        for node in ast.walk(tree_of(module)):
            excepted = NAMED.get(path.as_posix(), set())
            by_name = (name for name in named(node, package) if name.split(".")[1] not in excepted)
            for target in (*targets(node, [TOP, *path.parts[:-1]]), *by_name):
                parts = target.split(".")
                asks = parts[1] if len(parts) > 1 and parts[1] in ALLOWED else TOP
                if parts[0] == TOP and asks != room:
                    yield Edge(f"{path}:{node.lineno}", room, asks)


def forbidden(package: Path) -> list[str]:
    return [
        f"{edge.where}: {edge.room} imports {edge.asks}"
        for edge in edges(package)
        if edge.asks not in ALLOWED.get(edge.room, set())
    ]


def test_imports_keep_the_order():
    assert modules(PACKAGE)
    assert forbidden(PACKAGE) == []


def test_every_room_is_known():
    rooms = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix == ".py" or any(path.rglob("*.py"))}
    assert rooms - set(ALLOWED) - {"__init__"} == set()


def test_no_paper_imports_another():
    """Bridges compare papers: they may."""
    crossed = []
    for module in modules(PACKAGE / "papers"):
        path = module.relative_to(PACKAGE)
        own = path.parts[1]
        for node in ast.walk(tree_of(module)):
            for target in targets(node, [TOP, *path.parts[:-1]]):
                parts = target.split(".")
                if parts[:2] == [TOP, "papers"] and parts[2] not in (own, "__init__") and own != "bridges":
                    crossed.append(f"{path}:{node.lineno}: {target}")
    assert crossed == []


def graph(package: Path) -> dict[str, set[str]]:
    """Every module with those that it imports when it is imported or run; a package stands for its `__init__`."""
    files = {}
    for module in modules(package):
        parts = module.relative_to(package).with_suffix("").parts
        files[".".join((TOP, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = module
    found: dict[str, set[str]] = {}
    for name, module in files.items():
        home = name.split(".") if module.name == "__init__.py" else name.split(".")[:-1]
        asked = found[name] = set()
        for node in at_run_time(tree_of(module)):
            for target in targets(node, home):
                nearest = target if target in files else target.rpartition(".")[0]
                asked |= {nearest} & files.keys() - {name}
    return found


def at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """All of a module but what is meant for type checkers."""
    for child in ast.iter_child_nodes(tree):
        if not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield child
            yield from at_run_time(child)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Modules that reach each other, each group once."""
    reach = {name: set(others) for name, others in graph.items()}
    grown = True
    while grown:
        grown = False
        for others in reach.values():
            more = set().union(*(reach[other] for other in others)) - others if others else set()
            others |= more
            grown = grown or bool(more)
    groups = {frozenset(other for other in reach[name] if name in reach[other]) for name in graph if name in reach[name]}
    return sorted(sorted(group) for group in groups)


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("dynamics/flow.py", "from lazyrich.measures import curve", "dynamics imports measures"),
        ("dynamics/flow.py", "import lazyrich.predictors.base as base", "dynamics imports predictors"),
        ("dynamics/flow.py", "from ..events.delay import delay", "dynamics imports events"),
        ("dynamics/reduced/gram.py", "from ...measures import Curve", "dynamics imports measures"),
        ("predictors/base.py", "from .. import types, objective", "predictors imports objective"),
        ("inits.py", "from .regularizers import L2", "inits imports regularizers"),
        ("models/linear.py", "from ..losses.squared import Squared", "models imports losses"),
        ("types.py", "from .errors import BadInput", "types imports errors"),
        ("lab/sweep.py", "def f():\n    from ..claims import base", "lab imports claims"),
        ("lab/jobs/work.py", 'MODULE = "lazyrich.claims.base"', "lab imports claims"),
        ("lab/jobs/work.py", 'import_module("...claims.base", __package__)', "lab imports claims"),
        ("claims/judge.py", 'HOME = "lazyrich.papers"', "claims imports papers"),
        ("claims/judge.py", "from ..forecast import record", "claims imports forecast"),
        ("forecast/pilot.py", "from ..claims import base", "forecast imports claims"),
        ("report/tables.py", "from ..papers.lyu2024 import PAPER", "report imports papers"),
        ("api/check.py", "if TYPE_CHECKING:\n    from lazyrich.cli import main", "api imports cli"),
        ("web/main.py", "async def f():\n    import lazyrich.cli", "web imports cli"),
        ("claims/base.py", "import lazyrich", "claims imports lazyrich"),
        ("claims/base.py", "from lazyrich import SUM", "claims imports lazyrich"),
        ("claims/base.py", "from .. import check", "claims imports lazyrich"),
        ("extra/base.py", "from ..types import Array", "extra imports types"),
    ],
)
def test_a_forbidden_import_is_caught(tmp_path, file, text, found):
    module = tmp_path / file
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(text + "\n")
    for other in ("claims/base.py", "papers/__init__.py"):  # a string names a module where there is one
        (tmp_path / other).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / other).touch()
    assert [line.split(": ")[1] for line in forbidden(tmp_path)] == [found]


def test_allowed_imports_pass(tmp_path):
    files = {
        "__init__.py": "from .api import check\nfrom . import models",
        "errors.py": "from .types import Array",
        "numerics/stable.py": "from ..types import Array\nfrom ..errors import BadInput\nfrom . import norms",
        "models/__init__.py": "from . import linear\nfrom .base import Model\nimport lazyrich.models.base",
        "dynamics/reduced/gram.py": "from ..flow import Flow\nfrom ...objective import Objective\nimport jax",
        "predictors/kernel.py": "from ..models import tangent\nfrom lazyrich import inits, problems",
        "papers/lyu2024/figure_1a.py": "from ...claims import base\nfrom ...predictors import MinL1",
        "claims/registry.py": 'HOME = "lazyrich.papers"',
        "cli/__init__.py": "def main():\n    from ..api import check\n    from .. import events",
    }
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text + "\n")
    assert forbidden(tmp_path) == []


def test_no_modules_go_in_a_circle():
    assert circles(graph(PACKAGE)) == []


def test_a_circle_is_found(tmp_path):
    files = {
        "a.py": "from .b import x",
        "b.py": "def f():\n    from . import c",
        "c.py": "from lazyrich import a",
        "d.py": "from .a import y",
    }
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    assert circles(graph(tmp_path)) == [["lazyrich.a", "lazyrich.b", "lazyrich.c"]]
    (tmp_path / "c.py").write_text("if TYPE_CHECKING:\n    from lazyrich import a")
    assert circles(graph(tmp_path)) == []


def test_files_and_functions_stay_small():
    long = []
    for module in modules(PACKAGE):
        name, lines = module.relative_to(PACKAGE), len(module.read_text(encoding="utf-8").splitlines())
        if lines > 400:
            long.append(f"{name}: {lines} lines, at most 400")
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > 80:
                    long.append(f"{name}:{node.lineno}: {node.name} has {lines} lines, at most 80")
    assert long == []


def test_no_file_is_named_after_nothing():
    empty = {"utils", "misc", "common", "core", "manager"}
    paths = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*")]
    assert [str(path) for path in paths if empty & set(path.stem.split("_"))] == []


def at_the_top(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: all of it but functions and what is meant for type checkers."""
    for child in ast.iter_child_nodes(node):
        typing = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
        if not typing and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from at_the_top(child)


def test_claims_load_without_plotting_or_solvers():
    heavy = {"xarray", "matplotlib", "scipy", "sklearn", "cvxpy"}
    found = [
        f"{module.relative_to(PACKAGE)}:{node.lineno}: {target}"
        for module in (*modules(PACKAGE / "claims"), *modules(PACKAGE / "papers"))
        for node in at_the_top(tree_of(module))
        for target in targets(node, [TOP])
        if target.split(".")[0] in heavy
    ]
    assert found == []


def test_every_source_is_in_the_bibliography():
    keys = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs" / "references.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert keys
    missing = []
    for module in modules(PACKAGE):
        for node in ast.walk(tree_of(module)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                cited = re.findall(r"Source:\s+(\w+)", ast.get_docstring(node) or "")
                missing += [f"{module.relative_to(PACKAGE)}: {key}" for key in cited if key not in keys]
    assert missing == []

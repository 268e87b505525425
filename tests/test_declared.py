"""What the library imports is what it declares, and the reverse."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "lazyrich"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Which extra may be imported where, in functions or at the top.
AT_THE_TOP = {"web": ("web/",)}
# What is needed without an import of ours.
BROUGHT = {
    "": {"zarr": "xarray writes the store with it"},
    "cluster": {
        "dask-jobqueue": "the script of docs/sweeps.md starts its workers",
        "psycopg": "the driver behind the address of a catalogue",
        "s3fs": "fsspec takes it for addresses that begin with s3",
    },
}


def name_of(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;]", requirement)[0].lower()


def declared(extra: str = "") -> set[str]:
    return {name_of(one) for one in (PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"])}


@cache
def imported() -> dict[str, set[tuple[str, bool]]]:
    """Every package from outside, by the distribution that has it, with the files that import it, and whether at the top."""
    places, found = packages_distributions(), {}
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = {id(node) for node in tree.body}
        for node in ast.walk(tree):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level and node.module else []
            for package in {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"lazyrich"}:
                distribution = name_of(places.get(package, [package])[0])
                found.setdefault(distribution, set()).add((path.relative_to(PACKAGE).as_posix(), id(node) in top))
    return found


def test_every_import_is_declared():
    extras = {"web", "cluster", "parquet", "torch"}
    optional = set().union(*map(declared, extras))
    assert set(imported()) <= declared() | optional, "name it in pyproject.toml"
    assert not declared() & optional, "what the core needs is no extra"


def test_every_declared_dependency_is_imported():
    for extra in ("", "web", "cluster", "parquet", "torch"):
        assert declared(extra) - BROUGHT.get(extra, {}).keys() <= set(imported()), "remove it, or import it"


@pytest.mark.parametrize("extra", ["web", "cluster", "parquet", "torch"])
def test_extras_are_imported_where_they_are_needed(extra):
    """At the top of a module only in the room that is theirs: the others must import without them."""
    for distribution in declared(extra) & set(imported()):
        for path, at_the_top in imported()[distribution]:
            assert not at_the_top or path.startswith(AT_THE_TOP.get(extra, ())), f"{path} imports {distribution} at its top"

import importlib
import sys

import pytest

from lazyrich.lab.sweeps.functions import identity, simulation_of

CODE = """
import math
import numpy as np
import {helper}

first = lambda x: x
second = lambda x: 2 * x

def plain(x):
    return {helper}.twice(x)

class Model:
    def method(self, x):
        return x

    @staticmethod
    def still(x):
        return x

def closed(by):
    def inner(x):
        return by * x
    return inner

bound = Model().method
made = closed(3)
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a module and the one beside it, and imports them anew."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(helper: str):
        (tmp_path / "beside_swept.py").write_text(helper)
        (tmp_path / "own_swept.py").write_text(CODE.format(helper="beside_swept"))
        for name in ("beside_swept", "own_swept"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("own_swept")

    yield write
    for name in ("beside_swept", "own_swept"):
        sys.modules.pop(name, None)


def code_of(function) -> list[str] | None:
    return identity(simulation_of(function, {"x": [1.0]}, {}))


def test_only_plain_functions_of_a_module_have_an_identity(written):
    own = written("def twice(x):\n    return 2 * x\n")
    for function in (own.first, own.second, own.bound, own.made, own.Model.still, lambda x: x):
        assert code_of(function) is None
    assert code_of(own.plain) is not None


def test_it_changes_with_the_files_that_are_imported(written):
    two = code_of(written("def twice(x):\n    return 2 * x\n").plain)
    assert two == code_of(written("def twice(x):\n    return 2 * x\n").plain)
    assert two != code_of(written("def twice(x):\n    return 3 * x\n").plain)


def test_what_cannot_be_followed_is_not_reused(written, tmp_path):
    (tmp_path / "folder_swept").mkdir()
    (tmp_path / "folder_swept" / "__init__.py").touch()
    helper = "import folder_swept\ndef twice(x):\n    return 2 * x\n"
    assert code_of(written(helper).plain) is None

import shutil

import pytest

import lazyrich as lz
from lazyrich.api import check

CLAIM = "woodworth2020/lemma_6"
SMALL = {"size": "smoke", "seed": 3, "eps": (0.1, 0.3)}


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAZYRICH_STORE", raising=False)
    monkeypatch.setenv("EQX_ON_ERROR", "raise")


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """One result and the store it is kept in."""
    folder = tmp_path_factory.mktemp("first")
    return lz.check(CLAIM, store=str(folder), **SMALL), folder


@pytest.fixture
def stored(first, tmp_path):
    """The same, in a store of one's own."""
    result, folder = first
    return result, str(shutil.copytree(folder, tmp_path / "store"))


@pytest.fixture
def no_judge(monkeypatch):
    def never(*args, **options):
        raise AssertionError("something was computed")

    monkeypatch.setattr(check, "judge", never)

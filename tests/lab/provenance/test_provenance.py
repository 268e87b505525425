import re
import subprocess
import types
from importlib.metadata import PackageNotFoundError

import pytest

from lazyrich.lab.provenance import source as provenance


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A checkout with a package of one file."""
    home = tmp_path / "src" / "lazyrich"
    home.mkdir(parents=True)
    (home / "a.py").write_text("x = 1\n")
    monkeypatch.setattr(provenance, "PACKAGE", home)
    return home


def source() -> str:
    return provenance.source.__wrapped__()


def commit() -> str | None:
    return provenance.commit.__wrapped__()


def git(package, *words: str) -> str:
    command = ["git", "-C", str(package.parents[1]), "-c", "user.name=x", "-c", "user.email=x@example.org", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_the_digest_follows_every_python_file(package):
    seen = [source()]
    assert re.fullmatch("[0-9a-f]{16}", seen[0]) and source() == seen[0]
    (package / "notes.txt").write_text("no code")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "a.pyc").write_bytes(b"\0")
    assert source() == seen[0]
    (package / "a.py").write_text("x = 2\n")
    seen.append(source())
    (package / "a.py").rename(package / "b.py")
    seen.append(source())
    (package / "sub").mkdir()
    (package / "b.py").rename(package / "sub" / "b.py")
    seen.append(source())
    (package / "empty.py").touch()
    seen.append(source())
    assert len(set(seen)) == 5


def test_a_checkout_says_its_commit_and_whether_it_was_changed(package):
    git(package, "init", "-q")
    git(package, "add", "-A")
    git(package, "commit", "-qm", "x")
    head = git(package, "rev-parse", "HEAD")
    assert commit() == head
    (package.parents[1] / "README.md").write_text("no code")
    assert commit() == head
    (package / "a.py").write_text("x = 2\n")
    assert commit() == f"{head}+"


def test_where_nobody_knows_the_commit_there_is_none(package, monkeypatch):
    installed = types.SimpleNamespace(read_text=lambda name: None)
    monkeypatch.setattr(provenance, "distribution", lambda name: installed)
    assert commit() is None, "no checkout"
    git(package, "init", "-q")
    assert commit() is None, "no commit yet"
    monkeypatch.setenv("PATH", "")
    assert commit() is None, "no git"

    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(provenance, "distribution", absent)
    assert commit() is None, "not installed"


@pytest.mark.parametrize(
    ("installed", "known"),
    [
        ('{"url": "https://x", "vcs_info": {"vcs": "git", "commit_id": "abc"}}', "abc"),
        ('{"url": "file:///x", "dir_info": {"editable": true}}', None),
    ],
)
def test_an_installer_may_know_the_commit(package, monkeypatch, installed, known):
    monkeypatch.setattr(provenance, "distribution", lambda name: types.SimpleNamespace(read_text=lambda file: installed))
    assert commit() == known

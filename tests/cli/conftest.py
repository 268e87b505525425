"""Commands as a user calls them: each test in a folder of its own, in processes of their own."""

import os
import subprocess
import sys

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Commands store what they compute in the folder they are called in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAZYRICH_STORE", raising=False)


@pytest.fixture(scope="session")
def lazyrich():
    def call(*words: str, env: dict | None = None, **options) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "lazyrich", *words]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(env or {})}, **options)

    return call


@pytest.fixture
def here(capfd, monkeypatch):
    """The same in this process, which has everything imported already: ten times faster."""
    from lazyrich.cli import main

    def call(*words: str) -> subprocess.CompletedProcess:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["lazyrich", *words])
        with pytest.raises(SystemExit) as exit:
            main()
        said = capfd.readouterr()
        return subprocess.CompletedProcess(words, exit.value.code or 0, said.out, said.err)

    return call

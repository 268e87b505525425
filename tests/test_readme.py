"""Every example in the README and in `--help` runs, and does what it promises."""

import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from interruptible import LAZYRICH

from lazyrich.cli.app import COMMANDS

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```(python|)\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
LINES = [
    line.split("  #")[0].strip()
    for kind, text in BLOCKS
    if not kind
    for line in text.splitlines()
    if line.startswith(("lazyrich ", "python -m lazyrich"))
]
HELP = [example for _, _, example in COMMANDS]


@pytest.mark.slow
def test_commands_in_the_readme_and_in_help(tmp_path):
    """One after another in one folder, as a reader would: those of --help work on the runs and the job of the README."""
    for line in [*LINES, *(line for line in HELP if line not in LINES)]:
        follow(line, tmp_path)


def follow(line: str, folder: Path) -> None:
    program, *words = shlex.split(line)
    if words[0] == "serve":
        return serve([*words, "--port", "0"], folder)
    words = ["-m", "lazyrich", *words] if program == "lazyrich" else words
    env = {name: value for name, value in os.environ.items() if not name.startswith("LAZYRICH")}
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, env=env)
    assert done.returncode == 0 and "Traceback" not in done.stderr, f"{line}: {done.stdout}{done.stderr}"


def serve(words: list[str], folder: Path) -> None:
    """The page does not end by itself: it is fetched, and interrupted."""
    command = [*LAZYRICH, *words]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as page:
        assert page.stderr is not None
        printed = page.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", printed)
        assert address is not None, printed
        with urllib.request.urlopen(address[0], timeout=60) as answer:
            assert b"Watch the transition from lazy to rich" in answer.read()
        page.send_signal(signal.SIGINT)
        printed = page.stderr.read()
    assert page.returncode == 130 and "Traceback" not in printed, printed


def test_the_lines_are_as_many_as_is_said():
    assert "Ten lines of Python that give a verdict" in README.read_text(encoding="utf-8")
    assert sum(bool(line.strip()) for line in PYTHON[0].splitlines()) == 10


@pytest.mark.slow
def test_these_lines_give_a_verdict(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(PYTHON[0], "README", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "holds"
    assert "fails" in printed and printed[-1].endswith(" 1")


@pytest.mark.slow
def test_the_pieces_meet_theory(capsys):
    exec(compile(PYTHON[1], "README", "exec"), {})
    sentence, distance = capsys.readouterr().out.splitlines()
    assert "reduction of a diagonal net of depth 2 to 30 numbers" in sentence
    # The rich regime at alpha = 1e-3 is not yet its limit: planted recovery comes within a few hundredths.
    assert float(distance) < 0.05

"""Every example in the README runs, and says what it promises."""

import pathlib
import re
import shlex

import pytest
from typer.testing import CliRunner

from lazyrich.cli.app import app

README = pathlib.Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```(python|)\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
COMMANDS = [
    line.split("#")[0].strip()
    for kind, text in BLOCKS
    if not kind
    for line in text.splitlines()
    if line.startswith("lazyrich ")
]


@pytest.mark.slow
def test_ten_lines_give_a_verdict(capsys):
    exec(compile(PYTHON[0], "README", "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "holds"
    assert "fails" in said


@pytest.mark.slow
def test_the_pieces_meet_theory(capsys):
    exec(compile(PYTHON[1], "README", "exec"), {})
    sentence, distance = capsys.readouterr().out.splitlines()
    assert "reduction of a diagonal net of depth 2 to 30 numbers" in sentence
    # The rich regime at alpha = 1e-3 is not yet its limit: planted recovery comes within a few hundredths.
    assert float(distance) < 0.05


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_are_understood(command, monkeypatch):
    """The words of each command are accepted; what they compute is tested elsewhere."""
    seen = []
    monkeypatch.setattr("lazyrich.cli.judging._judge", lambda ids, **options: seen.append((ids, options)))
    monkeypatch.setattr(
        "lazyrich.claims.calibrate.calibrate", lambda claim, **options: seen.append((claim, options)) or []
    )
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    assert seen or "list" in command

"""Commands whose output a page shows print just that, but for seconds."""

import pathlib
import re

import pytest
from typer.testing import CliRunner

from lazyrich.cli.app import app

DOCS = pathlib.Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```\n\$ lazyrich (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
SHOWN = {
    found[1]: found[2]
    for page in ("first_steps.md", "verdicts.md")
    for found in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8"))
}


def plain(text: str) -> list[str]:
    """The lines without what differs from run to run: seconds, names of runs, trailing blanks."""
    text = re.sub(r"\d+(\.\d+)? s\b", "SECONDS", text)
    return [re.sub(r" {2,}", "  ", line.rstrip(" │")) for line in text.strip().splitlines() if not line.startswith("stored as")]


@pytest.mark.parametrize("command", ["list erratum --paper woodworth2020", "check woodworth2020/lemma_6"])
def test_a_page_shows_what_is_printed(command, tmp_path, monkeypatch):
    monkeypatch.setenv("LAZYRICH_STORE", str(tmp_path))
    done = CliRunner().invoke(app, command.split(), env={"COLUMNS": "80"})
    assert plain(done.stdout) == plain(SHOWN[command])

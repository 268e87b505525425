"""Examples are run as a reader would run them: in a process of their own."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def lines_of():
    """The lines that an example prints when it is run with some arguments."""

    def run(name, *arguments) -> list[str]:
        done = subprocess.run(
            [sys.executable, str(ROOT / "examples" / name), *map(str, arguments)],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run

"""The example runs as it is, and says what its page says that it does."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.slow
def test_a_model_of_ones_own_gets_a_verdict_and_a_picture(tmp_path):
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "own_model.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert said[0].startswith("holds") and any(line.startswith("inconclusive") and "not zero" in line for line in said)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".png", ".svg"]

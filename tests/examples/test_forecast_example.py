"""The example says what its four trainings will do, each way there is."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.slow
def test_four_forecasts_are_printed_before_anything_is_trained():
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "forecast.py")], capture_output=True, text=True, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    words = (": groks", ": misgroks", "does not switch", ": groks")
    assert len(said) == 4 and all(word in line for word, line in zip(words, said, strict=True))

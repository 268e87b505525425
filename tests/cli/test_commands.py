import json
import os
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from lazyrich.cli.app import app


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Each test in a folder of its own: commands store what they compute in the one they are called in."""
    monkeypatch.chdir(tmp_path)


def lazyrich(*words: str, env: dict | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "lazyrich", *words], capture_output=True, text=True, env={**os.environ, **(env or {})}
    )


def test_help_is_light():
    """Nothing heavy is imported before it is needed: that, and not a stopwatch, is what keeps --help quick."""
    code = "import sys, lazyrich.cli; print([m for m in ('jax', 'numpy', 'matplotlib', 'xarray') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


@pytest.mark.parametrize("command", ["list", "run", "check", "calibrate"])
def test_every_help_has_an_example(command):
    assert f"Example: lazyrich {command}" in CliRunner().invoke(app, [command, "--help"]).output


def test_check_prints_one_json_document_and_exits_0():
    done = lazyrich("check", "woodworth2020/lemma_6", "--json", "--set", "eps=0.1,0.2")
    told = json.loads(done.stdout)
    assert done.returncode == 0 and told["summary"] == {"holds": 1, "fails": 0, "inconclusive": 0, "skipped": 0}
    assert told["results"][0]["params"]["eps"] == [0.1, 0.2]
    assert told["environment"]["precision"] == "float64"


def test_run_draws(tmp_path):
    done = lazyrich("run", "woodworth2020/lemma_6", "--out", str(tmp_path / "new" / "figures"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "new" / "figures" / "woodworth2020-lemma_6.png").stat().st_size > 10_000
    assert "holds" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "woodworth2020/lemma_7"], "lemma_6"),
        (["check", "woodworth2020/lemma_6", "--set", "epsilon=1"], "Did you mean eps"),
        (["check", "woodworth2020/lemma_6", "--set", "eps=-1"], "from 0.001"),
        (["check", "woodworth2020/lemma_6", "--set", "eps"], "NAME=VALUE"),
        (["check", "woodworth2020/lemma_6", "--size", "huge"], "quick and paper"),
        (["check", "woodworth2020/lemma_6", "--seed", "-1"], "a seed is"),
        (["check"], "--all"),
        (["list", "--paper", "nobody"], "the papers are"),
        (["run"], "Missing argument"),
    ],
)
def test_bad_input_is_refused_in_words(words, said):
    done = lazyrich(*words)
    assert done.returncode == 2
    assert said in done.stderr.replace("\n", " ") and "Traceback" not in done.stderr and done.stdout == ""


def test_an_inconclusive_claim_exits_3():
    """Far above the threshold the ratio exceeds three times eps too: the control holds and the check cannot tell."""
    assert lazyrich("check", "woodworth2020/lemma_6", "--set", "over=100", "--set", "eps=0.5").returncode == 3


@pytest.mark.slow
def test_a_second_process_compiles_faster(tmp_path):
    """The programs are really on disk: a second process starts with them, and compiles none of its own."""
    words = ("check", "lyu2024/theorem_3_4_normalizer", "--size", "smoke", "--json")
    cache = {"LAZYRICH_CACHE": str(tmp_path), "JAX_COMPILATION_CACHE_DIR": ""}
    seconds, entries = [], []
    for _ in range(2):
        begin = time.perf_counter()
        done = lazyrich(*words, env=cache)
        seconds.append(time.perf_counter() - begin)
        assert done.returncode in (0, 3), done.stderr
        entries.append({path.name for path in tmp_path.iterdir() if path.name.endswith("-cache")})
    assert entries[0] and entries[0] == entries[1], "the second process compiled what the first had kept"
    assert seconds[1] < seconds[0]

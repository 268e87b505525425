import json
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from lazyrich.cli.app import COMMANDS, app


def test_help_is_light():
    """Nothing heavy is imported before it is needed: that, and not a stopwatch, is what keeps --help quick."""
    code = "import sys, lazyrich.cli; print([m for m in ('jax', 'numpy', 'matplotlib', 'xarray') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


@pytest.mark.parametrize("command", [name for name, _, _ in COMMANDS])
def test_every_help_has_an_example(command):
    assert f"Example: lazyrich {command}" in CliRunner().invoke(app, [command, "--help"]).output


def test_check_prints_one_json_document_and_exits_0(lazyrich):
    done = lazyrich("check", "woodworth2020/lemma_6", "--json", "--set", "eps=0.1,0.2")
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["summary"] == {"holds": 1, "fails": 0, "inconclusive": 0, "skipped": 0}
    assert found["results"][0]["params"]["eps"] == [0.1, 0.2]
    assert found["environment"]["precision"] == "float64"


def test_a_star_is_every_claim_of_a_paper():
    from lazyrich.claims.registry import identities
    from lazyrich.cli.judging import _meant

    assert _meant("bridges/*") == [one for one in identities() if one.startswith("bridges/")]
    assert _meant("bridges/one_scale") == ["bridges/one_scale"]


def test_run_draws(here, tmp_path):
    done = here("run", "woodworth2020/lemma_6", "--out", str(tmp_path / "new" / "figures"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "new" / "figures" / "woodworth2020-lemma_6.png").stat().st_size > 10_000
    assert "holds" in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "woodworth2020/lemma_66"], "lemma_6"),
        (["check", "woodworth2020/lemma_6", "--set", "epsilon=1"], "Did you mean eps"),
        (["check", "woodworth2020/lemma_6", "--set", "eps=-1"], "from 0.001"),
        (["check", "woodworth2020/lemma_6", "--set", "eps"], "NAME=VALUE"),
        (["check", "woodworth2020/lemma_6", "--size", "huge"], "quick and paper"),
        (["check", "woodworth2020/lemma_6", "--seed", "-1"], "a seed is"),
        (["check"], "--all"),
        (["list", "--paper", "nobody"], "the papers are"),
        (["check", "nobody/*"], "the papers are"),
        (["run"], "Missing argument"),
        (["check", "woodworth2020/lemma_6", "--set", "eps=big"], "a value is a number"),
        (["check", "woodworth2020/lemma_6", "--data", "nowhere"], "a folder of data sets"),
        (["check", "woodworth2020/lemma_6", "--store", "mysql://host/base"], "a store is a folder, or"),
        (["run", "woodworth2020/lemma_6", "woodworth2020/theorem_1", "--job", "job.json"], "a job holds one claim"),
        (["show", "nothing"], "There are none yet"),
        (["export", "nothing", "--to", "run.xlsx"], ".parquet"),
        (["import", "nothing.npz"], "no such file"),
        (["runs", "--where", "__import__('os').remove('x')"], "compares names, numbers and texts"),
        (["chek"], "No such command"),
    ],
)
def test_bad_input_is_refused_in_words(here, words, message):
    done = here(*words)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ") and "Traceback" not in done.stderr and done.stdout == ""


def test_an_inconclusive_claim_exits_3(here):
    """Far above the threshold the ratio exceeds three times eps too: the control holds and the check cannot tell."""
    assert here("check", "woodworth2020/lemma_6", "--set", "over=100", "--set", "eps=0.5").returncode == 3


@pytest.mark.slow
def test_a_second_process_compiles_faster(lazyrich, tmp_path):
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

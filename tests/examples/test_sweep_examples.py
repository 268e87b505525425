"""The examples of sweeps: the batch script for Slurm without a Slurm, and the scaling map at its smallest."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def call(name: str, *words: str, cwd: pathlib.Path) -> str:
    env = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, str(ROOT / "examples" / name), *words]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_slurm_gets_a_batch_script(tmp_path):
    pytest.importorskip("dask_jobqueue", reason="the cluster extra is not installed")
    words = ("--script", "--partition", "gpus", "--hours", "2", "--memory", "3GB", "--gpu")
    said = call("slurm.py", *words, cwd=tmp_path).splitlines()
    assert said[0].startswith("#!")
    for line in ("#SBATCH -p gpus", "#SBATCH -t 02:00:00", "#SBATCH --gres=gpu:1", "#SBATCH --mem=3G"):
        assert line in said
    (worker,) = [line for line in said if "distributed" in line]
    assert "--nthreads 1" in worker and "--lifetime 115m" in worker and "tcp://" in worker
    assert any("OMP_NUM_THREADS=1" in line for line in said)


@pytest.mark.slow
def test_the_scaling_map_is_drawn(tmp_path):
    said = call("scaling_map.py", str(tmp_path / "out"), "2", cwd=tmp_path)
    assert said.startswith("8 points, 0 failed")
    assert {path.suffix for path in (tmp_path / "out").iterdir() if path.is_file()} == {".png", ".svg", ".csv"}

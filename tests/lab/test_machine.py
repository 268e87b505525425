"""What is set on the machine before anything is run."""

import os
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from lazyrich.lab import machine

SCRIPT = """
import numpy
from lazyrich.lab.machine import prepare
prepare()
from threadpoolctl import threadpool_info
print(sorted({one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}))
"""


@pytest.mark.parametrize(("given", "threads"), [({}, "[1]"), ({"OPENBLAS_NUM_THREADS": "2"}, "[2]")])
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core has one thread, pinned or not")
def test_linear_algebra_is_pinned_unless_the_user_said_how_many(given, threads, tmp_path):
    names = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
    rest = {name: value for name, value in os.environ.items() if name not in names}
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**rest, "LAZYRICH_CACHE": str(tmp_path), **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == threads


def test_programs_are_let_go_when_they_are_many():
    """After that they are compiled again and give the same."""
    double = jax.jit(lambda x: 2 * x)
    before = double(jnp.arange(3.0))
    assert not machine.relieve(most=1.0), "a process at its limit would have crashed"
    assert machine.relieve(most=0.0) == Path("/proc/self/maps").exists()
    assert (double(jnp.arange(3.0)) == before).all()

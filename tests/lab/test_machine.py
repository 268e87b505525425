"""What is set on the machine before anything is run."""

import os
import subprocess
import sys

import pytest

TOLD = """
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
        [sys.executable, "-c", TOLD],
        env={**rest, "LAZYRICH_CACHE": str(tmp_path), **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == threads

from dataclasses import replace

import numpy as np
import pytest

import lazyrich as lz
from lazyrich.api import jobs
from lazyrich.claims.record import claim_source
from lazyrich.claims.registry import find
from lazyrich.errors import BadInput, StoreFault
from lazyrich.lab import Store
from lazyrich.lab.jobs import remote
from lazyrich.lab.machine import prepare

CLAIM = "woodworth2020/lemma_6"


@pytest.fixture
def made(tmp_path):
    """A simulation that was made on another machine."""
    jobs.write_job(CLAIM, size="smoke", seed=3, changes={"eps": (0.1, 0.3)}, file=tmp_path / "jobs" / "job.json")
    prepare()
    from lazyrich.lab.jobs.job import Job

    job = Job.from_json((tmp_path / "jobs" / "job.json").read_text(), "job.json")
    remote.run_job(job, tmp_path / "job.npz")
    return tmp_path / "job.npz"


def test_what_is_made_elsewhere_is_judged_as_if_made_here(made, first, monkeypatch):
    monkeypatch.setattr("lazyrich.lab.simulation.Simulation.program", None)
    said = []
    found = jobs.import_job(made, Store("store"), say=said.append)
    here, _ = first
    assert said == [] and replace(found, run=None, seconds=0.0).as_json() == replace(here, run=None, seconds=0.0).as_json()
    np.testing.assert_array_equal(found.data.excess, here.data.excess)
    kept = lz.load(found.run, "store").attrs
    assert kept["elsewhere"]["segments"] == 1 and kept["elsewhere"]["judged_by"]["source"] == kept["source"]
    assert kept["seconds"] > kept["elsewhere"]["seconds"], "what it took to judge is added"
    assert kept["claim_source"] == claim_source(find(CLAIM), jobs.environment())
    assert kept["fingerprint"] == lz.load(here.run, str(first[1])).attrs["fingerprint"]


def test_a_simulation_made_by_other_code_is_said(made, monkeypatch):
    elsewhere = jobs.environment() | {"source": "newer"}
    monkeypatch.setattr(jobs, "environment", lambda: elsewhere)
    said = []
    jobs.import_job(made, Store("store"), say=said.append)
    assert len(said) == 1 and "another version of lazyrich" in said[0]


def test_a_job_cannot_be_written_where_there_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreFault, match="file/job.json"):
        jobs.write_job(CLAIM, size="smoke", seed=0, changes={}, file=tmp_path / "file" / "job.json")
    with pytest.raises(BadInput, match="Did you mean eps"):
        jobs.write_job(CLAIM, size="smoke", seed=0, changes={"epsilon": 1.0}, file=tmp_path / "job.json")
    assert not (tmp_path / "job.json").exists()

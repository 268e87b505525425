import json
import os
import pathlib
import zipfile

import numpy as np
import pytest

from lazyrich.claims.registry import module_of
from lazyrich.errors import BadInput
from lazyrich.lab import Param, Params, Simulation
from lazyrich.lab.jobs import job as jobs
from lazyrich.lab.jobs.job import Job

JOB = Job(
    id="woodworth2020/lemma_6",
    simulation=module_of("woodworth2020/lemma_6"),
    size="quick",
    seed=2**32 - 1,
    changes={"eps": [0.1, 0.3]},
    params=[{"eps": [0.1, 0.3], "d": [100.0], "over": [1.0]}, {"eps": [0.5]}],
    source="0123456789abcdef",
)
MADE = {"seconds": 1.5, "segments": 1, "environment": {"precision": "float64", "commit": None}}
# Two sets of parameters: three runs of which the second is not done, and two of which none is.
BLOCKS = [
    [
        {"end": np.array([1 / 3, np.nan, np.inf]), "steps": np.array(2**40), "ok": np.array(True)},
        None,
        {"end": np.array([-0.0, 5e-324, -np.inf]), "steps": np.array(-1), "ok": np.array(False)},
    ],
    [None, None],
]


def changed(**entries) -> str:
    return json.dumps({"job": json.loads(JOB.as_json())["job"] | entries})


def test_a_job_comes_back_from_its_file():
    assert Job.from_json(JOB.as_json(), "job.json") == JOB
    simulation = JOB.claim().simulation
    first, second = JOB.all_params(simulation)
    assert first.values["eps"] == (0.1, 0.3) and second.values["eps"] == (0.5,)
    assert second.values["d"] == Params.of(simulation.params, "quick").values["d"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "{",
        "null",
        "[]",
        "{}",
        '{"job": 1}',
        '{"job": {}}',
        pytest.param("[" * 100_000, id="deep"),
        json.dumps({"job": {**json.loads(JOB.as_json())["job"], "extra": 1}}),
        *(
            json.dumps({"job": {k: v for k, v in json.loads(JOB.as_json())["job"].items() if k != name}})
            for name in ("id", "simulation", "size", "seed", "changes", "params", "source", "format")
        ),
    ],
)
def test_what_is_no_job_is_refused(text):
    with pytest.raises(BadInput, match="a job is what `lazyrich run ID --job FILE.json` writes; got job.json: "):
        Job.from_json(text, "job.json")


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"simulation": "os"}, "the simulation 'os'"),
        ({"simulation": "lazyrich.papersx"}, "lazyrich.papersx"),
        ({"simulation": "lazyrich.lab.jobs.remote"}, "lazyrich.lab.jobs.remote"),
        ({"simulation": 3}, "3"),
        ({"params": []}, "the params"),
        ({"params": [3]}, "3"),
        ({"seed": -1}, "the seed -1"),
        ({"seed": 2**32}, "the seed 4294967296"),
        ({"seed": "0"}, "0"),
        ({"size": "huge"}, "the size 'huge'"),
        ({"format": 2}, "format 2, made by a newer lazyrich"),
        ({"format": "1"}, "TypeError"),
    ],
)
def test_a_job_that_cannot_be_run_is_refused(entries, said):
    with pytest.raises(BadInput, match=said):
        Job.from_json(changed(**entries), "job.json")


@pytest.mark.parametrize("module", ["lazyrich.papers.nobody1999.item", "lazyrich.papers.registry", "lazyrich.papers."])
def test_only_claims_have_experiments(module):
    with pytest.raises(BadInput, match="the simulation"):
        Job.from_json(changed(simulation=module), "job.json").claim()


def test_a_machine_that_lacks_a_package_is_told_which(monkeypatch):
    def lack(name):
        raise ModuleNotFoundError("No module named 'diffrax.internal'", name="diffrax.internal")

    monkeypatch.setattr("importlib.import_module", lack)
    with pytest.raises(BadInput, match="a Python without diffrax.internal. pip install diffrax$"):
        JOB.claim()


@pytest.mark.parametrize(
    ("values", "said"), [({"epsilon": 0.1}, "Did you mean eps"), ({"eps": -1.0}, "from 0.001"), ({"eps": [0, 0]}, "eps")]
)
def test_values_that_are_not_the_simulations_are_refused(values, said):
    job = Job.from_json(changed(params=[values]), "job.json")
    with pytest.raises(BadInput, match=said):
        job.all_params(job.claim().simulation)


@pytest.fixture
def packed(tmp_path):
    path = tmp_path / "job.npz"
    jobs.pack(path, JOB, BLOCKS, MADE)
    return path


def test_what_was_packed_is_unpacked(packed):
    job, blocks, made = jobs.unpack(packed)
    assert job == JOB and made == MADE
    for runs, found in zip(BLOCKS, blocks, strict=True):
        for run, again in zip(runs, found, strict=True):
            assert (run is None) == (again is None)
            for name, array in (run or {}).items():
                assert (again[name].dtype, again[name].shape) == (array.dtype, array.shape)
                assert again[name].tobytes() == array.tobytes()
    assert list(packed.parent.iterdir()) == [packed]


def test_arrays_may_have_any_name(tmp_path):
    runs = [{"total": np.arange(3.0), "done": np.array(1)}, None]
    jobs.pack(tmp_path / "job.npz", JOB, [runs for _ in BLOCKS], MADE)
    (found, missing), *_ = jobs.unpack(tmp_path / "job.npz")[1]
    assert missing is None and found["total"].tolist() == [0, 1, 2] and found["done"] == 1


def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(packed, monkeypatch):
    before = packed.read_bytes()

    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="No space"):
        jobs.pack(packed, JOB, BLOCKS, MADE)
    assert packed.read_bytes() == before and list(packed.parent.iterdir()) == [packed]


def refused(path: pathlib.Path, said: str) -> None:
    with pytest.raises(BadInput, match=f"import takes the .npz .*{said}"):
        jobs.unpack(path)


def test_a_file_cut_anywhere_is_refused(packed):
    whole = packed.read_bytes()
    for length in [0, 1, 3, 4, 22, *range(100, len(whole), 317), len(whole) - 22, len(whole) - 1]:
        packed.write_bytes(whole[:length])
        refused(packed, "job.npz: (a file that is cut short|pickled objects)")


def test_a_changed_byte_is_refused_or_changes_nothing(packed):
    """A few bytes of a zip file mean nothing, its dates for one."""
    whole = packed.read_bytes()
    _, blocks, made = jobs.unpack(packed)
    expected = repr(blocks), made
    harmless = 0
    for at in range(0, len(whole), 41):
        packed.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            job, blocks, made = jobs.unpack(packed)
        except BadInput:
            continue
        harmless += 1
        assert job == JOB and (repr(blocks), made) == expected
    assert harmless < len(whole) // 41 / 3


class Trap:
    """What would make a file if it were ever unpickled."""

    def __init__(self, file: pathlib.Path):
        self.file = file

    def __reduce__(self):
        return pathlib.Path.touch, (self.file,)


def rewrite(path: pathlib.Path, **arrays: np.ndarray) -> None:
    with np.load(path) as file:
        kept = dict(file)
    np.savez(path, **(kept | arrays))


def test_nothing_is_ever_unpickled(packed, tmp_path):
    sprung = tmp_path / "sprung"
    trap = np.array([Trap(sprung)], dtype=object)
    trap.dump(tmp_path / "trap.pkl")
    (tmp_path / "trap.npz").write_bytes((tmp_path / "trap.pkl").read_bytes())
    refused(tmp_path / "trap.npz", "pickled objects, which are never opened")
    for name in ("0/end", "job", "made", "digest", "extra"):
        jobs.pack(packed, JOB, BLOCKS, MADE)
        rewrite(packed, **{name: trap})
        refused(packed, "pickled objects, which are never opened")
    assert not sprung.exists()
    np.load(tmp_path / "trap.npz", allow_pickle=True)
    assert sprung.exists(), "the trap is a trap"


def test_a_foreign_file_is_refused(tmp_path, packed):
    refused(tmp_path / "none.npz", "no such file")
    refused(tmp_path, "cut short or no .npz")
    np.savez(tmp_path / "foreign.npz", x=np.ones(3), y=np.ones(2))
    refused(tmp_path / "foreign.npz", "arrays named x, y")
    np.savez(tmp_path / "empty.npz")
    refused(tmp_path / "empty.npz", "arrays named nothing")
    with (tmp_path / "array.npz").open("wb") as file:
        np.save(file, np.ones(3))
    refused(tmp_path / "array.npz", "cut short or no .npz")
    with zipfile.ZipFile(tmp_path / "zip.npz", "w") as file:
        file.writestr("job.npy", "no array")
    refused(tmp_path / "zip.npz", "")
    (tmp_path / "text.npz").write_text("a,b\n1,2\n")
    refused(tmp_path / "text.npz", "")


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("0/end", np.zeros((2, 3))),
        ("0/end", np.zeros((2, 3), np.float32)),
        ("0/.done", np.array([0, 1])),
        ("0/more", np.zeros((2, 1))),
        ("made", np.array(json.dumps({**MADE, "seconds": 2.5}))),
        ("job", np.array(JOB.as_json().replace("lemma_6", "theorem_1"))),
        ("digest", np.array("0" * 64)),
    ],
)
def test_changed_numbers_are_found(packed, name, array):
    rewrite(packed, **{name: array})
    refused(packed, "numbers that are not those that were written")


SIMULATION = Simulation(
    lambda key, alpha: {}, [Param("alpha", (1.0, 2.0)), Param("trials", 2, static=True)], returns={"end": "t", "outcome": ""}
)
PARAMS = Params.of(SIMULATION.params, "quick")
RUN = {"end": np.zeros(3), "outcome": np.array(0)}


def test_runs_that_fit_are_let_in():
    jobs.require_fit(SIMULATION, PARAMS, [RUN] * 4, pathlib.Path("job.npz"))


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ([RUN, None, RUN, RUN], "1 of 4 runs missing; run the job again with the same --out to go on"),
        ([RUN] * 3, "1 of 4 runs missing"),
        ([RUN] * 3 + [{"end": np.zeros(3)}], "arrays of another claim .outcome."),
        ([RUN] * 3 + [{**RUN, "excess": np.zeros(3)}], "arrays of another claim .excess."),
        ([RUN] * 3 + [{**RUN, "end": np.zeros((3, 3))}], "arrays of another claim .end."),
    ],
)
def test_runs_of_another_claim_are_refused(runs, said):
    with pytest.raises(BadInput, match=said):
        jobs.require_fit(SIMULATION, PARAMS, runs, pathlib.Path("job.npz"))

import json
import math
import shlex
from dataclasses import fields, replace
from typing import get_args

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr

from lazyrich.claims import Claim, Control, Evidence, check, every, find, record
from lazyrich.claims.base import at_least, at_most, near
from lazyrich.claims.drawing import (
    Axis,
    Band,
    Drawing,
    Event,
    Heat,
    Line,
    Mark,
    Panel,
    Points,
    Rule,
    Slope,
    Text,
    as_json,
    from_json,
)
from lazyrich.lab import Param, Simulation
from lazyrich.lab.assignments import assignments
from lazyrich.lab.provenance import source as provenance
from lazyrich.lab.store import archive

ENVIRONMENT = {"precision": "float64", "source": "0123456789abcdef", "commit": None, "packages": {"jax": "0.10"}}
CLAIMS = list(every())


LEMMA = find("woodworth2020/lemma_6")


@pytest.fixture(scope="module")
def result():
    return check(LEMMA, seed=3, changes={"eps": (0.1, 0.2), "over": 1.0})


def kept(result, folder) -> xr.Dataset:
    """The result as another process finds it in a store."""
    answer = record.record(LEMMA, result, ENVIRONMENT)
    return archive.read(archive.write(folder, "run", record.dataset(result), answer))


def test_a_real_result_comes_back(result, tmp_path):
    again = record.revive(LEMMA, kept(result, tmp_path))
    assert again.as_json() == {**result.as_json(), "run": "run"}
    assert [list(e.sound) + list(e.holds) for e in (again.evidence, *again.controls)] == [
        list(e.sound) + list(e.holds) for e in (result.evidence, *result.controls)
    ]
    xr.testing.assert_identical(again.data, result.data)
    assert as_json(again.drawing) == as_json(result.drawing) and again.drawing.caption == result.drawing.caption
    np.testing.assert_array_equal(again.drawing.panels[0].marks[0].y, result.drawing.panels[0].marks[0].y)
    assert [one.says for one in again.controls] == [one.says for one in result.controls] and again.files == ()


def test_the_record_says_all_that_is_to_be_known(result):
    answer = record.record(LEMMA, result, ENVIRONMENT)
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert answer["paper"] == "woodworth2020" and answer["title"] == LEMMA.title and answer["stated_in"] == LEMMA.source
    assert answer.items() >= ENVIRONMENT.items() and "run" not in answer and "files" not in answer
    assert answer["params"]["eps"] == [0.1, 0.2] and [one["verdict"] for one in answer["controls"]] == ["fails"]


def made(result, **changes):
    """The result with data, references and readings of every kind."""
    theory = {
        "l2": xr.Dataset({"effective": (("trial", "d"), np.ones((2, 5))), "ok": ("trial", [True, False])}),
        "level": xr.DataArray([0.5, np.nan], dims="trial"),
        "number": xr.DataArray(3.0),
    }
    evidence = Evidence(
        sound=[at_most("broken", math.nan, 1, why="test")],
        holds=[at_least("time", math.inf, 1e3, why="test"), near("ratio", 1.05, 1, 0.1, why="test")],
    )
    data = xr.Dataset(
        {
            "end": (("alpha", "trial", "d"), np.array([[[1.0, np.nan, np.inf]] * 2])),
            "outcome": (("alpha", "trial"), [[0, 3]]),
            "steps": (("alpha", "trial"), [[70, 100_000]]),
        },
        coords={"alpha": [0.1]},
    )
    return replace(result, **({"data": data, "theory": theory, "evidence": evidence, "drawing": None} | changes))


def test_readings_that_are_no_numbers_come_back(result, tmp_path):
    again = record.revive(LEMMA, kept(made(result), tmp_path))
    assert math.isnan(again.sound[0].value) and not again.sound[0].ok
    assert again.holds[0].value == math.inf and again.holds[0].ok
    assert again.holds[1] == made(result).holds[1] and again.drawing is None


def test_references_stand_beside_the_data(result, tmp_path):
    data = kept(made(result), tmp_path)
    assert list(data.data_vars) == [
        *("end", "outcome", "steps"),
        *("theory_l2_effective", "theory_l2_ok", "theory_level", "theory_number"),
    ]
    again = record.revive(LEMMA, data)
    xr.testing.assert_identical(again.data, made(result).data)
    assert set(again.theory) == {"l2_effective", "l2_ok", "level", "number"}
    np.testing.assert_array_equal(again.theory["level"], [0.5, np.nan])
    assert again.theory["l2_ok"].values.tolist() == [True, False]


def test_one_word_for_axes_of_different_lengths_becomes_two(result):
    """The data have three inputs, the reference five."""
    data = record.dataset(made(result))
    assert data["end"].dims == ("alpha", "trial", "d") and data.sizes["d"] == 3
    assert data["theory_l2_effective"].dims == ("trial", "d_of_theory_l2_effective")
    assert data["theory_level"].dims == ("trial",)


def test_the_source_a_claim_depends_on_is_told_where_it_is_known():
    here = {"source": provenance.source()}
    assert record.claim_source(LEMMA, here) == LEMMA.digest
    assert record.claim_source(LEMMA, {"source": "another"}) is None
    assert record.claim_source(LEMMA, {"source": "another", "claim_source": "as it was there"}) == "as it was there"


def test_solver_counts(result):
    found = record.solver_counts(made(result).data)
    ends = {"reached the last time asked for": 1, "met numbers that are not finite": 1}
    assert found == {"runs": 2, "outcomes": ends, "steps": 100_070, "most_steps": 100_000}
    assert record.solver_counts(result.data) == {} == record.solver_counts(None)


def test_the_fingerprint_follows_what_the_numbers_depend_on():
    params = LEMMA.resolve("quick").shown()

    def mark(claim=LEMMA, size="quick", seed=0, params=params, **changes):
        return record.fingerprint(claim, size, seed, params, ENVIRONMENT | changes)

    others = [
        mark(claim=find("woodworth2020/theorem_1")),
        mark(size="paper"),
        mark(seed=1),
        mark(params=params | {"eps": (0.1,)}),
        mark(params=params | {"eps": (0.05, 0.02, *params["eps"][2:])}),
        mark(source="another"),
        mark(precision="float32"),
    ]
    assert len({mark(), *others}) == 8
    as_read = json.loads(json.dumps(dict(reversed(params.items()))))
    same = [mark(), mark(params=as_read), mark(commit="abc"), mark(packages={}), mark(load=[1.0]), mark(devices=["gpu"])]
    assert set(same) == {mark()} and len(mark()) == 24


def other_values(claim) -> dict:
    """The paper's value of everything that has one, where it differs: as a user would set them."""
    quick, paper = claim.resolve("quick").values, claim.resolve("paper").values
    return {name: value for name, value in paper.items() if value != quick[name] and not str(value).startswith("=")}


def changed(result, claim, changes):
    settled = claim.resolve("quick", changes)
    return settled, replace(result, id=claim.id, size="quick", seed=3, params=settled.shown())


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_the_command_gives_the_same_parameters(claim, result):
    """Nothing is run: only the words are read as the command line reads them."""
    own = {param.name: param for param in claim.simulation.params}
    some = {name: own[name].quick * 0.7 for name in ("weight_decay",) if name in own and not own[name].axis}
    for changes in ({}, other_values(claim), some):
        settled, answer = changed(result, claim, changes)
        words = shlex.split(record.as_command(claim, answer))
        assert words[:7] == ["lazyrich", "run", claim.id, "--size", "quick", "--seed", "3"]
        assert words[7::2] == ["--set"] * len(words[8::2])
        again = claim.resolve("quick", assignments(words[8::2]))
        assert again.shown() == settled.shown()
        assert again.points(claim.simulation.wants) == settled.points(claim.simulation.wants)
        if not changes:
            assert len(words) == 7


@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_the_python_line_gives_the_same_parameters(claim, result):
    settled, answer = changed(result, claim, other_values(claim))
    asked = {}

    class lz:
        def check(identity, *, size, seed, **params):
            asked.update(identity=identity, size=size, seed=seed, params=params)

    eval(record.as_python(claim, answer), {"lz": lz})
    assert (asked["identity"], asked["size"], asked["seed"]) == (claim.id, "quick", 3)
    assert claim.resolve("quick", asked["params"]).shown() == settled.shown()


def test_a_settled_formula_is_written_as_a_plain_number(result):
    simulation = Simulation(
        lambda alpha, horizon: {}, [Param("alpha", 2.0), Param("horizon", "=2*log(alpha)")], returns={}, random=False
    )
    control = Control("?", changes={"alpha": 1.0}, breaks=("x",))
    claim = Claim("woodworth2020/own", "derived", "t", "s", "woodworth2020, none", simulation, lambda data: Evidence(), [control])
    _, answer = changed(result, claim, {"alpha": 3.0})
    assert record.as_command(claim, answer).endswith(f"--set alpha=3.0 --set horizon={2 * math.log(3.0)!r}")
    assert "np." not in record.as_python(claim, answer)


WILD = np.array([1.0, math.nan, math.inf, -math.inf, -0.0, 5e-324])
MARKS = [
    Line("line", WILD, jnp.arange(6.0), right=True),
    Band("band", [1, 2], (math.nan, 1.0), np.array([math.inf, 2.0]), role="control"),
    Points("points", WILD, WILD, error=WILD),
    Points("bare", np.arange(3), np.ones(3, np.float32), role="second"),
    Points("labelled", xr.DataArray([1.0, math.nan]), xr.DataArray([2, 3])),
    Rule("rule", math.nan),
    Event("event", np.float64(math.inf)),
    Slope("slope", np.array([1.0, 10.0]), through=(1.0, math.nan), exponent=-0.5),
    Text("a remark: ∞ {kind}", -math.inf, 3),
    Heat("heat", [1.0, 2.0], (3, 4), np.array([[1.0, math.nan], [-math.inf, 2.0]]), scale="log", low=0.1),
]


def flat(value):
    """Numbers as lists, however they are held, so that NaN equals NaN."""
    return value if isinstance(value, str | bool) or value is None else np.asarray(value, float).tolist()


def test_every_kind_of_mark_comes_back():
    assert {type(mark) for mark in MARKS} == set(get_args(Mark))
    panels = [
        Panel(MARKS, x=Axis("x", unit="s", scale="log", low=1e-3), y=Axis("y"), right=Axis("z", high=math.inf)),
        Panel([], x=Axis("x"), y=Axis("y"), title="empty", legend=False),
    ]
    drawing = Drawing(panels, caption="größer als ∞", columns=1)
    answer = json.loads(json.dumps(as_json(drawing), allow_nan=False))
    again = from_json(answer)
    assert as_json(again) == answer and again.panels[1:] == (Panel((), *(Axis("x"), Axis("y")), title="empty", legend=False),)
    assert (again.caption, again.columns, again.panels[0].x, again.panels[0].right) == (
        *(drawing.caption, drawing.columns),
        *(panels[0].x, panels[0].right),
    )
    for mark, found in zip(MARKS, again.panels[0].marks, strict=True):
        assert type(mark) is type(found)
        for field in fields(mark):
            np.testing.assert_equal(flat(getattr(found, field.name)), flat(getattr(mark, field.name)))
    assert math.copysign(1, again.panels[0].marks[0].x[4]) == -1
    assert from_json(as_json(None)) is None

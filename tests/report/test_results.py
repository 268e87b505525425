"""Records of runs at the paper's size: written from the attributes of a run, read again, stale when their source changed."""

import json
import struct
from dataclasses import asdict, replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from referencing import Registry, Resource

from lazyrich.claims import check, find, record
from lazyrich.claims.drawing import Axis, Drawing, Heat, Line, Panel
from lazyrich.lab.machine import environment
from lazyrich.report import figures
from lazyrich.report import records as results

DOCS = Path(__file__).parents[2] / "docs"
LEMMA = find("woodworth2020/lemma_6")


def schema() -> jsonschema.Draft202012Validator:
    texts = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in (DOCS / "schemas").glob("*.json")}
    registry = Registry().with_resources((name, Resource.from_contents(one)) for name, one in texts.items())
    jsonschema.Draft202012Validator.check_schema(texts["result_record.json"])
    return jsonschema.Draft202012Validator(texts["result_record.json"], registry=registry)


def attributes_of(claim, **more) -> dict:
    """The attributes of a stored run."""
    return record.record(claim, check(claim, size="paper"), environment()) | {"created": "2026-01-31T23:59:59Z"} | more


@pytest.fixture(scope="module")
def attributes():
    return attributes_of(LEMMA)


def test_a_record_comes_back(attributes, tmp_path):
    written = results.write(tmp_path / "new", LEMMA, attributes)
    assert results.read(tmp_path / "new") == {LEMMA.id: written} and not written.stale
    text = (tmp_path / "new" / "woodworth2020-lemma_6.json").read_text(encoding="utf-8")
    schema().validate(json.loads(text))
    assert list(json.loads(text)) == list(asdict(written))
    assert {path.name for path in (tmp_path / "new").iterdir()} == {*("woodworth2020-lemma_6.json", "woodworth2020-lemma_6.png")}
    assert written.command == "lazyrich run woodworth2020/lemma_6 --size paper --seed 0"
    assert written.date == "2026-01-31" and written.source == LEMMA.digest
    for name in ("params", "verdict", "reason", "sound", "holds", "controls", "seconds", "commit"):
        assert getattr(written, name) == attributes[name]
    assert written.machine["python"] == attributes["python"] and written.machine["jax"] == attributes["packages"]["jax"]
    assert written.caption == attributes["drawing"]["caption"]
    again = results.write(tmp_path / "new", LEMMA, attributes | {"seconds": 7.0})
    assert results.read(tmp_path / "new") == {LEMMA.id: again} and again.seconds == 7.0


def test_a_drawing_of_a_model_has_a_record_too(tmp_path):
    claim = find("woodworth2020/figure_4")
    written = results.write(tmp_path, claim, attributes_of(claim))
    schema().validate(json.loads((tmp_path / "woodworth2020-figure_4.json").read_text(encoding="utf-8")))
    assert written.verdict == "skipped" and written.image == "woodworth2020-figure_4.png" and not written.stale


def test_a_claim_that_draws_nothing_has_no_figure(attributes, tmp_path):
    written = results.write(tmp_path, LEMMA, attributes | {"drawing": None})
    assert written.image is None and written.caption is None
    assert [path.name for path in tmp_path.iterdir()] == ["woodworth2020-lemma_6.json"]


def test_a_record_is_stale_when_its_source_or_parameters_changed_or_its_claim_is_gone(attributes, monkeypatch):
    now = results.of(LEMMA, attributes)
    assert not now.stale
    assert replace(now, source="0" * 16).stale and replace(now, id="woodworth2020/lemma_99").stale
    assert replace(now, params=now.params | {"trials": 1_000_000}).stale
    monkeypatch.setitem(vars(LEMMA), "digest", "f" * 16)
    assert now.stale


def test_the_code_that_simulated_counts(attributes):
    """A run from another machine, judged here by the same code or by another."""
    here = environment() | {"commit": "a" * 40}

    def brought(source: str, claim_source: str) -> results.Record:
        made = attributes | {"commit": None, "source": source, "claim_source": claim_source, "device": "a GPU"}
        return results.of(LEMMA, made | {"elsewhere": {"judged_by": here}})

    same = brought(here["source"], LEMMA.digest)
    assert same.commit == "a" * 40 and not same.stale and same.machine["device"] == "a GPU"
    unrelated = brought("another", LEMMA.digest)
    assert unrelated.commit is None and not unrelated.stale
    assert brought("another", "0" * 16).stale


def test_a_run_of_which_nobody_knows_the_source_is_stale(attributes):
    old = {name: value for name, value in attributes.items() if name not in ("claim_source", "device")}
    found = results.of(LEMMA, old)
    assert found.stale and found.machine["device"] == attributes["devices"][0]
    assert results.of(LEMMA, attributes | {"claim_source": None}).stale


@pytest.mark.parametrize(
    ("platform", "kept"),
    [
        ("Linux-6.1.0-x-y-x86_64-with-glibc2.36", "Linux-x86_64-with-glibc2.36"),
        ("macOS-15.1-arm64-arm-64bit", "macOS-15.1-arm64-arm-64bit"),
    ],
)
def test_the_build_of_a_kernel_is_left_out(attributes, platform, kept):
    assert results.of(LEMMA, attributes | {"platform": platform}).machine["platform"] == kept


BROKEN = {
    "empty": lambda one: "",
    "no JSON": lambda one: "{",
    "a list": lambda one: "[]",
    "an entry less": lambda one: json.dumps({k: v for k, v in one.items() if k != "seed"}),
    "an entry more": lambda one: json.dumps(one | {"run": "x"}),
    "a seed that is a word": lambda one: json.dumps(one | {"seed": "0"}),
    "another id": lambda one: json.dumps(one | {"id": "woodworth2020/lemma_5"}),
    "a figure elsewhere": lambda one: json.dumps(one | {"image": "../secret.png"}),
    "a reading without a bound": lambda one: json.dumps(one | {"sound": [{"name": "x"}]}),
    "readings that are words": lambda one: json.dumps(one | {"holds": ["x"]}),
    "a control without readings": lambda one: json.dumps(one | {"controls": [{}]}),
    "no such verdict": lambda one: json.dumps(one | {"verdict": "perhaps"}),
    "no machine": lambda one: json.dumps(one | {"machine": {}}),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_record_is_named_and_the_rest_is_read(attributes, tmp_path, how):
    good = results.write(tmp_path, LEMMA, attributes | {"drawing": None})
    other = asdict(good) | {"id": "woodworth2020/lemma_7", "image": None}
    (tmp_path / "woodworth2020-lemma_7.json").write_text(BROKEN[how](other), encoding="utf-8")
    messages = []
    assert results.read(tmp_path, messages.append) == {LEMMA.id: good}
    assert len(messages) == 1 and "woodworth2020-lemma_7.json is no record" in messages[0]
    with pytest.warns(UserWarning, match="is no record"):
        results.read(tmp_path)


def test_bytes_that_are_no_text_are_named(tmp_path):
    (tmp_path / "x-y.json").write_bytes(b"\xff\xfe\x00")
    messages = []
    assert results.read(tmp_path, messages.append) == {} and len(messages) == 1


def test_a_figure_that_is_gone_is_named(attributes, tmp_path):
    good = results.write(tmp_path, LEMMA, attributes)
    (tmp_path / "woodworth2020-lemma_6.png").unlink()
    messages = []
    assert results.read(tmp_path, messages.append) == {LEMMA.id: replace(good, image=None)}
    assert len(messages) == 1 and "woodworth2020-lemma_6.png" in messages[0]


def test_a_folder_that_is_not_there_has_no_records(tmp_path):
    assert results.read(tmp_path / "none") == {}


def test_nothing_is_left_of_a_record_that_could_not_be_written(attributes, tmp_path, monkeypatch):
    good = results.write(tmp_path, LEMMA, attributes)
    monkeypatch.setattr("pathlib.Path.replace", lambda *paths: (_ for _ in ()).throw(OSError("no room")))
    with pytest.raises(OSError, match="no room"):
        results.write(tmp_path, LEMMA, attributes | {"seconds": 9.0})
    assert results.read(tmp_path) == {LEMMA.id: good} and len(list(tmp_path.iterdir())) == 2


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.mark.parametrize(("panels", "columns"), [(1, 1), (2, 2), (4, 3), (0, 1)])
def test_a_figure_is_small(panels, columns):
    """Noise is what packs worst."""
    rng = np.random.default_rng(0)
    heat = Heat("heat", range(60), range(60), rng.uniform(size=(60, 60)))
    lines = [Line(f"{name}", np.arange(50.0), rng.uniform(size=50)) for name in range(3)]
    one = Panel([heat, *lines], Axis("x"), Axis("y"))
    png = figures.small(Drawing([one] * panels, "a caption", columns), results.WIDTH, results.MOST)
    width, height = size_of(png)
    assert abs(width - results.WIDTH) <= 2 and len(png) <= results.MOST
    assert figures.small(Drawing([one] * panels, "another", columns), results.WIDTH, results.MOST) == png


def test_the_records_of_the_project_are_what_the_schema_says():
    found = results.read(DOCS / "results", pytest.fail)
    files = sorted((DOCS / "results").glob("*.json"))
    assert len(found) == len(files) >= 3
    for path in files:
        schema().validate(json.loads(path.read_text(encoding="utf-8")))
    for one in found.values():
        assert find(one.id).id == one.id
        if one.image is not None:
            png = (DOCS / "results" / one.image).read_bytes()
            assert len(png) <= results.MOST and abs(size_of(png)[0] - results.WIDTH) <= 2
    images = {path.name for path in (DOCS / "results").glob("*.png")}
    assert images == {one.image for one in found.values()} - {None}


def test_a_schema_refuses_what_is_no_record(attributes):
    one = asdict(results.of(LEMMA, attributes))
    for wrong in ({"size": "quick"}, {"verdict": "perhaps"}, {"source": "x"}, {"holds": [{}]}, {"kind": "rumor"}):
        with pytest.raises(jsonschema.ValidationError):
            schema().validate(one | wrong)

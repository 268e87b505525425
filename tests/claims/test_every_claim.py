"""Every claim at quick size, as `lazyrich check --all` leaves it: its verdict, its readings and controls, its drawing.

`make test-all` runs that command once, in one process that shares what claims have in common, and names its folder in
LAZYRICH_CHECKED; without it each claim is checked here.
"""

import json
import os
import pathlib
import warnings

import jsonschema
import pytest

from lazyrich.api.check import check_many, document
from lazyrich.claims import drawing as drawings
from lazyrich.claims import every
from lazyrich.lab import Store
from lazyrich.report.figures import save

CLAIMS = list(every())
SCHEMA = pathlib.Path(__file__).parents[2] / "docs" / "schemas" / "results.json"


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """What `check --json` prints of a claim, and the attributes of its stored run."""
    place = os.environ.get("LAZYRICH_CHECKED")
    store = Store(place or str(tmp_path_factory.mktemp("checked")))
    known = in_shape(json.loads(pathlib.Path(place, "all.json").read_text(encoding="utf-8"))) if place else {}
    assert not place or known.keys() == {claim.id for claim in CLAIMS}

    def one(claim):
        if not place:
            results = check_many([claim], size="quick", seed=0, changes={}, store=store, reuse=False, say=warnings.warn)
            known.update(in_shape(json.loads(json.dumps(document(results), allow_nan=False))))
        run = known[claim.id]["run"]
        return known[claim.id], store.load(run).attrs if run else None

    return one


def in_shape(printed):
    """The results by id, of a document in the published shape."""
    jsonschema.validate(printed, json.loads(SCHEMA.read_text(encoding="utf-8")), cls=jsonschema.Draft202012Validator)
    return {one["id"]: one for one in printed["results"]}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS, ids=[claim.id for claim in CLAIMS])
def test_every_claim_holds_and_its_controls_fail(claim, checked, tmp_path):
    found, stored = checked(claim)
    if claim.kind == "drawing" or claim.missing("quick"):
        assert found["verdict"] == "skipped", found["reason"]
        return
    assert found["verdict"] == "holds", found["reason"]
    keys = [reading["key"] for reading in found["holds"]]
    assert len(set(keys)) == len(keys) and all(reading["why"] for kind in ("sound", "holds") for reading in found[kind])
    words = {word for reading in found["holds"] for word in (reading["key"], reading["name"])}
    for control, ran in zip(claim.controls, found["controls"], strict=True):
        assert ran["verdict"] == "fails" and words >= set(control.breaks) and keys == [reading["key"] for reading in ran["holds"]]
    for name in ("verdict", "reason", "sound", "holds", "controls"):
        assert stored[name] == found[name], "what is stored is what is printed"
    drawing = drawings.from_json(stored["drawing"])
    paths = save(drawing, tmp_path, "figure", title=claim.title, verdict=found["verdict"], footer=claim.id)
    assert sorted(pathlib.Path(path).suffix for path in paths) == [".csv", ".png", ".svg"]

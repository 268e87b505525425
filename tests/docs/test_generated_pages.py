import inspect
import json
import pathlib
from dataclasses import asdict, replace

import api
import pages
import pytest
from shown import Picture, Shown, gather

import lazyrich
from lazyrich.claims import every, find
from lazyrich.report import records as results

DOCS = pathlib.Path(__file__).parents[2] / "docs"
ERRATUM = "woodworth2020/quartic_root"


@pytest.fixture(scope="module")
def record() -> results.Record:
    return results.read(DOCS / "results")[ERRATUM]


def shown(record: results.Record | None) -> list[Shown]:
    picture = None if record is None or record.image is None else Picture(f"results/{record.image}", record)
    return [Shown(find(ERRATUM), record, picture)]


def test_every_claim_is_shown_once_in_the_order_of_the_papers():
    assert [one.claim.id for one in gather(DOCS)] == [claim.id for claim in every()]


def test_every_picture_is_there_and_small():
    found = [one.picture for one in gather(DOCS) if one.picture]
    assert found
    assert [one.path for one in found if (DOCS / one.path).stat().st_size > 80_000] == []


def test_a_picture_at_paper_size_comes_before_one_of_quick_size(tmp_path, record):
    for folder, size in (("images", "quick"), ("results", "paper")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{results.stem(ERRATUM)}.json").write_text(json.dumps(asdict(replace(record, size=size))))
        (tmp_path / folder / record.image).write_bytes(b"")
        one = next(one for one in gather(tmp_path) if one.claim.id == ERRATUM)
        assert one.picture is not None
        assert (one.picture.path, one.picture.record.size) == (f"{folder}/{record.image}", size)
        assert (one.record is None) == (size == "quick")


def test_without_records_every_page_says_so():
    for name in ("results.md", "errata.md"):
        assert "is recorded yet" in pages.pages(shown(None))[name]


def test_every_erratum_is_on_its_page():
    text = pages.errata([Shown(claim, None, None) for claim in every()])
    wanted = [claim for claim in every() if claim.kind == "erratum"]
    assert wanted and all(f"{{#{results.stem(claim.id)}}}" in text for claim in wanted)
    assert text.count("\n## ") == len(wanted)


@pytest.mark.parametrize("name", ["claims.md", "results.md", "gallery.md", "errata.md"])
def test_a_stale_record_is_marked_and_a_fresh_one_is_not(record, name):
    old, new = replace(record, source="0" * 16), replace(record, source=find(ERRATUM).digest)
    mark = 'class="verdict stale"'
    assert mark in pages.pages(shown(old))[name]
    assert mark not in pages.pages(shown(new))[name]


@pytest.mark.parametrize("name", ["results.md", "gallery.md", "errata.md"])
def test_markup_in_a_record_is_escaped(record, name):
    odd = "<script>alert(1)</script>"
    reading = {**record.holds[0], "name": odd, "why": odd}
    changed = replace(record, reason=odd, caption=odd, holds=[reading], command=odd, commit=None)
    text = pages.pages(shown(changed))[name]
    assert "<script>" not in text and "&lt;script&gt;" in text


def test_readings_stand_beside_those_of_the_control(record):
    reading = {**record.holds[0], "value": 0.25, "bound": "near", "target": 0.5, "tolerance": 0.125}
    control = {**record.controls[0], "holds": [{**reading, "value": "never"}]}
    text = pages.results(shown(replace(record, holds=[reading], controls=[control])))
    assert "<td>0.25</td><td>near 0.5 ± 0.125</td><td>never</td>" in text


def test_a_bound_of_the_controls_own_is_shown(record):
    reading = {**record.holds[0], "value": 0.25, "bound": "at_most", "target": 0.5}
    control = {**record.controls[0], "holds": [{**reading, "target": 0.125}]}
    text = pages.results(shown(replace(record, holds=[reading], controls=[control])))
    assert "<td>at most 0.5</td><td>0.25<br><small>at most 0.125</small></td>" in text


def test_every_module_has_a_page_with_its_names():
    modules = {name for name in lazyrich.__all__ if inspect.ismodule(getattr(lazyrich, name))}
    assert modules and modules <= set(api.MODULES)
    made = api.pages()
    assert set(made) == {"api/index.md", *(f"api/{name}.md" for name in api.MODULES)}
    assert [path for path, text in made.items() if ":::" not in text] == ["api/index.md"]
    assert "::: lazyrich.models.DiagonalNet" in made["api/models.md"] and ".ALL" not in made["api/models.md"]

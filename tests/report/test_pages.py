"""A report is whole: every page is there, every link leads somewhere, nothing comes from outside."""

import html
import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import xarray as xr

from lazyrich.api import report as api
from lazyrich.claims import Reading, find
from lazyrich.claims.drawing import Axis, Drawing, Line, Panel, as_json
from lazyrich.claims.registry import PAPERS
from lazyrich.errors import BadInput
from lazyrich.lab import Store
from lazyrich.report import records
from lazyrich.report.formulas import in_unicode
from lazyrich.report.pages import words
from lazyrich.report.pages.glossary import WORDS, explained

ROOT = Path(__file__).parents[2]
MARKUP = '<script>alert("&")</script>'
DRAWING = Drawing((Panel((Line("a", (1, 2, 3), (1, 4, 9)),), Axis("x"), Axis("y")),), caption="It rises & stays < 10.")
VOID = {"meta", "link", "img", "input", "br"}


def attributes(identity: str, *, value: float = 1e-6, seed: int = 0, **changes) -> dict:
    kept = Reading("relative distance", value, "at_most", 1e-5, 0.0, "the solver's tolerance").as_json()
    broken = {**kept, "value": 0.3, "ok": False}
    return {
        "id": identity,
        "paper": identity.partition("/")[0],
        "title": "A title",
        "size": "quick",
        "seed": seed,
        "params": {"alpha": [0.1, 1.0], "d": 40},
        "verdict": "holds",
        "reason": "as it must",
        "sound": [],
        "holds": [kept],
        "controls": [{"says": "another scale", "verdict": "fails", "broke": [], "sound": [], "holds": [broken]}],
        "seconds": 1.5,
        "stated_in": "somewhere",
        "command": f"lazyrich run {identity} --size quick --seed {seed}",
        "in_python": f'lz.check("{identity}", size="quick", seed={seed})',
        "fingerprint": "f",
        "python": "3.11.7",
        "packages": {"lazyrich": "0.1.0", "jax": "0.10.2"},
        "commit": "abc",
        "source": "def",
        "devices": ["cpu:0"],
        "drawing": as_json(DRAWING),
    } | changes


def kept(folder: Path, *runs: dict) -> Store:
    store = Store(folder)
    for record in runs:
        store.add(xr.Dataset({"x": ("t", [1.0, 2.0])}), record)
    return store


@pytest.fixture(autouse=True)
def no_records(monkeypatch):
    """The records of the checkout change; tests bring their own."""
    monkeypatch.setattr(api, "results_folder", lambda: None)


@pytest.fixture
def store(tmp_path) -> Store:
    return kept(
        tmp_path / "store",
        attributes("woodworth2020/theorem_1"),
        attributes("woodworth2020/lemma_6", drawing=None),
        attributes("lyu2024/figure_1a", verdict="fails", reason="does not keep its bound: relative distance"),
    )


class Page(HTMLParser):
    """The links, ids and words of a page; it fails on tags that are not closed in order."""

    def __init__(self, path: Path):
        super().__init__()
        self.links, self.ids, self.open, self.words = [], set(), [], ""
        self.feed(path.read_text(encoding="utf-8"))
        assert self.open == [], f"{path} leaves {self.open} open"

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[name] for name in ("href", "src") if name in found]
        self.ids |= {found["id"]} if "id" in found else set()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def read(path: Path) -> str:
    return re.sub(r"\s+", " ", Page(path).words)


def broken_links(folder: Path) -> list[str]:
    """Links that lead nowhere, or out of the folder."""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    wrong = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            inside = not parts.netloc and parts.scheme in ("", "data") and folder.resolve() in target.parents
            known = target.is_file() and (not parts.fragment or parts.fragment in pages[target].ids)
            if parts.scheme != "data" and not (inside and known):
                wrong.append(f"{path.name}: {link}")
    return wrong


def test_every_link_leads_somewhere(store, tmp_path):
    first = api.report(store, tmp_path / "out")
    assert first == tmp_path / "out" / "index.html"
    assert broken_links(tmp_path / "out") == []
    (tmp_path / "out" / "claims" / "woodworth2020-theorem_1.html").unlink()
    assert broken_links(tmp_path / "out") != []


def test_nothing_comes_from_outside(store, tmp_path):
    api.report(store, tmp_path / "out")
    texts = [path for path in (tmp_path / "out").rglob("*") if path.suffix in (".html", ".css", ".js")]
    assert len(texts) > 8
    for path in texts:
        found = set(re.findall(r"https?://[^\s\"'<>)]+", path.read_text(encoding="utf-8")))
        assert found <= {"http://www.w3.org/1998/Math/MathML", "http://www.w3.org/2000/svg"}, path
    style = (tmp_path / "out" / "assets" / "katex" / "katex.css").read_text(encoding="utf-8")
    assert {link[:22] for link in re.findall(r"url\(([^)]*)\)", style)} == {"data:font/woff2;base64"}


def test_a_claim_is_shown_with_all_that_belongs_to_it(store, tmp_path):
    api.report(store, tmp_path / "out")
    claim = find("woodworth2020/theorem_1")
    text = read(tmp_path / "out" / "claims" / "woodworth2020-theorem_1.html")
    for text_of in (
        in_unicode(claim.title),
        "relative distance",
        "the solver's tolerance",
        "≤ 10−5",
        "another scale",
        "out of its bound",
        words.VERDICTS["holds"],
        "lazyrich run woodworth2020/theorem_1 --size quick --seed 0",
        'lz.check("woodworth2020/theorem_1", size="quick", seed=0)',
        "commit abc, source def",
        "jax 0.10.2",
        "It rises & stays < 10.",
        "0.1, 1",
    ):
        assert text_of in text, text_of
    assert (tmp_path / "out" / "figures" / "woodworth2020-theorem_1.csv").read_text().startswith("panel,title")


def test_the_index_counts_and_can_be_filtered(store, tmp_path):
    text = api.report(store, tmp_path / "out").read_text(encoding="utf-8")
    assert text.count('data-verdict="holds"') == 2 and text.count('data-verdict="fails"') == 1
    assert '<option value="lyu2024">' in text and '<form id="filters" role="search" hidden>' in text


def test_a_paper_lists_what_was_not_run(store, tmp_path):
    api.report(store, tmp_path / "out")
    assert "lazyrich run woodworth2020/lemma_5" in read(tmp_path / "out" / "woodworth2020.html")


def test_a_control_with_a_bound_of_its_own_says_it(tmp_path):
    one = attributes("woodworth2020/figure_1b")
    one["holds"] = [Reading("power", -8.0, "near", -8.0, 0.05, "its law").as_json()]
    one["controls"][0]["holds"] = [Reading("power", -8.0, "near", -4.0, 0.05, "its law").as_json()]
    api.report(kept(tmp_path / "s", one), tmp_path / "out")
    page = tmp_path / "out" / "claims" / "woodworth2020-figure_1b.html"
    assert "−8 (out)must be −4 ± 0.05" in read(page)
    assert '<path class="control"' not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("outdated", [False, True])
def test_a_run_of_older_code_is_marked(tmp_path, outdated):
    claim = find("woodworth2020/lemma_6")
    one = attributes(claim.id, claim_source="older" if outdated else claim.digest)
    api.report(kept(tmp_path / "s", one), tmp_path / "out")
    text = read(tmp_path / "out" / "claims" / "woodworth2020-lemma_6.html")
    assert ("changed since it was run" in text) == outdated


def test_pictures_of_models_need_no_run(store, tmp_path):
    api.report(store, tmp_path / "out", ids=["woodworth2020/figure_9"])
    assert "nothing to check" in read(tmp_path / "out" / "claims" / "woodworth2020-figure_9.html")
    assert (tmp_path / "out" / "figures" / "woodworth2020-figure_9.svg").is_file()


def test_the_newest_run_is_taken(tmp_path):
    store = kept(tmp_path / "s", attributes("lyu2024/figure_1a", seed=1), attributes("lyu2024/figure_1a", seed=2))
    api.report(store, tmp_path / "out")
    text = read(tmp_path / "out" / "claims" / "lyu2024-figure_1a.html")
    assert "--seed 2" in text and "--seed 1" not in text and "newest of 2 stored runs" in text


def test_a_damaged_run_is_reported_and_the_one_before_it_taken(tmp_path):
    store = kept(tmp_path / "s", attributes("lyu2024/figure_1a", seed=1), attributes("lyu2024/figure_1a", seed=2))
    spoiled = store.names()[-1]
    (store.runs / f"{spoiled}.zarr" / "x" / "zarr.json").write_text("{}")
    text = read(api.report(store, tmp_path / "out"))
    assert spoiled in text and "x/zarr.json is changed" in text and "Left out: 1 stored run" in text
    assert "--seed 1" in read(tmp_path / "out" / "claims" / "lyu2024-figure_1a.html")


def test_a_store_with_nothing_but_damage_still_gives_an_index(tmp_path):
    store = kept(tmp_path / "s", attributes("lyu2024/figure_1a"))
    (store.runs / f"{store.names()[0]}.zarr" / "zarr.json").write_text("no")
    assert "Left out: 1 stored run" in read(api.report(Store(store.folder), tmp_path / "out"))


def test_markup_is_shown_and_not_obeyed(tmp_path):
    odd = attributes(f"ghost/{MARKUP}", title=MARKUP, reason=MARKUP, verdict="fails", params={MARKUP: MARKUP}, commit=MARKUP)
    odd["holds"][0] |= {"name": MARKUP, "why": MARKUP}
    odd["controls"][0]["says"] = MARKUP
    odd["drawing"]["caption"] = MARKUP
    api.report(kept(tmp_path / "s", odd), tmp_path / "out")
    assert broken_links(tmp_path / "out") == []
    for path in (tmp_path / "out").rglob("*.html"):
        assert MARKUP not in path.read_text(encoding="utf-8") and "<script>" not in path.read_text(encoding="utf-8")
    (page,) = (tmp_path / "out" / "claims").iterdir()
    assert html.escape(MARKUP) in page.read_text(encoding="utf-8") and "no longer has this claim" in read(page)


def test_a_missing_figure_is_named(tmp_path):
    uneven = Drawing((Panel((Line("a", (1,), (1, 2)),), Axis("x"), Axis("y")),))
    store = kept(
        tmp_path / "s",
        attributes("woodworth2020/lemma_6", drawing=None),
        attributes("woodworth2020/lemma_5", drawing={"kind": "Sculpture"}),
        attributes("woodworth2020/lemma_7", drawing=as_json(uneven)),
    )
    api.report(store, tmp_path / "out")
    assert "has no figure" in read(tmp_path / "out" / "claims" / "woodworth2020-lemma_6.html")
    assert "cannot be read (KeyError" in read(tmp_path / "out" / "claims" / "woodworth2020-lemma_5.html")
    assert "could not be drawn (BadInput" in read(tmp_path / "out" / "claims" / "woodworth2020-lemma_7.html")
    assert broken_links(tmp_path / "out") == []


def test_a_folder_with_anything_in_it_is_refused(store, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    api.report(store, out, ids=["lyu2024/figure_1a"])
    with pytest.raises(BadInput, match="--force"):
        api.report(store, out)
    api.report(store, out, ids=["woodworth2020/lemma_6"], force=True)
    assert not (out / "claims" / "lyu2024-figure_1a.html").exists()
    (out / "mine.txt").write_text("precious")
    with pytest.raises(BadInput, match="mine.txt"):
        api.report(store, out, force=True)
    assert (out / "mine.txt").read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == {"store", "out"}


def test_force_does_not_touch_what_no_report_made(store, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("a")
    with pytest.raises(BadInput, match="a.txt"):
        api.report(store, tmp_path / "notes", force=True)
    with pytest.raises(BadInput, match="something else"):
        api.report(store, tmp_path / "notes" / "a.txt", force=True)


def test_an_interrupted_report_leaves_nothing(store, tmp_path, monkeypatch):
    from lazyrich.report.pages import build

    def stop(*words):
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "index_page", stop)
    with pytest.raises(KeyboardInterrupt):
        api.report(store, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"ids": ["woodworth2020/lemma_5"]}, "none of woodworth2020/lemma_5"),
        ({"ids": ["woodworth2020/lemma_555"]}, "The nearest"),
        ({"paper": "nobody1999"}, "the papers are"),
    ],
)
def test_what_is_not_there_is_refused_before_any_work(store, tmp_path, asked, message):
    with pytest.raises(BadInput, match=re.escape(message)):
        api.report(store, tmp_path / "out", **asked)
    assert not (tmp_path / "out").exists()


def test_a_paper_without_runs_is_refused(tmp_path):
    store = kept(tmp_path / "s", attributes("lyu2024/figure_1a"))
    with pytest.raises(BadInput, match="none of woodworth2020"):
        api.report(store, tmp_path / "out", paper="woodworth2020")


def test_an_empty_store_is_refused(tmp_path):
    with pytest.raises(BadInput, match="made of stored runs"):
        api.report(Store(tmp_path / "nothing"), tmp_path / "out")


@pytest.mark.parametrize("stale", [False, True])
def test_the_run_at_the_papers_size_is_shown(store, tmp_path, stale):
    claim, folder = find("woodworth2020/lemma_6"), tmp_path / "results"
    source = "another" if stale else claim.digest
    made = {"created": "2026-11-16T10:00:00Z", "cores": 2, "platform": "Linux"}
    params = claim.resolve("paper", {}).shown()
    records.write(folder, claim, attributes(claim.id, size="paper", params=params, claim_source=source, **made))
    (folder / "torn.json").write_text("{")
    first = api.report(store, tmp_path / "out", results=folder)
    text = read(tmp_path / "out" / "claims" / "woodworth2020-lemma_6.html")
    assert "Made on 2026-11-16" in text and ("Stale:" in text) == stale
    assert ("stale" in read(first)) == stale and "torn.json" in read(first)
    assert (tmp_path / "out" / "figures" / "woodworth2020-lemma_6-paper.png").is_file()
    assert broken_links(tmp_path / "out") == []


def test_a_record_without_a_run_is_shown(store, tmp_path):
    claim, folder = find("woodworth2020/lemma_5"), tmp_path / "results"
    whole = attributes(claim.id, size="paper", claim_source="s", created="2026-11-16T10:00:00Z", cores=2, platform="Linux")
    records.write(folder, claim, whole)
    assert "at the paper's size: holds (stale)" in read(api.report(store, tmp_path / "out", results=folder))
    text = read(tmp_path / "out" / "claims" / "woodworth2020-lemma_5.html")
    assert words.VERDICTS["not run"] in text and "Made on 2026-11-16" in text
    assert broken_links(tmp_path / "out") == []


def test_many_figures_are_drawn_by_several_processes(tmp_path, monkeypatch):
    from lazyrich.report.pages import drawn

    monkeypatch.setattr(drawn, "WORTH", 1)
    monkeypatch.setattr(drawn.os, "cpu_count", lambda: 2)
    heard = []
    bad = Drawing((Panel((Line("a", (1,), (1, 2)),), Axis("x"), Axis("y")),))
    wanted = {tmp_path / "good": DRAWING, tmp_path / "bad": bad}
    with drawn.helpers(len(wanted)) as pool:
        assert pool is not None
        troubles = drawn.draw_all(wanted, lambda what, done, total: heard.append((done, total)), pool)
    with drawn.helpers(0) as none:
        assert none is None
    assert list(troubles) == [tmp_path / "bad"] and heard == [(1, 2), (2, 2)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.csv", "good.svg"]


def test_the_same_runs_give_the_same_bytes(store, tmp_path):
    api.report(store, tmp_path / "a")
    api.report(store, tmp_path / "b")
    files = json.loads((tmp_path / "a" / "lazyrich-report.json").read_text())["files"]
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in files)


def test_a_report_is_moved_as_one_folder(store, tmp_path):
    api.report(store, tmp_path / "out")
    shutil.move(tmp_path / "out", tmp_path / "elsewhere" / "deep")
    assert broken_links(tmp_path / "elsewhere" / "deep") == []
    assert str(tmp_path) not in (tmp_path / "elsewhere" / "deep" / "index.html").read_text(encoding="utf-8")


def test_papers_are_called_as_in_the_bibliography():
    known = re.findall(r"@\w+\{(\w+),\s+title\s+= \{(.*)\},", (ROOT / "docs" / "references.bib").read_text())
    titles = {key: re.sub(r"[{}]", "", title) for key, title in known}
    ours = {key: words.paper_title(key) for key in PAPERS if key != "bridges"}
    assert ours == {key: titles[key] for key in ours} and words.AUTHORS.keys() <= ours.keys()


def test_every_word_of_the_glossary_is_used_by_a_claim():
    from lazyrich.claims import every

    used = {word for claim in every() for word, _ in explained(f"{claim.title} {claim.says}")}
    assert used == set(WORDS)

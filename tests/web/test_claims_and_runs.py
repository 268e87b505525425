"""The pages of claims and runs: the lists, single claims and runs, and running a claim."""

import json
import re
import shutil
from functools import partial

import pytest
from web_client import Client, serve_in_thread, wait_for

from lazyrich.claims import every
from lazyrich.lab import Store

pytestmark = pytest.mark.slow
NAME, ID = "woodworth2020-lemma_6", "woodworth2020/lemma_6"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A server over a store with one run, made through the page: the client, the store, the events and the services."""
    store = Store(tmp_path_factory.mktemp("runs"))
    with serve_in_thread(store) as (app, port):
        client = Client(port)
        events = client.events(f"/api/claims/{NAME}/run", method="POST")
        yield client, store, events, app.state.services


def test_all_claims_are_listed_with_their_verdicts(client, services):
    status, _, text = client.get("/claims")
    rows = re.findall(r'<li data-paper="(\w+)" data-kind="(\w+)" data-verdict="([\w ]+)"', text)
    claims = list(every())
    assert status == 200 and len(rows) == len(claims)
    assert [(paper, kind) for paper, kind, _ in rows] == [(claim.paper, claim.kind) for claim in claims]
    records = services.claims.records
    shown = {claim.id: verdict for claim, (_, _, verdict) in zip(claims, rows, strict=True)}
    assert records and all(shown[one] == record.verdict for one, record in records.items() if record.kind != "drawing")
    assert "readings within bounds · control fails" in text


def test_a_claim_opens_as_in_the_report(client, services):
    identity = next(one for one, record in services.claims.records.items() if record.image)
    status, _, text = client.get(f"/claims/{identity.replace('/', '-')}.html")
    assert status == 200 and "At the size of the paper" in text and 'id="run"' in text and 'style="' not in text
    picture = re.search(r'src="\.\.(/figures/[^"]+-paper\.png)"', text)
    assert picture is not None and client.get(picture[1])[2][1:4] == "PNG"
    assert client.get("/index.html")[1]["location"] == "/claims"
    assert client.get("/lyu2024.html")[1]["location"] == "/claims#paper=lyu2024"


def test_a_claim_is_run_with_its_progress(stored):
    client, store, events, _ = stored
    kinds = [kind for kind, _ in events]
    assert "progress" in kinds and kinds[-1] == "done" and events[-1][1]["verdict"] == "holds"
    assert store.names() == [events[-1][1]["run"]]
    assert f"run of {store.record('latest')['created'][:10]}" in client.get("/claims")[2]


def test_its_run_opens_with_figure_and_numbers(stored):
    client, store, _, _ = stored
    (run,) = store.names()
    status, _, text = client.get(f"/runs/{run}")
    assert status == 200 and "How it was judged" in text and ID in text and f"../figures/{run}.svg" in text
    for name in (run, NAME):
        status, headers, text = client.get(f"/figures/{name}.svg")
        assert status == 200 and "<svg" in text and headers["content-security-policy"].startswith("default-src 'none'")
        assert client.get(f"/figures/{name}.csv")[2].startswith("panel,title,mark")


@pytest.mark.parametrize(
    ("query", "count"),
    [("", 1), ("?q=lemma_6", 1), ("?q=nothing", 0), ("?where=verdict%20%3D%3D%20'holds'", 1), ("?where=seed%20%3E%203", 0)],
)
def test_runs_are_found_by_word_and_condition(stored, query, count):
    status, _, text = stored[0].get(f"/runs{query}")
    assert status == 200 and text.count('href="/runs/2') == count


def test_a_sweep_opens_as_a_map(stored):
    from lazyrich.api.sweep import begin

    client, store, _, services = stored
    swept = begin(ID, {"eps": (0.1, 0.3), "d": (10.0, 100.0)}, store, size="quick", seed=0)
    try:
        assert "sweep" in client.get("/runs")[2]
        status, _, text = client.get(f"/runs/{swept.run}")
        assert status == 200 and "nothing was judged" in text and f"../figures/{swept.run}.svg" in text
        numbers = client.get(f"/figures/{swept.run}.csv")[2]
        assert numbers.count(",heat,") == 3 * 4  # x, y and value of each cell
        verdict = next(row.verdict for row in services.claims.rows() if row.claim.id == ID)
        assert verdict == "holds"  # a sweep judges nothing
    finally:
        shutil.rmtree(store.path(swept.run))


def test_an_unfinished_sweep_is_shown_as_far_as_it_is(stored):
    from lazyrich.api.sweep import begin

    client, store, _, _ = stored

    def enough(progress):
        if progress.done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begin(ID, {"eps": (0.1, 0.3), "d": (10.0, 100.0)}, store, size="quick", seed=1, notify=enough)
    (growing,) = store.growing()
    try:
        assert f"/runs/{growing.run}" in client.get("/runs")[2]
        status, _, text = client.get(f"/runs/{growing.run}")
        assert status == 200 and "nothing was judged" in text
    finally:
        shutil.rmtree(store.sweeps / growing.run)


def test_a_damaged_run_is_listed_and_not_opened(stored):
    client, store, _, services = stored
    (run,) = store.names()
    root = store.path(run) / "zarr.json"
    whole = root.read_text(encoding="utf-8")
    try:
        root.write_text(json.dumps({**json.loads(whole), "attributes": {}}), encoding="utf-8")
        services.claims._stored_result.cache_clear()
        assert "damaged" in client.get("/runs")[2]
        status, _, text = client.get(f"/runs/{run}")
        assert status == 503 and "Traceback" not in text
        assert client.get("/claims")[0] == 200
    finally:
        root.write_text(whole, encoding="utf-8")
        services.claims._stored_result.cache_clear()


def test_a_disconnect_cancels_a_claim(stored):
    client, store, _, services = stored
    with client.open("/api/claims/woodworth2020-theorem_1/run", method="POST") as response:
        response.readline()
        wait_for(lambda: services.queue.size == 1)
    wait_for(lambda: services.queue.size == 0, 60.0)
    assert len(store.names()) == 1


def test_an_unknown_claim_is_not_run(stored):
    client, _, _, services = stored
    run = partial(client.get, method="POST")
    assert run("/api/claims/woodworth2020-nothing/run")[0] == 400
    assert run(f"/api/claims/{NAME}/run?size=paper")[0] == 400
    assert client.get(f"/api/claims/{NAME}/run")[0] == 405
    assert services.queue.size == 0

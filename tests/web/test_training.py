"""Streamed trainings: complete, separate for each client, cancelled by a disconnect, and the same as in Python."""

import threading
import time

import numpy as np
import pytest
from web_client import SMALL, Client, read_events, wait_for

from lazyrich.web import endpoints
from lazyrich.web.config import parse_config, query_fields
from lazyrich.web.services import MAX_RUNNING, MAX_WAITING
from lazyrich.web.training import UPDATES, chunk_size, program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def first(site, services):
    """The first training of a shape: it compiles."""
    program.cache_clear()  # other tests may have compiled it
    return Client(site[1]).events(f"/api/train?{SMALL}&seed=0")


def curve(events, name="test"):
    return [value for kind, data in events if kind == "points" for value in data[name]]


def test_the_first_training_reports_compiling(first):
    states = [data["state"] for kind, data in first if kind == "state"]
    assert states[-2:] == ["compiling", "running"]


def test_no_update_is_dropped(first):
    chunks = [data for kind, data in first if kind == "points"]
    assert len(chunks) >= UPDATES and first[-1][0] == "done" and first[-1][1]["updates"] == len(chunks)
    assert [chunk["offset"] for chunk in chunks] == list(np.cumsum([0, *(len(one["time"]) for one in chunks[:-1])]))
    assert len(curve(first)) == chunks[0]["total"]


def test_milestones_are_sent_as_they_happen(first):
    kinds = [kind for kind, _ in first]
    milestones = {data["name"]: (at, data["time"]) for at, (kind, data) in enumerate(first) if kind == "milestone"}
    at, when = milestones["memorization"]
    assert kinds.index("done") > at and first[-1][1]["milestones"]["memorization"] == pytest.approx(when)
    before = [data for kind, data in first[:at] if kind == "points"][-1]
    assert before["time"][0] <= when <= before["time"][-1]


def first_point(client, query: str) -> tuple[float, list]:
    """Seconds to the first point, and all events up to it."""
    client.get(f"/api/forecast?{query}")  # as the page does first
    before, seen = time.perf_counter(), []
    with client.open(f"/api/train?{query}") as response:
        events = read_events(response)
        while not seen or seen[-1][0] != "points":
            seen.append(next(events))
    return time.perf_counter() - before, seen


def test_a_compiled_shape_starts_at_once_at_other_settings(first, client):
    query = SMALL.replace("strength=0.001", "strength=0.002")
    tries = [first_point(client, f"{query}&seed={seed}") for seed in (3, 4, 5)]
    assert all(("state", {"state": "compiling"}) not in seen for _, seen in tries)
    waited = min(seconds for seconds, _ in tries)  # other tests share the cores
    assert waited < 0.5, f"{waited:.2f} s to the first point"


def test_the_python_script_gives_the_same_numbers(first, client, capsys):
    status, headers, text = client.get(f"/api/download/py?{SMALL}&seed=0")
    assert status == 200 and headers["content-disposition"].startswith("attachment")
    exec(compile(text, "page.py", "exec"), {})
    rows = np.array([line.split() for line in capsys.readouterr().out.splitlines()[2:]], float)
    assert np.allclose(rows[:, 0], curve(first, "time"), rtol=1e-8)
    assert np.allclose(rows[:, 2], curve(first), rtol=1e-6, atol=1e-9)  # printed in nine digits


def test_files_of_a_training(first, client):
    status, _, text = client.get(f"/api/download/csv?{SMALL}&seed=0")
    rows = [line.split(",") for line in text.splitlines()]
    assert status == 200 and [float(row[-1]) for row in rows[1:]] == curve(first)
    assert rows[0][:2] == ["experiment", "seed"] and rows[1][:2] == ["l1_recovery", "0"]
    status, headers, text = client.get(f"/api/download/svg?{SMALL}&seed=0")
    assert status == 200 and headers["content-type"] == "image/svg+xml" and "<svg" in text
    assert "script-src" not in headers["content-security-policy"]
    status, _, text = client.get(f"/api/download/png?{SMALL}&seed=0")
    assert status == 200 and "PNG" in text[:8]


def test_three_clients_are_not_mixed(first, client):
    seeds, found = (1, 2, 1), {}

    def run(at):
        found[at] = client.events(f"/api/train?{SMALL}&seed={seeds[at]}")

    threads = [threading.Thread(target=run, args=(at,)) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert curve(found[0]) == curve(found[2]) != curve(found[1])
    assert all(events[-1][0] == "done" for events in found.values())


@pytest.fixture
def slow_training(monkeypatch):
    """Trainings that are slowed down."""
    original = endpoints.train

    def train(*given):
        for chunk in original(*given):
            yield chunk
            time.sleep(0.05)

    monkeypatch.setattr(endpoints, "train", train)


def test_a_disconnect_cancels_a_training(first, client, services, slow_training):
    with client.open(f"/api/train?{SMALL}&seed=5") as response:
        events = read_events(response)
        while next(events)[0] != "points":
            pass
        assert services.queue.size == 1
    wait_for(lambda: services.queue.size == 0, 2.0)
    refused = client.get(f"/api/download/csv?{SMALL}&seed=5")
    assert refused[0] == 400  # it did not finish


def test_waiting_clients_see_their_position_and_a_full_queue_refuses(first, client, services, slow_training):
    import contextlib

    with contextlib.ExitStack() as stack:
        responses = [
            stack.enter_context(client.open(f"/api/train?{SMALL}&seed={10 + at}")) for at in range(MAX_RUNNING + MAX_WAITING)
        ]
        wait_for(lambda: services.queue.full)
        status, _, text = client.get(f"/api/train?{SMALL}&seed=99")
        assert status == 503 and "Try again" in text
        assert next(read_events(responses[-1])) == ("queue", {"position": MAX_WAITING})
        assert client.get("/")[0] == 200  # other pages still work
    wait_for(lambda: services.queue.size == 0)


def test_two_hundred_reloads_leave_no_threads_behind(first, client, services, slow_training):
    threads = threading.active_count()
    for at in range(200):
        try:
            with client.open(f"/api/train?{SMALL}&seed={at}") as response:
                assert response.status in (200, 503)
        except ConnectionError:
            pass  # closed before it was answered
    wait_for(lambda: services.queue.size == 0)
    assert threading.active_count() <= threads + 5
    assert client.events(f"/api/train?{SMALL}&seed=0")[-1][0] == "done"


def test_a_slow_client_blocks_nobody(first, client, services):
    with client.open(f"/api/train?{SMALL}&seed=21") as response:  # and reads nothing
        wait_for(lambda: services.queue.size == 0)
        assert client.events(f"/api/train?{SMALL}&seed=22")[-1][0] == "done"
        assert len(curve(list(read_events(response)))) == len(curve(first))  # it is all there when it is read


def test_what_is_kept_is_bounded(first, services):
    from lazyrich.web import finished, forecasts

    assert len(services.finished._kept) <= finished.MAX_KEPT and len(services.forecasts._kept) <= forecasts.MAX_KEPT
    assert program.cache_info().currsize <= program.cache_info().maxsize


def test_a_run_that_takes_too_long_is_stopped(first, client, monkeypatch):
    monkeypatch.setattr("lazyrich.web.training.MAX_SECONDS", 0.0)
    kind, data = client.events(f"/api/train?{SMALL}&seed=31")[-1]
    assert kind == "done" and not data["ok"] and "time limit" in data["outcome"] and data["updates"] == 1


def test_concurrent_requests_compute_a_forecast_once(first, monkeypatch):
    from lazyrich.web import forecasts

    made, together = [], threading.Barrier(3)
    monkeypatch.setattr(forecasts, "compute_preview", lambda one: made.append(one) or time.sleep(0.2) or {"measure": "error"})
    cache, config, found = forecasts.ForecastCache(), parse_config(query_fields(SMALL)), []

    def run():
        together.wait()
        found.append(cache.get(config))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and found == [{"measure": "error"}] * 3 and cache.cached(config) == found[0]


def test_chunks_have_equal_size():
    assert [chunk_size(count) for count in (120, 121, 240, 7, 1)] == [2, 1, 4, 1, 1]


def test_one_program_serves_all_sliders():
    a, b = (parse_config(query_fields(f"alpha={alpha}&n=30&seed={alpha}")) for alpha in (2, 3))
    assert a.split()[1] == b.split()[1] and a != b

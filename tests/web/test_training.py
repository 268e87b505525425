"""Trainings as they are streamed: whole, one visitor's own, ended with the visit, and the same as in Python."""

import threading
import time

import numpy as np
import pytest
from visiting import SMALL, Visitor, told, wait_for

import lazyrich.web.api as api
from lazyrich.web.asks import ask, fields
from lazyrich.web.training import UPDATES, piece_of, program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def first(site, house):
    """The first training of a shape: it compiles."""
    program.cache_clear()  # other tests may have compiled it
    return Visitor(site[1]).events(f"/api/train?{SMALL}&seed=0")


def curve(events, name="test"):
    return [value for kind, data in events if kind == "points" for value in data[name]]


def test_the_first_says_that_it_compiles(first):
    states = [data["state"] for kind, data in first if kind == "state"]
    assert states[-2:] == ["compiling", "running"]


def test_no_update_is_dropped(first):
    pieces = [data for kind, data in first if kind == "points"]
    assert len(pieces) >= UPDATES and first[-1][0] == "done" and first[-1][1]["updates"] == len(pieces)
    assert [piece["at"] for piece in pieces] == list(np.cumsum([0, *(len(p["time"]) for p in pieces[:-1])]))
    assert len(curve(first)) == pieces[0]["of"]


def test_marks_come_as_they_happen(first):
    kinds = [kind for kind, _ in first]
    marks = {data["name"]: (at, data["time"]) for at, (kind, data) in enumerate(first) if kind == "mark"}
    at, when = marks["memorization"]
    assert kinds.index("done") > at and first[-1][1]["marks"]["memorization"] == pytest.approx(when)
    before = [data for kind, data in first[:at] if kind == "points"][-1]
    assert before["time"][0] <= when <= before["time"][-1]


def first_point(visitor, query: str) -> tuple[float, list]:
    """Seconds to the first point, and all that was told up to it."""
    visitor.get(f"/api/outlook?{query}")  # as the page does before
    before, seen = time.perf_counter(), []
    with visitor.opened(f"/api/train?{query}") as answer:
        events = told(answer)
        while not seen or seen[-1][0] != "points":
            seen.append(next(events))
    return time.perf_counter() - before, seen


def test_a_known_shape_begins_at_once_at_other_settings(first, visitor):
    query = SMALL.replace("strength=0.001", "strength=0.002")
    tries = [first_point(visitor, f"{query}&seed={seed}") for seed in (3, 4, 5)]
    assert all(("state", {"state": "compiling"}) not in seen for _, seen in tries)
    waited = min(seconds for seconds, _ in tries)  # other tests share the cores
    assert waited < 0.5, f"{waited:.2f} s to the first point"


def test_the_lines_of_python_give_the_same_numbers(first, visitor, capsys):
    status, headers, text = visitor.get(f"/api/download/py?{SMALL}&seed=0")
    assert status == 200 and headers["content-disposition"].startswith("attachment")
    exec(compile(text, "page.py", "exec"), {})
    rows = np.array([line.split() for line in capsys.readouterr().out.splitlines()[2:]], float)
    assert np.allclose(rows[:, 0], curve(first, "time"), rtol=1e-8)
    assert np.allclose(rows[:, 2], curve(first), rtol=1e-6, atol=1e-9)  # printed in nine digits


def test_files_of_a_training(first, visitor):
    status, _, text = visitor.get(f"/api/download/csv?{SMALL}&seed=0")
    rows = [line.split(",") for line in text.splitlines()]
    assert status == 200 and [float(row[-1]) for row in rows[1:]] == curve(first)
    assert rows[0][:2] == ["experiment", "seed"] and rows[1][:2] == ["l1_recovery", "0"]
    status, headers, text = visitor.get(f"/api/download/svg?{SMALL}&seed=0")
    assert status == 200 and headers["content-type"] == "image/svg+xml" and "<svg" in text
    assert "script-src" not in headers["content-security-policy"]
    status, _, text = visitor.get(f"/api/download/png?{SMALL}&seed=0")
    assert status == 200 and "PNG" in text[:8]


def test_three_visitors_are_not_mixed(first, visitor):
    seeds, found = (1, 2, 1), {}

    def visit(at):
        found[at] = visitor.events(f"/api/train?{SMALL}&seed={seeds[at]}")

    threads = [threading.Thread(target=visit, args=(at,)) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert curve(found[0]) == curve(found[2]) != curve(found[1])
    assert all(events[-1][0] == "done" for events in found.values())


@pytest.fixture
def slowly(monkeypatch):
    """Trainings that take their time."""
    quick = api.train

    def train(*given):
        for piece in quick(*given):
            yield piece
            time.sleep(0.05)

    monkeypatch.setattr(api, "train", train)


def test_a_run_ends_when_its_visitor_leaves(first, visitor, house, slowly):
    with visitor.opened(f"/api/train?{SMALL}&seed=5") as answer:
        events = told(answer)
        while next(events)[0] != "points":
            pass
        assert house.line.busy == 1
    wait_for(lambda: house.line.busy == 0, 2.0)
    refused = visitor.get(f"/api/download/csv?{SMALL}&seed=5")
    assert refused[0] == 400  # it was not trained to its end


def test_those_who_wait_see_their_place_and_too_many_are_sent_away(first, visitor, house, slowly):
    import contextlib

    with contextlib.ExitStack() as stack:
        answers = [
            stack.enter_context(visitor.opened(f"/api/train?{SMALL}&seed={10 + at}"))
            for at in range(api.RUNS_AT_ONCE + api.RUNS_WAITING)
        ]
        wait_for(lambda: house.line.full)
        status, _, text = visitor.get(f"/api/train?{SMALL}&seed=99")
        assert status == 503 and "Try again" in text
        assert next(told(answers[-1])) == ("place", {"place": api.RUNS_WAITING})
        assert visitor.get("/")[0] == 200  # the page answers meanwhile
    wait_for(lambda: house.line.busy == 0)


def test_two_hundred_reloads_leave_nothing_behind(first, visitor, house, slowly):
    threads = threading.active_count()
    for at in range(200):
        try:
            with visitor.opened(f"/api/train?{SMALL}&seed={at}") as answer:
                assert answer.status in (200, 503)
        except ConnectionError:
            pass  # closed before it was answered
    wait_for(lambda: house.line.busy == 0)
    assert threading.active_count() <= threads + 5
    assert visitor.events(f"/api/train?{SMALL}&seed=0")[-1][0] == "done"


def test_a_slow_reader_holds_up_nobody(first, visitor, house):
    with visitor.opened(f"/api/train?{SMALL}&seed=21") as answer:  # and reads nothing
        wait_for(lambda: house.line.busy == 0)
        assert visitor.events(f"/api/train?{SMALL}&seed=22")[-1][0] == "done"
        assert len(curve(list(told(answer)))) == len(curve(first))  # it is all there when it is read


def test_what_is_kept_is_bounded(first, house):
    from lazyrich.web import finished, outlook

    assert len(house.finished._kept) <= finished.MOST and len(house.outlooks._kept) <= outlook.KEPT
    assert program.cache_info().currsize <= program.cache_info().maxsize


def test_a_run_that_takes_too_long_is_stopped(first, visitor, monkeypatch):
    monkeypatch.setattr("lazyrich.web.training.LONGEST", 0.0)
    kind, data = visitor.events(f"/api/train?{SMALL}&seed=31")[-1]
    assert kind == "done" and not data["ok"] and "the most a run may take" in data["outcome"] and data["updates"] == 1


def test_a_forecast_is_made_once_for_all_who_ask(first, monkeypatch):
    from lazyrich.web import outlook

    made, together = [], threading.Barrier(3)
    monkeypatch.setattr(outlook, "look_ahead", lambda asked: made.append(asked) or time.sleep(0.2) or {"first": 1.0})
    rooms, wanted, found = outlook.Outlooks(), ask(fields(SMALL)), []

    def visit():
        together.wait()
        found.append(rooms.get(wanted))

    threads = [threading.Thread(target=visit) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and found == [{"first": 1.0}] * 3 and rooms.known(wanted) == {"first": 1.0}


def test_pieces_are_alike():
    assert [piece_of(count) for count in (120, 121, 240, 7, 1)] == [2, 1, 4, 1, 1]


def test_one_program_serves_all_sliders():
    a, b = (ask(fields(f"alpha={alpha}&n=30&seed={alpha}")) for alpha in (2, 3))
    assert a.split()[1] == b.split()[1] and a != b

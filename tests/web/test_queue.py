"""Few tasks run, some wait, cancelling frees a place, and a failure stays in its own task."""

import threading

import pytest
from web_client import wait_for

from lazyrich.errors import BadInput
from lazyrich.web.queue import QueueFull, TaskQueue


@pytest.fixture
def queue():
    made = TaskQueue(max_running=1, max_waiting=2)
    yield made
    made.close()


def blocked_until(gate: threading.Event):
    def function(task):
        task.send("state", state="running")
        while not gate.wait(0.01):
            task.send("points")

    return function


def test_positions_move_up(queue):
    gate = threading.Event()
    first = queue.submit(blocked_until(gate))
    wait_for(lambda: queue.position(first) == 0 and first.events)
    second, third = queue.submit(blocked_until(gate)), queue.submit(blocked_until(gate))
    assert [queue.position(one) for one in (first, second, third)] == [0, 1, 2]
    with pytest.raises(QueueFull):
        queue.submit(blocked_until(gate))
    queue.cancel(second)
    assert queue.position(third) == 1
    gate.set()
    wait_for(lambda: queue.size == 0)
    assert first.finished and third.events and not second.events


def test_a_running_task_ends_when_it_is_cancelled(queue):
    never = threading.Event()
    task = queue.submit(blocked_until(never))
    wait_for(lambda: task.events)
    queue.cancel(task)
    wait_for(lambda: queue.size == 0)
    assert task.finished


def test_an_error_is_sent_without_its_trace(queue, caplog):
    def fails(task):
        raise ZeroDivisionError("secret")

    def refuses(task):
        raise BadInput(needed="a", given="b", cure="C.")

    found = [queue.submit(function) for function in (fails, refuses)]
    wait_for(lambda: queue.size == 0)
    assert "internal error" in found[0].events[0][1]["message"] and "secret" not in found[0].events[0][1]["message"]
    assert found[1].events == [("error", {"message": "a; got b. C."})]
    assert "secret" in caplog.text


def test_cancelling_calls_the_callbacks(queue):
    never, called = threading.Event(), []

    def function(task):
        task.on_cancel(lambda: called.append("cancelled"))
        blocked_until(never)(task)

    task = queue.submit(function)
    wait_for(lambda: task.events)
    queue.cancel(task)
    assert called == ["cancelled"]

"""Few run, some wait, who leaves makes room; nobody's failure is another's."""

import threading

import pytest
from visiting import wait_for

from lazyrich.errors import BadInput
from lazyrich.web.line import Full, Line


@pytest.fixture
def line():
    made = Line(at_once=1, room=2)
    yield made
    made.close()


def held(ticket_gate: threading.Event):
    def work(ticket):
        ticket.tell("state", state="running")
        while not ticket_gate.wait(0.01):
            ticket.tell("beat")

    return work


def test_places_move_up(line):
    gate = threading.Event()
    first = line.enter(held(gate))
    wait_for(lambda: line.place(first) == 0 and first.said)
    second, third = line.enter(held(gate)), line.enter(held(gate))
    assert [line.place(one) for one in (first, second, third)] == [0, 1, 2]
    with pytest.raises(Full):
        line.enter(held(gate))
    line.leave(second)
    assert line.place(third) == 1
    gate.set()
    wait_for(lambda: line.busy == 0)
    assert first.over and third.said and not second.said


def test_a_run_ends_when_its_visitor_leaves(line):
    never = threading.Event()
    ticket = line.enter(held(never))
    wait_for(lambda: ticket.said)
    line.leave(ticket)
    wait_for(lambda: line.busy == 0)
    assert ticket.over


def test_a_failure_is_told_without_its_trace(line, caplog):
    def fails(ticket):
        raise ZeroDivisionError("secret")

    def refuses(ticket):
        raise BadInput(needed="a", given="b", cure="C.")

    found = [line.enter(work) for work in (fails, refuses)]
    wait_for(lambda: line.busy == 0)
    assert "fault of ours" in found[0].said[0][1]["message"] and "secret" not in found[0].said[0][1]["message"]
    assert found[1].said == [("trouble", {"message": "a; got b. C."})]
    assert "secret" in caplog.text


def test_a_farewell_is_said(line):
    never, said = threading.Event(), []

    def work(ticket):
        ticket.when_left(lambda: said.append("gone"))
        held(never)(ticket)

    ticket = line.enter(work)
    wait_for(lambda: ticket.said)
    line.leave(ticket)
    assert said == ["gone"]

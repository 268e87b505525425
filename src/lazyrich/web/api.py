"""What the pages ask for: outlooks, trainings and claims as they run, and files of what is done."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ..desk import check_many
from ..errors import BadInput
from ..lab import Bench, Store
from ..lab.machine import relieve
from . import sheets
from .asks import Ask, ask, both, fields
from .finished import Finished, Trained
from .line import Full, Line, Ticket, Work
from .marks import Marks
from .outlook import Outlooks
from .security import FIGURE_POLICY
from .shelf import Shelf
from .streams import EventStream
from .training import posed, train, warm

RUNS_AT_ONCE, RUNS_WAITING = 2, 12
HANDS, ERRANDS = 2, 24  # threads for short work, as many for forecasts, and how many may wait for one
KINDS = {"csv": "text/csv", "svg": "image/svg+xml", "png": "image/png", "py": "text/x-python"}


class House:
    """What all requests share: the line for runs, what is finished, outlooks, the shelf of claims."""

    def __init__(self, store: Store, records: Any):
        """An empty house over a store."""
        self.store, self.shelf = store, Shelf(store, records)
        self.line = Line(RUNS_AT_ONCE, RUNS_WAITING)
        self.finished, self.outlooks = Finished(), Outlooks()
        self._hands, self._seers = CapacityLimiter(HANDS), CapacityLimiter(HANDS)

    async def errand(self, request: Request, work: Callable[[], Any], *, long: bool = False) -> Any:
        """Do something beside the event loop, unless too many wait or the visitor has gone; long work has hands of its own."""
        hands = self._seers if long else self._hands
        if hands.statistics().tasks_waiting >= ERRANDS:
            raise Full
        async with hands:
            if await request.is_disconnected():
                raise HTTPException(408, "the visitor has left")
            return await run_sync(work)

    async def make_ready(self, wanted: Ask) -> None:
        """Compile the usual shape of an experiment while its forecast is looked at, if nobody waits for another."""
        usual = wanted.split()[1] == ask({"experiment": wanted.experiment}).split()[1]
        if usual and not posed(wanted)[0].ready and not self._seers.statistics().tasks_waiting:
            await run_sync(warm, wanted, limiter=self._seers)


def house(request: Request) -> House:
    """The house of this application."""
    return request.app.state.house


async def outlook(request: Request) -> Response:
    """The times and the forecast of a training, as JSON."""
    wanted, rooms = ask(fields(request.scope["query_string"])), house(request)
    outlooks = rooms.outlooks
    told = outlooks.known(wanted) or await rooms.errand(request, lambda: outlooks.get(wanted), long=True)
    return JSONResponse({**wanted.as_json(), **told}, background=BackgroundTask(rooms.make_ready, wanted))


async def training(request: Request) -> Response:
    """A training as it goes."""
    return stream(request, trained(ask(fields(request.scope["query_string"])), house(request)))


def stream(request: Request, work: Work) -> Response:
    """The events of a run, unless too many wait."""
    if house(request).line.full:
        raise Full
    return EventStream(house(request).line, work)


def trained(wanted: Ask, rooms: House) -> Work:
    """Train, tell each piece and each mark, and keep what is whole."""

    def work(ticket: Ticket) -> None:
        if rooms.outlooks.known(wanted) is None:
            ticket.tell("state", state="forecasting")
        told = rooms.outlooks.get(wanted)
        said, pieces, marks = told["forecast"], [], None
        for piece in train(wanted, lambda state: ticket.tell("state", state=state)):
            if "outcome" in piece:
                break
            pieces.append(piece)
            marks = marks or Marks(piece["measure"], said)
            ticket.tell("points", **piece)
            for name, when in marks.see(piece).items():
                ticket.tell("mark", name=name, time=when)
        curves = {name: tuple(x for piece in pieces for x in piece[name]) for name in ("time", "train", "test")}
        assert marks is not None, "a training has at least two moments"
        last = asdict(marks.settle())
        found = {**curves, "marks": marks.found, "outcome": piece["outcome"]}
        rooms.finished.keep(Trained(wanted, told["measure"], told["clock"], forecast=said, **found))
        ticket.tell("done", **piece, marks=marks.found, seen=last, updates=len(pieces))
        relieve()

    return work


async def download(request: Request) -> Response:
    """A finished training, or two, as a file; the lines of Python need no training."""
    kind, wanted = request.path_params["kind"], both(fields(request.scope["query_string"]))
    if kind not in KINDS:
        raise BadInput(needed=f"files are {', '.join(KINDS)}", given=repr(kind[:20]), cure="Choose one of them.")
    rooms = house(request)

    def made() -> str | bytes:
        if kind == "py":
            return sheets.lines(wanted)
        done = [rooms.finished.get(one) for one in wanted]
        return sheets.numbers(done) if kind == "csv" else sheets.figure(done, kind)

    content = await rooms.errand(request, made)
    return file(content, kind, wanted[0].experiment)


def file(content: str | bytes, kind: str, name: str) -> Response:
    """A file to keep."""
    headers = {"content-disposition": f'attachment; filename="{name}.{kind}"'}
    if kind == "svg":
        headers["content-security-policy"] = FIGURE_POLICY
    return Response(content, media_type=KINDS[kind], headers=headers)


async def run_claim(request: Request) -> Response:
    """A claim judged at quick size, with its progress; the result is stored."""
    rooms, name = house(request), request.path_params["name"]
    if fields(request.scope["query_string"]):
        raise BadInput(needed="a claim is run as it is", given="parameters", cure="Use `lazyrich run` for others.")
    claim = await rooms.errand(request, lambda: rooms.shelf.entry(name).claim)
    return stream(request, judged(claim.id, rooms.store))


def judged(identity: str, store: Store) -> Work:
    """Judge a claim and keep the result."""

    def work(ticket: Ticket) -> None:
        bench = Bench(lambda what, done, total: ticket.tell("progress", what=what, done=done, total=total))
        ticket.when_left(bench.halt)
        ticket.tell("state", state="running")
        (result,) = check_many([identity], size="quick", seed=0, changes={}, bench=bench, store=store)
        told = result.as_json()
        ticket.tell("done", verdict=told["verdict"], reason=told["reason"], seconds=told["seconds"], run=told["run"])

    return work

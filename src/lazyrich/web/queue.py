"""The line at the door: few runs at once, a few more waiting, each with its place; who leaves makes room."""

import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

from ..errors import BadInput, StoreFault

log = logging.getLogger("lazyrich.web")


class Full(Exception):
    """Nobody else may wait."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__("Too many runs are waiting here already. Try again in a minute.")


class Ticket:
    """One visitor's run: all it has told so far, and whether the visitor is still there.

    What is told is kept, never waited for: a slow reader holds up no run. It is bounded by the size of a run.
    """

    def __init__(self, wake: Callable[[], None]):
        """`wake` is called, from any thread, whenever there is something new."""
        self.said: list[tuple[str, dict[str, Any]]] = []
        self.over = False
        self.wake = wake
        self.left = threading.Event()
        self._farewells: list[Callable[[], None]] = []

    def tell(self, kind: str, **data: Any) -> None:
        """Add to what is told; who has left is told nothing, and the run ends."""
        if self.left.is_set():
            raise CancelledError
        self.said.append((kind, data))
        self.wake()

    def when_left(self, farewell: Callable[[], None]) -> None:
        """Have something done when the visitor leaves."""
        self._farewells.append(farewell)

    def leave(self) -> None:
        """The visitor is gone."""
        self.left.set()
        for farewell in self._farewells:
            farewell()


Work = Callable[[Ticket], None]


class Line:
    """Runs at most `at_once` works beside each other and lets at most `room` wait."""

    def __init__(self, at_once: int, room: int):
        """An empty line."""
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="lazyrich-run")
        self._lock = threading.Lock()
        self._waiting: dict[Ticket, Future] = {}
        self._running: set[Ticket] = set()
        self._at_once, self._room = at_once, room

    @property
    def full(self) -> bool:
        """Whether nobody else may wait."""
        return len(self._waiting) >= self._room + self._at_once - len(self._running)

    @property
    def busy(self) -> int:
        """How many run or wait."""
        return len(self._waiting) + len(self._running)

    def enter(self, work: Work, wake: Callable[[], None] = lambda: None) -> Ticket:
        """Take a place; the work begins when those before are done."""
        ticket = Ticket(wake)
        with self._lock:
            if self.full:
                raise Full
            self._waiting[ticket] = self._pool.submit(self._do, ticket, work)
        return ticket

    def place(self, ticket: Ticket) -> int:
        """How many must begin before this one does, itself counted; 0 once it has begun."""
        with self._lock:
            waiting = list(self._waiting)
            free = self._at_once - len(self._running)
        return max(0, waiting.index(ticket) + 1 - free) if ticket in waiting else 0

    def leave(self, ticket: Ticket) -> None:
        """Give up a place, or end the run at its next point."""
        ticket.leave()
        with self._lock:
            future = self._waiting.pop(ticket, None)
        if future is not None:
            future.cancel()
        self._stir()

    def close(self) -> None:
        """Send everybody away."""
        for ticket in [*self._waiting, *self._running]:
            self.leave(ticket)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _do(self, ticket: Ticket, work: Work) -> None:
        with self._lock:
            self._waiting.pop(ticket, None)
            self._running.add(ticket)
        self._stir()
        try:
            if not ticket.left.is_set():
                work(ticket)
        except CancelledError:
            pass
        except (BadInput, StoreFault) as error:
            _trouble(ticket, str(error))
        except Exception:
            log.exception("a run failed")
            _trouble(ticket, "The run failed. This is a fault of ours: the terminal of the server shows where.")
        finally:
            ticket.over = True
            with self._lock:
                self._running.discard(ticket)
            ticket.wake()
            self._stir()

    def _stir(self) -> None:
        """Let everybody look at their place again."""
        for ticket in list(self._waiting):
            ticket.wake()


def _trouble(ticket: Ticket, message: str) -> None:
    with contextlib.suppress(CancelledError):
        ticket.tell("trouble", message=message)

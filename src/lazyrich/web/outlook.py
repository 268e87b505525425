"""What can be said before training: the times that will be looked at, and the forecast of theory."""

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any

import numpy as np

from ..dynamics.stepwise import AbstractStepwise
from ..errors import BadInput
from ..lab.forecast import forecast
from ..lab.machine import relieve
from .asks import Ask
from .streams import plain

KEPT = 256


class Outlooks:
    """Outlooks by what was asked: each is made once, whoever asks, and the newest are kept."""

    def __init__(self) -> None:
        """None yet."""
        self._kept: OrderedDict[Ask, Future[dict[str, Any]]] = OrderedDict()
        self._lock = threading.Lock()

    def known(self, ask: Ask) -> dict[str, Any] | None:
        """The outlook, if it was made already."""
        found = self._kept.get(ask)
        return found.result() if found is not None and found.done() and not found.exception() else None

    def get(self, ask: Ask) -> dict[str, Any]:
        """The outlook, made if need be; who asks while it is being made waits for it."""
        with self._lock:
            found, mine = self._kept.get(ask), ask not in self._kept
            if found is None:
                found = self._kept[ask] = Future()
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        if mine:
            try:
                found.set_result(look_ahead(ask))
                relieve()
            except BaseException as error:
                self._kept.pop(ask, None)
                found.set_exception(error)
        return found.result()


def look_ahead(ask: Ask) -> dict[str, Any]:
    """The first and the last time, the measure and the forecast, or why there is none."""
    made = ask.kind.at(dict(ask.values), seed=ask.seed)
    times = np.asarray(made.when, float)
    clock = "steps" if isinstance(made.dynamics, AbstractStepwise) else "time"
    told = {"measure": made.measure, "clock": clock, "first": float(times[1]), "last": float(times[-1])}
    try:
        said = forecast(made.goal, made.start, test=made.test, optimizer=made.dynamics)
        return told | {"forecast": plain(said.as_json()), "trouble": ""}
    except BadInput as refusal:
        return told | {"forecast": None, "trouble": str(refusal)}

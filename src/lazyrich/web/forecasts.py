"""What the page shows before a training: the time axis, the measure, and the forecast."""

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import Any

import numpy as np

from ..dynamics.stepwise import AbstractStepwise
from ..errors import BadInput
from ..forecast.forecast import forecast
from ..lab.machine import relieve
from .config import TrainingConfig
from .streams import json_safe

MAX_KEPT = 256

Preview = dict[str, Any]  # time axis, measure and forecast of a training, as plain data


class ForecastCache:
    """Previews by configuration: each is computed once, even for concurrent requests, and the most recent are kept."""

    def __init__(self) -> None:
        """Empty."""
        self._kept: OrderedDict[TrainingConfig, Future[Preview]] = OrderedDict()
        self._lock = threading.Lock()

    def cached(self, config: TrainingConfig) -> Preview | None:
        """The preview, if it is computed already."""
        future = self._kept.get(config)
        return future.result() if future is not None and future.done() and not future.exception() else None

    def get(self, config: TrainingConfig) -> Preview:
        """The preview, computed if need be; concurrent callers wait for one computation."""
        with self._lock:
            future, is_new = self._kept.get(config), config not in self._kept
            if future is None:
                future = self._kept[config] = Future()
            while len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        if is_new:
            try:
                future.set_result(compute_preview(config))
                relieve()
            except BaseException as error:
                self._kept.pop(config, None)
                future.set_exception(error)
        return future.result()


def compute_preview(config: TrainingConfig) -> Preview:
    """The first and the last time, the measure, and the forecast or the reason why there is none."""
    made = config.definition.at(dict(config.values), seed=config.seed)
    times = np.asarray(made.when, float)
    preview = {
        "measure": made.measure,
        "time_label": "steps" if isinstance(made.dynamics, AbstractStepwise) else "time",
        "first_time": float(times[1]),
        "last_time": float(times[-1]),
    }
    try:
        predicted = forecast(made.objective, made.init, test=made.test, optimizer=made.dynamics)
        return preview | {"forecast": json_safe(predicted.as_json()), "no_forecast_reason": ""}
    except BadInput as error:
        return preview | {"forecast": None, "no_forecast_reason": str(error)}

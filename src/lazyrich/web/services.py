"""The state that all requests share: store, claims, task queue, finished trainings, forecasts."""

from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..lab import Store
from .claim_index import ClaimIndex
from .config import TrainingConfig, parse_config
from .finished import FinishedTrainings
from .forecasts import ForecastCache
from .queue import QueueFull, TaskQueue
from .training import compile_program, prepare

MAX_RUNNING, MAX_WAITING = 2, 12  # trainings and claims in the task queue
THREADS, MAX_PENDING = 2, 24  # threads for short work, as many for forecasts, and how many requests may wait for one


class Services:
    """One object per application, found at `app.state.services`."""

    def __init__(self, store: Store, records: Any):
        """`records` is the folder of committed records, or None."""
        self.store, self.claims = store, ClaimIndex(store, records)
        self.queue = TaskQueue(MAX_RUNNING, MAX_WAITING)
        self.finished, self.forecasts = FinishedTrainings(), ForecastCache()
        self._short_threads, self._forecast_threads = CapacityLimiter(THREADS), CapacityLimiter(THREADS)

    async def run_in_thread(self, request: Request, function: Callable[[], Any], *, slow: bool = False) -> Any:
        """Run a function outside the event loop, unless too many requests wait or the client has disconnected.

        Slow functions have their own threads.
        """
        limiter = self._forecast_threads if slow else self._short_threads
        if limiter.statistics().tasks_waiting >= MAX_PENDING:
            raise QueueFull
        async with limiter:
            if await request.is_disconnected():
                raise HTTPException(408, "the client has disconnected")
            return await run_sync(function)

    async def compile_default(self, config: TrainingConfig) -> None:
        """Compile the default shape of an experiment while its forecast is read, if no other forecast waits."""
        default = config.split()[1] == parse_config({"experiment": config.experiment}).split()[1]
        if default and not prepare(config)[0].ready and not self._forecast_threads.statistics().tasks_waiting:
            await run_sync(compile_program, config, limiter=self._forecast_threads)


def services_of(request: Request) -> Services:
    """The services of the application that answers this request."""
    return request.app.state.services

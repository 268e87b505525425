"""The Starlette application: routes, middleware, error handlers, and what is compiled at start."""

import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import BadInput, StoreFault
from ..lab import Store
from . import endpoints, pages
from .config import parse_config
from .queue import QueueFull
from .security import API_PREFIX, SecurityMiddleware, allowed_hosts
from .services import Services
from .training import train

HERE = Path(__file__).parent
ROUTES = [
    Route("/", pages.playground),
    Route("/claims", pages.claims),
    Route("/claims/{name}.html", pages.claim),
    Route("/figures/{name}.{kind}", pages.figure),
    Route("/runs", pages.runs),
    Route("/runs/{run}", pages.run),
    Route("/api/forecast", endpoints.forecast),
    Route("/api/train", endpoints.training),
    Route("/api/download/{kind}", endpoints.download),
    Route("/api/claims/{name}/run", endpoints.run_claim, methods=["POST"]),
    Mount("/assets", StaticFiles(directory=HERE / "assets")),
    Mount("/report", StaticFiles(directory=HERE.parent / "report" / "assets")),
    Route("/{paper}.html", pages.paper),
]


def application(store: Store, *, records: Any = None, host: str = "127.0.0.1", warm: bool = True) -> Starlette:
    """The application over a store; with `warm` it compiles the default experiment before the first request."""
    services = Services(store, records)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        executor = ThreadPoolExecutor(1, thread_name_prefix="lazyrich-warm")
        for step in warm_up_steps(services) if warm else ():
            executor.submit(step)
        yield
        services.queue.close()
        executor.shutdown(wait=False, cancel_futures=True)

    hosts, any_address = allowed_hosts(host)
    app = Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[Middleware(SecurityMiddleware, hosts=hosts, any_address=any_address)],
        exception_handlers={
            BadInput: error_handler(400),
            StoreFault: error_handler(503),
            QueueFull: error_handler(503),
            HTTPException: error_handler(404),
        },  # fmt: skip
    )
    app.state.services = services
    return app


def warm_up_steps(services: Services) -> list[Callable[[], Any]]:
    """What the first request would wait for: the default forecast, its training, the list of claims."""
    default = parse_config({})
    return [
        lambda: services.forecasts.get(default),
        lambda: list(train(default, lambda state: None)),
        lambda: services.claims.load(),
    ]


def error_handler(status: int):
    """Answer an exception with its message: as JSON below `/api/`, else as a page."""

    async def respond(request: Request, error: Exception) -> Response:
        code = error.status_code if isinstance(error, HTTPException) else status
        detail = "Page not found" if code == 404 else getattr(error, "detail", error)
        message = f"{detail}." if isinstance(error, HTTPException) else str(error)
        if request.scope["path"].startswith(API_PREFIX):
            return JSONResponse({"message": message}, code)
        return pages.render("error", status=code, active="", message=message)

    return respond

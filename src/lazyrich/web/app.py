"""The application: which address leads where, who is let in, how refusals are told."""

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
from . import api, pages
from .asks import ask
from .line import Full
from .security import WORK, Guard, hosts
from .training import train

HERE = Path(__file__).parent
ROUTES = [
    Route("/", pages.playground),
    Route("/claims", pages.claims),
    Route("/claims/{name}.html", pages.claim),
    Route("/figures/{name}.{kind}", pages.figure),
    Route("/runs", pages.runs),
    Route("/runs/{run}", pages.run),
    Route("/api/outlook", api.outlook),
    Route("/api/train", api.training),
    Route("/api/download/{kind}", api.download),
    Route("/api/claims/{name}/run", api.run_claim, methods=["POST"]),
    Mount("/assets", StaticFiles(directory=HERE / "assets")),
    Mount("/report", StaticFiles(directory=HERE.parent / "report" / "assets")),
    Route("/{paper}.html", pages.paper),
]


def application(store: Store, *, records: Any = None, host: str = "127.0.0.1", warm: bool = True) -> Starlette:
    """The page over a store; with `warm` it compiles the first experiment before anybody asks."""
    house = api.House(store, records)

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        helper = ThreadPoolExecutor(1, thread_name_prefix="lazyrich-warm")
        for step in preparations(house) if warm else ():
            helper.submit(step)
        yield
        house.line.close()
        helper.shutdown(wait=False, cancel_futures=True)

    names, any_address = hosts(host)
    app = Starlette(
        routes=ROUTES,
        lifespan=life,
        middleware=[Middleware(Guard, names=names, any_address=any_address)],
        exception_handlers={
            BadInput: refuse(400),
            StoreFault: refuse(503),
            Full: refuse(503),
            HTTPException: refuse(404),
        },  # fmt: skip
    )
    app.state.house = house
    return app


def preparations(house: api.House) -> list[Callable[[], Any]]:
    """What the first visitor would wait for, in steps that can be left out: the usual forecast, its training, the claims."""
    usual = ask({})
    return [
        lambda: house.outlooks.get(usual),
        lambda: list(train(usual, lambda state: None)),
        lambda: house.shelf.load(),
    ]


def refuse(status: int):
    """Tell why something is not done: as JSON to a script, as a page to a reader."""

    async def told(request: Request, error: Exception) -> Response:
        code = error.status_code if isinstance(error, HTTPException) else status
        message = f"There is nothing here ({error.detail})." if isinstance(error, HTTPException) else str(error)
        if request.scope["path"].startswith(WORK):
            return JSONResponse({"message": message}, code)
        return pages.page("refusal", status=code, here="", message=message)

    return told

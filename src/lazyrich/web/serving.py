"""Start the page."""

import socket
from collections.abc import Callable

from ..desk import results_folder
from ..errors import BadInput, StoreFault
from ..lab import Store
from ..lab.extras import install
from ..lab.machine import prepare

PARTS = ("starlette", "uvicorn", "jinja2")
OPEN_AT_ONCE = 200  # connections


def require_extra() -> None:
    """Refuse to start without what the page is made with."""
    import importlib.util

    if missing := [name for name in PARTS if importlib.util.find_spec(name) is None]:
        raise BadInput(
            needed=f"the page is made with {', '.join(PARTS)}",
            given=f"no {' and no '.join(missing)}",
            cure=f"`make serve` brings them; or {install('web')}.",
        )


def serve(
    store: str | None = None, *, host: str = "127.0.0.1", port: int = 8321, say: Callable[[str], None] = print
) -> None:
    """Serve the page until it is interrupted; `say` is told its address when it is ready."""
    require_extra()
    if not 0 <= port < 65_536:
        raise BadInput(needed="a port is a number from 0 to 65535", given=str(port), cure="Leave it out: 8321.")
    place = Store(store)
    bound = bind(host, port)
    prepare()
    import uvicorn

    from .app import application
    from .pages import experiments

    experiments()
    app = application(place, records=results_folder(), host=host)
    shown = f"[{host}]" if ":" in host else host
    bound.listen()  # who comes early waits
    say(f"open http://{shown}:{bound.getsockname()[1]}  (store {place.folder}; Ctrl-C ends it)")
    config = uvicorn.Config(
        app, log_level="warning", lifespan="on", server_header=False, limit_concurrency=OPEN_AT_ONCE,
        timeout_graceful_shutdown=1, proxy_headers=False,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[bound])


def bind(host: str, port: int) -> socket.socket:
    """The socket of an address, or why there is none: before anything slow is done."""
    bound = None
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        return bound
    except OSError as error:
        if bound is not None:
            bound.close()
        raise StoreFault(
            needed="the page needs an address of this machine and a free port",
            given=f"{host}:{port} ({error.strerror or error})",
            cure="Choose another with --port.",
        ) from error

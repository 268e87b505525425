"""Start the server of the page."""

import socket
from collections.abc import Callable

from ..api.report import results_folder
from ..errors import BadInput, StoreFault
from ..lab import Store
from ..lab.machine import prepare
from ..lab.optional_packages import require

PACKAGES = ("starlette", "uvicorn", "jinja2")
MAX_CONNECTIONS = 200


def serve(store: str | None = None, *, host: str = "127.0.0.1", port: int = 8321, say: Callable[[str], None] = print) -> None:
    """Serve the page until interrupted; `say` prints the address once the server is ready."""
    require("web", *PACKAGES, what="the page")
    if not 0 <= port < 65_536:
        raise BadInput(needed="a port is a number from 0 to 65535", given=str(port), cure="Leave it out: 8321.")
    opened = Store(store)
    bound = bind(host, port)
    prepare()
    import uvicorn

    from .app import application
    from .pages import experiments_json

    experiments_json()
    app = application(opened, records=results_folder(), host=host)
    shown = f"[{host}]" if ":" in host else host
    bound.listen()  # early connections wait
    say(f"open http://{shown}:{bound.getsockname()[1]}  (store {opened.folder}; stop with Ctrl-C)")
    config = uvicorn.Config(
        app, log_level="warning", lifespan="on", server_header=False, limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=1, proxy_headers=False,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[bound])


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to this address, or a refusal, before any slow work."""
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

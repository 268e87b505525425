"""How tests visit the page: a real server on a free port, in a thread of this process, and a plain client."""

import contextlib
import http.client
import json
import threading
import time

SMALL = "experiment=l1_recovery&n=20&d=40&strength=0.001"  # compiles fastest


class Visitor:
    """Speaks HTTP as it is told to, with no manners of its own: paths go out as they are written."""

    def __init__(self, port: int):
        self.port = port

    @contextlib.contextmanager
    def opened(self, path: str, *, method: str = "GET", host: str | None = None, headers: dict | None = None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", f"127.0.0.1:{self.port}" if host is None else host)
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            connection.endheaders()
            yield connection.getresponse()
        finally:
            connection.close()

    def get(self, path: str, **settings):
        """Status, headers and text."""
        with self.opened(path, **settings) as answer:
            return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8", "replace")

    def events(self, path: str, **settings) -> list[tuple[str, dict]]:
        """All events of a stream."""
        with self.opened(path, **settings) as answer:
            assert answer.status == 200, answer.read()
            return list(told(answer))


def told(answer):
    """The events of an open stream, as they come."""
    kind = None
    for line in answer:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            kind = text.removeprefix("event: ")
        elif text.startswith("data: "):
            yield kind, json.loads(text.removeprefix("data: "))


def wait_for(happened, seconds: float = 20.0) -> None:
    """Until something holds; fails if it does not in time."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@contextlib.contextmanager
def served(store, records=None):
    """A server over a store, and its application."""
    import uvicorn

    from lazyrich.web.app import application
    from lazyrich.web.serving import bind

    app = application(store, records=records, warm=False)
    socket = bind("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
    thread.start()
    try:
        wait_for(lambda: server.started)
        yield app, socket.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)
        socket.close()
        assert not thread.is_alive()

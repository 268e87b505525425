"""A real server on a free port, in a thread of this process, and a plain HTTP client."""

import contextlib
import http.client
import json
import threading
import time

SMALL = "experiment=l1_recovery&n=20&d=40&strength=0.001"  # compiles fastest


class Client:
    """A plain HTTP client that sends paths exactly as they are given."""

    def __init__(self, port: int):
        self.port = port

    @contextlib.contextmanager
    def open(self, path: str, *, method: str = "GET", host: str | None = None, headers: dict | None = None):
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
        with self.open(path, **settings) as response:
            return response.status, dict(response.getheaders()), response.read().decode("utf-8", "replace")

    def events(self, path: str, **settings) -> list[tuple[str, dict]]:
        """All events of a stream."""
        with self.open(path, **settings) as response:
            assert response.status == 200, response.read()
            return list(read_events(response))


def read_events(response):
    """The events of an open stream, as they come."""
    kind = None
    for line in response:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            kind = text.removeprefix("event: ")
        elif text.startswith("data: "):
            yield kind, json.loads(text.removeprefix("data: "))


def wait_for(condition, seconds: float = 20.0) -> None:
    """Waits until a condition holds; fails if it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


@contextlib.contextmanager
def serve_in_thread(store, records=None):
    """A server over a store: its application and its port."""
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

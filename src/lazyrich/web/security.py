"""Who may ask, and what answers may do: known hosts, our own pages, no scripts but ours, no trace of an error."""

import ipaddress
import logging
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL = ("localhost", "127.0.0.1", "[::1]")
ANYWHERE = ("0.0.0.0", "::")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# A figure that is opened by itself brings its own styles, and nothing else.
FIGURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
METHODS = ("GET", "HEAD", "POST")
WORK = "/api/"  # addresses below this begin work

log = logging.getLogger("lazyrich.web")


def hosts(bound: str) -> tuple[frozenset[str], bool]:
    """The names that a server bound to this address answers to, and whether it answers to every bare address too."""
    return frozenset((*LOCAL, _bracketed(bound).lower())), bound in ANYWHERE


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class Guard:
    """Refuses requests that are not for us or not from our pages; gives every answer its headers."""

    def __init__(self, app: ASGIApp, *, names: Iterable[str], any_address: bool = False):
        """`names` are the hosts we answer to, without a port."""
        self.app, self.names, self.any_address = app, frozenset(names), any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at a request, and hand it on or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def answer(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self.refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 400)(scope, receive, answer)
            return
        try:
            await self.app(scope, receive, answer)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if not begun:
                text = "This is a fault of ours. The terminal of the server shows where."
                await PlainTextResponse(text, 500)(scope, receive, answer)

    def refusal(self, scope: Scope) -> str:
        """Why a request is refused; empty if it is not."""
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self.known(host):
            return f"This page answers to {', '.join(sorted(self.names))} alone; it was asked for as {host[:80]!r}."
        if method not in METHODS:
            return "This page answers to GET and POST alone."
        if not scope["query_string"].isascii():
            return "A query is written in plain letters: others are escaped."
        if method == "HEAD" and path.startswith(WORK):
            return "Work is not begun for its headers alone: ask by GET."
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return "This page takes no content with a request."
        # A page of another site may link to our pages, and nothing else: no frame of it, and nothing that begins work.
        foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        linked = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if foreign and (not linked or path.startswith(WORK)):
            return "This page answers to its own pages alone."
        if method == "POST" and headers.get("origin") not in (None, f"http://{host}"):
            return "This page takes requests from its own pages alone."
        return ""

    def known(self, host: str) -> bool:
        """Whether this is a name of ours; bare addresses are safe where we are bound to all of them: no name can lie."""
        name, colon, port = host.lower().rpartition(":")
        if not colon or host.endswith("]"):
            name, port = host.lower(), "0"
        if not (port.isascii() and port.isdigit()):
            return False
        if name in self.names:
            return True
        try:
            return self.any_address and bool(ipaddress.ip_address(name.strip("[]")))
        except ValueError:
            return False

"""Which requests are allowed, and the headers of all responses: known hosts, same origin, own scripts only, no traces."""

import ipaddress
import logging
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
ALL_INTERFACES = ("0.0.0.0", "::")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# A figure opened on its own has its own styles, and nothing else.
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
API_PREFIX = "/api/"  # requests below it start computations

log = logging.getLogger("lazyrich.web")


def allowed_hosts(bound: str) -> tuple[frozenset[str], bool]:
    """The host names that a server bound to this address accepts, and whether it also accepts every IP address."""
    return frozenset((*LOCAL_HOSTS, _bracketed(bound).lower())), bound in ALL_INTERFACES


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class SecurityMiddleware:
    """Refuses requests for other hosts and from other sites; adds the headers to every response."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], any_address: bool = False):
        """`hosts` are the accepted host names, without a port."""
        self.app, self.hosts, self.any_address = app, frozenset(hosts), any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        reason = self.refusal(scope)
        if reason:
            await PlainTextResponse(reason, 400)(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, receive, send_with_headers)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if not started:
                text = "Internal error. See the terminal of the server."
                await PlainTextResponse(text, 500)(scope, receive, send_with_headers)

    def refusal(self, scope: Scope) -> str:
        """Why a request is refused; empty if it is allowed."""
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self.is_allowed(host):
            return f"This server accepts the hosts {', '.join(sorted(self.hosts))}; got {host[:80]!r}."
        if method not in METHODS:
            return "This server accepts GET and POST only."
        if not scope["query_string"].isascii():
            return "A query must be ASCII: escape other characters."
        if method == "HEAD" and path.startswith(API_PREFIX):
            return "The API does not accept HEAD: use GET."
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return "This server accepts no request body."
        # Another site may link to our pages, and nothing else: no frames, and no call of the API.
        foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if foreign and (not is_link or path.startswith(API_PREFIX)):
            return "This server does not accept requests from other sites."
        if method == "POST" and headers.get("origin") not in (None, f"http://{host}"):
            return "This server accepts POST from its own pages only."
        return ""

    def is_allowed(self, host: str) -> bool:
        """Whether this is an accepted host; IP addresses are safe where all are bound, since DNS cannot forge them."""
        name, colon, port = host.lower().rpartition(":")
        if not colon or host.endswith("]"):
            name, port = host.lower(), "0"
        if not (port.isascii() and port.isdigit()):
            return False
        if name in self.hosts:
            return True
        try:
            return self.any_address and bool(ipaddress.ip_address(name.strip("[]")))
        except ValueError:
            return False

"""Which requests are allowed, the headers of responses, and that no path leads out of the store."""

import asyncio
import json

import pytest

from lazyrich.web.security import SecurityMiddleware, allowed_hosts

PATHS = ["/", "/claims", "/runs", "/assets/page.css", "/report/theme.js", "/api/forecast?alpha=nan", "/nowhere"]
OUTSIDE = [
    "/assets/../app.py",
    "/assets/../../../../etc/passwd",
    "/assets/%2e%2e/app.py",
    "/assets/%2e%2e%2fapp.py",
    "/assets/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/assets/..%5c..%5capp.py",
    "/assets//etc/passwd",
    "/assets/%2fetc%2fpasswd",
    "/report/../pages/layout.py",
    "/report/%2e%2e/pages/layout.py",
    "/runs/../../../etc/passwd",
    "/runs/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/runs/%2fetc%2fpasswd",
    "/runs/..",
    "/runs/%2e%2e",
    "/runs/latest%00",
    "/figures/../../etc/passwd.svg",
    "/figures/%2e%2e%2f%2e%2e%2fetc%2fpasswd.csv",
    "/figures/%2fetc%2fpasswd.csv",
    "/figures/..%2fREADME-paper.png",
    "/claims/%2e%2e%2fapp.html",
    "//etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd.html",
    "/api/download/..%2f..%2fetc%2fpasswd",
]


@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_the_security_headers(client, path):
    _, headers, _ = client.get(path)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "style-src 'self';" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/claims", "/runs"])
def test_pages_have_no_inline_script_or_style(client, path):
    status, _, text = client.get(path)
    assert status == 200
    assert "<style" not in text and 'style="' not in text and "javascript:" not in text and " onclick" not in text
    assert text.count("<script") == text.count("<script src=") + text.count('<script type="module" src=')


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "127.0.0.1:80:80", "[::1", "127.0.0.1:x"]
)
def test_a_foreign_host_is_refused(client, host):
    status, _, text = client.get("/", host=host)
    assert status == 400 and "Traceback" not in text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:8321", "[::1]:8321"])
def test_local_hosts_are_allowed(client, host):
    assert client.get("/", host=host)[0] == 200


def test_all_interfaces_means_ip_addresses_only():
    hosts, any_address = allowed_hosts("0.0.0.0")

    def allows(host, **settings):
        return SecurityMiddleware(lambda *given: None, hosts=hosts, **settings).is_allowed(host)

    assert allows("192.168.1.7:8321", any_address=any_address) and allows("[fe80::1]:8321", any_address=any_address)
    assert not allows("evil.example", any_address=any_address) and not allows("192.168.1.7:8321")


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("PUT", {}),
        ("DELETE", {}),
        ("POST", {"Content-Length": "5"}),
        ("GET", {"Transfer-Encoding": "chunked"}),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}),
        ("GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}),
        ("GET", {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}),
        ("POST", {"Origin": "http://evil.example"}),
        ("POST", {"Origin": "null"}),
    ],
)
def test_foreign_and_odd_requests_are_refused(client, services, method, headers):
    path = "/api/claims/woodworth2020-lemma_6/run" if method == "POST" else "/api/train"
    status, _, text = client.get(path, method=method, headers=headers)
    assert status == 400 and text and services.queue.size == 0


def test_another_site_may_link_here(client):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/claims", headers={**headers, "Sec-Fetch-Dest": "document"})[0] == 200
    for other in ("iframe", "embed", "object"):
        assert client.get("/claims", headers={**headers, "Sec-Fetch-Dest": other})[0] == 400


@pytest.mark.parametrize("path", ["/api/train", "/api/forecast", "/api/claims/woodworth2020-lemma_6/run"])
def test_the_api_refuses_head(client, services, path):
    assert client.get(path, method="HEAD")[0] == 400 and services.queue.size == 0
    assert client.get("/runs", method="HEAD")[0] == 200


@pytest.mark.parametrize("path", ["/", "/api/train", "/runs", "/nowhere", "/claims/"])
def test_raw_bytes_cause_no_internal_error(site, path):
    """Sent to the application itself: some servers refuse such bytes, others pass them on."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"q=\xff", "root_path": "", "scheme": "http"}
    asyncio.run(site[0]({**scope, "headers": [(b"host", b"localhost")]}, receive, send))
    assert sent[0]["status"] == 400


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_outside(client, path):
    status, _, text = client.get(path)
    assert status in (400, 404), text[:200]
    assert "root:" not in text and "import " not in text and "Traceback" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/api/forecast?alpha=nan",
        "/api/forecast?alpha=1&alpha=2",
        "/api/forecast?seed=1e999",
        "/api/forecast?%ff=%fe",
        "/api/train?n=999999999",
        "/api/train?experiment=__init__",
        "/api/train?alpha=" + "9" * 5_000,
        "/api/download/csv?alpha=4.5",
        "/api/download/exe?alpha=4",
    ],
)
def test_bad_requests_to_scripts_get_a_message(client, services, path):
    status, headers, text = client.get(path)
    assert status == 400 and headers["content-type"] == "application/json"
    assert json.loads(text)["message"] and "Traceback" not in text and services.queue.size == 0


@pytest.mark.parametrize(
    "path", ["/?alpha=nan", "/?b.alpha=x", "/runs?where=__import__('os')", "/runs?where=a%20%3C", "/runs?x=1", "/claims/no.html"]
)
def test_bad_pages_get_a_page(client, path):
    status, headers, text = client.get(path)
    assert status == 400 and headers["content-type"].startswith("text/html") and "Traceback" not in text


def test_a_query_is_escaped_in_the_page(client):
    _, _, text = client.get("/runs?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in text and "&lt;script&gt;" in text

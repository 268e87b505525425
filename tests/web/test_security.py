"""Who is let in, what answers may do, and that no path leads out of the store."""

import asyncio
import json

import pytest

from lazyrich.web.security import Guard, hosts

PATHS = ["/", "/claims", "/runs", "/assets/page.css", "/report/theme.js", "/api/outlook?alpha=nan", "/nowhere"]
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
def test_every_answer_carries_its_policy(visitor, path):
    _, headers, _ = visitor.get(path)
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "style-src 'self';" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/claims", "/runs"])
def test_pages_have_no_script_or_style_inside(visitor, path):
    status, _, text = visitor.get(path)
    assert status == 200
    assert "<style" not in text and 'style="' not in text and "javascript:" not in text and " onclick" not in text
    assert text.count("<script") == text.count("<script src=") + text.count('<script type="module" src=')


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "",
        "127.0.0.1:80:80",
        "[::1",
        "127.0.0.1:x",
    ],
)
def test_a_foreign_host_is_refused(visitor, host):
    status, _, text = visitor.get("/", host=host)
    assert status == 400 and "Traceback" not in text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:8321", "[::1]:8321"])
def test_our_own_names_are_known(visitor, host):
    assert visitor.get("/", host=host)[0] == 200


def test_all_addresses_means_bare_addresses_only():
    names, any_address = hosts("0.0.0.0")
    guard = Guard(lambda *given: None, names=names, any_address=any_address)
    assert guard.known("192.168.1.7:8321") and guard.known("[fe80::1]:8321") and not guard.known("evil.example")
    assert not Guard(lambda *given: None, names=names).known("192.168.1.7:8321")


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
def test_foreign_and_odd_requests_are_refused(visitor, house, method, headers):
    path = "/api/claims/woodworth2020-lemma_6/run" if method == "POST" else "/api/train"
    status, _, text = visitor.get(path, method=method, headers=headers)
    assert status == 400 and text and house.line.busy == 0


def test_another_site_may_link_here(visitor):
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert visitor.get("/claims", headers={**headers, "Sec-Fetch-Dest": "document"})[0] == 200
    for other in ("iframe", "embed", "object"):
        assert visitor.get("/claims", headers={**headers, "Sec-Fetch-Dest": other})[0] == 400


@pytest.mark.parametrize("path", ["/api/train", "/api/outlook", "/api/claims/woodworth2020-lemma_6/run"])
def test_no_work_is_begun_for_headers_alone(visitor, house, path):
    assert visitor.get(path, method="HEAD")[0] == 400 and house.line.busy == 0
    assert visitor.get("/runs", method="HEAD")[0] == 200


@pytest.mark.parametrize("path", ["/", "/api/train", "/runs", "/nowhere", "/claims/"])
def test_raw_bytes_are_no_fault_of_ours(site, path):
    """Asked of the application itself: some servers refuse such bytes before, and others hand them on."""
    said = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        said.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"q=\xff",
        "root_path": "",
        "scheme": "http",
    }
    asyncio.run(site[0]({**scope, "headers": [(b"host", b"localhost")]}, receive, send))
    assert said[0]["status"] == 400


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_outside(visitor, path):
    status, _, text = visitor.get(path)
    assert status in (400, 404), text[:200]
    assert "root:" not in text and "import " not in text and "Traceback" not in text


@pytest.mark.parametrize(
    "path",
    [
        "/api/outlook?alpha=nan",
        "/api/outlook?alpha=1&alpha=2",
        "/api/outlook?seed=1e999",
        "/api/outlook?%ff=%fe",
        "/api/train?n=999999999",
        "/api/train?experiment=__init__",
        "/api/train?alpha=" + "9" * 5_000,
        "/api/download/csv?alpha=4.5",
        "/api/download/exe?alpha=4",
    ],
)
def test_bad_requests_to_scripts_get_a_message(visitor, house, path):
    status, headers, text = visitor.get(path)
    assert status == 400 and headers["content-type"] == "application/json"
    assert json.loads(text)["message"] and "Traceback" not in text and house.line.busy == 0


@pytest.mark.parametrize(
    "path",
    [
        "/?alpha=nan",
        "/?b.alpha=x",
        "/runs?where=__import__('os')",
        "/runs?where=a%20%3C",
        "/runs?x=1",
        "/claims/no.html",
    ],
)
def test_bad_pages_get_a_page(visitor, path):
    status, headers, text = visitor.get(path)
    assert status == 400 and headers["content-type"].startswith("text/html") and "Traceback" not in text


def test_what_is_asked_for_is_not_repeated_as_markup(visitor):
    _, _, text = visitor.get("/runs?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in text and "&lt;script&gt;" in text

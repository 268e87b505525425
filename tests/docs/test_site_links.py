import pytest
from links import broken


@pytest.fixture
def site(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "picture.png").write_bytes(b"")
    (tmp_path / "deep" / "other.html").write_text('<h1 id="top">Other</h1><a href="../index.html">home</a>')
    return tmp_path


def said(site, text) -> list[str]:
    (site / "index.html").write_text(text)
    return broken(site)


@pytest.mark.parametrize(
    "text",
    [
        '<a href="deep/other.html#top">other</a>',
        '<img src="picture.png"><a href="picture.png">large</a>',
        '<p id="here"></p><a href="#here">here</a>',
        '<a href="https://example.org/elsewhere">a reader may follow this</a>',
        '<img src="data:image/png;base64,AAAA">',
        '<a href="deep/other%2Ehtml">escaped</a>',
    ],
)
def test_what_leads_somewhere_is_fine(site, text):
    assert said(site, text) == []


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ('<a href="gone.html">gone</a>', "index.html: gone.html is not there"),
        ('<img src="gone.png">', "index.html: gone.png is not there"),
        ('<a href="../outside.html">above</a>', "index.html: ../outside.html is not there"),
        ('<a href="#gone">gone</a>', "index.html: #gone has no such anchor"),
        ('<a href="deep/other.html#gone">gone</a>', "index.html: deep/other.html#gone has no such anchor"),
        ('<script src="https://example.org/a.js"></script>', "index.html: fetches https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "index.html: fetches //example.org/a.css"),
        ('<img src="http://example.org/a.png">', "index.html: fetches http://example.org/a.png"),
    ],
)
def test_what_leads_nowhere_or_outside_is_said(site, text, trouble):
    assert said(site, text) == [trouble]

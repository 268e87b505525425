"""A walk over the built site: every link and anchor leads somewhere, and nothing is fetched from outside."""

import pathlib
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

# Attributes whose target a browser gets by itself; a link is only followed by a reader.
_FETCHED = {("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src"), ("image", "href"), ("use", "href")}
_INERT = {"canonical", "next", "prev", "alternate"}


class Page(NamedTuple):
    """What one page names: its anchors, where it links to, and what it fetches."""

    anchors: set[str]
    links: list[str]
    fetched: list[str]


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.page = Page(set(), [], [])

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.page.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        for name in ("href", "src"):
            if name not in given:
                continue
            sheet = tag == "link" and not set(given.get("rel", "").split()) & _INERT
            (self.page.fetched if sheet or (tag, name) in _FETCHED else self.page.links).append(given[name])


def read(text: str) -> Page:
    """The anchors, links and fetched files of a page."""
    reader = _Reader()
    reader.feed(text)
    return reader.page


def broken(site: pathlib.Path) -> list[str]:
    """Each link that leads nowhere and each file from outside, as `page: what`."""
    site = site.resolve()
    pages = {path: read(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site)
        for target in page.fetched:
            if urlsplit(target).scheme not in ("", "data") or target.startswith("//"):
                found.append(f"{where}: fetches {target}")
        for target in page.links + page.fetched:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            goal = goal / "index.html" if goal.is_dir() else goal
            if not goal.is_relative_to(site) or not goal.exists():
                found.append(f"{where}: {target} is not there")
            elif parts.fragment and goal in pages and unquote(parts.fragment) not in pages[goal].anchors:
                found.append(f"{where}: {target} has no such anchor")
    return found

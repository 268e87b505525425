"""The pages themselves: the playground, the claims, the runs, and what goes wrong."""

import json
from functools import cache
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from ..errors import BadInput
from ..lab.experiments import every
from ..lab.params import Param
from ..report.pages import words
from ..report.pages.claim_page import claim_body
from ..report.pages.contents import Entry
from ..report.pages.formulas import as_html
from ..report.pages.layout import badge, meanings
from .api import House, file, house
from .asks import SECOND, both, fields

VIEW = ("go",)  # fields of a link that are about the view, not the training
SHOWN = 500  # runs on a page


@cache
def templates() -> jinja2.Environment:
    """The templates; whatever is put in is escaped."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("lazyrich.web"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    made.filters |= {"formulas": lambda text: Markup(as_html(text)), "badge": lambda word: Markup(badge(word))}
    return made


def page(template: str, /, *, status: int = 200, **told: Any) -> HTMLResponse:
    """A page of this template."""
    return HTMLResponse(templates().get_template(f"{template}.html").render(told), status)


@cache
def experiments() -> str:
    """The experiments and the ranges of their sliders, as JSON."""
    found = [
        {"name": one.name, "title": one.title, "params": [_slider(param) for param in one.params]} for one in every()
    ]
    return json.dumps(found)


def _slider(param: Param) -> dict[str, Any]:
    low, high = float(param.low or 0), float(param.high if param.high is not None else 1)
    return {
        "name": param.name, "value": param.quick, "low": low, "high": high, "unit": param.unit, "whole": param.whole,
        "static": param.static, "log": not param.whole and low > 0 and high / low >= 50,
    }  # fmt: skip


async def playground(request: Request) -> Response:
    """The playground; a link with settings that cannot be is refused here already."""
    told = fields(request.scope["query_string"])
    both({name: text for name, text in told.items() if name.removeprefix(SECOND) not in VIEW})
    return page("playground", here="playground", experiments=experiments(), said=list(every()))


async def claims(request: Request) -> Response:
    """All claims."""
    rooms = house(request)
    items = await rooms.errand(request, rooms.shelf.items)
    papers: dict[str, list] = {}
    for item in items:
        papers.setdefault(item.claim.paper, []).append(item)
    return page(
        "claims",
        here="claims",
        papers=[(key, words.paper_title(key), found) for key, found in papers.items()],
        kinds=[kind for kind in words.KINDS if any(item.claim.kind == kind for item in items)],
        verdicts=[word for word in words.VERDICTS if any(item.verdict == word for item in items)],
        meanings=Markup(meanings({"holds", "fails", "inconclusive"})),
    )


async def claim(request: Request) -> Response:
    """One claim, as in the report, and a button to run it."""
    rooms, name = house(request), request.path_params["name"]
    entry = await rooms.errand(request, lambda: rooms.shelf.entry(name))
    return _claim_page(rooms, entry, here="claims", runnable=entry.kind != "drawing")


async def run(request: Request) -> Response:
    """One stored run, as a page of its claim."""
    rooms, name = house(request), request.path_params["run"]
    entry = await rooms.errand(request, lambda: rooms.shelf.run(name))
    return _claim_page(rooms, entry, here="runs", runnable=False)


def _claim_page(rooms: House, entry: Entry, *, here: str, runnable: bool) -> Response:
    trouble = "" if entry.drawing is not None else entry.trouble or "No run is stored, so there is nothing to draw."
    body = claim_body(entry, rooms.shelf.contents(entry), trouble)
    return page(
        "claim", here=here, title=entry.title, name=entry.name, body=Markup(body), runnable=runnable, run=here == "runs"
    )


async def runs(request: Request) -> Response:
    """The stored runs that answer a question, newest first."""
    told = fields(request.scope["query_string"])
    if set(told) - {"q", "where"}:
        raise BadInput(needed="runs are asked for by q and where", given="other fields", cure="Use the form.")
    rooms, status, trouble, rows = house(request), 200, "", []
    try:
        rows = await rooms.errand(request, lambda: rooms.store.find(told.get("q") or None, told.get("where") or None))
    except BadInput as refusal:
        status, trouble = 400, str(refusal)
    shown = [{**row, "title": _title(rooms, row)} for row in rows[::-1][:SHOWN]]
    return page("runs", status=status, here="runs", rows=shown, count=len(rows), asked=told, trouble=trouble)


def _title(rooms: House, row: dict[str, Any]) -> str:
    from ..report.pages.contents import known_claim

    found = known_claim(row.get("id", ""))
    return found.title if found else row.get("id", "a run that cannot be read")


async def figure(request: Request) -> Response:
    """The figure of a claim's newest run, or of a run: as a picture or as the numbers in it."""
    rooms, name, kind = house(request), request.path_params["name"], request.path_params["kind"]
    if kind == "png" and name.endswith("-paper"):
        return await _recorded(request, rooms, name.removesuffix("-paper"))

    def drawn() -> str | bytes:
        from ..report import figures, numbers

        entry = rooms.shelf.either(name)
        if entry.drawing is None:
            raise BadInput(needed="a figure needs a stored run", given="none", cure="Run the claim first.")
        return numbers.table(entry.drawing) if kind == "csv" else figures.vector(entry.drawing)

    if kind not in ("svg", "csv"):
        raise BadInput(needed="a figure is svg or csv", given=repr(kind[:20]), cure="Choose one of them.")
    made = file(await rooms.errand(request, drawn), kind, name)
    if kind == "svg":
        del made.headers["content-disposition"]
    return made


async def _recorded(request: Request, rooms: House, name: str) -> Response:
    """The small figure that comes with a record."""
    entry = await rooms.errand(request, lambda: rooms.shelf.either(name))
    if entry.record is None or entry.record.image is None:
        raise BadInput(needed="a record with a figure", given=repr(name[:60]), cure="The list of claims has them all.")
    return FileResponse(rooms.shelf.folder / entry.record.image, media_type="image/png")


async def paper(request: Request) -> Response:
    """Where pages of a report link to a paper: its claims."""
    name = request.path_params["paper"]
    return RedirectResponse("/claims" if name == "index" else f"/claims#paper={quote(name, safe='')}")

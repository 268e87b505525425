"""The HTML pages: the playground, the claims, the runs, and the error page."""

import json
from functools import cache
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from ..errors import BadInput
from ..forecast.experiments import every
from ..lab.params import Param
from ..report.formulas import in_unicode
from ..report.pages import words
from ..report.pages.claim_page import claim_body
from ..report.pages.contents import Entry, known_claim
from ..report.pages.formulas import as_html
from ..report.pages.layout import badge, meanings
from .config import SECOND_PREFIX, parse_configs, query_fields
from .endpoints import file_response
from .services import Services, services_of

VIEW_FIELDS = ("go",)  # fields of a link that belong to the view, not to the training
MAX_ROWS = 500  # runs on a page


@cache
def templates() -> jinja2.Environment:
    """The templates; inserted values are escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("lazyrich.web"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"formulas": lambda text: Markup(as_html(text)), "badge": lambda word: Markup(badge(word))}
    environment.filters["unicode"] = in_unicode
    return environment


def render(template: str, /, *, status: int = 200, **context: Any) -> HTMLResponse:
    """The response made of this template."""
    return HTMLResponse(templates().get_template(f"{template}.html").render(context), status)


@cache
def experiments_json() -> str:
    """The experiments and the ranges of their sliders, as JSON."""
    experiments = [
        {"name": one.name, "title": in_unicode(one.title), "params": [_slider(param) for param in one.params]} for one in every()
    ]
    return json.dumps(experiments)


def _slider(param: Param) -> dict[str, Any]:
    low, high = float(param.low or 0), float(param.high if param.high is not None else 1)
    return {
        "name": param.name, "value": param.quick, "low": low, "high": high, "unit": in_unicode(param.unit), "whole": param.whole,
        "static": param.static, "log": not param.whole and low > 0 and high / low >= 50,
    }  # fmt: skip


async def playground(request: Request) -> Response:
    """The playground; a link with invalid settings is refused here already."""
    fields = query_fields(request.scope["query_string"])
    settings = {name: text for name, text in fields.items() if name.removeprefix(SECOND_PREFIX) not in VIEW_FIELDS}
    parse_configs(settings)
    return render("playground", active="playground", experiments_json=experiments_json(), experiments=list(every()))


async def claims(request: Request) -> Response:
    """All claims."""
    services = services_of(request)
    rows = await services.run_in_thread(request, services.claims.rows)
    papers: dict[str, list] = {}
    for row in rows:
        papers.setdefault(row.claim.paper, []).append(row)
    return render(
        "claims",
        active="claims",
        papers=[(key, words.paper_title(key), of_paper) for key, of_paper in papers.items()],
        kinds=[kind for kind in words.KINDS if any(row.claim.kind == kind for row in rows)],
        verdicts=[word for word in words.VERDICTS if any(row.verdict == word for row in rows)],
        meanings=Markup(meanings({"holds", "fails", "inconclusive"})),
    )


async def claim(request: Request) -> Response:
    """One claim, as in the report, and a button to run it."""
    services, name = services_of(request), request.path_params["name"]
    entry = await services.run_in_thread(request, lambda: services.claims.entry(name))
    return _claim_page(services, entry, active="claims", runnable=entry.kind != "drawing")


async def run(request: Request) -> Response:
    """One stored run, as a page of its claim."""
    services, name = services_of(request), request.path_params["run"]
    entry = await services.run_in_thread(request, lambda: services.claims.run(name))
    return _claim_page(services, entry, active="runs", runnable=False)


def _claim_page(services: Services, entry: Entry, *, active: str, runnable: bool) -> Response:
    no_figure = "" if entry.drawing is not None else entry.trouble or "No run is stored, so there is nothing to draw."
    body = claim_body(entry, services.claims.contents(entry), no_figure)
    return render(
        "claim", active=active, title=entry.title, name=entry.name, body=Markup(body), runnable=runnable, is_run=active == "runs"
    )


async def runs(request: Request) -> Response:
    """The stored runs that match a search, newest first."""
    query = query_fields(request.scope["query_string"])
    if set(query) - {"q", "where"}:
        raise BadInput(needed="a search for runs has the fields q and where", given="others", cure="Use the form.")
    services, status, message, found = services_of(request), 200, "", []
    try:
        found = await services.run_in_thread(
            request, lambda: services.store.find(query.get("q") or None, query.get("where") or None)
        )
    except BadInput as error:
        status, message = 400, str(error)
    rows = [{**row, "title": _title(row)} for row in found[::-1][:MAX_ROWS]]
    return render("runs", status=status, active="runs", rows=rows, count=len(found), query=query, message=message)


def _title(row: dict[str, Any]) -> str:
    known = known_claim(row.get("id", ""))
    return known.title if known else row.get("id", "unreadable run")


async def figure(request: Request) -> Response:
    """The figure of a run, or of the newest run of a claim: as an image or as its numbers."""
    services, name, kind = services_of(request), request.path_params["name"], request.path_params["kind"]
    if kind == "png" and name.endswith("-paper"):
        return await _record_image(request, services, name.removesuffix("-paper"))

    def draw() -> str | bytes:
        from ..report import figures, numbers

        entry = services.claims.entry_or_run(name)
        if entry.drawing is None:
            raise BadInput(needed="a figure needs a stored run", given="none", cure="Run the claim first.")
        return numbers.table(entry.drawing) if kind == "csv" else figures.vector(entry.drawing)

    if kind not in ("svg", "csv"):
        raise BadInput(needed="a figure is svg or csv", given=repr(kind[:20]), cure="Choose one of them.")
    response = file_response(await services.run_in_thread(request, draw), kind, name)
    if kind == "svg":
        del response.headers["content-disposition"]
    return response


async def _record_image(request: Request, services: Services, name: str) -> Response:
    """The small figure of a committed record."""
    entry = await services.run_in_thread(request, lambda: services.claims.entry_or_run(name))
    if entry.record is None or entry.record.image is None:
        raise BadInput(needed="a record with a figure", given=repr(name[:60]), cure="See the list of claims for their names.")
    return FileResponse(services.claims.folder / entry.record.image, media_type="image/png")


async def paper(request: Request) -> Response:
    """Pages of a report link to a paper: redirect to its claims."""
    name = request.path_params["paper"]
    return RedirectResponse("/claims" if name == "index" else f"/claims#paper={quote(name, safe='')}")

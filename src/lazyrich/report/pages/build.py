"""A report on disk: written beside its place and moved there when whole; it replaces only what a report made."""

import base64
import json
import re
import secrets
import shutil
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path

from ...errors import BadInput
from .claim_page import claim_page
from .contents import Contents
from .drawn import draw_all
from .index_page import index_page
from .layout import ASSETS, claim_file, paper_file
from .paper_page import paper_page
from .record_part import image_file

MARK = "lazyrich-report.json"
SOURCE = Path(__file__).parents[1] / "assets"

Progress = Callable[[str, int, int], None]


def require_place(folder: Path, *, force: bool) -> None:
    """Refuse a place that holds anything, unless a report made all of it and may be replaced: before any work."""
    if not folder.exists() and not folder.is_symlink():
        return
    if not folder.is_dir() or folder.is_symlink():
        raise BadInput(
            needed="a report is a folder of its own", given=f"{folder}, which is something else", cure="Choose another."
        )
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    if not there:
        return
    if not force:
        raise BadInput(
            needed="a report needs a new or empty folder",
            given=f"{folder}, which holds {len(there)} files",
            cure="Choose another, or replace an older report with --force.",
        )
    if strangers := sorted(there - _made(folder)):
        raise BadInput(
            needed="--force replaces only what a report made",
            given=f"{folder}, which also holds {', '.join(strangers[:3])}" + (" and more" if len(strangers) > 3 else ""),
            cure="Move these away, or choose another folder.",
        )


def _made(folder: Path) -> set[str]:
    """The files that an earlier report listed as its own."""
    try:
        found = json.loads((folder / MARK).read_text(encoding="utf-8"))
        return {str(name) for name in found["files"]} | {MARK}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def build(
    contents: Contents,
    folder: Path,
    *,
    force: bool = False,
    progress: Progress = lambda what, done, total: None,
    pool: Executor | None = None,
) -> Path:
    """Write the report, whole or not at all, its figures by the processes of a pool; gives its first page."""
    require_place(folder, force=force)
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    try:
        _write(contents, part, progress, pool)
        if folder.exists():
            old = part.with_suffix(".old")
            folder.rename(old)
            part.rename(folder)
            shutil.rmtree(old)
        else:
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return folder / "index.html"


def _write(contents: Contents, folder: Path, progress: Progress, pool: Executor | None) -> None:
    for name in ("claims", "figures"):
        (folder / name).mkdir(parents=True)
    _assets(folder / ASSETS)
    places = {e.id: folder / "figures" / e.name for e in contents.entries if e.drawing is not None}
    drawings = {places[e.id]: e.drawing for e in contents.entries if e.drawing is not None}
    troubles = draw_all(drawings, progress, pool)
    drawn = {identity for identity, place in places.items() if place not in troubles}
    pages = {"index.html": index_page(contents)}
    pages |= {paper_file(paper): paper_page(paper, contents, drawn) for paper in contents.papers}
    for entry in contents.entries:
        trouble = troubles.get(places[entry.id], "") if entry.id in places else entry.trouble
        pages[claim_file(entry)] = claim_page(entry, contents, trouble)
        if entry.record and entry.record.image and contents.images:
            shutil.copyfile(contents.images / entry.record.image, folder / image_file(entry))
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    summary = {"claims": {entry.id: entry.verdict for entry in contents.entries}, "files": files}
    (folder / MARK).write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")


def _assets(folder: Path) -> None:
    """Styles and scripts. Fonts go into the style sheet: some browsers refuse to load them from disk."""
    (folder / "katex").mkdir(parents=True)
    for name in ("report.css", "report.js", "theme.js", "katex/katex.min.js", "katex/LICENSE"):
        shutil.copyfile(SOURCE / name, folder / name)
    style = (SOURCE / "katex" / "katex.min.css").read_text(encoding="utf-8")
    (folder / "katex" / "katex.css").write_text(re.sub(r"url\((fonts/[\w-]+\.woff2)\)", _inlined, style), encoding="utf-8")


def _inlined(found: re.Match[str]) -> str:
    font = base64.b64encode((SOURCE / "katex" / found.group(1)).read_bytes()).decode()
    return f"url(data:font/woff2;base64,{font})"

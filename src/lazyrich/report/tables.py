"""Tables for the terminal, from the same plain records that `--json` prints.

Color never stands alone: each verdict and each mark is also a word. All of it reads well in 80 columns.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from .formulas import in_unicode

Record = Mapping[str, Any]

COLORS = {"holds": "bold green", "fails": "bold red", "inconclusive": "bold yellow", "skipped": "bright_black"}
_SIGNS = {"at_most": "<=", "at_least": ">="}


def verdict_table(results: Sequence[Record]) -> RenderableType:
    """Results of `run` and `check`: one in full, with readings and controls; several as one row each."""
    if len(results) == 1:
        return _block(results[0])
    table = _table("id", "verdict", "holds", "sec", "reason", right=("holds", "sec"))
    _keep_whole(table, results, ("verdict", "holds", "sec"))
    for result in results:
        holds = result.get("holds") or []
        share = f"{sum(bool(r['ok']) for r in holds)}/{len(holds)}" if holds else "-"
        reason = "" if result["verdict"] == "holds" else result.get("reason") or ""
        seconds = _seconds(result.get("seconds"))
        table.add_row(Text(result["id"]), verdict_text(result["verdict"]), share, seconds, Text(in_unicode(reason), style="dim"))
    counts = Counter(result["verdict"] for result in results)
    found = [f"{counts[word]} {word}" for word in (*COLORS, *sorted(counts.keys() - COLORS)) if counts[word]]
    return Group(table, Text("  " + (", ".join(found) or "no results")))


def sweep_table(record: Record) -> RenderableType:
    """A sweep: its axes, how many points are there, and those that failed."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    total = math.prod(len(values) for values in record["axes"].values())
    table.add_row("sweep", Text(f"{record['id']}, size {record['size']}, seed {record['seed']}", style="bold"))
    for name, values in record["axes"].items():
        ends = f"{values[0]:g} to {values[-1]:g}, {len(values)} values" if len(values) > 1 else f"{values[0]:g}"
        table.add_row(name, Text(ends))
    table.add_row("points", f"{record['done']} of {total}" + (", growing" if record.get("growing") else ""))
    for one in list((record.get("failures") or {}).values())[:5]:
        place = ", ".join(f"{name}={value:g}" for name, value in one["at"].items())
        table.add_row("failed", Text(f"{place}: {one['error']}"))
    return table


def claims_table(claims: Sequence[Record]) -> RenderableType:
    """The claims of `list`: id, kind, title, and how long a check at quick size takes."""
    table = _table("id", "kind", "title", "quick", right=("quick",))
    _keep_whole(table, claims, ("kind", "quick"))
    for claim in claims:
        quick = (claim.get("sizes") or {}).get("quick") or {}
        table.add_row(Text(claim["id"]), claim["kind"], Text(in_unicode(claim["title"])), _seconds(quick.get("seconds"), " s"))
    noun = "claim" if len(claims) == 1 else "claims"
    return Group(table, Text(f"  {len(claims)} {noun}", style="dim"))


def calibration_table(rows: Sequence[Record], *, title: str = "") -> RenderableType:
    """Readings of a claim and of its controls over many seeds, beside their bounds.

    Each row holds `name`, `kind`, `bound`, `target`, `tolerance`, `clear`, and under `claim` and `control`
    (which may be None) the `low`, `median`, `high` and `spread` over the seeds.
    """
    table = _table("reading", "bound", "claim", "control", "clear")
    for row in rows:
        name = Text.assemble(in_unicode(row["name"]), ("\n" + row["kind"], "dim"))
        clear = Text("yes", style="green") if row["clear"] else Text("no", style="bold red")
        table.add_row(name, bound_text(row), _spread(row["claim"]), _spread(row.get("control")), clear)
    heading = [Text(title, style="bold")] if title else []
    return Group(*heading, table, Text("  median, then [lowest, highest] and spread over the seeds", style="dim"))


def runs_table(rows: Sequence[Record], store: str, *, most: int = 40) -> RenderableType:
    """Stored runs, the newest last; of many only the newest are shown."""
    table = _table("run", "id", "size", "seed", "verdict", "sec", right=("seed", "sec"))
    for row in rows[-most:]:
        damaged = row.get("damaged")
        kind = "growing" if row.get("growing") else row.get("kind") or "-"
        verdict = Text("damaged", style="bold red") if damaged else verdict_text(row.get("verdict") or kind)
        words = (row.get("id") or str(damaged), row.get("size") or "-", str(row.get("seed", "-")))
        table.add_row(row["run"], *map(Text, words), verdict, _seconds(row.get("seconds")))
    for name in ("run", "verdict", "size"):
        next(column for column in table.columns if column.header == name).no_wrap = True
    hidden = f", the newest {most} shown; --where and --json reach the others" if len(rows) > most else ""
    return Group(table, Text(f"  {len(rows)} run{'' if len(rows) == 1 else 's'} in {store}{hidden}", style="dim"))


def provenance_table(record: Record) -> RenderableType:
    """How a run came to be and how to make it again: two columns."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in provenance(record).items():
        table.add_row(name, Text(value))
    return table


def provenance(record: Record) -> dict[str, str]:
    """How a run came to be and how to make it again: what is known of it, by name."""
    packages = record.get("packages") or {}
    counts = record.get("solver") or {}
    rows = {
        "run": record["run"],
        "made": f"{record['created']} in {_seconds(record.get('seconds'), ' s')}, load {_load(record.get('load'))}",
        "command": record.get("command"),
        "in Python": record.get("in_python"),
        "lazyrich": f"{packages.get('lazyrich')}, commit {record.get('commit') or 'unknown'}, source {record.get('source')}",
        "packages": ", ".join(f"{name} {number}" for name, number in packages.items() if number and name != "lazyrich"),
        "platform": f"Python {record.get('python')}, {record.get('platform')}, {', '.join(record.get('devices') or [])}",
        "precision": record.get("precision"),
        "solver": ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in counts.items()),
        "arrays": ", ".join(f"{name}{_axes(array)}" for name, array in (record.get("arrays") or {}).items()),
        "folder": record.get("path"),
    }
    return {name: str(value) for name, value in rows.items() if value}


def doctor_table(record: Record) -> RenderableType:
    """The state of the machine, and under it what to do."""
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    environment, machine, cache, store = (record[name] for name in ("environment", "machine", "cache", "store"))
    kept = f"{store.get('runs', 0)} stored, {len(store.get('damaged') or ())} damaged, {store.get('unfinished', 0)} unfinished"
    rows = {
        "Python": f"{machine['python']} ({machine['executable']})",
        "lazyrich": f"{environment['packages'].get('lazyrich')}, commit {environment['commit'] or 'unknown'}",
        "packages": ", ".join(f"{one['package']} {one['version'] or 'missing'}" for one in record["needs"]),
        "extras": ", ".join(f"{one['extra']} {'yes' if one['there'] else 'no'}" for one in record["extras"]),
        "devices": ", ".join(environment["devices"]),
        "precision": environment["precision"],
        "machine": f"{machine['cores']} cores, {machine['memory_gigabytes']} GB, disk {machine['disk_free_gigabytes']} GB free",
        "cache": f"{cache['folder']}: {cache['programs']} programs, {cache['megabytes']} MB",
        "store": f"{store['folder']}: {kept if store['exists'] else 'nothing stored yet'}",
    }
    for name, value in rows.items():
        table.add_row(name, Text(value))
    offers = [f"  not installed: {one['for']}. Get it: {one['cure']}" for one in record["extras"] if not one["there"]]
    words = [Text("all is well", style="bold green")] if record["ok"] else [Text("problems", style="bold red")]
    words += [Text(f"  {line}") for line in record["trouble"]]
    return Group(table, *words, *(Text(line, style="dim") for line in offers))


def _axes(array: Record) -> str:
    return "(" + ", ".join(f"{name} {size}" for name, size in array["axes"].items()) + ")" if array["axes"] else ""


def _load(load: Sequence[float] | None) -> str:
    return number_text(load[0]) if load else "unknown"


def verdict_text(verdict: str) -> Text:
    """A verdict, as a colored word."""
    return Text(verdict, style=COLORS.get(verdict, "bold"))


def bound_text(reading: Record) -> str:
    """What a reading is held to: `<= 1e-5`, `>= 0.9`, `near 1 +- 0.05`."""
    target = number_text(reading["target"])
    if reading["bound"] in _SIGNS:
        return f"{_SIGNS[reading['bound']]} {target}"
    return f"{reading['bound']} {target} +- {number_text(reading.get('tolerance'))}"


def number_text(value: float | int | str | bool | None) -> str:
    """A value in four digits; a word stays a word, infinity is "never", nothing is "-"."""
    if value is None:
        return "-"
    if isinstance(value, str | bool):
        return str(value).lower()
    if math.isinf(value):
        return "never" if value > 0 else "-inf"
    digits, _, power = f"{value:.4g}".partition("e")
    return f"{digits}e{int(power)}" if power else digits


def _block(result: Record) -> RenderableType:
    heading = Text.assemble((result["id"], "bold"))
    if result.get("title"):
        heading.append(f"\n{in_unicode(result['title'])}")
    verdict = Text.assemble(verdict_text(result["verdict"]), f"  {in_unicode(result.get('reason') or '')}")
    parts: list[RenderableType] = [heading, verdict, Text(_settings(result), style="dim")]
    if result.get("sound") or result.get("holds"):
        parts.append(_readings(result))
    parts += map(_control, result.get("controls") or ())
    parts += [Text(f"wrote {path}", style="dim", overflow="fold") for path in result.get("files") or []]
    edge = COLORS.get(result["verdict"], "none").removeprefix("bold ")
    return Panel(Group(*parts), box=box.ROUNDED, border_style=edge, padding=(0, 1))


def _settings(result: Record) -> str:
    shown = {name: _param(value) for name, value in (result.get("params") or {}).items()}
    params = ", ".join(f"{name}={value.removeprefix('=')}" for name, value in shown.items())
    words = [f"size {result.get('size')}, seed {result.get('seed')}", params]
    if result.get("seconds") is not None:
        words.append(_seconds(result["seconds"], " s"))
    return "; ".join(word for word in words if word)


def _readings(result: Record) -> Table:
    table = _table("kind", "reading", "value", "bound", "ok", right=("value",))
    for kind in ("sound", "holds"):
        readings = result.get(kind) or []
        for number, reading in enumerate(readings):
            name = Text(in_unicode(reading["name"]))
            if reading.get("why"):
                name.append(f"\n{in_unicode(reading['why'])}", style="dim")
            ok = Text("yes", style="green") if reading["ok"] else Text("no", style="bold red")
            last = number == len(readings) - 1
            table.add_row(kind, name, number_text(reading["value"]), bound_text(reading), ok, end_section=last)
    return table


def _control(control: Record) -> Text:
    line = Text.assemble(("control: ", "bold"), f"{in_unicode(control.get('says') or '')}  ", verdict_text(control["verdict"]))
    broken = ", ".join(_broken(control))
    if broken:
        line.append(f" ({broken})")
    return line


def _broken(control: Record) -> Iterator[str]:
    for kind, word in (("holds", "broke"), ("sound", "unsound")):
        names = [in_unicode(reading["name"]) for reading in control.get(kind) or [] if not reading["ok"]]
        if names:
            yield f"{word}: {', '.join(names)}"


def _spread(seen: Record | None) -> Text:
    if seen is None:
        return Text("-", style="dim")
    low, median, high, spread = (number_text(seen[name]) for name in ("low", "median", "high", "spread"))
    return Text.assemble(median, (f"\n[{low}, {high}]\nspread {spread}", "dim"))


def _keep_whole(table: Table, records: Sequence[Record], names: Sequence[str]) -> None:
    """Break no line in these columns, nor in the ids unless one is so long that nothing else would fit."""
    short = max((len(record["id"]) for record in records), default=0) <= 32
    for column in table.columns:
        column.no_wrap = column.header in names or (column.header == "id" and short)


def _param(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(_param(item) for item in value)
    return number_text(value) if isinstance(value, float) else str(value)


def _seconds(value: float | int | None, unit: str = "") -> str:
    if value is None:
        return "-"
    return (f"{value:.0f}" if value >= 10 else f"{value:.1f}") + unit


def _table(*names: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1))
    for name in names:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table

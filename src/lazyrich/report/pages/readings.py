"""Readings as a table: what was measured beside its bound and beside the control, with a picture of the three."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

from .formulas import as_html
from .gauge import gauge
from .layout import bound, number

Reading = Mapping[str, Any]
KEY = (
    '<p class="key" aria-hidden="true"><span class="dot"></span> measured <span class="rhomb"></span> control '
    '<span class="zone"></span> allowed</p>'
)


def readings_table(readings: Sequence[Reading], control: Sequence[Reading], caption: str) -> str:
    """One row a reading; nothing if there are none."""
    if not readings:
        return ""
    beside = {reading["name"]: reading for reading in control}
    rows = "".join(_row(reading, beside.get(reading["name"])) for reading in readings)
    return f"""<table class="readings"><caption>{html.escape(caption)}{KEY}</caption>
<thead><tr><th scope="col">Number</th><th scope="col">Picture</th><th scope="col">Measured</th><th scope="col">Must be</th>
<th scope="col">Kept</th><th scope="col">Control</th></tr></thead><tbody>{rows}</tbody></table>"""


def _row(reading: Reading, control: Reading | None) -> str:
    kept = '<span class="yes">yes</span>' if reading["ok"] else '<span class="no">no</span>'
    return (
        f'<tr><th scope="row">{as_html(reading["name"])}<small>{as_html(reading.get("why") or "")}</small></th>'
        f"<td>{gauge(reading, control if control and same_bound(reading, control) else None)}</td>"
        f'<td data-label="measured"><span>{number(reading["value"])}</span></td>'
        f'<td data-label="must be"><span>{bound(reading)}</span></td>'
        f'<td data-label="kept">{kept}</td><td data-label="control"><span>{_control(reading, control)}</span></td></tr>'
    )


def _control(reading: Reading, control: Reading | None) -> str:
    """What the control gave, and the bound it had if that is another: a false statement may ask for another number."""
    if control is None:
        return "–"
    held = "" if same_bound(reading, control) else f"<small>must be {bound(control)}</small>"
    return f"{number(control['value'])}{'' if control['ok'] else ' (out)'}{held}"


def same_bound(reading: Reading, control: Reading) -> bool:
    """Whether both are held to the same bound, and so can stand in one picture."""
    return all(reading[name] == control[name] for name in ("bound", "target", "tolerance"))

"""Readings as a table: each measured value beside its bound and its control, with a picture of the three."""

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


def beside(controls: Sequence[Mapping[str, Any]], kind: str) -> dict[str, Reading]:
    """For each reading of this kind, by name, that of the first control that breaks it, or else of the first."""
    found: dict[str, Reading] = {}
    for reading in (one for control in controls for one in control.get(kind) or ()):
        if reading["name"] not in found or (found[reading["name"]]["ok"] and not reading["ok"]):
            found[reading["name"]] = reading
    return found


def readings_table(readings: Sequence[Reading], controls: Mapping[str, Reading], caption: str) -> str:
    """One row a reading; nothing if there are none."""
    if not readings:
        return ""
    rows = "".join(_row(reading, controls.get(reading["name"])) for reading in readings)
    return f"""<table class="readings"><caption>{html.escape(caption)}{KEY}</caption>
<thead><tr><th scope="col">Number</th><th scope="col">Picture</th><th scope="col">Measured</th><th scope="col">Must be</th>
<th scope="col">Within bound</th><th scope="col">Control</th></tr></thead><tbody>{rows}</tbody></table>"""


def _row(reading: Reading, control: Reading | None) -> str:
    kept = '<span class="yes">yes</span>' if reading["ok"] else '<span class="no">no</span>'
    return (
        f'<tr><th scope="row">{as_html(reading["name"])}<small>{as_html(reading.get("why") or "")}</small></th>'
        f"<td>{gauge(reading, control if control and same_bound(reading, control) else None)}</td>"
        f'<td data-label="measured"><span>{number(reading["value"])}</span></td>'
        f'<td data-label="must be"><span>{bound(reading)}</span></td>'
        f'<td data-label="within bound">{kept}</td><td data-label="control"><span>{_control(reading, control)}</span></td></tr>'
    )


def _control(reading: Reading, control: Reading | None) -> str:
    """The value in the control, and its bound where that is another one: a false statement may need another number."""
    if control is None:
        return "–"
    held = "" if same_bound(reading, control) else f"<small>must be {bound(control)}</small>"
    return f"{number(control['value'])}{'' if control['ok'] else ' (out)'}{held}"


def same_bound(reading: Reading, control: Reading) -> bool:
    """Whether both are held to the same bound, and so can stand in one picture."""
    return all(reading[name] == control[name] for name in ("bound", "target", "tolerance"))

"""The plan of a sweep: what is computed, over which axes, by which code; what makes two sweeps share their points."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ...errors import BadInput
from ..machine import environment
from .functions import identity
from .grid import Grid
from .growing import Growing


def planned(grid: Grid, *, seed: int, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The plan of a sweep as plain data: what it computes, over which axes, by which code."""
    made, code = environment(), _code(grid, attributes)
    parts = [code, seed, made["precision"], made["source"]]
    mark = hashlib.sha256(json.dumps(["sweep", *parts]).encode()).hexdigest()[:24] if code else None
    return {
        "kind": "sweep",
        **attributes,
        "seed": seed,
        "params": {name: list(v) if isinstance(v, tuple) else v for name, v in grid.params.shown().items()},
        "values": {name: list(v) if isinstance(v, tuple) else v for name, v in grid.params.values.items()},
        "axes": {name: list(values) for name, values in grid.axes.items()},
        "trials": grid.trials,
        "returns": dict(grid.simulation.returns),
        "fingerprint": mark,
        "code": code,
        **made,
    }


def _code(grid: Grid, attributes: Mapping[str, Any]) -> list[str] | None:
    """What is computed, by the names of its functions; where those do not tell, by that of its claim."""
    return identity(grid.simulation) or ([attributes["claim"]] if "claim" in attributes else None)


def require_same_code(grid: Grid, growing: Growing) -> None:
    """Refuse to go on with other code than a sweep was begun with: its points would not belong together."""
    here, there = environment(), growing.record
    now = (_code(grid, there), here["source"], here["precision"])
    if now != (there["code"], there["source"], there["precision"]):
        raise BadInput(
            needed=f"sweep {growing.run} is resumed by the code and in the precision that began it",
            given=f"source {now[1]}, {now[2]} in place of {there['source']}, {there['precision']}",
            cure="Use that version, or sweep anew without --resume.",
        )

"""A forecast for the terminal, from the same plain record that `--json` prints."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table

from .formulas import in_unicode


def forecast_table(found: Mapping[str, Any]) -> Table:
    """The forecast of one training: test error early and late, when it changes, and why."""
    table = Table(box=box.SIMPLE, show_header=False, title=f"{found['setting']}: forecast", title_justify="left")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("transition", "yes" if found["will_switch"] else "no")
    table.add_row("reason", in_unicode(found["reason"]))
    for name in ("early", "late"):
        table.add_row(name, _level(found[name], found["measure"]))
    when = found["switch"]
    if when is not None:
        span = f"{when['low']:.4g} to {when['high']:.4g}, most likely {when['middle']:.4g} ({when['unit']}; nine of ten)"
        table.add_row("when", span)
    table.add_row("parameters", ", ".join(f"{name}={value:g}" for name, value in found["params"].items()))
    table.add_row("cost", f"{found['cost_seconds']:.2g} s")
    return table


def _level(level: Mapping[str, Any], measure: str) -> str:
    says = in_unicode(level["says"])
    if level["test_error"] is None:
        return f"unknown: {says}"
    value = f"test accuracy {level['test_accuracy']:.3f}" if measure == "accuracy" else f"test error {level['test_error']:.3g}"
    return f"{value} ({level['kind']}: {says})"

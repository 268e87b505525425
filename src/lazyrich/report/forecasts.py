"""A forecast for the terminal, from the same plain record that `--json` prints."""

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table


def forecast_table(told: Mapping[str, Any]) -> Table:
    """What is said of one training: levels before and after, when, and why."""
    table = Table(box=box.SIMPLE, show_header=False, title=f"{told['setting']}: forecast", title_justify="left")
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("will switch", "yes" if told["will_switch"] else "no")
    table.add_row("reason", told["reason"])
    for name in ("early", "late"):
        table.add_row(name, _level(told[name], told["measure"]))
    when = told["switch"]
    if when is not None:
        span = (
            f"{when['low']:.4g} to {when['high']:.4g}, most likely {when['middle']:.4g} ({when['unit']}; nine of ten)"
        )
        table.add_row("switch", span)
    table.add_row("parameters", ", ".join(f"{name}={value:g}" for name, value in told["params"].items()))
    table.add_row("cost", f"{told['cost_seconds']:.2g} s")
    return table


def _level(answer: Mapping[str, Any], measure: str) -> str:
    if answer["test_error"] is None:
        return f"unknown: {answer['says']}"
    value = (
        f"test accuracy {answer['test_accuracy']:.3f}"
        if measure == "accuracy"
        else f"test error {answer['test_error']:.3g}"
    )
    return f"{value} ({answer['kind']}: {answer['says']})"

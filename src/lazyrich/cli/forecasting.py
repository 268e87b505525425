"""The command forecast."""

from typing import Annotated

import typer

from . import options as o
from .completion import settings
from .printing import print_json, show

Setting = Annotated[
    str, typer.Argument(metavar="SETTING", help="A named experiment, one of those above.", autocompletion=settings)
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the experiment: weight_decay=1e-2.")
]
Quickly = Annotated[
    bool, typer.Option("--no-cheap-run", help="From the kernel and log(alpha)/(weight decay) alone: a wider interval.")
]


def forecast(
    setting: Setting, sets: Changes = None, seed: o.Seed = 0, no_cheap_run: Quickly = False, as_json: o.Json = False
) -> None:
    """Forecast whether and when a training groks or misgroks, and its test error early and late.

    Settings: grokking, misgrokking, sparse_regression, deep_regression, matrix_completion, l1_recovery, linear_net,
    modular_addition.
    """
    from ..api.forecasts import forecast_setting
    from ..lab.assignments import assignments

    predicted = forecast_setting(setting, changes=assignments(sets or ()), seed=seed, cheap_run=not no_cheap_run)
    if as_json:
        print_json(predicted)
        return
    from ..report.forecasts import forecast_table

    show(forecast_table(predicted))

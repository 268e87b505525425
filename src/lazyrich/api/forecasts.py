"""The forecast of a named experiment, as other programs read it."""

from collections.abc import Mapping
from typing import Any

from ..lab.machine import prepare
from .check import require


def forecast_setting(
    setting: str, *, changes: Mapping[str, Any] | None = None, seed: int = 0, cheap_run: bool = True
) -> dict[str, Any]:
    """The forecast of a named experiment, in the shape that other programs read."""
    prepare()
    from ..forecast.experiments import find
    from ..forecast.forecast import forecast

    require("quick", seed)
    experiment = find(setting)
    params, composed = experiment.resolve(changes), experiment.at(changes, seed=seed)
    found = forecast(composed.objective, composed.init, test=composed.test, optimizer=composed.dynamics, cheap_run=cheap_run)
    return found.as_json(setting, params)

"""Finished trainings as files: a table of numbers, a figure, and a Python script that repeats the training."""

import csv
import io
import tempfile
from collections.abc import Sequence, Set
from pathlib import Path

from ..claims.drawing import Axis, Band, Drawing, Event, Line, Mark, Panel, Role, Rule
from ..report.formulas import in_unicode
from .config import TrainingConfig
from .finished import FinishedTraining

AXES = {"accuracy": Axis("accuracy", low=0.0, high=1.05), "error": Axis("relative error", low=0.0)}
MILESTONE_ROLES: dict[str, Role] = {"memorization": "second", "generalization": "measured"}


def csv_table(trainings: Sequence[FinishedTraining]) -> str:
    """The curves as a table: one row for each time of each training, with the parameters beside it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    first = trainings[0]
    names = [name for name, _ in first.config.values]
    writer.writerow(["experiment", "seed", *names, first.time_label, f"train_{first.measure}", f"test_{first.measure}"])
    for one in trainings:
        params = [one.config.experiment, one.config.seed, *(repr(value) for _, value in one.config.values)]
        for row in zip(one.time, one.train, one.test, strict=True):
            writer.writerow([*params, *map(repr, row)])
    return text.getvalue()


def figure(trainings: Sequence[FinishedTraining], kind: str) -> bytes:
    """The figure of one training, or of two side by side, as svg or png."""
    from ..report import figures

    with tempfile.TemporaryDirectory() as folder:
        title = trainings[0].config.definition.title
        paths = figures.save(drawing(trainings), folder, "figure", title=title, footer=_footer(trainings))
        return next(path for path in map(Path, paths) if path.suffix == f".{kind}").read_bytes()


def drawing(trainings: Sequence[FinishedTraining]) -> Drawing:
    """The chart of the page, as plain data."""
    first, last = trainings[0].config, trainings[-1].config
    caption = f"{first.definition.says} Dashed: the forecast, made before training."
    differing = {name for name, value in first.values if value != dict(last.values)[name]}
    return Drawing([_panel(one, differing) for one in trainings], caption, columns=len(trainings))


def _panel(training: FinishedTraining, differing: Set[str]) -> Panel:
    """The curves of one training over its forecast, titled by the parameters in which it differs."""
    marks: list[Mark] = [
        Line("train", training.time[1:], training.train[1:], role="second"),
        Line("test", training.time[1:], training.test[1:]),
        *_forecast_marks(training),
        *(Event(name, time, role=MILESTONE_ROLES[name]) for name, time in training.milestones.items() if time > 0),
    ]
    title = ", ".join(f"{name} {value:g}" for name, value in training.config.values if name in differing)
    return Panel(marks, Axis(training.time_label, scale="log"), AXES[training.measure], title=title)


def _forecast_marks(training: FinishedTraining) -> list[Mark]:
    """The forecast levels, and the forecast time of the transition with its interval."""
    if training.forecast is None:
        return []
    levels = {name: level(training.measure, training.forecast[name]) for name in ("early", "late")}
    marks: list[Mark] = [Rule(f"{name} level", y) for name, y in levels.items() if y is not None]
    transition = training.forecast["switch"]
    if transition is not None:
        top = max(1.0, *training.test)
        interval = (transition["low"], transition["high"])
        marks.append(Band("forecast interval", interval, (0.0, 0.0), (top, top), role="theory"))
        marks.append(Event("forecast transition", transition["middle"]))
    return marks


def level(measure: str, known: dict | None) -> float | None:
    """A forecast test error in the units of the curves."""
    error = (known or {}).get("test_error")
    return None if error is None else 1.0 - error if measure == "accuracy" else error


def _footer(trainings: Sequence[FinishedTraining]) -> str:
    configs = [one.config for one in trainings]
    return "; ".join(
        ", ".join([one.experiment, *(f"{name} {value:g}" for name, value in one.values), f"seed {one.seed}"]) for one in configs
    )


def python_script(configs: Sequence[TrainingConfig]) -> str:
    """A Python script that repeats these trainings."""
    settings = ",\n".join(f"    ({dict(one.values)!r}, {one.seed})" for one in configs)
    return f'''"""{in_unicode(configs[0].definition.title)}: the training shown on the page."""

import jax

jax.config.update("jax_enable_x64", True)

from lazyrich.forecast.experiments import find

experiment = find({configs[0].experiment!r})
settings = [
{settings},
]
for params, seed in settings:
    made = experiment.at(params, seed=seed)
    path = made.dynamics.run(made.objective, made.init, made.when, read=made.read)
    print(params, "seed", seed)
    print(path.outcome.sentence)
    for time, train, test in zip(path.times, path.reads["train"], path.reads["test"]):
        print(f"{{float(time):.9g}} {{float(train):.9g}} {{float(test):.9g}}")
'''

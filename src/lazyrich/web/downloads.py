"""Finished trainings as files: the numbers, the figure, and the lines of Python that do the same."""

import csv
import io
import tempfile
from collections.abc import Sequence, Set
from pathlib import Path

from ..claims.drawing import Axis, Band, Drawing, Event, Line, Mark, Panel, Role, Rule
from .asks import Ask
from .finished import Trained

AXES = {"accuracy": Axis("accuracy", low=0.0, high=1.05), "error": Axis("relative error", low=0.0)}


def numbers(trained: Sequence[Trained]) -> str:
    """The curves as a table, one moment of one training a row, with the settings beside them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [name for name, _ in trained[0].ask.values]
    writer.writerow(
        ["experiment", "seed", *names, trained[0].clock, f"train_{trained[0].measure}", f"test_{trained[0].measure}"]
    )
    for one in trained:
        settings = [one.ask.experiment, one.ask.seed, *(repr(value) for _, value in one.ask.values)]
        for row in zip(one.time, one.train, one.test, strict=True):
            writer.writerow([*settings, *map(repr, row)])
    return text.getvalue()


def figure(trained: Sequence[Trained], kind: str) -> bytes:
    """The figure of one training, or of two side by side, as svg or png."""
    from ..report import figures

    with tempfile.TemporaryDirectory() as folder:
        title = trained[0].ask.kind.title
        paths = figures.save(drawing(trained), folder, "figure", title=title, footer=_settings(trained))
        return next(path for path in map(Path, paths) if path.suffix == f".{kind}").read_bytes()


def drawing(trained: Sequence[Trained]) -> Drawing:
    """What the page shows, as plain data."""
    caption = f"{trained[0].ask.kind.says} Dashed: what theory said before training."
    apart = {name for name, value in trained[0].ask.values if value != dict(trained[-1].ask.values)[name]}
    return Drawing([_panel(one, apart) for one in trained], caption, columns=len(trained))


def _panel(one: Trained, apart: Set[str]) -> Panel:
    """The curves of one training over its forecast, under the settings that it has for itself."""
    marks: list[Mark] = [
        Line("train", one.time[1:], one.train[1:], role="second"),
        Line("test", one.time[1:], one.test[1:]),
        *_told(one),
        *(Event(name, when, role=_ROLES[name]) for name, when in one.marks.items() if when > 0),
    ]
    title = ", ".join(f"{name} {value:g}" for name, value in one.ask.values if name in apart)
    return Panel(marks, Axis(one.clock, scale="log"), AXES[one.measure], title=title)


_ROLES: dict[str, Role] = {"memorization": "second", "generalization": "measured"}


def _told(one: Trained) -> list[Mark]:
    """The levels and the switch that were forecast."""
    if one.forecast is None:
        return []
    levels = {name: level(one.measure, one.forecast[name]) for name in ("early", "late")}
    marks: list[Mark] = [Rule(f"{name} level", y) for name, y in levels.items() if y is not None]
    switch = one.forecast["switch"]
    if switch is not None:
        top = max(1.0, *one.test)
        marks.append(Band("forecast interval", (switch["low"], switch["high"]), (0.0, 0.0), (top, top), role="theory"))
        marks.append(Event("switch forecast", switch["middle"]))
    return marks


def level(measure: str, told: dict | None) -> float | None:
    """A forecast's test error in the words of the curves."""
    error = (told or {}).get("test_error")
    return None if error is None else 1.0 - error if measure == "accuracy" else error


def _settings(trained: Sequence[Trained]) -> str:
    return "; ".join(
        ", ".join(
            [one.ask.experiment, *(f"{name} {value:g}" for name, value in one.ask.values), f"seed {one.ask.seed}"]
        )
        for one in trained
    )


def lines(asks: Sequence[Ask]) -> str:
    """A program that does the same."""
    settings = ",\n".join(f"    ({dict(one.values)!r}, {one.seed})" for one in asks)
    return f'''"""{asks[0].kind.title}: what the page showed."""

import jax

jax.config.update("jax_enable_x64", True)

from lazyrich.lab.experiments import find

experiment = find({asks[0].experiment!r})
settings = [
{settings},
]
for params, seed in settings:
    made = experiment.at(params, seed=seed)
    path = made.dynamics.run(made.goal, made.start, made.when, read=made.read)
    print(params, "seed", seed)
    print(path.outcome.sentence)
    for time, train, test in zip(path.times, path.reads["train"], path.reads["test"]):
        print(f"{{float(time):.9g}} {{float(train):.9g}} {{float(test):.9g}}")
'''

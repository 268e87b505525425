"""Forecasts of trainings that were never run, printed first; then the trainings, drawn on what was said.

python examples/forecast.py figures
"""

# %% Four trainings: one that groks, one that misgroks, one that will not, and a matrix that is completed late.
import sys

import numpy as np

import lazyrich as lz
from lazyrich.claims.drawing import Axis, Band, Drawing, Line, Panel, Rule
from lazyrich.lab.experiments import find
from lazyrich.lab.machine import prepare
from lazyrich.report import figures

prepare()
SEED = 2026
CHOSEN = (
    ("grokking", {"alpha": 16.0}),
    ("misgrokking", {"alpha": 4.0}),
    ("grokking", {"alpha": 0.02}),
    ("matrix_completion", {"alpha": 8.0}),
)


def said(name, changes):
    """The forecast of a named experiment, before anything is trained."""
    composed = find(name).at(changes, seed=SEED)
    told = lz.forecast(composed.goal, composed.start, test=composed.test, optimizer=composed.dynamics)
    when = told.switch
    span = "" if when is None else f", between {when.low:.4g} and {when.high:.4g}"
    print(f"{name} {changes}: {'switches' if told.will_switch else 'does not switch'}{span}: {told.reason}")
    return composed, told


def drawn(name, changes, composed, told):
    """The training itself, and a panel of its test curve with the levels and the time that were said."""
    path = composed.dynamics.run(composed.goal, composed.start, composed.when, read=composed.read)
    times, accuracy = np.asarray(composed.when), composed.measure == "accuracy"
    marks = [
        Line(word, times[1:], path.reads[word][1:], role) for word, role in (("test", "measured"), ("train", "second"))
    ]
    for word, answer in (("early, forecast", told.early), ("late, forecast", told.late)):
        if answer.miss is not None and told.will_switch:
            marks.append(Rule(word, 1 - answer.miss if accuracy else answer.miss))
    if told.switch is not None:
        marks.append(Band("switch, forecast", [told.switch.low, told.switch.high], [0, 0], [1, 1], "theory"))
    title = f"{name}, forecast: " + (told.reason.split(":")[0] if told.will_switch else "will not switch")
    shown = ", ".join(f"{word} = {value:g}" for word, value in changes.items())
    y = Axis("accuracy" if accuracy else "relative error", low=0.0, high=1.05)
    return Panel(marks, Axis(f"time ({shown})", scale="log"), y, title=title)


forecasts = [(name, changes, *said(name, changes)) for name, changes in CHOSEN]

# %% Only now they are trained.
if len(sys.argv) > 1:
    caption = (
        "Bands and levels were computed before training: nine of ten switches fall into the band. "
        "Third panel: a small start finds the sparse rule as it fits."
    )
    drawing = Drawing([drawn(*one) for one in forecasts], caption, columns=2)
    print(*figures.save(drawing, sys.argv[1], "forecast", title="Said before training, then trained"), sep="\n")

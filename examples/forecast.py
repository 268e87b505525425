"""Forecasts of trainings, printed before any training; then the trainings, drawn over their forecasts.

python examples/forecast.py figures
"""

# %% Four trainings: one that groks, one that misgroks, one that will not, and a matrix that is completed late.
import sys

import numpy as np

import lazyrich as lz
from lazyrich.claims.drawing import Axis, Band, Drawing, Line, Panel, Rule
from lazyrich.forecast.experiments import find
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


def predict(name, changes):
    """The forecast of a named experiment, before anything is trained."""
    composed = find(name).at(changes, seed=SEED)
    predicted = lz.forecast(composed.objective, composed.init, test=composed.test, optimizer=composed.dynamics)
    when = predicted.switch
    span = "" if when is None else f", between {when.low:.4g} and {when.high:.4g}"
    print(f"{name} {changes}: {'switches' if predicted.will_switch else 'does not switch'}{span}: {predicted.reason}")
    return composed, predicted


def drawn(name, changes, composed, predicted):
    """Train, and draw the test curve with the forecast levels and the forecast time."""
    path = composed.dynamics.run(composed.objective, composed.init, composed.when, read=composed.read)
    times, accuracy = np.asarray(composed.when), composed.measure == "accuracy"
    marks = [Line(word, times[1:], path.reads[word][1:], role) for word, role in (("test", "measured"), ("train", "second"))]
    for word, level in (("early, forecast", predicted.early), ("late, forecast", predicted.late)):
        if level.test_error is not None and predicted.will_switch:
            marks.append(Rule(word, 1 - level.test_error if accuracy else level.test_error))
    if predicted.switch is not None:
        marks.append(Band("transition, forecast", [predicted.switch.low, predicted.switch.high], [0, 0], [1, 1], "theory"))
    title = f"{name}, forecast: " + (predicted.reason.split(":")[0] if predicted.will_switch else "no transition")
    shown = ", ".join(f"{word} = {value:g}" for word, value in changes.items())
    y = Axis("accuracy" if accuracy else "relative error", low=0.0, high=1.05)
    return Panel(marks, Axis(f"time ({shown})", scale="log"), y, title=title)


forecasts = [(name, changes, *predict(name, changes)) for name, changes in CHOSEN]

# %% Only now they are trained.
if len(sys.argv) > 1:
    caption = (
        "Bands and levels were computed before training: nine of ten transitions fall into the band. "
        "Third panel: a small initialization finds the sparse rule as it fits."
    )
    drawing = Drawing([drawn(*one) for one in forecasts], caption, columns=2)
    print(*figures.save(drawing, sys.argv[1], "forecast", title="Forecast before training, then trained"), sep="\n")

"""What the parts of figure 2 share: the check of the flow, and its panels."""

from ..base import Reading, at_most
from ..drawing import SERIES, Axis, Line, Panel, Rule


def instruments(data) -> list[Reading]:
    """How well the flow keeps what no data can change."""
    size = (data.length.isel(t=-1) / data.length.max("t")) ** 2
    return [
        at_most(
            "what the flow conserves, off by, over the largest squared length",
            (size * data.conservation).max(),
            0.02,
            why="a tenth of the tolerance and less: errors of many steps and weights do not add up",
        )
    ]


def accuracy_axis() -> Axis:
    """From none to all."""
    return Axis("accuracy", low=0.0, high=1.04)


def family(data, axis: str, label: str, *, train: bool = False) -> Panel:
    """Accuracies of the median draw against time, one curve a member, at most as many as look apart."""
    members = data[axis].values
    chosen = members if members.size <= len(SERIES) else members[[0, members.size // 2, -1]]
    marks = []
    for value, role in zip(chosen, SERIES, strict=False):
        one = data.sel({axis: value}).isel(t=slice(1, None))
        curve = (one.train if train else one.test).median("trial")
        marks.append(Line(f"{label} {value:g}", one.time.isel(trial=0).values, curve.values, role=role))
    marks.append(Rule("half", 0.5))
    title = "Training" if train else "Test"
    return Panel(marks, x=Axis("time", unit="rate x steps", scale="log"), y=accuracy_axis(), title=title)

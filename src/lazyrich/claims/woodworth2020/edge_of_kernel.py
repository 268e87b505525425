r"""Appendix B: the He start lies at the edge of the kernel regime, whatever the depth."""

import numpy as np

from ...lab.settings.relu_circle import SIMULATION
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Rule
from .circle import instruments, medians, top_slope


def edge(alpha, distance, fallen):
    """Where a falling curve crosses the level, by lines on logarithmic axes; infinite beyond the axis, NaN before it."""
    at, fall = np.log(alpha), np.log(distance / fallen)
    crosses = np.flatnonzero((fall[:-1] > 0) & (fall[1:] <= 0))
    if not crosses.size:
        return np.inf if fall[-1] > 0 else np.nan
    i = crosses[-1]
    return float(np.exp(at[i] + (at[i + 1] - at[i]) * fall[i] / (fall[i] - fall[i + 1])))


def edges(data, n, fallen):
    """The edge at each depth, of the median over draws."""
    middle = medians(data.features, data, n).isel(doubling=0)
    return np.array([edge(data.alpha.values, middle.sel(depth=depth).values, fallen) for depth in data.depth.values])


def judge(data, n, fallen, fall) -> Evidence:
    """Where features agree with those of the start to a cosine of 0.99, and how the rest falls beyond."""
    found = edges(data, n, fallen)
    beyond = top_slope(data.features.isel(doubling=0), data.isel(doubling=0), n)
    return Evidence(
        sound=instruments(data, n),
        holds=[
            at_most(
                "decades from the edge to alpha = 1",
                abs(np.log10(found)).max(),
                0.5,
                why="near means within a factor of three; labels are of size one, as outputs are at alpha = 1",
            ),
            at_most(
                "slope in alpha^D beyond the edge",
                beyond.mean(),
                fall,
                why="weights of size alpha move by alpha^(1-D): a share alpha^-D of the units switch; where none does the "
                "distance is the square of the angle, and the slope -2",
            ),
        ],
    )


def draw(data, n, fallen) -> Drawing:
    """Gradient distance against alpha, with the edge at each depth."""
    middle = medians(data.features, data, n).isel(doubling=0)
    lines = [Line(f"D = {int(v)}", data.alpha.values, middle.sel(depth=v).values) for v in data.depth.values]
    found = zip(data.depth.values, edges(data, n, fallen), strict=True)
    marks = [Event(f"edge, D = {int(v)}", at, role="second") for v, at in found if np.isfinite(at)]
    return Drawing(
        panels=[
            Panel(
                [*lines, *marks, Rule("where the edge is read", fallen), Event("He start", 1.0)],
                x=Axis("alpha", scale="log"),
                y=Axis("1 - cosine of features", scale="log"),
            )
        ],
        columns=1,
        caption="Gradient distance of doubled ReLU nets against the multiple alpha of the He start, medians over draws. At every "
        "depth the features begin to stand still near alpha = 1.",
    )


CLAIM = Claim(
    kind="statement",
    title="Standard starts lie at the edge of the kernel regime",
    says="Features of ReLU nets turn far for alpha below the He start and hardly above it: the gradient distance falls to 0.01 "
    "at an alpha within a factor of three of 1 at every depth, and beyond at least like alpha^-D.",
    source="woodworth2020, appendix B",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"fallen": 0.01, "fall": -1.0},
    sizes={size: {"doubling": (1.0,)} for size in ("smoke", "quick", "paper")},
    control=Control(
        "labels three hundred times as large",
        changes={"labels": 300.0},
        breaks=("decades from the edge to alpha = 1",),
    ),
    least={"alpha": 3},
    seconds={"quick": 30, "paper": 1500},
)

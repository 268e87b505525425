"""Appendix B.1: the two-layer ReLU interpolant of least norm connects the dots."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...lab import Param, Simulation
from ...problems import Split
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points

GRID = 201


def pose(key, n) -> Split:
    """Samples of alternating sign at uneven places from -1 to 1."""
    places, sizes = jr.fold_in(key, 0), jr.fold_in(key, 1)
    gaps = jr.uniform(places, (n - 1,), minval=0.5, maxval=1.5)
    x = jnp.concatenate([jnp.zeros(1), jnp.cumsum(gaps)]) / jnp.sum(gaps) * 2 - 1
    signs = jnp.where(jnp.arange(n) % 2 == 0, 1.0, -1.0)
    return Split(x[:, None], signs * jr.uniform(sizes, (n,), minval=0.2, maxval=1.0))


def simulate(key, problem, *, kinks, inner, uneven):
    r"""The least $\sum_j|a_j|c_j$ with $b + \sum_j a_j\sigma(\pm(x_i - t_j)) = y_i$, over kinks at the samples and in between.

    At the least sum of squares of all weights a unit's two layers are equally long, so it costs its output weight times the
    length $c_j$ of its first layer: 1, or $\sqrt{1 + t_j^2}$ where biases count. `uneven` spreads what a unit is taken to cost.
    """
    from ...predictors import MinL1

    x, y = np.asarray(problem.x)[:, 0], np.asarray(problem.y)
    at = np.concatenate([x, np.linspace(-1.5, 1.5, kinks)])
    noise = np.asarray(jr.normal(jr.fold_in(key, 4), (2, at.size)))
    cost = np.sqrt(1 + inner * at**2) * np.exp(uneven * noise)

    def units(points):
        apart = points[:, None] - at
        return np.hstack([np.maximum(apart, 0), np.maximum(-apart, 0)])

    # The output bias is free: both sides without their mean.
    rows, points = units(x), np.linspace(x[0], x[-1], GRID)
    told = MinL1(cost.ravel()).solve(Split(jnp.asarray(rows - rows.mean(0)), jnp.asarray(y - y.mean())))
    curve = units(points) @ told.effective + y.mean() - rows.mean(0) @ told.effective
    return {"curve": curve, "cost": told.value, "certified": told.ok}


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("n", (4, 8), (3, 4, 8, 16, 32), smoke=(4,), low=3, high=60, unit="samples", static=True),
        Param("inner", (0.0, 1.0), low=0.0, high=1.0, unit="1 where inner biases count"),
        Param(
            "kinks", 300, 2_000, smoke=30, low=2, high=20_000, unit="places for kinks beside the samples", static=True
        ),
        Param("uneven", 0.0, low=0.0, high=5.0, unit="spread of the logarithm of a unit's cost"),
    ],
    returns={"curve": "x", **dict.fromkeys(("cost", "certified"), "")},
    host=True,
)


def refer(problem, inner):
    """Connecting the dots, read on the grid, and what its changes of slope cost."""
    from ...predictors import LinearSpline

    spline, x = LinearSpline().solve(problem), np.asarray(problem.x)[:, 0]
    points = np.linspace(x[0], x[-1], GRID)
    cost = np.abs(np.diff(spline.effective)) @ np.sqrt(1 + inner * x[1:-1] ** 2)
    return {"certified": spline.ok, "cost": cost, "dots": spline.predict(points), "places": points}


def judge(data, told) -> Evidence:
    """The curve of least norm and its norm beside the spline and its bend."""
    return Evidence(
        sound=[
            at_most(
                f"uncertified {name}",
                (~found).sum(),
                0,
                why="theory's answer and the convex program's must be known before they are compared",
            )
            for name, found in (("least norms", data.certified), ("splines", told["certified"]))
        ],
        holds=[
            at_most(
                "largest distance from connect-the-dots",
                abs(data.curve - told["dots"].rename(d="x")).max(),
                1e-6,
                why="the minimizer is unique between samples whose slopes change sign; a gap of 1e-9 leaves no more",
            ),
            at_most(
                "least norm over the spline's bend, less 1",
                abs(data.cost / told["cost"] - 1).max(),
                1e-6,
                why="the norm is the sum of changes of slope, each times the length of its unit's first layer",
            ),
        ],
    )


def draw(data, told, n, inner) -> Drawing:
    """The curve of least norm and connect-the-dots, first draw."""
    panels = []
    for count in n.values:
        one = {"n": count, "trial": 0}
        x = told["places"].sel(one).isel(inner=0).values
        panels.append(
            Panel(
                [
                    Line("least norm, biases free", x, data.curve.sel(one | {"inner": inner.values[0]}).values),
                    Line("least norm, biases counted", x, data.curve.sel(one | {"inner": inner.values[-1]}).values),
                    Points("connect the dots", x[::8], told["dots"].sel(one).isel(inner=0).values[::8], role="theory"),
                ],
                x=Axis("x"),
                y=Axis("f(x)"),
                title=f"{int(count)} samples",
            )
        )
    return Drawing(
        panels,
        columns=min(3, len(panels)),
        caption="Two-layer ReLU nets of least norm through samples of alternating sign, by a linear program over many places for "
        "kinks: all their kinks are at samples, whether the norm counts the inner biases or not.",
    )


CLAIM = Claim(
    kind="statement",
    title="The ReLU interpolant of least norm is the linear spline",
    says="Among two-layer ReLU nets of any width through given samples of one variable, the least sum of squared weights is that "
    "of the linear spline, and equals its total change of slope; so too, with each change weighted by sqrt(1 + x^2), if inner "
    "biases count. Here the slopes alternate in sign; where they do not, there are other minimizers.",
    source="woodworth2020, appendix B.1",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "units whose first layers differ in length, with output weights alone counted",
        changes={"uneven": 1.0},
        breaks=("largest distance from connect-the-dots", "least norm over the spline's bend, less 1"),
    ),
    seconds={"quick": 5, "paper": 60},
)

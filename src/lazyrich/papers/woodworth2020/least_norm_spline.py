"""Appendix B.1: the minimum-norm two-layer ReLU interpolant is the linear spline."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points
from ...lab import Param, Simulation
from ...problems import Split

GRID = 201


def make_problem(key, n) -> Split:
    """Samples of alternating sign at uneven places from -1 to 1."""
    places, sizes = jr.fold_in(key, 0), jr.fold_in(key, 1)
    gaps = jr.uniform(places, (n - 1,), minval=0.5, maxval=1.5)
    x = jnp.concatenate([jnp.zeros(1), jnp.cumsum(gaps)]) / jnp.sum(gaps) * 2 - 1
    signs = jnp.where(jnp.arange(n) % 2 == 0, 1.0, -1.0)
    return Split(x[:, None], signs * jr.uniform(sizes, (n,), minval=0.2, maxval=1.0))


def simulate(key, problem, *, kinks, inner, uneven):
    r"""Minimum $\sum_j|a_j|c_j$ with $b + \sum_j a_j\sigma(\pm(x_i - t_j)) = y_i$, over kinks at the samples and in between.

    At the minimum sum of squares of all weights a unit's two layers have equal norms, so it costs its output weight times the
    norm $c_j$ of its first layer: 1, or $\sqrt{1 + t_j^2}$ where biases count. `uneven` spreads what a unit is taken to cost.
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
    predicted = MinL1(cost.ravel()).solve(Split(jnp.asarray(rows - rows.mean(0)), jnp.asarray(y - y.mean())))
    curve = units(points) @ predicted.effective + y.mean() - rows.mean(0) @ predicted.effective
    return {"curve": curve, "cost": predicted.value, "certified": predicted.ok}


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("n", (4, 8), (3, 4, 8, 16, 32), smoke=(4,), low=3, high=60, unit="samples", static=True),
        Param("inner", (0.0, 1.0), low=0.0, high=1.0, unit="1 where inner biases count"),
        Param("kinks", 300, 2_000, smoke=30, low=2, high=20_000, unit="places for kinks between samples", static=True),
        Param("uneven", 0.0, low=0.0, high=5.0, unit="standard deviation of a unit's log cost"),
    ],
    returns={"curve": "x", **dict.fromkeys(("cost", "certified"), "")},
    host=True,
)


def predict(problem, inner):
    """The linear spline on the grid, and the cost of its changes of slope."""
    from ...predictors import LinearSpline

    spline, x = LinearSpline().solve(problem), np.asarray(problem.x)[:, 0]
    points = np.linspace(x[0], x[-1], GRID)
    cost = np.abs(np.diff(spline.effective)) @ np.sqrt(1 + inner * x[1:-1] ** 2)
    return {"certified": spline.ok, "cost": cost, "dots": spline.predict(points), "places": points}


def judge(data, theory) -> Evidence:
    """The minimum-norm function and its norm against the spline and its total variation."""
    norms, splines = ((~part["certified"]).sum() for part in (data, theory))
    distance, excess = abs(data.curve - theory["dots"].rename(d="x")).max(), abs(data.cost / theory["cost"] - 1).max()
    why = "only certified solutions are compared"
    unique = "the minimizer is unique between samples whose slopes change sign; a duality gap of 1e-9 allows no more"
    name = "minimum norm over the spline's total variation of the slope, less 1"
    changes = "half the sum of squares is the sum of changes of slope, each times the norm of its unit's first layer"
    return Evidence(
        sound=[
            at_most("uncertified minimum norms", norms, 0, key="norms", why=why),
            at_most("uncertified splines", splines, 0, key="splines", why=why),
        ],
        holds=[
            at_most("largest distance to the linear spline", distance, 1e-6, key="distance", why=unique),
            at_most(name, excess, 1e-6, key="norm", why=changes),
        ],
    )


def draw(data, theory, n, inner) -> Drawing:
    """The minimum-norm function and the linear spline, first trial."""
    panels = []
    for count in n.values:
        one = {"n": count, "trial": 0}
        x, dots = (theory[name].sel(one).isel(inner=0).values for name in ("places", "dots"))
        marks = [
            Line("minimum norm, biases free", x, data.curve.sel(one | {"inner": inner.values[0]}).values),
            Line("minimum norm, biases counted", x, data.curve.sel(one | {"inner": inner.values[-1]}).values),
            Points("linear spline", x[::8], dots[::8], role="theory"),
        ]
        panels.append(Panel(marks, Axis("$x$"), Axis("$f(x)$"), title=f"{int(count)} samples"))
    return Drawing(
        panels,
        columns=min(3, len(panels)),
        caption="Minimum-norm two-layer ReLU nets through samples of alternating sign, by a linear program over many places for "
        "kinks: all kinks are at samples, whether the norm counts the inner biases or not.",
    )


CLAIM = Claim(
    id="woodworth2020/least_norm_spline",
    kind="statement",
    title="The minimum-norm ReLU interpolant is the linear spline",
    says="Among two-layer ReLU nets of any width through given samples of one variable, the linear spline has the minimum sum "
    "of squared weights. Half of that sum is the total variation of the slope or, if inner biases count, the same with each "
    r"change of slope weighted by $\sqrt{1 + x^2}$. Here the slopes alternate in sign; where they do not, there are other "
    "minimizers.",
    source="woodworth2020, appendix B.1",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    controls=[Control("first layers of different norms, only output weights counted", {"uneven": 1.0}, ("distance", "norm"))],
    seconds={"quick": 5, "paper": 60},
)

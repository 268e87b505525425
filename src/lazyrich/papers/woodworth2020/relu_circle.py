"""Figures 6a and 6b and appendix B: ReLU nets on ten points of the circle, over the depth-adjusted initialization scale."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Band, Drawing, Event, Line, Panel, Role, Rule, Slope
from ...claims.marks import RAMP, family, log_axis, one_panel
from .simulations.relu_circle import SIMULATION, init_at

# The largest loss over the labels' sum of squares for a run to count as interpolating: at most 1e-3 of a label.
LEFT = 1e-6
SCALE = log_axis(r"$\alpha^D$")


def fitted(data, n):
    """Which runs interpolate."""
    return data.loss <= LEFT * n * data.chance


def medians(values, data, n):
    """The median over the trials that interpolate."""
    return values.where(fitted(data, n)).median("trial")


def top_slope(values, data, n):
    r"""The slope in $\alpha^D$, on logarithmic axes, between the two largest scales: the median over trials."""
    logs = np.log(values.where(fitted(data, n)))
    steps = np.log(data.alpha.isel(alpha=-1) / data.alpha.isel(alpha=-2)) * data.depth
    return (logs.isel(alpha=-1, drop=True) - logs.isel(alpha=-2, drop=True)).median("trial") / steps


def instruments(data, n):
    """Most runs interpolate: two points that nearly coincide with a kink between them make the others hard."""
    why = "medians are over these; in one trial of ten two points are within 0.01 with a kink between them"
    return [at_least("fraction of runs that interpolate", fitted(data, n).mean(), 0.6, key="interpolate", why=why)]


def curves(values, data, n):
    """A line and the spread over trials for each depth, with doubling as measured, without it as the control."""
    kept, marks = values.where(fitted(data, n)), []
    kinds: tuple[tuple[float, str, Role], ...] = ((1.0, "doubled", "measured"), (0.0, "not doubled", "control"))
    for depth in data.depth.values:
        x = data.alpha.values ** int(depth)
        for doubling, kind, role in kinds:
            one = kept.sel(depth=depth, doubling=doubling)
            low, middle, high = (one.quantile(q, "trial").values for q in (0.25, 0.5, 0.75))
            marks += [Band("", x, low, high, role=role), Line(f"$D = {int(depth)}$, {kind}", x, middle, role=role)]
    return marks


def predict(problem):
    """The test error of the tangent kernel's interpolant at the doubled initialization, independent of the scale."""
    from ...predictors import KernelInterpolant

    lazy = KernelInterpolant(init_at(problem.shape, alpha=1.0, doubling=1.0)).solve(problem.problem.train)
    test = problem.problem.test
    return {"lazy": lazy.value, "lazy_error": ((lazy.predict(test.x) - test.y) ** 2).mean()}


def judge_error(data, theory, n, growth) -> Evidence:
    """Small scales generalize better; a large one as its kernel, or by its own output where that is not zero."""
    doubled, alone = (data.sel(doubling=value) for value in (1.0, 0.0))
    error = doubled.error.where(fitted(doubled, n))
    gain = np.log10(error.isel(alpha=-1) / error.isel(alpha=0)).mean()
    limit = (error.isel(alpha=-1) / theory["lazy_error"]).median("trial").max()
    slope, lazy = top_slope(alone.error, alone, n).mean(), "the kernel limit: features rotate by less than 1e-3 there"
    return Evidence(
        sound=instruments(data, n),
        holds=[
            at_least(
                "decades of test error from the smallest to the largest scale, doubled",
                gain,
                0.18,
                key="gain",
                why="a factor of 1.5: the mean over trials and depths, typically several times that; single trials go either way",
            ),
            near("test error at the largest scale over that of the tangent kernel", limit, 1.0, 0.1, key="kernel", why=lazy),
            near(
                r"log-log slope of the test error in $\alpha^D$ at the largest scales, not doubled",
                slope,
                growth,
                0.25,
                key="slope",
                why=r"off the data the initial output, $O(\alpha^D)$, stays, and the error is its square",
            ),
        ],
    )


def draw_error(data, n) -> Drawing:
    r"""Test error against $\alpha^D$, with and without doubling."""
    end = float(medians(data.error, data, n).sel(doubling=0.0).isel(alpha=-1, depth=-1))
    top = float(data.alpha[-1]) ** int(data.depth[-1])
    return one_panel(
        [*curves(data.error, data, n), Slope(r"$\alpha^{2D}$", [top / 100, top], (top, end), 2.0)],
        SCALE,
        log_axis("test error"),
        "Mean squared error over the circle of ReLU nets fitted to ten points of a teacher with three units; medians and "
        "quartiles over trials. Small scales generalize better. A doubled net ends at the error of its tangent kernel; without "
        "doubling its initial output stays off the data.",
    )


def judge_features(data, n, unbiased) -> Evidence:
    """From a large angle at small scale to none at large, unless the initial output must be undone."""
    doubled, alone = (data.sel(doubling=value) for value in (unbiased, 1.0 - unbiased))
    turned = medians(doubled.features, doubled, n)
    first, last = turned.isel(alpha=0).min(), turned.isel(alpha=-1).max()
    left = medians(alone.features, alone, n).isel(alpha=-1).min()
    slope = top_slope(alone.features, alone, n).mean()
    rich = "the rich regime: typically 0.3 to 0.6; half of that is required"
    undone = r"an output of size $\alpha^D$ must be undone by weights of size $\alpha$: the angle does not vanish"
    rescaled = "once labels are small against the initial output the flow is that of one problem, rescaled"
    return Evidence(
        sound=instruments(data, n),
        holds=[
            at_least("gradient distance at the smallest scale", first, 0.15, key="rich", why=rich),
            at_most(
                "gradient distance at the largest scale, doubled",
                last,
                1e-3,
                key="kernel",
                why=r"the angle is $\alpha^{-D}$, the distance its square, 1e-4 at $\alpha^D = 100$; one unit that switches at "
                r"one of ten samples adds about 1e-3",
            ),
            at_least("gradient distance at the largest scale, not doubled", left, 1e-3, key="alone", why=undone),
            near(
                r"log-log slope of the gradient distance in $\alpha^D$, not doubled", slope, 0.0, 0.1, key="slope", why=rescaled
            ),
        ],
    )


def draw_features(data, n) -> Drawing:
    r"""Gradient distance against $\alpha^D$, with and without doubling, and that of kernels."""
    titles = {"features": "Gradient distance", "kernels": "Kernel distance"}
    return Drawing(
        [
            Panel(curves(data[of], data, n), SCALE, log_axis(f"cosine distance of {of}"), title=title)
            for of, title in titles.items()
        ],
        caption=r"Cosine distance between the tangent features (left) and kernels (right) at initialization and at convergence, "
        r"medians and quartiles over trials. Doubled nets are in the kernel regime from $\alpha \sim 1$ on; without doubling "
        r"features rotate by the same small angle at every large scale, since the initial output has to be undone.",
    )


def edge(alpha, distance, fallen):
    """Where a falling curve crosses the level, by lines on logarithmic axes; infinite beyond the axis, NaN before it."""
    at, fall = np.log(alpha), np.log(distance / fallen)
    crosses = np.flatnonzero((fall[:-1] > 0) & (fall[1:] <= 0))
    if not crosses.size:
        return np.inf if fall[-1] > 0 else np.nan
    i = crosses[-1]
    return float(np.exp(at[i] + (at[i + 1] - at[i]) * fall[i] / (fall[i] - fall[i + 1])))


def edges(data, n, fallen):
    """The edge at each depth, of the median over trials."""
    middle = medians(data.features, data, n).isel(doubling=0)
    return np.array([edge(data.alpha.values, middle.sel(depth=depth).values, fallen) for depth in data.depth.values])


def judge_edge(data, n, fallen, fall) -> Evidence:
    """Where features agree with those at initialization to a cosine of 0.99, and how the rest falls beyond."""
    away = abs(np.log10(edges(data, n, fallen))).max()
    beyond = top_slope(data.features.isel(doubling=0), data.isel(doubling=0), n)
    why = r"within a factor of three; labels are of size 1, as outputs are at $\alpha = 1$"
    return Evidence(
        sound=instruments(data, n),
        holds=[
            at_most(r"decades from the edge to $\alpha = 1$", away, 0.5, key="edge", why=why),
            at_most(
                r"log-log slope of the gradient distance in $\alpha^D$ beyond the edge",
                beyond.mean(),
                fall,
                key="slope",
                why=r"weights of size $\alpha$ move by $\alpha^{1-D}$: a fraction $\alpha^{-D}$ of the units switch; where none "
                r"does, the distance is the square of the angle, with slope -2",
            ),
        ],
    )


def draw_edge(data, n, fallen) -> Drawing:
    r"""Gradient distance against $\alpha$, with the edge at each depth."""
    middle = medians(data.features, data, n).isel(doubling=0)
    found = zip(data.depth.values, edges(data, n, fallen), strict=True)
    return one_panel(
        [
            *family("$D = {}$", data.alpha.values, middle, "depth", roles=RAMP),
            *(Event(f"edge, $D = {int(v)}$", at, role="second") for v, at in found if np.isfinite(at)),
            Rule("level that defines the edge", fallen),
            Event("He initialization", 1.0),
        ],
        log_axis(r"$\alpha$"),
        log_axis("cosine distance of features"),
        r"Gradient distance of doubled ReLU nets against the multiple $\alpha$ of the He initialization, medians over trials. At "
        r"every depth the features stop moving near $\alpha = 1$.",
    )


claim = partial(Claim, simulation=SIMULATION)
figure = partial(claim, kind="figure", least={"alpha": 2}, seconds={"quick": 25, "paper": 900})

CLAIMS = (
    figure(
        id="woodworth2020/figure_6a",
        title="ReLU nets generalize better outside the kernel regime",
        says=r"The test error of ReLU nets on ten points of the circle grows with the initialization scale $\alpha^D$. With "
        r"doubling it tends to the error of the tangent kernel; without, it keeps growing like $\alpha^{2D}$.",
        source="woodworth2020, figure 6a",
        predict=predict,
        judge=judge_error,
        draw=draw_error,
        constants={"growth": 2.0},
        controls=[Control("errors that grow like the output and not its square", changes={"growth": 1.0}, breaks=("slope",))],
    ),
    figure(
        id="woodworth2020/figure_6b",
        title="Tangent features of ReLU nets do not move at large scale",
        says=r"The cosine distance between tangent features at initialization and at convergence is of order one at small scale "
        r"and falls as $\alpha^D$ grows: to zero with doubling, to a small constant without.",
        source="woodworth2020, figure 6b",
        judge=judge_features,
        draw=draw_features,
        constants={"unbiased": 1.0},
        controls=[Control("a net without doubling taken for a doubled one", {"unbiased": 0.0}, breaks=("kernel", "slope"))],
    ),
    claim(
        id="woodworth2020/edge_of_kernel",
        kind="statement",
        title="Standard initialization lies at the edge of the kernel regime",
        says=r"Features of ReLU nets rotate far for $\alpha$ below the He initialization and hardly above it: at every depth the "
        r"gradient distance falls to 0.01 at an $\alpha$ within a factor of three of 1, and beyond at least like $\alpha^{-D}$.",
        source="woodworth2020, appendix B",
        judge=judge_edge,
        draw=draw_edge,
        constants={"fallen": 0.01, "fall": -1.0},
        sizes={size: {"doubling": (1.0,)} for size in ("smoke", "quick", "paper")},
        controls=[Control("labels three hundred times as large", changes={"label_scale": 300.0}, breaks=("edge",))],
        least={"alpha": 3},
        seconds={"quick": 30, "paper": 1500},
    ),
)

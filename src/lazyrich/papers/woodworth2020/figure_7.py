"""Figures 7a to 7c and appendix B.1: what wide two-layer ReLU nets of one variable learn, from linear to kernel spline."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import spread
from ...claims.marks import RAMP, family, log_axis
from .simulations.relu_line import SIMULATION, X, Y, grid, predict

# The range of the labels: distances between curves are fractions of it.
SPAN = max(Y) - min(Y)
# alpha sqrt(k) of the small initialization: the window of scales of the linear spline is around it, at every layer ratio.
RICH = 0.67
# The layer ratio from which the first layer is the heavy one.
HEAVY = 1.0


def away(curve, other):
    """The largest distance of two curves on the grid, as a fraction of the labels' range."""
    return abs(curve - other).max("x" if "x" in other.dims else "d", skipna=False) / SPAN


def small_scale(reduced, width) -> float:
    r"""The $\alpha$ of $\alpha\sqrt k$ = `reduced`: as in a factorization, width and scale count as $\alpha^2k$."""
    return float(reduced / np.sqrt(width))


def nearest(alpha, scale) -> float:
    """The scale on the axis that is nearest in the logarithm."""
    return float(alpha.values[np.argmin(abs(np.log(alpha.values / scale)))])


def limits(data, theory, width, rich, lazy):
    """Sanity check; both limits at the scales nearest to `rich` and `lazy`; from the linear spline at the latter."""
    dots, kernel = (theory[name].rename(d="x") for name in ("dots", "kernel"))
    small, large = ({"alpha": nearest(data.alpha, scale)} for scale in (small_scale(rich, width), lazy))
    near_dots, off_dots = (away(data.curve.sel(at), dots.sel(at) if "alpha" in dots.dims else dots) for at in (small, large))
    near_kernel = away(data.curve.sel(large), kernel.sel(large))
    return (
        at_most(
            "distance to the linear spline, small initialization",
            near_dots.mean("trial").max(),
            0.04,
            key="rich",
            why="a fraction of the labels' range, mean over trials; the kernel interpolant is 0.13 to 0.3 away",
        ),
        at_most(
            "distance to the kernel interpolant, large initialization",
            near_kernel.mean("trial").max(),
            0.02,
            key="kernel",
            why=r"features move by a fraction $1/\alpha^2$, except for a few units that switch among the samples",
        ),
        off_dots.mean("trial").min(),
    )


def fitted(data, level):
    """Sanity check: the runs interpolate."""
    return at_most("final training loss", data.loss.max(), 10 * level, key="loss", why="10 times the level at which runs stop")


def judge_panel(data, theory, level, width, rich, lazy) -> Evidence:
    """The linear spline from the small initialization, the kernel interpolant from the large one, and the two apart."""
    straight, smooth, apart = limits(data, theory, width, rich, lazy)
    name, why = (
        "distance to the linear spline, large initialization",
        "the bound at small scale: no curve is close to both limits",
    )
    return Evidence(sound=[fitted(data, level)], holds=[straight, smooth, at_least(name, apart, 0.04, key="apart", why=why)])


def draw_panel(data, theory) -> Drawing:
    """The first trial's curves at each scale, with both references, one panel a ratio."""
    x, data, panels = np.asarray(grid()), data.sortby("alpha"), []
    for ratio in data.ratio.values:
        one = {"ratio": ratio, "trial": 0}
        kernel, dots = (theory[name].sel(one | {"alpha": data.alpha.values[-1]}).values for name in ("kernel", "dots"))
        marks = [
            *family(r"$\alpha = {}$", x, data.curve.sel(one), "alpha", roles=RAMP),
            Line("linear spline", x, dots, role="theory"),
            Points("interpolant of the tangent kernel", x[::8], kernel[::8], role="second"),
            Points("data", list(X), list(Y), role="control"),
        ]
        panels.append(Panel(marks, Axis("$x$"), Axis("$f(x)$"), title=f"layer ratio {float(ratio):g}"))
    return Drawing(
        panels,
        columns=min(3, len(panels)),
        caption="Functions learned by a two-layer ReLU net of one variable from several initialization scales, first trial. "
        "Small scales lead to the linear spline at every layer ratio; large ones to the interpolant of the tangent kernel, which "
        "depends on the ratio.",
    )


def judge_limits(data, theory, level, width, rich, lazy, tiny) -> Evidence:
    """Both limits at every ratio, how much the ratio matters in each, the bend, and the drift at tiny scale."""
    straight, smooth, _ = limits(data, theory, width, rich, lazy)
    at = [nearest(data.alpha, scale) for scale in (small_scale(rich, width), lazy, small_scale(tiny, width))]
    small, large = ((spread(data.curve.sel(alpha=scale), "ratio").max("x") / SPAN).mean("trial") for scale in at[:2])
    bend = (data.bend / theory["rich"].value).mean("trial")
    drift = away(data.curve, theory["dots"].rename(d="x")).sel(alpha=at[2]).mean("trial")
    why = "two curves that are both within 0.04 of the spline"
    return Evidence(
        sound=[fitted(data, level)],
        holds=[
            straight,
            at_most("distance between layer ratios, small initialization", small, 0.08, key="rich_ratios", why=why),
            near(
                "total variation of the slope over its minimum, small initialization",
                bend.sel(alpha=at[0]).max(),
                1.0,
                0.03,
                key="rich_bend",
                why="the linear spline attains the minimum; a deviation of 0.04 at one place costs 0.02 of it",
            ),
            smooth,
            at_least(
                "distance between layer ratios, large initialization",
                large,
                0.08,
                key="kernel_ratios",
                why="kernels of different layers bend differently: by as much as small initializations are allowed to",
            ),
            at_least(
                "distance to the linear spline, tiny initialization, heavy first layer",
                drift.sel(ratio=drift.ratio >= HEAVY).min(),
                0.05,
                key="tiny",
                why="the limit is not monotone: from tiny scales the curve leaves the spline again; the cause is not known",
            ),
            at_most(
                "total variation of the slope over its minimum, tiny initialization",
                bend.sel(alpha=at[2]).max(),
                1.15,
                key="tiny_bend",
                why="hardly above the minimum; the kernel interpolant has half as much again or more",
            ),
        ],
    )


def draw_limits(data, theory) -> Drawing:
    """Distance to the linear spline and bend against the scale, a line for each ratio."""
    bound = Rule(r"bound at $\alpha^2 k \sim 0.5$", 0.04, role="control")
    off = away(data.curve, theory["dots"].rename(d="x"))
    rows = (
        ("Distance to the linear spline", off, "largest distance over the labels' range", bound),
        (
            "Total variation of the slope",
            data.bend / theory["rich"].value,
            "total variation over its minimum",
            Rule("minimum", 1.0),
        ),
    )
    panels = []
    for title, values, y, rule in rows:
        lines = family("layer ratio {}", data.alpha.values, values.mean("trial").sortby("ratio"), "ratio", roles=RAMP)
        panels.append(Panel([*lines, rule], log_axis(r"$\alpha$"), log_axis(y), title=title))
    return Drawing(
        panels,
        caption="Distance of the learned curve to the linear spline (left) and total variation of its slope (right), means over "
        "trials. The spline is reached in a window of scales at every layer ratio. Below, nets with a heavy first layer leave it "
        "again, at hardly more variation; above, the curve is the kernel interpolant, which depends on the ratio.",
    )


claim = partial(Claim, simulation=SIMULATION, predict=predict)


def panel(letter: str, title: str, init: str, ratio: int | float) -> Claim:
    """A panel of figure 7: the claim at one ratio of the layers."""
    return claim(
        id=f"woodworth2020/figure_7{letter}",
        kind="figure",
        title=f"From the linear spline to a kernel spline: {title}",
        says=rf"A wide two-layer ReLU net of one variable, {init}, learns the linear spline through its data from a small "
        rf"initialization ($\alpha^2 k \sim 0.5$ here) and the interpolant of its tangent kernel from a large one.",
        source=f"woodworth2020, figure 7{letter}",
        judge=judge_panel,
        draw=draw_panel,
        sizes={size: {"ratio": (ratio,)} for size in ("quick", "paper", "smoke")},
        constants={"rich": RICH, "lazy": 100.0},
        controls=[Control("the large initialization taken for the small one", {"rich": 1e4}, breaks=("rich",))],
        least={"alpha": 2},
        seconds={"quick": 20, "paper": 3000},
    )


CLAIMS = (
    panel("a", "standard layers", "with both layers at standard scale", 1.0),
    panel("b", "heavier first layer", "with its first layer three times as large and its second a third", 3.0),
    panel("c", "heavier second layer", "with its second layer five times as large and its first a fifth", 0.2),
    claim(
        id="woodworth2020/spline_limits",
        kind="statement",
        title="Linear splines from small initializations, kernel splines from large ones",
        says=r"A wide two-layer ReLU net of one variable learns the linear spline from an initialization with $\alpha^2 k \sim "
        r"0.5$ at every layer ratio, and the interpolant of its tangent kernel, which depends on the ratio, from a large one. "
        r"The limit $\alpha \to 0$ is not the spline at a fixed width: at $\alpha^2 k = 5 \cdot 10^{-4}$ nets with a heavy first "
        r"layer deviate from it at hardly more total variation of the slope.",
        source="woodworth2020, appendix B.1",
        judge=judge_limits,
        draw=draw_limits,
        constants={"rich": RICH, "lazy": 100.0, "tiny": 0.0224},
        sizes={
            "quick": {"alpha": (0.001, 0.01, 0.03, 0.1, 1.0, 100.0)},
            "paper": {"alpha": (2e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0, 100.0)},
            "smoke": {"alpha": (0.001, 0.1), "ratio": (3.0, 1.0)},
        },
        controls=[Control("a large initialization taken for the small one", {"rich": 1e4}, ("rich", "rich_ratios", "rich_bend"))],
        least={"alpha": 2, "ratio": 2},
        seconds={"quick": 25, "paper": 3000},
    ),
)

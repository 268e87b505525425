"""What the panels of figure 7 share: how far a curve lies from connect-the-dots and from the kernel's interpolant."""

import numpy as np

from ...lab.settings.relu_line import SIMULATION, X, Y, grid, refer
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points

# What the answers span: distances between curves are shares of it.
SPAN = max(Y) - min(Y)
# alpha sqrt(k) of the small start: the spline's window of scales, at every ratio of the layers, is around it.
RICH = 0.67


def away(curve, other):
    """The largest distance of two curves on the grid, as a share of what the answers span."""
    return abs(curve - other).max("x" if "x" in other.dims else "d", skipna=False) / SPAN


def distances(data, told, width, rich, lazy):
    """At the scale nearest to `rich` from connect-the-dots, nearest to `lazy` from the kernel: by ratio and draw."""
    dots, kernel = (told[name].rename(d="x") for name in ("dots", "kernel"))
    small, large = ({"alpha": nearest(data.alpha, scale)} for scale in (small_scale(rich, width), lazy))
    from_dots = [away(data.curve.sel(at), dots.sel(at) if "alpha" in dots.dims else dots) for at in (small, large)]
    return from_dots[0], away(data.curve.sel(large), kernel.sel(large)), from_dots[1]


def small_scale(reduced, width) -> float:
    r"""The alpha of $\alpha\sqrt k$ = `reduced`: as in a factorization, width and scale count as $\alpha^2k$."""
    return float(reduced / np.sqrt(width))


def nearest(alpha, scale) -> float:
    """The scale on the axis that is nearest in the logarithm."""
    return float(alpha.values[np.argmin(abs(np.log(alpha.values / scale)))])


def judge(data, told, level, width, rich, lazy) -> Evidence:
    """Straight lines from the small start, the kernel's curve from the large one, and the two apart."""
    straight, smooth, apart = distances(data, told, width, rich, lazy)
    return Evidence(
        sound=[
            at_most(
                "loss at the end",
                data.loss.max(),
                10 * level,
                why="the limits are of curves that interpolate; runs stop at a tenth",
            ),
        ],
        holds=[
            at_most(
                "from connect-the-dots, small start",
                straight.mean("trial").max(),
                0.04,
                why="a share of the answers' span, the mean over draws; the kernel's curve is 0.13 to 0.3 away",
            ),
            at_most(
                "from the kernel's interpolant, large start",
                smooth.mean("trial").max(),
                0.02,
                why="features turn by 1/alpha^2 of themselves, but for a few units that switch among the samples",
            ),
            at_least(
                "from connect-the-dots, large start",
                apart.mean("trial").min(),
                0.04,
                why="the bound on the small start: no curve is near both limits",
            ),
        ],
    )


def draw(data, told) -> Drawing:
    """The first draw's curves at each scale, with both references, one panel a ratio."""
    x = np.asarray(grid())
    panels = []
    for ratio in data.ratio.values:
        one = {"ratio": ratio, "trial": 0}
        top = {"alpha": data.alpha.values[-1]}
        kernel, dots = (told[name].sel(one | top) for name in ("kernel", "dots"))
        lines = [
            Line(f"alpha = {float(a):g}", x, data.curve.sel(one | {"alpha": a}).values)
            for a in sorted(data.alpha.values)
        ]
        references = [
            Line("connect the dots", x, dots.values, role="theory"),
            Points("interpolant of the start's kernel", x[::8], kernel.values[::8], role="second"),
        ]
        panels.append(
            Panel(
                [*lines, *references, Points("data", list(X), list(Y), role="control")],
                x=Axis("x"),
                y=Axis("f(x)"),
                title=f"layer ratio {float(ratio):g}",
            )
        )
    return Drawing(
        panels=panels,
        columns=min(3, len(panels)),
        caption="Functions learned by a two-layer ReLU net of one variable from starts of different scale, first draw. Small "
        "starts connect the dots whatever the ratio of the layers; large ones follow the interpolant of the start's tangent "
        "kernel, which depends on it.",
    )


def of_layers(panel: str, title: str, start: str, *, ratio: float, judge) -> Claim:
    """A panel of figure 7: the claim at one ratio of the layers. `judge` is the panel's own, which names the claim."""
    return Claim(
        kind="figure",
        title=f"From linear to kernel splines: {title}",
        says=f"A wide two-layer ReLU net of one variable, {start}, learns the linear spline through its data from a small "
        "start (alpha^2 k near 0.5 here) and the interpolant of its start's tangent kernel from a large one.",
        source=f"woodworth2020, figure {panel}",
        simulation=SIMULATION,
        refer=refer,
        judge=judge,
        draw=draw,
        sizes={size: {"ratio": (ratio,)} for size in ("quick", "paper", "smoke")},
        constants={"rich": RICH, "lazy": 100.0},
        control=Control(
            "the large start taken for the small one",
            changes={"rich": 1e4},
            breaks=("from connect-the-dots, small start",),
        ),
        least={"alpha": 2},
        seconds={"quick": 20, "paper": 3000},
    )

"""Figure 6b: how far the tangent features of ReLU nets turn, against the depth-adjusted scale of the start."""

from ...lab.settings.relu_circle import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Panel
from .circle import SCALE, curves, instruments, medians, top_slope


def judge(data, n, unbiased) -> Evidence:
    """From a large angle at small scale to none at large, unless the start's own output must be undone."""
    doubled, alone = (data.sel(doubling=value) for value in (unbiased, 1.0 - unbiased))
    turned = medians(doubled.features, doubled, n)
    left = medians(alone.features, alone, n).isel(alpha=-1)
    return Evidence(
        sound=instruments(data, n),
        holds=[
            at_least(
                "gradient distance at the smallest scale",
                turned.isel(alpha=0).min(),
                0.15,
                why="the rich regime: 0.3 to 0.6 as a rule, half of it asked for",
            ),
            at_most(
                "gradient distance at the largest scale, doubled",
                turned.isel(alpha=-1).max(),
                1e-3,
                why="the angle is alpha^-D, the distance its square, 1e-4 at alpha^D = 100; one unit that switches at one of "
                "ten samples adds about 1e-3",
            ),
            at_least(
                "gradient distance at the largest scale, alone",
                left.min(),
                1e-3,
                why="an output of size alpha^D must be undone by weights of size alpha: the angle does not vanish",
            ),
            near(
                "its slope in alpha^D, alone",
                top_slope(alone.features, alone, n).mean(),
                0.0,
                0.1,
                why="once labels are small beside the start's output the flow is that of one problem, rescaled",
            ),
        ],
    )


def draw(data, n) -> Drawing:
    """Gradient distance against alpha^D, with and without doubling, and that of kernels."""
    return Drawing(
        panels=[
            Panel(curves(values, data, n, unbiased=1.0), x=SCALE, y=Axis(label, scale="log"), title=title)
            for values, label, title in (
                (data.features, "1 - cosine of features", "Gradient distance"),
                (data.kernels, "1 - cosine of kernels", "Kernel distance"),
            )
        ],
        caption="Cosine distance between the tangent features (left) and kernels (right) at the start and at the end, medians "
        "and quartiles over draws. Doubled starts stay in the kernel regime from alpha near 1 on; a start alone turns by the "
        "same small angle at every large scale, since its own output has to be undone.",
    )


CLAIM = Claim(
    kind="figure",
    title="Tangent features of ReLU nets stand still at large scale",
    says="The cosine distance between tangent features at the start and at the end is of order one at small scale and falls as "
    "alpha^D grows: to zero with doubling, to a small angle that stays without.",
    source="woodworth2020, figure 6b",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"unbiased": 1.0},
    control=Control(
        "a start alone taken for a doubled one",
        changes={"unbiased": 0.0},
        breaks=("gradient distance at the largest scale, doubled", "its slope in alpha^D, alone"),
    ),
    least={"alpha": 2},
    seconds={"quick": 25, "paper": 900},
)

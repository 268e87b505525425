r"""Beyond theorem 12: the distance falls like $h^{1/2-2a}$ up to $a = \tfrac12$ and like $h^{-a}$ above."""

import numpy as np

from ...lab.settings.wide_linear_net import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule, Slope
from .widths import log_bound, powers, refer, root_mean_square, unfinished


def fall(exponent, bent):
    r"""$\tfrac12 - 2a$, and above $a = \tfrac12$ the power $-a$; without the bend the first for all."""
    return np.maximum(0.5 - 2 * exponent, -exponent) if bent else 0.5 - 2 * exponent


def judge(data, told, width, exponent, bent) -> Evidence:
    """The power of the width for each exponent, the constant beyond one half, and how much of the kernel is left."""
    slope = powers(root_mean_square(data.distance)).isel(width=-1)
    ratio = root_mean_square(data.distance / told["law"]).isel(width=-1)
    drift = data.drift.median("trial")
    kernel = powers(drift).isel(width=-1)
    lazy, rich = exponent < 0.5, exponent > 0.5
    off = abs(slope - fall(exponent, bent))
    return Evidence(
        sound=[
            at_most(
                "what the fit lacks, over the map or the layers, the largest",
                unfinished(data, width, exponent),
                1e-4,
                why="the error at which runs stop, 1e-6, times the condition of the inputs squared",
            )
        ],
        holds=[
            at_most(
                "power of the width less 1/2 - 2a, up to a = 1/2, the largest",
                off.where(~rich, drop=True).max(),
                0.01,
                why="all widths share their draws; the next order is h^(1-2a) or one over the root of the width",
            ),
            at_most(
                "power of the width less -a, above a = 1/2, the largest",
                off.where(rich, drop=True).max(),
                0.01,
                why="the same; what is left of the scale, h^(1-2a), enters squared: a thousandth at a = 0.6",
            ),
            near(
                "distance over the closed form, above a = 1/2",
                ratio.where(rich, drop=True).mean(),
                1,
                0.02,
                why="the nuclear norm of the least-norm map under the root; some 100,000 squares of normal numbers",
            ),
            at_most(
                "power of the width in the kernel's drift, below a = 1/2, the largest",
                kernel.where(lazy, drop=True).max(),
                -0.1,
                why="the drift is of order theta/h^(1-2a): it vanishes where the net is lazy",
            ),
            at_least(
                "power of the width in the kernel's drift, above a = 1/2, the least",
                kernel.where(rich, drop=True).min(),
                0.1,
                why="the same law: it diverges where the net is rich",
            ),
        ],
    )


def draw(data, exponent, width, n, d, outputs) -> Drawing:
    """The distance against the width for each exponent; the powers; the bound of theorem 12 over the distance; the drift."""
    rms = root_mean_square(data.distance)
    slope = powers(rms).isel(width=-1)
    a = exponent.values
    fine = np.linspace(a.min(), a.max(), 60)
    drift = data.drift.median("trial")
    x = Axis("width", scale="log")
    over = log_bound(data, width, exponent, n=n, d=d, outputs=outputs, delta=0.1, rate=1).median("trial") - np.log(rms)
    decades = over.isel(width=-1) / np.log(10)
    return Drawing(
        [
            Panel(
                [
                    Points("measured", a, slope),
                    Line("1/2 - 2a, then -a", fine, fall(fine, 1), role="theory"),
                    Line("1/2 - 2a for all", fine, fall(fine, 0), role="control"),
                ],
                x=Axis("a"),
                y=Axis("power of the width"),
                title="How the distance falls",
            ),
            Panel(
                [
                    mark
                    for at, one in enumerate(a)
                    for mark in (
                        Line(
                            f"a = {one:g}",
                            width,
                            rms.isel(exponent=at).values,
                            role="second" if one > 0.5 else "measured",
                        ),
                    )
                ]
                + [
                    Slope("h^-1/2", width, (float(width[-1]), float(rms.sel(exponent=0.5, method="nearest")[-1])), -0.5)
                ],
                x=x,
                y=Axis("distance from least norm", scale="log"),
                title="To zero, beyond the theorem too",
                legend=False,
            ),
            Panel(
                [
                    Line(
                        f"a = {one:g}",
                        width,
                        drift.isel(exponent=at).values,
                        role="second" if one > 0.5 else "measured",
                    )
                    for at, one in enumerate(a)
                ]
                + [Rule("the kernel moves by its own size", 1.0)],
                x=x,
                y=Axis("drift of the kernel, relative", scale="log"),
                title="Lazy below one half, rich above",
                legend=False,
            ),
            Panel(
                [Points("measured", a, np.minimum(decades, 300.0)), Rule("tight", 0.0)],
                x=Axis("a"),
                y=Axis("log10 of the bound over the distance"),
                title="The bound of theorem 12, at the largest width",
            ),
        ],
        caption="The distance goes to zero for every a above 1/4, like h^(1/2-2a) and beyond one half like h^-a. The theorem "
        "ends at one half, where its bound explodes (cut at 300 decades here), and where the tangent kernel starts to move.",
    )


CLAIM = Claim(
    kind="derived",
    title="Small starts end near the least norm as well",
    says="The distance from the least norm falls like h^(1/2 - 2a) for a <= 1/2 and like h^(-a) for a >= 1/2, with the nuclear "
    "norm of the least-norm map as its constant; the tangent kernel stays below a = 1/2 and is lost above.",
    source="min2021, theorem 12 extended",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"bent": 1},
    sizes={
        "smoke": {"exponent": (0.4, 0.5, 0.75)},
        **{
            size: {"exponent": (0.3, 0.35, 0.4, 0.5, 0.6, 0.75, 1.0), "width": (1e4, 1e6, 1e8, 1e10)}
            for size in ("quick", "paper")
        },
    },
    least={"width": 2, "exponent": 3},
    control=Control(
        "1/2 - 2a for all a",
        changes={"bent": 0},
        breaks=("power of the width less -a, above a = 1/2, the largest",),
    ),
    seconds={"quick": 20, "paper": 60},
)

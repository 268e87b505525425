r"""Figures 1c and 3c, and sample complexity: recovery of a sparse ground truth against the number of samples."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Event, Line, Points, Slope
from ...claims.marks import RAMP, family, log_axis, one_panel
from .simulations.recovery import COUNT, LOWER, SCALE

# Below every scale that is tried.
FLOOR = float(LOWER[-1]) - 1


def medians(data):
    """The median log scale over trials for each n and depth; below all that were tried where most trials have none."""
    return data.log_scale.where(np.isfinite(data.log_scale), FLOOR).median("trial")


def needed(data, level):
    r"""The fewest samples with which minimum $\ell_1$ recovers in most trials; infinite if none do."""
    enough = data.error_l1.isel(depth=0).median("trial") <= level
    return float(data.n.where(enough).min()) if bool(enough.any()) else np.inf


def judge_scale(data, level) -> Evidence:
    """Recovery with many samples, the collapse near the smallest number, and none far below it."""
    middle, least = medians(data).isel(depth=0), needed(data, level)
    recovers = np.isfinite(data.log_scale.isel(depth=0)).mean("trial")
    few, most = recovers.isel(n=0), middle.isel(n=-1)
    collapse = most - middle.where(data.n >= least).min() if np.isfinite(least) else 0.0
    name = "fraction of trials in which some scale recovers"
    many = r"with so many samples minimum $\ell_1$ recovers in most trials, and so does a small enough scale"
    luck = r"below the number of samples that minimum $\ell_1$ needs a small scale helps only by luck"
    return Evidence(
        holds=[
            at_least(f"{name}, most samples", recovers.isel(n=-1), 0.7, key="many_samples", why=many),
            at_least(
                r"decades by which $\alpha^2$ falls from the most samples to the fewest that minimum $\ell_1$ needs, capped at 4",
                np.minimum(collapse, 4),
                1,
                key="collapse",
                why="near the threshold only tiny scales work; a decade is far above one step of the scan, and beyond 4 decades "
                "their number is random",
            ),
            at_most(f"{name}, fewest samples", few, 0.6, key="few_samples", why=luck),
        ]
    )


def judge_depth(data, level, order) -> Evidence:
    """The gain of depth in decades of the scale of the linear map."""
    middle, least = medians(data), needed(data, level)
    gain = order * (middle.isel(depth=-1) - middle.isel(depth=0)).where(data.n >= least)
    name = r"gain of the deepest net over depth 2, over all $n$, in decades of $\alpha^D$"
    tiny = "near the threshold depth 2 needs tiny scales and deeper nets polynomially small ones: two steps of the scan"
    never = r"deeper nets never need a smaller $\alpha^D$, up to one step of the scan"
    return Evidence(
        sound=[at_least(r"values of $n$ that suffice", (data.n >= least).sum(), 2, key="recovers", why="two to compare")],
        holds=[
            at_least(f"largest {name}", gain.max(), 1, key="largest_gain", why=tiny),
            at_least(f"smallest {name}", gain.min(), -0.5, key="smallest_gain", why=never),
        ],
    )


def draw_scales(data, n, depth, level) -> Drawing:
    r"""The largest $\alpha$ (one depth) or $\alpha^D$ (several) against n, with the number that minimum $\ell_1$ needs."""
    middle, least, deep = medians(data), needed(data, level), depth.size > 1
    marks: list = []
    for layers in depth.values:
        one = middle.sel(depth=layers)
        name = f"$D = {int(layers)}$" if deep else r"largest $\alpha$, median"
        marks.append(Line(name, n.values, (10 ** (one if deep else one / 2)).where(one > FLOOR).values))
    if np.isfinite(least):
        marks.append(Event(r"minimum $\ell_1$ recovers", least))
    symbol, trend = (r"$\alpha^D$", "deeper nets recover from far larger scales") if deep else (r"$\alpha$", "it collapses")
    caption = (
        rf"The largest {symbol} with population error at most {level:g}, medians over trials. Near the number of samples that "
        rf"minimum $\ell_1$ needs (dashed) {trend}."
    )
    return one_panel(marks, Axis("samples"), log_axis(symbol), caption)


def judge_counts(data, d, sparsity, kept) -> Evidence:
    """The powers of d, and the count in units of r log d."""
    sparse, dense = (data[name].mean("trial") for name in (kept, "l2"))
    powers = [np.log(count.isel(d=-1) / count.isel(d=0)) / np.log(d[-1] / d[0]) for count in (sparse, dense)]
    return Evidence(
        holds=[
            at_most(
                r"power of $d$ of the samples that minimum $\ell_1$ needs, largest",
                powers[0].max(),
                0.5,
                key="l1_power",
                why=r"a logarithm has a local power of $1/\log d$ to $1/\log(d/r)$ here, 0.2 to 0.35; a multiple of $d$ has 1",
            ),
            near(
                r"power of $d$ of the samples that minimum $\ell_2$ needs, farthest from 1",
                1 + abs(powers[1] - 1).max(),
                1,
                0.1,
                key="l2_power",
                why=r"minimum $\ell_2$ has error $1 - n/d$: it needs $(1 - \mathrm{level}) d$ samples, up to $O(\sqrt{d})$",
            ),
            at_most(
                r"samples that minimum $\ell_1$ needs over $r \log d$, largest",
                (sparse / (sparsity * np.log(d))).max(),
                3,
                key="l1_constant",
                why=r"$2 r \log(d/r) + 1.25 r + 1$ suffices without noise; $3 r \log d$ leaves room for random fluctuations",
            ),
        ]
    )


def draw_counts(data, d, sparsity) -> Drawing:
    """Both counts against d."""
    dense = Points(r"minimum $\ell_2$", d.values, data.l2.isel(sparsity=0).mean("trial").values, role="second")
    sparse = family(r"minimum $\ell_1$, $r = {}$", d.values, data.l1.mean("trial"), "sparsity", mark=Points, roles=RAMP)
    return one_panel(
        [*sparse, dense, Slope("$d$", d.values, (float(d[-1]), float(dense.y[-1])), 1)],
        log_axis("$d$"),
        log_axis("samples needed"),
        r"The fewest samples that recover a ground truth with $r$ nonzeros, means over trials: minimum $\ell_1$ needs $O(r \log "
        r"d)$, minimum $\ell_2$ nearly $d$.",
    )


CLAIMS = (
    Claim(
        id="woodworth2020/figure_1c",
        kind="figure",
        title="More samples allow larger initialization scales",
        says=r"The largest $\alpha$ with population error at most 0.025 falls by orders of magnitude as the number of samples "
        r"approaches the one that minimum $\ell_1$ needs, and rises quickly with slightly more.",
        source="woodworth2020, figure 1c",
        simulation=SCALE,
        judge=judge_scale,
        draw=draw_scales,
        sizes={"quick": {"depth": (2,)}, "paper": {"depth": (2,)}},
        least={"n": 2},
        controls=[Control("a dense ground truth", changes={"sparsity": "=d", "depth": (2,)}, breaks=("many_samples",))],
        seconds={"quick": 10, "paper": 300},
    ),
    Claim(
        id="woodworth2020/figure_3c",
        kind="figure",
        title="Deeper nets recover from larger initialization scales",
        says=r"At a given number of samples the largest $\alpha^D$ with population error at most 0.025 is larger for deeper "
        r"nets, by orders of magnitude near the number of samples that minimum $\ell_1$ needs.",
        source="woodworth2020, figure 3c",
        simulation=SCALE,
        judge=judge_depth,
        draw=draw_scales,
        constants={"order": 1},
        least={"n": 2, "depth": 2},
        controls=[Control("the depths interchanged", changes={"order": -1}, breaks=("largest_gain", "smallest_gain"))],
        seconds={"quick": 25, "paper": 1500},
    ),
    Claim(
        id="woodworth2020/sample_complexity",
        kind="statement",
        title=r"$r \log d$ samples against $d$",
        says=r"Minimum $\ell_1$, the rich limit, recovers a ground truth with $r$ nonzeros from $O(r \log d)$ samples; minimum "
        r"$\ell_2$, the kernel limit, needs $\Omega(d)$.",
        source="woodworth2020, section 4",
        simulation=COUNT,
        judge=judge_counts,
        draw=draw_counts,
        constants={"kept": "l1"},
        least={"d": 2},
        controls=[Control(r"minimum $\ell_2$ in place of minimum $\ell_1$", {"kept": "l2"}, breaks=("l1_power", "l1_constant"))],
        seconds={"quick": 10, "paper": 200},
    ),
)

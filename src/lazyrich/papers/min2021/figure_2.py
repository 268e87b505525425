"""Xavier initialization at all widths: the spectrum of the imbalance, and the rates that follow from it."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Mark, Panel, Points, Rule, Slope
from ...claims.labelled import last_power
from ...claims.marks import log_axis, one_panel
from .shared.convergence import above_bound, below_bound, loss_panel, rate_panel, without_margin
from .shared.widths import WIDTH
from .simulations.linear_net_widths import FOLLOWED, SPECTRUM

STEP = 0.05
"""The learning rate of gradient descent in figure 5: the time of one iteration."""
ZERO = 1e-10
"""Relative to the largest eigenvalue: what is smaller counts as zero."""


def judge_spectrum(data, outputs) -> Evidence:
    """Level against spreads at the smallest and the largest width, and how fast both converge with the width."""
    narrow, wide = data.isel(width=0), data.isel(width=-1)
    short = (1 - outputs * data.level / 2).mean("trial")
    edges = r"the spectra of Gaussian layers end at $(1 \pm \sqrt{\mathrm{rows}/h})^2$; the next order is $1/h$"
    return Evidence(
        holds=[
            at_most(
                "level over the smaller spread at the smallest width, median",
                (narrow.level / np.minimum(narrow.up, narrow.down)).median(),
                1,
                key="narrow",
                why="with few units beyond the number of rows the smallest eigenvalues are close to zero",
            ),
            at_least(
                "level over the larger spread at the largest width, median",
                (wide.level / np.maximum(wide.up, wide.down)).median(),
                1,
                key="wide",
                why=r"the level converges to $2/m$ and the spreads vanish",
            ),
            *(
                near(f"exponent of the width {name}", last_power(part, "width"), 0.5, 0.1, key=f"{key}_exponent", why=edges)
                for key, name, part in (
                    ("level", "at which the level converges to $2/m$", short),
                    ("spread", r"at which the spread $\Delta_+$ vanishes", data.up.mean("trial")),
                )
            ),
        ]
    )


def draw_spectrum(data, width, outputs) -> Drawing:
    """The eigenvalues of one trial at a small and a large width, and the three quantities against the width."""
    panels = []
    for h in [width.values[0], width.values[-2]]:
        found = data.found.sel(width=h).isel(trial=0).values
        marks = [Points("eigenvalues", np.arange(1, found.size + 1), found), Rule("zero", 0.0)]
        panels.append(Panel(marks, Axis("index"), Axis("eigenvalue of $D$, over $mh$"), title=f"$h = {int(h)}$", legend=False))
    parts = {r"level $\Delta$": data.level, r"spread $\Delta_+$": data.up, r"spread $\Delta_-$": data.down}
    gaps: list[Mark] = [
        Line(name, width.values, part.median("trial").values, role=role)
        for role, (name, part) in zip(SERIES, parts.items(), strict=True)
    ]
    gaps.append(Rule("$2/m$", 2 / outputs))
    return Drawing(
        [*panels, Panel(gaps, WIDTH, log_axis("over $mh$"), title="Imbalance quantities, median")],
        columns=3,
        caption=r"Eigenvalues of $D = U^\top U - V^\top V$ for layers with $N(0, 1)$ entries. In a narrow network they spread "
        r"widely and leave a small gap at zero, the level $\Delta$; in a wide one they form two clusters far apart.",
    )


def edges(rows, outputs, width):
    """The fastest mode over the slowest for Gaussian layers of a large width."""
    near = np.sqrt(np.array([rows, outputs]) / width)
    return float(((1 + near) ** 2).sum() / ((1 - near) ** 2).sum())


def judge_rates(data, rows, outputs, width) -> Evidence:
    """The bounds at all widths, how the rate falls to its bound in a narrow network, and how it stays in a wide one."""
    over = data.rate / data.proposition_1
    narrow, last = over.isel(width=0), data.rate.isel(width=-1)
    return Evidence(
        holds=[
            above_bound(data, data.proposition_1, "proposition 1: a lower bound at all times"),
            below_bound(data, data.guaranteed.isel(t=0), "an upper bound at all times"),
            at_least(
                "rate over its bound, initial over final, at the smallest width, median",
                (narrow.isel(t=0) / narrow.isel(t=-1)).median(),
                2,
                key="narrow_initial",
                why="figure 5: the rate is initially well above the bound and falls towards it as only slow modes remain",
            ),
            at_most(
                "final rate over its bound at the smallest width, median",
                narrow.isel(t=-1).median(),
                3,
                key="narrow_final",
                why="figure 5: the bound is reasonably good late in training; a factor near 2 remains",
            ),
            at_most(
                "rate over its bound at the largest width, maximum",
                over.isel(width=-1).max(),
                1.6,
                key="wide",
                why=f"the fastest mode is {edges(rows, outputs, float(width[-1])):.2f} times as fast as the slowest here",
            ),
            at_most(
                "largest over smallest rate of a run at the largest width, maximum",
                (last.max("t") / last.min("t")).max(),
                1.3,
                key="wide_variation",
                why="figure 5: hardly any variation; from the mean mode to the slowest, about half of what the spectrum allows",
            ),
        ]
    )


def draw_rates(data, width) -> Drawing:
    """Loss and rate against iterations with their bounds, at the smallest and the largest width."""
    one = data.isel(trial=0).assign(time=data.time.isel(trial=0) / STEP)
    runs = [(f"$h = {int(h)}$", one.sel(width=h)) for h in (width.values[0], width.values[-1])]
    loss = [(name, run, float(run.guaranteed.isel(t=0)) * STEP) for name, run in runs]
    rate = [(name, run, run.proposition_1) for name, run in runs]
    return Drawing(
        [loss_panel(loss, "Loss and theorem 3", "iterations"), rate_panel(rate, "Rate and proposition 1", "iterations")],
        caption="Time in iterations of gradient descent with learning rate 0.05. In a narrow network the rate is initially far "
        "above its bound and the bound of theorem 3 nearly flat; in a wide one the rate hardly changes and both are close.",
    )


def judge_inertia(data, rows, outputs) -> Evidence:
    """The fraction of trials, at the worst width, with as many eigenvalues of each sign as rows and outputs."""
    up, down = counts(data)
    right = ((up == rows) & (down == outputs)).mean("trial").min()
    name = "fraction of trials with $n$ positive and $m$ negative eigenvalues, at the worst width"
    why = "with probability 1: an eigenvalue within 1e-10 of zero has a probability of that order"
    return Evidence(holds=[at_least(name, right, 1, key="signs", why=why)])


def counts(data):
    """The number of positive and of negative eigenvalues."""
    floor = ZERO * abs(data.found).max("p")
    return (data.found > floor).sum("p"), (data.found < -floor).sum("p")


def draw_inertia(data, width, rows, outputs) -> Drawing:
    """The smallest absolute eigenvalue against the width, and the counts."""
    up, down = (part.median("trial").values for part in counts(data))
    smallest = (abs(data.found).min("p") / abs(data.found).max("p")).median("trial").values
    ratio, count = log_axis(r"smallest over largest $|\lambda_i(D)|$"), Axis("count", low=0, high=rows + outputs)
    signs = [Points("positive", width.values, up), Points("negative", width.values, down, role="second")]
    return Drawing(
        [
            Panel([Points("median", width.values, smallest)], WIDTH, ratio, title="Distance from zero", legend=False),
            Panel(signs, WIDTH, count, title="Eigenvalues of each sign"),
        ],
        caption="The imbalance of Gaussian layers has as many positive eigenvalues as the rank of the inputs and as many "
        "negative ones as outputs, down to a width of $n + m$.",
    )


def mean_rate(data):
    """The mean rate of the loss over the whole run, over the guaranteed rate."""
    ends = data.excess.isel(t=-1) / data.excess.isel(t=0)
    return -np.log(ends) / data.time.isel(t=-1) / data.guaranteed.isel(t=0)


def judge_regimes(data) -> Evidence:
    """The mean rate over the guarantee at the smallest and largest width, and the exponent at which it converges to one."""
    over = mean_rate(data)
    return Evidence(
        sound=[without_margin(data, "then only the level of imbalance guarantees a rate")],
        holds=[
            at_least(
                "mean rate over the guarantee at the smallest width, median",
                over.isel(width=0).median("trial"),
                2,
                key="narrow",
                why="the spreads exceed the level: the slowest mode does not set the rate of the loss",
            ),
            at_most(
                "mean rate over the guarantee at the largest width, maximum",
                over.isel(width=-1).max(),
                1.1,
                key="wide",
                why=r"all modes lie within $4\sqrt{\mathrm{rows}/h}$ of each other, 0.06 at 100,000 units",
            ),
            near(
                "exponent of the width at which mean rate and guarantee agree",
                last_power((over - 1).mean("trial"), "width"),
                0.5,
                0.05,
                key="exponent",
                why=r"the spread of the modes is of order $h^{-1/2}$; the next order is a hundredth there",
            ),
        ],
    )


def draw_regimes(data, width) -> Drawing:
    """The mean rate over the guarantee against the width."""
    over = (mean_rate(data) - 1).median("trial").values
    marks = [
        Points("median", width.values, over),
        Slope("$h^{-1/2}$", width.values[1:], (float(width[-1]), float(over[-1])), -0.5),
        Rule("twice the guarantee", 1.0),
    ]
    return one_panel(
        marks,
        WIDTH,
        log_axis("mean rate over the guarantee, minus 1"),
        "How much faster the loss decays than guaranteed: several times in a narrow network, by a small fraction in a wide one.",
    )


spectrum = partial(Claim, simulation=SPECTRUM)
followed = partial(Claim, simulation=FOLLOWED, least={"width": 2})
CLAIMS = (
    spectrum(
        id="min2021/figure_2_left",
        kind="figure",
        title="Wide networks have a large level of imbalance and small spreads",
        says=r"For layers with $N(0, 1)$ entries the imbalance $D$ has a small level $\Delta$ and wide spreads $\Delta_\pm$ at "
        r"small width, and the reverse at large width: $\Delta/(mh) \to 2/m$ and $\Delta_\pm/(mh) \to 0$, both like $h^{-1/2}$.",
        source="min2021, figures 2 (left) and 4",
        judge=judge_spectrum,
        draw=draw_spectrum,
        aliases=("figure_4", "figure_2"),
        least={"width": 2},
        controls=[Control("small widths only", changes={"width": (26, 30)}, breaks=("wide",))],
        seconds={"quick": 4, "paper": 10},
    ),
    followed(
        id="min2021/figure_2_right",
        kind="figure",
        title="Loss and rate satisfy their bounds at every width",
        says=r"For gradient flow on $\frac{1}{2}\|Y - (mh)^{-1/2}UV^\top\|_F^2$ from $N(0, 1)$ weights, loss and rate satisfy "
        "theorem 3 and proposition 1. At $h = 30$ the rate falls towards its bound; at $h = 1000$ it is always close to it.",
        source="min2021, figures 2 (right) and 5",
        judge=judge_rates,
        draw=draw_rates,
        aliases=("figure_5",),
        controls=[Control("small widths only", changes={"width": (30, 60)}, breaks=("wide", "wide_variation"))],
        seconds={"quick": 14, "paper": 30},
    ),
    spectrum(
        id="min2021/inertia",
        kind="statement",
        title="The imbalance of random layers has maximal rank",
        says="For Gaussian layers with at least $n + m$ hidden units the imbalance $D$ has rank $n + m$, with $n$ positive and "
        "$m$ negative eigenvalues, with probability 1.",
        source="min2021, section 5.1",
        judge=judge_inertia,
        draw=draw_inertia,
        sizes={
            "smoke": {"width": (6, 40)},
            "quick": {"width": (25, 30, 1_000)},
            "paper": {"width": (25, 26, 30, 100, 1_000, 10**6)},
        },
        controls=[Control("fewer than $n + m$ units", changes={"width": (24, 30)}, breaks=("signs",))],
        seconds={"quick": 3, "paper": 10},
    ),
    followed(
        id="min2021/two_rate_regimes",
        kind="statement",
        title="The guaranteed rate is loose in narrow networks and tight in wide ones",
        says=r"Under Xavier initialization, $2\Delta/(mh)$ is a poor bound on the rate of the loss at a width near $n + m$; at "
        "large width it is the rate itself, up to a relative error of order $h^{-1/2}$.",
        source="min2021, section 5.1",
        judge=judge_regimes,
        draw=draw_regimes,
        sizes={"quick": {"width": (30, 1_000, 10_000, 100_000)}, "paper": {"width": (30, 100, 1_000, 10_000, 100_000, 10**6)}},
        controls=[Control("small widths only", changes={"width": (30, 60)}, breaks=("wide", "exponent"))],
        seconds={"quick": 14, "paper": 40},
    ),
)

r"""Lemma 8 and appendices D to F: the integrated residual $\int r\,dt$ is the dual variable of the gradient flow solution."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule
from ...claims.marks import family, log_axis
from .simulations.diagonal_dual import SIMULATION

TIME = log_axis("time over the escape time")


def linear_map(price, depth, scale):
    r"""$\beta = c\,h_D(p)$ with $c$ the scale: $2c\sinh p$ at depth 2, $c[(1-p)^{-a} - (1+p)^{-a}]$, $a = D/(D-2)$, beyond."""
    power = depth - 2 + (depth == 2)  # 1 at depth 2, where powers turn to exponentials
    a, inside = depth / power, price.where(depth > 2, 0.0)
    return scale * (2 * np.sinh(price.where(depth == 2, 0.0)) + (1 - inside) ** -a - (1 + inside) ** -a)


def follows(data, expected, name: str):
    """The reading of the largest distance of the linear map from its formula along the flow, over its size."""
    off = abs(data.effective - expected).max(("t", "d")) / abs(data.effective).max(("t", "d"))
    why = "weights and integral are followed to 1e-10 per step, amplified in the map by at most $1/(1 - p)$, a few hundred"
    return at_most(name, off.max(), 1e-6, key="map", why=why)


def by_scale(data, values, depth, y: Axis, rule=()) -> list[Panel]:
    """The median over trials against time, a panel for each depth and a line for each scale."""
    time, middle = (part.isel(t=slice(1, None)) for part in (data.time.isel(trial=0), values.median("trial")))
    panels = []
    for k in depth.values:
        lines = family(r"$\alpha^D = {}$", time.sel(depth=k), middle.sel(depth=k), "scale")
        panels.append(Panel([*lines, *rule], TIME, y, title=f"Depth {int(k)}"))
    return panels


def predict(problem, scale, depth):
    """The minimum entropy, which no dual value exceeds, and the squared distance to the dual optimum."""
    from ...predictors import MinHyperbolicEntropy

    theory = MinHyperbolicEntropy(scale ** (1 / depth), depth=depth).solve(problem)
    return {"entropy": theory, "way": np.sum(np.asarray(theory.dual) ** 2)}


def judge_ascent(data, theory, depth, scale, speed) -> Evidence:
    """That the map is the dual's at every time, that the dual rises, and how fast it approaches the minimum entropy."""
    value, expected = theory["entropy"].value, linear_map(speed * data.price, depth, scale)
    late = (value - data.dual) * 2 * data.clock / theory["way"]
    rise, gap = (data.dual.diff("t").min("t") / value).min(), "the rate of every gradient ascent on a concave function"
    return Evidence(
        holds=[
            follows(data, expected, r"distance of the map to $\nabla Q^*(X^\top \nu)$ along the flow, relative"),
            at_least(
                "smallest increase of the dual between two times, over the minimum entropy",
                rise,
                -1e-9,
                key="ascent",
                why="ascent never decreases; the integral has error 1e-10",
            ),
            at_most(
                r"dual gap over its bound $\|\nu^*\|^2/(2ct)$, where $\dot{\nu} = c \nabla g(\nu)$",
                late.max(),
                1,
                key="gap",
                why=gap,
            ),
            at_least(
                r"largest dual gap over $\|\nu^*\|^2/(2ct)$, median over runs",
                late.max("t").median(),
                0.1,
                key="tightness",
                why="exponential ascent at rate $r$ attains $1/(2e) = 0.18$ of the bound, at $t = 1/(2r)$; a tenth is enough",
            ),
        ]
    )


def draw_ascent(data, theory, depth) -> Drawing:
    """The dual gap against time."""
    data = data.isel(weight=0)
    gap = np.maximum(1 - data.dual / theory["entropy"].value, 1e-16)
    return Drawing(
        by_scale(data, gap, depth, log_axis(r"$1 - g(\nu(t))/\min Q_\alpha$")),
        columns=3,
        caption="The dual value at the integrated residual rises along the flow to the minimum entropy, median over trials.",
    )


def judge_bound(data, fraction) -> Evidence:
    r"""The largest entry of $X^\top s$, $s = \int r\,dt$, over its bound along all runs, and its tightness at small scales."""
    size = abs(data.price).max("d") / fraction
    why = r"weights $\alpha (1 \mp p)^{-1/(D-2)}$ stay positive and finite only while $|p| < 1$; no tolerance"
    return Evidence(
        holds=[
            at_most(r"largest $\|X^\top s\|_\infty$, $s = \int r\,dt$, over its bound", size.max(), 1, key="bound", why=why),
            at_least(
                r"largest $\|X^\top s\|_\infty$, $s = \int r\,dt$, over its bound at the smallest scale, minimum over runs",
                size.isel(scale=0).max("t").min(),
                0.75,
                key="tightness",
                why=r"$1 - p = (\alpha^D/|\beta|)^{(D-2)/D}$ up to the other half's contribution: 0.1 at depth 3 for $\alpha^D = "
                r"10^{-3}$ and $\beta = 1$, twice that for $\beta = 0.1$",
            ),
        ]
    )


def draw_bound(data, depth) -> Drawing:
    """The largest entry over its bound against time, for every depth and scale."""
    data = data.isel(weight=0)
    y = Axis(r"$\|X^\top s\|_\infty$ over $\alpha^{2-D}/(2D(D-2))$", low=0)
    return Drawing(
        by_scale(data, abs(data.price).max("d"), depth, y, rule=(Rule("lemma", 1.0),)),
        caption=r"The largest entry of $X^\top \int r\,dt$ over its bound, median over trials: closest to 1 at small scales.",
    )


def judge_time(data, depth, scale, weight, pace) -> Evidence:
    r"""The map against $2\alpha^2\sinh(-8\,\mathrm{weight}\,X^\top s)$ or its form at depth $D$, and two losses at two paces."""
    one, other = data.effective.isel(weight=0), data.effective.isel(weight=-1)
    apart = (abs(one - other).max(("t", "d")) / abs(other).max(("t", "d"))).max()
    expected = linear_map(pace * weight * data.price, depth, scale)
    name = "distance of the flows of two multiples of the loss at times in inverse proportion"
    why = "one flow at two paces, each followed to 1e-10 per step"
    return Evidence(
        holds=[
            follows(
                data,
                expected,
                r"distance of the map to $2 \alpha^2 \sinh(-8 w X^\top s)$, $w$ the factor on the loss, or its form at depth "
                "$D$, relative",
            ),
            at_most(name, apart, 1e-6, key="pace", why=why),
        ]
    )


def draw_time(data, depth, scale, weight) -> Drawing:
    """The largest entry of the map against time, with both formulas."""
    panels = []
    for k in depth.values:
        one = data.sel(depth=k).isel(scale=0, weight=-1, trial=0, t=slice(1, None))
        at = int(abs(one.effective).isel(t=-1).argmax("d"))
        price = one.price.isel(d=at) * float(weight[-1])
        printed, right = (abs(linear_map(pace * price, k, float(scale[0]))).values for pace in (0.5, 1.0))
        marks = [
            Points("gradient flow", one.time.values, abs(one.effective.isel(d=at)).values),
            Line("corrected", one.time.values, right, role="theory"),
            Line("as printed", one.time.values, printed, role="control"),
        ]
        panels.append(Panel(marks, TIME, log_axis("largest entry of the map"), title=f"Depth {int(k)}"))
    return Drawing(
        panels,
        caption="The entry that ends largest, from the integrated residual by the formula of the proof: the printed one, for "
        "half the loss, is off by orders of magnitude.",
    )


claim = partial(Claim, simulation=SIMULATION)

CLAIMS = (
    claim(
        id="woodworth2020/dual_ascent",
        kind="derived",
        title="Gradient flow ascends the dual of its own implicit bias",
        says=r"With $\nu = -c \int r\,dt$, where $c = 8$ at depth 2 and $c = 2D(D-2) \alpha^{D-2}$ at depth $D \geq 3$, "
        r"gradient flow has $\beta = \nabla Q^*(X^\top \nu)$ and $\dot{\nu} = c \nabla g(\nu)$, with $g$ the concave dual of "
        r"$\min Q$ subject to $X \beta = y$. The dual gap is at most $\|\nu^*\|^2/(2ct)$, and the flow interpolates whenever $X "
        r"\beta = y$ has a solution.",
        source="woodworth2020, appendix D",
        predict=predict,
        judge=judge_ascent,
        draw=draw_ascent,
        constants={"speed": 1.0},
        controls=[Control("half the pace, as printed for half the loss", changes={"speed": 0.5}, breaks=("map",))],
        seconds={"quick": 25, "paper": 90},
    ),
    claim(
        id="woodworth2020/lemma_8",
        kind="lemma",
        title="The integrated residual stays bounded",
        says=r"Along the gradient flow of the summed squared loss from $u = v = \alpha \mathbf{1}$, for $D \geq 3$ and every "
        r"$t$, $\|X^\top \int_0^t (X \beta - y)\,ds\|_\infty \leq \alpha^{2-D}/(2D(D-2))$; the paper's constant, $1/(D(D-2))$, "
        r"belongs to half the loss. The bound is approached as $\alpha \to 0$.",
        source="woodworth2020, lemma 8",
        judge=judge_bound,
        draw=draw_bound,
        constants={"fraction": 1.0},
        sizes={"quick": {"depth": (3, 4)}, "paper": {"depth": (3, 4, 5)}},
        controls=[Control("half the bound", changes={"fraction": 0.5}, breaks=("bound",))],
        seconds={"quick": 15, "paper": 60},
    ),
    claim(
        id="woodworth2020/proof_time_factor",
        kind="erratum",
        title="The rates in the proofs are those of half the loss",
        says=r"With $L = \sum_n r_n^2$ as in equation 1 gradient flow has $\beta = 2 \alpha^2 \sinh(-8 X^\top \int r\,dt)$, and "
        r"$2D(D-2)$ in place of $D(D-2)$ at depth $D$; printed are 4 and $D(D-2)$, correct for $L/2$ only. The limits are the "
        r"same, the times are not.",
        source="woodworth2020, equations 15 to 17 and 50 to 57",
        judge=judge_time,
        draw=draw_time,
        constants={"pace": 1.0},
        sizes={
            "smoke": {"weight": (0.5, 1.0)},
            "quick": {"depth": (2, 3), "weight": (0.5, 1.0)},
            "paper": {"depth": (2, 3, 4, 5), "weight": (0.5, 1.0)},
        },
        least={"weight": 2},
        controls=[Control("the printed rates", changes={"pace": 0.5}, breaks=("map",))],
        seconds={"quick": 15, "paper": 90},
    ),
)

"""The residuals of regression in the kernel regime: under the bound of lemma D.1, and to leading order."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Drawing, Line, Panel, Points, Role
from ...claims.labelled import norm, relative_distance
from ...claims.marks import equal, log_axis
from .simulations.diagonal_decay import SIMULATION

# What weight decay sustains falls like alpha^-rate: scales are such that the flow can resolve it.
_SCALES = {"rate": "=2*(depth-1)+power", "strength": 0.3, "away": (0.3,), "relative_time": "=1-away", "count": 32}
TIME = log_axis("time")


def resolved(data, held, level, why: str) -> Reading:
    """Whether the residuals of the slow manifold are above the flow's own errors."""
    smallest = (norm(held, "n") / norm(data.labels, "n")).min()
    name = r"residuals sustained by weight decay over $\|y\|$, smallest"
    return at_least(name, smallest, level, key="resolved", why=why)


def bound(data, depth, power, log_alpha, strength, n, pace, pull):
    r"""The larger of $\frac1n\|y\|^2e^{-\nu A(1-e^{-2(D-1)\tau})/(an(D-1))}$ and what weight decay sustains.

    That is $bnD^2\|y\|^2\lambda^2(\alpha e^{-\tau})^{-4(D-1)}/\nu^2$; $a$ is `pace` and $b$ is `pull`.
    """
    weight_decay, square = strength * np.exp(-power * log_alpha), (data.labels**2).sum("n")
    least, rise = data.first_least, 2 * (depth - 1)
    spent = (np.exp(rise * log_alpha) - np.exp(rise * data.log_size)) / weight_decay
    fitting = square / n * np.exp(-least * spent / (pace * n * (depth - 1)))
    held = pull * n * depth**2 * square * weight_decay**2 * np.exp(-2 * rise * data.log_size) / least**2
    return np.maximum(fitting, held)


def judge_bound(data, depth, power, log_alpha, strength, n, pace, pull) -> Evidence:
    """The loss over the bound, at all times while the smallest eigenvalue of the tangent kernel keeps half its size."""
    inside = (data.least > data.first_least / 2) & (data.time > 0)
    loss = (data.residual**2).mean("n")
    ratio = (loss / bound(data, depth, power, log_alpha, strength, n, pace, pull)).where(inside)
    before = r"times end at $(1 - c)\log(\alpha)/\lambda$, before the features turn"
    return Evidence(
        sound=[
            at_least("fraction of times in the kernel regime, smallest", inside.mean("t").min(), 0.9, key="inside", why=before),
            resolved(data, data.held, 1e-8, why=r"the flow's own errors are some 1e-9 $\|y\|$ halfway"),
        ],
        holds=[at_most("largest loss over its bound", ratio.max(), 1, key="bound", why="an inequality with explicit constants")],
    )


def law(data, depth, power, log_alpha, strength, n, factor):
    """The predicted residuals at the end, from the tangent kernel at initialization."""
    pull = factor * n * depth * strength * np.exp(-power * log_alpha)
    return -pull * np.exp(-2 * (depth - 1) * data.log_size.isel(t=-1)) * data.dual


def judge_law(data, depth, power, log_alpha, strength, n, factor) -> Evidence:
    """Residuals at the end against the law, by the kernel at initialization and by the current one."""
    end, held = data.residual.isel(t=-1), data.held.isel(t=-1)
    theory = law(data, depth, power, log_alpha, strength, n, factor)
    return Evidence(
        sound=[
            at_most(
                "largest displacement of the normalized parameters",
                data.moved.isel(t=-1).max(),
                0.1,
                key="displacement",
                why="the kernel regime: features are those at initialization up to its square, a hundredth",
            ),
            resolved(data, held, 1e-9, why=r"the flow's own errors decay to some 1e-11 $\|y\|$, a hundredth of them"),
        ],
        holds=[
            at_most(
                "residuals against the kernel at initialization, relative error",
                relative_distance(end, theory, "n").max(),
                1e-2,
                key="initial",
                why="the square of a displacement of 0.1, the next order of a symmetrized net",
            ),
            at_most(
                "residuals against the current kernel, relative error",
                relative_distance(end, 2 * factor * held, "n").max(),
                1e-2,
                key="current",
                why="the lag behind a slow motion is smaller; the solver tolerance is 1e-6 of residuals as small, and decays",
            ),
        ],
    )


def draw_bound(data, depth, power, log_alpha, strength, n, pace, pull) -> Drawing:
    """Loss and bounds in time, of one trial, for each depth."""
    panels, last = [], {"trial": 0, "fall": -1, "power": -1, "away": -1}
    rows: tuple[tuple[str, float, float, Role], ...] = (("bound", pace, pull, "theory"), ("as printed", 8.0, 16.0, "control"))
    for layers in depth.values:
        one, marks = data.sel(depth=layers).isel(last), []
        time = one.time.values[1:]
        for name, a, b, role in rows:
            line = bound(data, depth, power, log_alpha, strength, n, a, b).sel(depth=layers).isel(last)
            marks.append(Line(name, time, line.transpose("t").values[1:], role=role))
        marks.append(Line("loss", time, (one.residual**2).mean("n").values[1:]))
        panels.append(Panel(marks, TIME, log_axis("loss"), title=f"depth {int(layers)}"))
    return Drawing(
        panels,
        caption="The mean squared loss in the kernel regime: an exponential decrease at the rate of the tangent kernel's "
        "smallest eigenvalue, then a level that rises as weight decay shrinks the weights.",
    )


def draw_law(data, depth, power, away, log_alpha, strength, n) -> Drawing:
    """The residuals of one trial in time beside the law, and all residuals at the end against it."""
    one = data.isel(trial=0, fall=-1, depth=0, away=-1, power=-1)
    theory = law(data, depth, power, log_alpha, strength, n, 0.5)
    end = data.residual.isel(t=-1)
    x, y = (abs(part.transpose(*end.dims)).values.ravel() for part in (theory, end))
    late = one.time.values > 0
    time = one.time.values[late]
    paths = [
        Line("flow", time, norm(one.residual, "n").values[late]),
        Line("sustained by weight decay", time, norm(one.held, "n").values[late], role="theory"),
    ]
    pairs, axes = [Points("each sample", x, y), equal(x)], (log_axis("predicted residual"), log_axis("residual"))
    return Drawing(
        [
            Panel(paths, TIME, log_axis("norm of the residuals"), title="One trial: fit, then balance"),
            Panel(pairs, *axes, title="All depths, powers, scales and trials"),
        ],
        caption=r"After the fit the data balance weight decay: residuals are $\lambda$ times multipliers that the tangent "
        "kernel at initialization predicts.",
    )


CLAIMS = (
    Claim(
        id="lyu2024/lemma_d_1",
        kind="lemma",
        title="The loss of the kernel regime under explicit bounds",
        says=r"While the tangent kernel keeps half its smallest eigenvalue $\nu$, the mean squared loss is at most the larger "
        r"of $\frac{1}{n}\|y\|^2e^{-\nu A(1 - e^{-2(D-1)\lambda t})/(2n(D-1))}$ and $4nD^2\|y\|^2\lambda^2(\alpha e^{-\lambda "
        r"t})^{-4(D-1)}/\nu^2$, $A = \alpha^{2(D-1)}/\lambda$. The lemma prints $8n$ and $16n$, which is weaker: its gradient "
        "lacks a factor $2/n$.",
        source="lyu2024, lemma D.1",
        simulation=SIMULATION,
        judge=judge_bound,
        draw=draw_bound,
        constants={"pace": 2.0, "pull": 4.0},
        sizes={
            "smoke": {**_SCALES, "fall": (8.0,), "count": 16},
            "quick": {**_SCALES, "fall": (8.0, 12.0)},
            "paper": {**_SCALES, "fall": (8.0, 10.0, 12.0), "away": (0.1, 0.3)},
        },
        controls=[Control("the exponential decrease alone, without weight decay", changes={"pull": 0.0}, breaks=("bound",))],
        seconds={"quick": 40, "paper": 120},
    ),
    Claim(
        id="lyu2024/slow_manifold",
        kind="derived",
        title="Residuals of the kernel regime, to leading order",
        says="Under the squared loss with weight decay the residuals in the kernel regime are "
        r"$f - y = -\frac{nD\lambda}{2}(\alpha e^{-\lambda t})^{-2(D-1)}K^{-1}y$, with $K$ the tangent kernel at "
        "initialization: the loss bound of lemma D.1 made sharp.",
        source="lyu2024, section 3.3 (lemma D.1 sharpened)",
        simulation=SIMULATION,
        judge=judge_law,
        draw=draw_law,
        constants={"factor": 0.5},
        # From scales where both next orders are e^-5 upwards, by steps in which no order falls below what the flow resolves.
        sizes={
            "paper": {
                "fall": (5.0, 6.5, 8.0),
                "strength": 1.0,
                "log_alpha": "=5/rate+(fall-5)/maximum(2*away*depth, 2*(depth-1)*away+power)",
            }
        },
        controls=[Control("twice the multipliers", changes={"factor": 1.0}, breaks=("initial", "current"))],
        seconds={"quick": 30, "paper": 90},
    ),
)

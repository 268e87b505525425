r"""Theorem 3.10: after $\log\alpha/\lambda$ parameters stay bounded and come near a KKT point of least norm."""

import numpy as np

from ...lab.settings.diagonal_decay import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel, Points
from ..labelled import spread
from .powers import farthest_from, last_slope

# The scale itself is the axis here; a window needs more times than an end. Beyond e^10 a net of depth 3 has lost its digits.
AFTER = {"rate": 1.0, "strength": 0.3, "power": (1.0,), "away": (0.75,), "share": "=1+away", "count": 32}
SIZES = {
    "smoke": {**AFTER, "fall": (3.0, 5.0), "count": 16},
    "quick": {**AFTER, "fall": (4.0, 7.5)},
    "paper": {**AFTER, "fall": (3.0, 5.0, 8.0), "depth": (2, 3), "power": (0.5, 1.0)},
}


def window(data):
    r"""The times from $\log\alpha/\lambda$ on; where a run ends before, its end alone."""
    last = np.arange(data.sizes["t"]) == data.sizes["t"] - 1
    return (data.log_size <= 0) | data.log_size.copy(data=np.broadcast_to(last, data.log_size.shape))


def judge(data, power, log_alpha, strength, n, d) -> Evidence:
    """Norms, residuals and the distance from a combination of gradients over the window."""
    decay, inside = strength * np.exp(-power * log_alpha), window(data)
    size = data["size"].where(inside).max("t")
    near_kkt = data.stationarity.where(inside).min("t")
    cost = (data["size"] ** 2 / 2 + (data.residual**2).sum("n") / (n * decay)).where(inside).max("t")
    span = spread(data.log_size.where(inside, data.log_size.min("t")), "t")
    allowed = (cost / np.maximum(span, 1e-9)) ** 0.5
    missed = abs(data.residual).max("n").where(inside).max("t").median("trial")
    return Evidence(
        holds=[
            at_most(
                "largest norm in the window over that of the start over alpha",
                size.max() / (2 * d) ** 0.5,
                1.2,
                why="at log(alpha)/decay it is that of the start over alpha, up to the l1 norm of the linear map over 2d; then "
                "the objective only falls",
            ),
            at_most(
                "least gradient in the window over what the fall of the objective allows",
                ((data.slope * data["size"]).where(inside).min("t") / allowed).max(),
                1,
                why="its square, integrated over the window, is at most the objective at its begin: the proof's own inequality",
            ),
            at_most(
                "distance from combinations of gradients at the largest scale, the median draw",
                near_kkt.isel(fall=-1).median("trial").max(),
                0.15,
                why="weights out of use fade like alpha^(-c(1 - price)); prices are some tenths below 1 in most draws",
            ),
            at_most(
                "that distance over the one at the scale before, the median draw",
                (near_kkt.isel(fall=-1) / near_kkt.isel(fall=-2)).median("trial").max(),
                0.7,
                why="the proof has one over the root of log(alpha): 0.71 for twice the logarithm",
            ),
            near(
                "power of alpha at which the largest residual falls less p, the farthest from 0",
                farthest_from(last_slope(missed, log_alpha) - power, 0),
                0,
                0.2,
                why="residuals are decay times multipliers, which tend to those of the limit",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The distance from combinations of gradients in time, for one draw; and the least of it against the scale."""
    one, marks = data.isel(trial=0, power=-1, away=-1, depth=0), []
    for at, fall in enumerate(one.fall.values):
        line = one.sel(fall=fall)
        x = 1 - line.log_size.values / fall
        marks.append(Line(f"alpha = e^{fall:g}", x, line.stationarity.values, role=SERIES[at % 3]))
    best = data.stationarity.where(window(data)).min("t").isel(power=-1, away=-1)
    points = [
        Points(
            f"depth {int(k)}", np.exp(best.fall.values), best.sel(depth=k).median("trial").values, role=SERIES[at % 3]
        )
        for at, k in enumerate(best.depth.values)
    ]
    y = Axis("distance from combinations of gradients", scale="log")
    return Drawing(
        panels=[
            Panel(
                [*marks, Event("log(alpha)/decay", 1.0)],
                x=Axis("decay t / log(alpha)", low=0),
                y=y,
                title="One draw, in normalized time",
            ),
            Panel(points, x=Axis("alpha", scale="log"), y=y, title="The least in the window, median draw"),
        ],
        caption="How far the parameters are from a combination of gradients, relative to their length: 1 in the kernel phase, "
        "falling to 0 at a KKT point of least norm after log(alpha)/decay.",
    )


CLAIM = Claim(
    kind="theorem",
    title="After the transition: KKT points of least norm",
    says="Under the squared loss, between log(alpha)/decay and (1 + c) log(alpha)/decay, the parameters stay bounded, residuals "
    "have the order of the decay, and at some time the parameters are nearly a combination of the gradients of their own "
    "outputs: limit points as alpha grows are KKT points of least norm under interpolation.",
    source="lyu2024, theorem 3.10 and lemma D.8",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    sizes=SIZES,
    least={"fall": 2},
    aliases=("lemma_d_8",),
    control=Control(
        "before the transition, up to (1 - c) log(alpha)/decay, with c = 0.5",
        changes={"share": "=1-away", "away": (0.5,)},
        breaks=(
            "largest norm in the window over that of the start over alpha",
            "distance from combinations of gradients at the largest scale, the median draw",
            "that distance over the one at the scale before, the median draw",
        ),
    ),
    seconds={"quick": 40, "paper": 120},
)

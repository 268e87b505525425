r"""The transition is sharp: in time over $\log\alpha/\lambda$ it comes at 1, and its width goes to 0."""

import jax.numpy as jnp
import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import advance, begin, pose_apart
from ...lab.settings.diagonal_limits import FLOW
from ...losses import Exponential
from ...predictors.timescale import held_margin, kernel_exit
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Event, Line, Panel, Points, Slope
from ..labelled import farthest, last_power
from .corollary_3_7 import angle, refer


def simulate(key, problem, *, d, log_alpha, power, before, after, moments):
    r"""The linear map of a diagonal net of two layers, with $\lambda = \alpha^{-p}$, around $\log\alpha/\lambda$."""
    decay = jnp.exp(-power * log_alpha)
    clock = jnp.linspace(before, after, moments)
    times = jnp.concatenate([jnp.zeros(1), (log_alpha + clock) / decay])
    start = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate")
    read = {"effective": lambda net: net.effective()}
    path = advance(problem, start, times, decay=decay, loss=Exponential(), read=read, flow=FLOW)
    return {
        "clock": clock,
        "effective": path.reads["effective"][1:],
        "margins": problem.train.y * (path.reads["effective"][1:] @ problem.train.x.T),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose_apart,
    params=[
        Param(
            "log_alpha",
            (32.0, 64.0),
            (32.0, 64.0, 128.0),
            smoke=(6.0, 8.0),
            low=5.0,
            high=128.0,
            unit="log of every weight at the start",
        ),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.25, high=3.0, unit="decay = alpha^-power"),
        Param("before", -4.5, smoke=-3.0, low=-5.0, high=0.0, unit="1/decay from log(alpha)/decay"),
        Param("after", 5.0, low=1.0, high=20.0, unit="1/decay from log(alpha)/decay"),
        Param("moments", 96, smoke=20, low=10, high=2_000, unit="times on the curve", static=True),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        Param("d", 24, low=5, high=1_000, unit="unknowns", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit="between the classes, in deviations", static=True),
    ],
    returns={"clock": "t", "effective": "t d", "margins": "t n", "outcome": "", "steps": ""},
)


def turned(data, told):
    """The angle to the kernel's answer over the sum of the angles to both: 0 at the kernel's, 1 at the rich one."""
    early, late = (angle(data.effective, told[name].effective) for name in ("kernel", "rich"))
    return early / (early + late)


def gained(data, told):
    r"""The l1 margin, from 0 at that of the kernel's answer to 1 at the largest.

    Unlike the angle it does not tell the largest from a vertex of nearly the same margin, which many draws have.
    """
    size, kernel = abs(data.effective).sum("d"), told["kernel"].effective
    low = told["rich"].value / abs(kernel).sum("d")
    return (data.margins.min("n") * told["rich"].value / size - low) / (1 - low)


def reached(data, share, level):
    r"""When a share first reaches a level, as $\lambda t - \log\alpha$; infinite if it never does."""
    there = share >= level
    after = there.argmax("t").clip(min=1)
    low, high = (share.isel(t=after - 1), share.isel(t=after))
    step = data.clock.isel(t=after) - data.clock.isel(t=after - 1)
    return (data.clock.isel(t=after) - step * (high - level) / (high - low)).where(there.any("t"), np.inf)


def width(data, told, quantile):
    """From a first to a last quantile of the gain, in units of 1/decay."""
    share = gained(data, told)
    return reached(data, share, 1 - quantile) - reached(data, share, quantile)


def leaves(told, log_alpha, power):
    r"""From theory, as $\lambda t - \log\alpha$: when the kernel phase ends."""
    top = abs(told["kernel"].effective).max("d")
    margin = held_margin(top, told["kernel"].value, decay=np.exp(-power * log_alpha))
    return kernel_exit(1.0, decay=1.0, top=margin * top)


def judge(data, told, log_alpha, power, quantile, halved) -> Evidence:
    """When the net is as near to the one answer as to the other, and how long the gain of margin takes."""
    middle, wide = reached(data, turned(data, told), 0.5), width(data, told, quantile)
    seen = np.isfinite(wide).all(("log_alpha", "power"))
    ends = {"log_alpha": [-2, -1]}
    moved = middle.isel(ends).diff("log_alpha") + halved * np.log(log_alpha.isel(ends)).diff("log_alpha").values
    return Evidence(
        sound=[
            at_least(
                "share of draws that gain three quarters of the margin at every scale",
                seen.mean(),
                0.75,
                why="the margin misses log(n)/log(1/decay) of the largest, a sixteenth; most draws gain some times that",
            )
        ],
        holds=[
            near(
                "shift of the time of equal angles from log(alpha)/decay, less that of -log log(1/decay)/2",
                farthest(moved.median("trial"), 0),
                0,
                0.1,
                why="in units of 1/decay, between the last two scales, the median draw: margins of log(1/decay) + O(1), where 2 "
                "in 32 or 64 counts half of a thirtieth, and directions that are as far from their limits",
            ),
            near(
                "time of equal angles less theory's end of the kernel phase, in units of 1/decay",
                farthest((middle - leaves(told, log_alpha, power)).median("trial"), 1.5),
                1.5,
                1.5,
                why="the median draw: not before it, and then weights grow at rate 2 decay from the kernel's size, by factors of "
                "some tens at most",
            ),
            at_most(
                "distance of that time from log(alpha)/decay, relative, at the largest scale",
                abs(middle / log_alpha).isel(log_alpha=-1).max(),
                0.1,
                why="half of log log(1/decay), 2.4, and a constant of the data of the order of 3, over log(alpha) = 64",
            ),
            near(
                "power of log(alpha) at which the width over log(alpha)/decay falls",
                farthest(last_power(wide.where(seen) / log_alpha, "log_alpha").median("trial"), 1),
                1,
                0.25,
                why="the median draw: a width of a constant times 1/decay; what the margin misses of the largest halves with the "
                "scale, and moves the last quarter by as much of a width",
            ),
        ],
    )


def draw(data, told, log_alpha, power, quantile) -> Drawing:
    """The gain of margin in normalized time, one draw; and the width against the scale."""
    share, wide, curves, points = gained(data, told), width(data, told, quantile), [], []
    for at, size in enumerate(log_alpha.values):
        one = {"log_alpha": size, "power": power.values[0]}
        x = 1 + data.clock.sel(**one).isel(trial=0).values / size
        curves.append(Line(f"alpha = e^{size:g}", x, share.sel(**one).isel(trial=0).values, role=SERIES[at % 3]))
    for at, p in enumerate(power.values):
        y = (wide / log_alpha).sel(power=p).median("trial").values
        points.append(Points(f"decay = alpha^-{p:g}", log_alpha.values, y, role=SERIES[at % 3]))
    ends = [float(log_alpha.values[0]), float(log_alpha.values[-1])]
    return Drawing(
        [
            Panel(
                [*curves, Event("log(alpha)/decay", 1.0)],
                x=Axis("decay x time / log(alpha)"),
                y=Axis("l1 margin, kernel's 0 to largest 1"),
                title="One draw, in normalized time",
            ),
            Panel(
                [*points, Slope("1/log(alpha)", ends, (ends[1], float(points[0].y[-1])), -1)],
                x=Axis("log(alpha)", scale="log"),
                y=Axis("width / (log(alpha)/decay)", scale="log"),
                title="From a quarter to three quarters, median draw",
            ),
        ],
        caption="Left: the l1 margin of the linear map, from that of the largest l2 margin to the largest. In time over "
        "log(alpha)/decay the gain steepens with the scale, at 1. Right: the time it takes, relative to log(alpha)/decay.",
    )


CLAIM = Claim(
    kind="statement",
    title="The transition is sharp in normalized time",
    says="With decay = alpha^-p a diagonal net of two layers passes from the largest l2 margin to the largest l1 margin at "
    "(log(alpha) - log(log(1/decay))/2 + C)/decay, with a constant C of the data, in a time of order 1/decay: over "
    "log(alpha)/decay the transition comes at 1, and its width goes to 0 like 1/log(alpha).",
    source="lyu2024, section 3.2.3",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"quantile": 0.25, "halved": 0.5},
    least={"log_alpha": 2},
    control=Control(
        "without the log log: a time of (log(alpha) + C)/decay",
        changes={"halved": 0.0},
        breaks=("shift of the time of equal angles from log(alpha)/decay, less that of -log log(1/decay)/2",),
    ),
    seconds={"quick": 12, "paper": 40},
)

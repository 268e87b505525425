r"""Data collapse: at fixed decay every curve depends on the scale only through $\lambda t - \log\alpha$."""

import jax.numpy as jnp
import numpy as np

from ...events import first_above
from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import CURVES, advance, begin, pose
from ...losses import Logistic
from ...measures import Curve
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import spread


def simulate(key, problem, *, d, depth, alpha, decay, before, after, moments):
    """Test accuracy on a clock that starts at log(alpha), and when it reaches 90%."""
    clock = jnp.linspace(before, after, moments)
    times = jnp.concatenate([jnp.zeros(1), (jnp.log(alpha) + clock) / decay])
    start = begin(d, alpha=alpha, convention="per_coordinate", depth=depth)
    read = {"test": lambda net: problem.law.accuracy(net.effective())}
    path = advance(problem, start, times, decay=decay, loss=Logistic(), read=read, flow=CURVES)
    test = path.reads["test"][1:]
    return {
        "clock": clock,
        "test": test,
        "t90": first_above(Curve(times[1:], test, "test accuracy"), 0.9).value,
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "alpha",
            (16.0, 64.0, 256.0, 1024.0, 4096.0),
            smoke=(16.0, 64.0),
            low=8.0,
            high=1e8,
            unit="every weight at the start",
        ),
        Param("depth", (2, 3), smoke=(2,), low=2, high=6, static=True),
        Param("decay", (1e-3, 1e-2), smoke=(1e-2,), low=1e-6, high=0.05, unit="strength of L2"),
        Param("n", 96, 192, smoke=24, low=8, high=4_096, unit="samples", static=True),
        Param("d", 500, 5_000, smoke=50, low=10, high=100_000, unit="unknowns", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
        Param("before", -2.0, low=-2.0, high=0.0, unit="1/decay from log(alpha)"),
        Param("after", 5.0, low=1.0, high=20.0, unit="1/decay from log(alpha)"),
        Param("moments", 141, low=30, high=5_000, unit="times on the curve", static=True),
    ],
    returns={"clock": "t", "test": "t", "t90": "", "outcome": "", "steps": ""},
)


def judge(data, alpha, decay, power) -> Evidence:
    """The time of 90% test accuracy less the logarithm of the scale, and the whole curve: the same for all scales."""
    offset = decay * data.t90 - power * np.log(alpha)
    reached = (data.t90 < np.inf).all("alpha")
    return Evidence(
        sound=[
            at_least(
                "share of draws that reach 90% at every scale",
                reached.mean(),
                0.5,
                why="a draw whose sparse rule cannot be found has no such time; most must have one",
            )
        ],
        holds=[
            at_most(
                "spread of decay * t90 - log(alpha)",
                spread(offset, "alpha").where(reached).max(),
                1e-2,
                why="the kernel phase forgets its start like alpha^-2: below 4e-3 at the smallest scale, 16",
            ),
            at_most(
                "spread of the whole curve",
                spread(data.test, "alpha").max(),
                1e-2,
                why="the same forgetting, times the steepest slope of the curve, of order 1",
            ),
        ],
    )


def draw(data, alpha, decay) -> Drawing:
    """One draw: the curves on the shifted clock lie on one another; and the offsets of all draws."""
    one = data.isel(trial=0, depth=0, decay=0)
    offset = decay * data.t90 - np.log(alpha)
    lines = [Line(f"alpha = {a:g}", one.clock.sel(alpha=a).values, one.test.sel(alpha=a).values) for a in alpha.values]
    middle = offset.median("trial")
    points = [
        Points(f"depth {int(depth)}, decay {float(rate):g}", alpha.values, middle.sel(depth=depth, decay=rate).values)
        for depth in data.depth.values
        for rate in data.decay.values
    ]
    return Drawing(
        panels=[
            Panel(
                lines, x=Axis("decay * time - log(alpha)"), y=Axis("test accuracy"), title="One curve for all scales"
            ),
            Panel(
                [*points, Rule("log(alpha)/decay itself", 0.0)],
                x=Axis("alpha", scale="log"),
                y=Axis("decay * t90 - log(alpha)"),
                title="The offset does not move",
            ),
        ],
        caption="Left: the curves of all scales, one on another, against time in units of 1/decay, shifted by log(alpha). "
        "After the first transient the flow depends on the scale of the start through alpha exp(-decay t) alone.",
    )


CLAIM = Claim(
    kind="derived",
    title="All scales of the start collapse on one curve",
    says="At fixed decay every observable depends on time and scale only through decay * t - log(alpha), for any "
    "homogeneous model: the transition's time shifts by exactly log(alpha)/decay and its width does not change.",
    source="lyu2024, section 3 (theorems 3.4 and 3.5 sharpened)",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"alpha": 2},
    control=Control(
        "a shift of 1.05 log(alpha)", changes={"power": 1.05}, breaks=("spread of decay * t90 - log(alpha)",)
    ),
    seconds={"quick": 12, "paper": 80},
)

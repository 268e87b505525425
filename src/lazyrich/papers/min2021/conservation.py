r"""Conservation: the imbalance $U_1^\top U_1 - V^\top V$ never moves along the flow, and in proportion to the step in descent."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import GradientDescent, GradientFlow
from ...lab import Param, Simulation
from ...lab.settings.linear_net_flow import DATA, begin, follow, pose
from ...measures.convergence import pace
from ...numerics.imbalance import difference
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule, Slope
from ..labelled import farthest

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)


def simulate(key, problem, *, width, scale, ratio, decay, efolds, steps, moments):
    """The drift along the flow, after descent by three steps to the same time, and after one step of descent."""
    start = begin(key, problem, width=width, scale=scale, ratio=ratio)
    first = pace(problem.scale, problem.target, start)
    until = efolds / jnp.sqrt(first.rate * first.asymptotic)
    times = jnp.linspace(0.0, 1.0, moments) * until
    kept = difference(start.u, start.v)

    def drift(net):
        return jnp.linalg.norm(difference(net.u, net.v) - kept) / jnp.linalg.norm(kept)

    goal = problem.goal(decay)
    path = follow(problem, start, times, {"drift": drift}, decay=decay, flow=FLOW)

    def descend(count):
        ended = GradientDescent(rate=until / count).run(
            goal, start, jnp.stack([0 * count, count]), read={"drift": drift}
        )
        return ended.reads["drift"][-1]

    rate = 1 / first.top  # an identity at any step: the largest stable one tells it best from rounding
    slope = jax.grad(goal)(start)
    once = jax.tree.map(lambda part, by: part - rate * by, start, slope)
    told = rate**2 * difference(slope.u, slope.v)
    counts = steps * jnp.array([1, 2, 4])
    return {
        "time": times,
        "drift": path.reads["drift"],
        "rates": until / counts,
        "descent": jax.lax.map(descend, counts),
        "one_step": jnp.linalg.norm(difference(once.u, once.v) - kept - told) / jnp.linalg.norm(told),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *DATA,
        Param("width", (12, 60), (12, 60, 1_000, 10**6), smoke=(12,), low=1, high=10**12, unit="hidden units"),
        Param("scale", 0.1, 0.05, smoke=0.2, low=1e-6, high=1e3, unit="deviation of the weights"),
        Param("ratio", (1.0, 10.0), smoke=(1.0,), low=1e-4, high=1e4, unit="first layer over the second"),
        Param("decay", 0.0, low=0.0, high=10.0, unit="strength of L2"),
        Param("efolds", 6.0, low=0.1, high=1e3, unit="time, over that of a mean rate"),
        Param("steps", 1_000, 10_000, smoke=50, low=10, high=10**7, unit="of descent, the fewest"),
        Param("moments", 21, 101, smoke=5, low=3, high=1_000, unit="times", static=True),
    ],
    returns={"time": "t", "drift": "t", "rates": "s", "descent": "s", "one_step": "", "outcome": ""},
)


def judge(data) -> Evidence:
    """The drift along the flow, what one step of descent does, and the power of the step in the whole drift."""
    power = np.log2(data.descent.isel(s=1) / data.descent.isel(s=2))
    return Evidence(
        holds=[
            at_most(
                "drift of the imbalance along the flow, the largest",
                data.drift.max(),
                1e-8,
                why="conserved; what is left are errors of the solver, at a relative tolerance of 1e-9",
            ),
            at_most(
                "one step's change less rate^2 times the imbalance of the gradient, relative",
                data.one_step.max(),
                1e-6,
                why="an identity; the change is some 1e-6 of the imbalance, so ten of its sixteen digits are left",
            ),
            near(
                "power of the step in the drift of descent",
                farthest(power, 1),
                1,
                0.05,
                why="steps add rate^2 each and are as many as 1/rate; the next order is the rate times the fastest "
                "mode's, some hundredths",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The drift along the flow of each start, and that of descent against its step."""
    one = data.isel(trial=0, tilt=-1, width=-1)
    rates, drift = (part.median("trial").isel(tilt=-1, width=-1) for part in (data.rates, data.descent))
    ratios = data.ratio.values
    lines = [
        Line(
            f"U over V: {r:g}", one.time.sel(ratio=r).values[1:], one.drift.sel(ratio=r).values[1:], role=SERIES[at % 3]
        )
        for at, r in enumerate(ratios)
    ]
    points = [
        Points(f"U over V: {r:g}", rates.sel(ratio=r).values, drift.sel(ratio=r).values, role=SERIES[at % 3])
        for at, r in enumerate(ratios)
    ]
    slope = Slope("in proportion", points[0].x, (float(points[0].x[-1]), float(points[0].y[-1])), 1)
    label = Axis("relative drift of the imbalance", scale="log")
    return Drawing(
        [
            Panel([*lines, Rule("bound", 1e-8)], x=Axis("time"), y=label, title="Along the flow: the solver's errors"),
            Panel([*points, slope], x=Axis("step", scale="log"), y=label, title="By descent to the same time"),
        ],
        caption="How far the difference of the two layers' Gram matrices has moved from its start. The flow conserves "
        "it; descent moves it by rate^2 a step, so in proportion to its step in all.",
    )


CLAIM = Claim(
    kind="statement",
    title="The imbalance of the layers is conserved",
    says="Along gradient flow U_1^T U_1 - V^T V does not change, U_1 being the part of the first layer that the data "
    "see. A step of descent changes it by the square of the rate times the same difference of the gradients, so the "
    "whole drift is in proportion to the step.",
    source="min2021, equation 16",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "a decay of the weights",
        changes={"decay": 0.05},
        breaks=(
            "drift of the imbalance along the flow, the largest",
            "one step's change less rate^2 times the imbalance of the gradient, relative",
            "power of the step in the drift of descent",
        ),
    ),
    seconds={"quick": 12, "paper": 60},
)

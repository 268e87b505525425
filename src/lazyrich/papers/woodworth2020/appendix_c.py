r"""Appendix C: the flow of $u\odot v$ conserves $u^2 - v^2$; from $|u| = |v|$ it is that of $\pm w^2$ at half the pace."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.settings.diagonal_dual import pose
from ...losses import SUM, Squared
from ...models import ProductNet
from ...objective import Objective
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import norm

# Weight by weight: the reduction that the library has for these nets is what is checked here.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, reduce=None)


def begin(key, d: int, *, alpha, lean) -> ProductNet:
    r"""$|u|, |v| = \alpha e^{\pm z/2}$, $z$ normal with deviation `lean`, random signs."""
    signs, apart = jr.split(jr.fold_in(key, 1))
    side = jnp.exp(lean * jr.normal(apart, (d,)) / 2)
    u, v = jr.rademacher(signs, (2, d), dtype=float)
    return ProductNet(alpha * u * side, alpha * v / side)


def simulate(key, problem, *, d, alpha, lean, pace, horizon, moments):
    """The map of the products and of the squares at a share of the time; what is conserved; signs that change."""
    goal, start = Objective(problem, Squared(), factor=SUM), begin(key, d, alpha=alpha, lean=lean)
    times = jnp.linspace(0.0, 1.0, moments) * horizon / jnp.max(jnp.abs(problem.y @ problem.x))
    pair = FLOW.run(goal, start, times, {"u": lambda net: net.u, "v": lambda net: net.v})
    square = FLOW.run(goal, start.symmetric(), times / pace, {"effective": lambda net: net.effective()})
    u, v = pair.reads["u"], pair.reads["v"]
    kept = u**2 - v**2
    return {
        "time": times / times[-1],
        "effective": u * v,
        "shared": square.reads["effective"],
        "drift": jnp.max(jnp.abs(kept - kept[0])) / jnp.max(u**2 + v**2),
        "flips": jnp.sum(jnp.any(u * u[0] < 0, axis=0)) + jnp.sum(jnp.any(v * v[0] < 0, axis=0)),
        "outcome": jnp.maximum(pair.outcome.code, square.outcome.code),
        "steps": pair.outcome.steps + square.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("lean", (0.0, 1.0), low=0.0, high=5.0, unit="deviation of log|u/v| at the start"),
        Param("alpha", (0.1, 0.5), smoke=(0.5,), low=1e-3, high=10.0, unit="size of the weights at the start"),
        Param("pace", 2.0, low=0.1, high=10.0, unit="time of the products over that of the squares"),
        Param("horizon", 5.0, smoke=2.0, low=0.1, high=1e3, unit="over the largest force"),
        Param("moments", 60, smoke=20, low=10, high=1_000, unit="times on the curve", static=True),
        Param("n", 5, 20, smoke=3, low=1, high=500, unit="samples", static=True),
        Param("d", 16, 80, smoke=8, low=2, high=2_000, unit="unknowns", static=True),
        Param("sparsity", 2, 3, low=1, high=100, unit="entries of the truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
    ],
    returns={
        "time": "t",
        **dict.fromkeys(("effective", "shared"), "t d"),
        **dict.fromkeys(("drift", "flips", "outcome", "steps"), ""),
    },
)


def judge(data) -> Evidence:
    """What is conserved from every start, no change of sign from the first one, and one map along both flows."""
    apart = norm(data.effective - data.shared).max("t") / norm(data.effective).max("t")
    moved = norm(data.effective.isel(t=-1) - data.effective.isel(t=0)) / norm(data.effective).max("t")
    return Evidence(
        sound=[
            at_least("least move of the map", moved.min(), 0.1, why="nothing is conserved by a flow that stands still")
        ],
        holds=[
            at_most(
                "drift of u^2 - v^2, from every start",
                data.drift.max(),
                1e-9,
                why="conserved by the flow; followed to 1e-11 a step over some hundred steps",
            ),
            at_most(
                "signs that change where |u| = |v|", data.flips.isel(lean=0).sum(), 0, why="the statement; a count"
            ),
            at_most(
                "distance from the squares at half the time",
                apart.max(),
                1e-8,
                why="the same flow, each followed to 1e-11 a step; rich ones multiply errors as they multiply weights",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The entries that end largest, by both flows, from both kinds of start."""
    panels = []
    for at, title in ((0, "Equal sizes of u and v"), (-1, "Unequal sizes")):
        one = data.isel(lean=at, alpha=0, trial=0)
        order = abs(one.effective.isel(t=-1)).argsort().values[::-1][:3]
        marks = []
        for place, role in zip(order, SERIES, strict=False):
            marks += [
                Points("products", one.time.values, one.effective.isel(d=place).values, role=role),
                Line("squares at half the time", one.time.values, one.shared.isel(d=place).values, role="theory"),
            ]
        panels.append(
            Panel(marks, x=Axis("time, as a share"), y=Axis("entries of the map"), title=title, legend=at == 0)
        )
    return Drawing(
        panels=panels,
        caption="The three entries that end largest along the flow of u v (points) and of the squares that it "
        "amounts to (lines).",
    )


CLAIM = Claim(
    kind="statement",
    title="Products of two weights are squares at half the pace",
    says="The flow of u v conserves every u_i^2 - v_i^2. Where |u_i| = |v_i| at the start no sign ever changes, and "
    "the map is that of "
    "sign(u_i v_i) w_i^2 with w_i(0) = |u_i(0)| at half the time; from other starts, of (u+v)^2/4 - (u-v)^2/4, also "
    "at half the time.",
    source="woodworth2020, appendix C",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    control=Control(
        "sizes apart everywhere, and the same time for both",
        changes={"lean": (1.0, 2.0), "pace": 1.0},
        breaks=("signs that change where |u| = |v|", "distance from the squares at half the time"),
    ),
    least={"lean": 1},
    seconds={"quick": 13, "paper": 20},
)

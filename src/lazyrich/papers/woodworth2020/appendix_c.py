r"""Appendix C: the flow of $u\odot v$ conserves $u^2 - v^2$; from $|u| = |v|$ it is that of $\pm w^2$ at half the pace."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.labelled import norm
from ...claims.marks import family
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import ProductNet
from ...objective import Objective
from .shared.marks import in_turn
from .simulations.diagonal_dual import make_problem

# Weight by weight: the reduction that the library has for these nets is what is checked here.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, reduce=None)


def init_product(key, d: int, *, alpha, lean) -> ProductNet:
    r"""$|u|, |v| = \alpha e^{\pm z/2}$, $z$ normal with standard deviation `lean`, random signs."""
    signs, apart = jr.split(jr.fold_in(key, 1))
    side = jnp.exp(lean * jr.normal(apart, (d,)) / 2)
    u, v = jr.rademacher(signs, (2, d), dtype=float)
    return ProductNet(alpha * u * side, alpha * v / side)


def simulate(key, problem, *, d, alpha, lean, pace, horizon, moments):
    """The map of the products and of the squares at a fraction of the time; what is conserved; signs that change."""
    objective, init = Objective(problem, Squared(), reduction="sum"), init_product(key, d, alpha=alpha, lean=lean)
    times = jnp.linspace(0.0, 1.0, moments) * horizon / jnp.max(jnp.abs(problem.y @ problem.x))
    pair = FLOW.run(objective, init, times, {"u": lambda net: net.u, "v": lambda net: net.v})
    square = FLOW.run(objective, init.symmetric(), times / pace, {"effective": lambda net: net.effective()})
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
    make_problem=make_problem,
    params=[
        Param("lean", (0.0, 1.0), low=0.0, high=5.0, unit=r"standard deviation of the initial $\log|u/v|$"),
        Param("alpha", (0.1, 0.5), smoke=(0.5,), low=1e-3, high=10.0, unit="size of the initial weights"),
        Param("pace", 2.0, low=0.1, high=10.0, unit="time of the products over that of the squares"),
        Param("horizon", 5.0, smoke=2.0, low=0.1, high=1e3, unit=r"in units of $1/\|X^\top y\|_\infty$"),
        Param("moments", 60, smoke=20, low=10, high=1_000, unit="recorded times", static=True),
        Param("n", 5, 20, smoke=3, low=1, high=500, unit="samples", static=True),
        Param("d", 16, 80, smoke=8, low=2, high=2_000, unit="dimension", static=True),
        Param("sparsity", 2, 3, low=1, high=100, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
    ],
    returns={
        "time": "t",
        **dict.fromkeys(("effective", "shared"), "t d"),
        **dict.fromkeys(("drift", "flips", "outcome", "steps"), ""),
    },
)


def judge(data) -> Evidence:
    """What is conserved from every initialization, no change of sign from the first one, and one map along both flows."""
    size, flips = norm(data.effective).max("t"), data.flips.isel(lean=0).sum()
    apart = (norm(data.effective - data.shared).max("t") / size).max()
    moved = (norm(data.effective.isel(t=-1) - data.effective.isel(t=0)) / size).min()
    kept = "conserved by the flow; followed to 1e-11 per step over a few hundred steps"
    same = "the same flow, each followed to 1e-11 per step; rich flows amplify errors as they amplify weights"
    return Evidence(
        sound=[at_least("smallest move of the map", moved, 0.1, key="move", why="a flow at rest conserves everything")],
        holds=[
            at_most("drift of $u^2 - v^2$, from every initialization", data.drift.max(), 1e-9, key="drift", why=kept),
            at_most("sign changes from $|u| = |v|$", flips, 0, key="signs", why="the statement; a count"),
            at_most("distance to the squares at half the time", apart, 1e-8, key="squares", why=same),
        ],
    )


def draw(data) -> Drawing:
    """The entries that end largest, by both flows, from both kinds of initialization."""
    panels = []
    for at, title in ((0, "$|u| = |v|$ at initialization"), (-1, r"$|u| \neq |v|$ at initialization")):
        one = data.isel(lean=at, alpha=0, trial=0)
        one = one.isel(d=abs(one.effective.isel(t=-1)).argsort().values[::-1][:3])
        points = family("products", one.time.values, one.effective, "d", mark=Points)
        lines = family("squares at half the time", one.time.values, one.shared, "d", roles=("theory",))
        y = Axis(r"entries of $\beta$")
        panels.append(Panel(in_turn(points, lines), Axis("time over the horizon"), y, title=title, legend=at == 0))
    return Drawing(
        panels,
        caption=r"The three entries that end largest along the flow of $u \odot v$ (points) and of the squares (lines).",
    )


CLAIM = Claim(
    id="woodworth2020/appendix_c",
    kind="statement",
    title="Products of two weights are squares at half the pace",
    says=r"Gradient flow on $u \odot v$ conserves every $u_i^2 - v_i^2$. If $|u_i| = |v_i|$ at initialization no sign ever "
    r"changes, and the map is that of $\operatorname{sign}(u_i v_i) w_i^2$ with $w_i(0) = |u_i(0)|$ at half the time; from other "
    r"initializations, of $(u+v)^2/4 - (u-v)^2/4$, also at half the time.",
    source="woodworth2020, appendix C",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[Control(r"$|u| \neq |v|$, and the same time for both", {"lean": (1.0, 2.0), "pace": 1.0}, ("signs", "squares"))],
    least={"lean": 1},
    seconds={"quick": 13, "paper": 20},
)

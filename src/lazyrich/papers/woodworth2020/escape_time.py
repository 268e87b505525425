r"""Small initializations escape zero after $\log(1/\alpha^2)/(8\|X^\top y\|_\infty)$ at depth 2, a power of $1/\alpha$ beyond."""

import diffrax as dfx
import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most, near
from ...claims.drawing import Axis, Drawing, Panel, Points
from ...claims.labelled import farthest, last_power
from ...claims.marks import family, log_axis
from ...dynamics import GradientFlow, loss_below
from ...events import first_below
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_regression import begin
from ...lab.simulations.diagonal_regression import make_problem as make_plain
from ...losses import Squared
from ...measures import Curve
from ...objective import Objective
from ...problems import Split
from .shared.marks import in_turn
from .simulations.diagonal_dual import escape

# Until one weight has grown nothing is stiff.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, land=False)


def make_problem(key, n, d, sparsity, noise, label_scale) -> Split:
    """Sparse recovery with its labels multiplied."""
    train = make_plain(key, n=n, d=d, sparsity=sparsity, noise=noise).train
    return Split(train.x, label_scale * train.y)


def simulate(key, problem, *, d, depth, alpha, moments):
    """When the loss has halved, and the largest force at zero."""
    objective, init = Objective(problem, Squared(), reduction="sum"), begin(d, alpha=alpha, depth=depth)
    first = objective(init)
    times = jnp.linspace(0.0, 1.5, moments) * escape(problem, alpha, depth)
    stop = loss_below(objective, first / 4)
    path = FLOW.run(objective, init, times, {"loss": lambda net: objective(net) / first}, stop)
    return {
        "escape_time": first_below(Curve(times, path.reads["loss"], "loss"), 0.5).value,
        "force": jnp.max(jnp.abs(problem.y @ problem.x)),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SCALES = (1e-2, 3e-3, 1e-3), (3e-2, 1e-2, 3e-3)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", *SCALES, smoke=(1e-2, 1e-3), low=1e-6, high=0.3, unit="initial weights"),
        Param("depth", (2, 4), (2, 3, 4, 5), smoke=(3,), low=2, high=8, unit="layers", static=True),
        Param("label_scale", (0.5, 2.0), (0.3, 1.0, 3.0), low=0.01, high=100.0, unit="factor on the labels"),
        Param("n", 20, 50, smoke=10, low=1, high=2_000, unit="samples", static=True),
        Param("d", 30, 200, smoke=6, low=2, high=20_000, unit="dimension", static=True),
        Param("sparsity", 1, low=1, high=100, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("moments", 300, smoke=100, low=20, high=10_000, unit="recorded times", static=True),
    ],
    returns=dict.fromkeys(("escape_time", "force", "outcome", "steps"), ""),
)


def law(alpha, depth, force):
    """The predicted escape time, logarithmic at depth 2."""
    deep = depth.where(depth > 2, 3)
    power = alpha ** (2 - deep) / (2 * deep * (deep - 2) * force)
    return power.where(depth > 2, np.log(alpha**-2) / (8 * force))


def judge(data, alpha, depth, more) -> Evidence:
    r"""How escape times grow as $\alpha \to 0$, over the law's growth; and the powers of $\alpha$ at depths from 3."""
    theory = law(alpha, depth + more, data.force)
    growth = (data.escape_time.diff("alpha") / theory.diff("alpha")).isel(alpha=-1).median("trial")
    falls, expected = (last_power(times, "alpha").median("trial").where(depth > 2, 0.0) for times in (data.escape_time, theory))
    stuck, power = np.isinf(data.escape_time).sum(), farthest(falls - expected, 0)
    late = r"the time from escape to half the loss is a fraction $\alpha^{D-2}$ of the whole"
    return Evidence(
        sound=[at_most("runs that do not escape", stuck, 0, key="escaped", why="the horizon is 1.5 times the predicted time")],
        holds=[
            near(
                "growth of the escape time over that of the law",
                farthest(growth, 1),
                1,
                0.1,
                key="growth",
                why=r"the time from escape to half the loss is the same at all scales and drops out; weights with half the "
                r"gradient are still $O(\sqrt{\alpha})$ then, and recorded times are 0.5% apart",
            ),
            near(r"power of $1/\alpha$, less $D - 2$, at depths from 3", power, 0, 0.1, key="power", why=late),
        ],
    )


def draw(data, alpha, depth, label_scale) -> Drawing:
    """Escape times against the scale, with the law, by depth."""
    theory, found, panels = law(alpha, depth, data.force).median("trial"), data.escape_time.median("trial"), []
    for k in depth.values:
        points = family("labels times {}", alpha.values, found.sel(depth=k), "label_scale", mark=Points)
        lines = family("law", alpha.values, theory.sel(depth=k), "label_scale", roles=("theory",))
        time = Axis("time until the loss has halved", scale="linear" if k == 2 else "log")
        panels.append(Panel(in_turn(points, lines), log_axis(r"$\alpha$"), time, title=f"Depth {int(k)}"))
    return Drawing(
        panels,
        columns=3,
        caption=r"How long a small initialization stays near zero, median over trials: $\log(1/\alpha)$ at depth 2 (parallel to "
        r"the law), $\alpha^{2-D}$ beyond. With depth the rich limit is reached from larger scales, but later.",
    )


CLAIM = Claim(
    id="woodworth2020/escape_time",
    kind="derived",
    title="How long a small initialization stays near zero",
    says=r"From $u = v = \alpha \mathbf{1}$ gradient flow on the summed squared loss escapes zero at about $\log(1/\alpha^2)/(8 "
    r"\|X^\top y\|_\infty)$ at depth 2 and at $\alpha^{2-D}/(2D(D-2) \|X^\top y\|_\infty)$ at depth $D \geq 3$.",
    source="woodworth2020, appendices D and F",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"more": 0},
    least={"alpha": 2},
    controls=[Control("the law of a net with one more layer", changes={"more": 1}, breaks=("growth", "power"))],
    seconds={"quick": 35, "paper": 60},
)

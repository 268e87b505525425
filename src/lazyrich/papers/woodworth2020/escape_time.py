r"""A small start leaves zero after $\ln(1/\alpha^2)/(8\|X^\top y\|_\infty)$ at depth 2, after a power of $1/\alpha$ beyond."""

import diffrax as dfx
import jax.numpy as jnp
import numpy as np

from ...dynamics import GradientFlow, loss_below
from ...events import first_below
from ...lab import Param, Simulation
from ...lab.settings.diagonal_dual import escape
from ...lab.settings.diagonal_regression import begin
from ...lab.settings.diagonal_regression import pose as plain_pose
from ...losses import SUM, Squared
from ...measures import Curve
from ...objective import Objective
from ...problems import Split
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import farthest, last_power

# Until one weight has grown nothing is stiff.
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-11, atol=1e-13, land=False)


def pose(key, n, d, sparsity, noise, answers) -> Split:
    """Sparse recovery with its answers multiplied."""
    train = plain_pose(key, n=n, d=d, sparsity=sparsity, noise=noise).train
    assert isinstance(train, Split)
    return Split(train.x, answers * train.y)


def simulate(key, problem, *, d, depth, alpha, moments):
    """When the loss has halved, and the largest force at zero."""
    goal, start = Objective(problem, Squared(), factor=SUM), begin(d, alpha=alpha, depth=depth)
    first = goal(start)
    times = jnp.linspace(0.0, 1.5, moments) * escape(problem, alpha, depth)
    path = FLOW.run(goal, start, times, {"loss": lambda net: goal(net) / first}, loss_below(goal, first / 4))
    return {
        "escapes": first_below(Curve(times, path.reads["loss"], "loss"), 0.5).value,
        "force": jnp.max(jnp.abs(problem.y @ problem.x)),
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "alpha",
            (1e-2, 3e-3, 1e-3),
            (3e-2, 1e-2, 3e-3),
            smoke=(1e-2, 1e-3),
            low=1e-6,
            high=0.3,
            unit="every weight at the start",
        ),
        Param("depth", (2, 4), (2, 3, 4, 5), smoke=(3,), low=2, high=8, unit="layers", static=True),
        Param("answers", (0.5, 2.0), (0.3, 1.0, 3.0), low=0.01, high=100.0, unit="what the answers are multiplied by"),
        Param("n", 20, 50, smoke=10, low=1, high=2_000, unit="samples", static=True),
        Param("d", 30, 200, smoke=6, low=2, high=20_000, unit="unknowns", static=True),
        Param("sparsity", 1, low=1, high=100, unit="entries of the truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("moments", 300, smoke=100, low=20, high=10_000, unit="times on the curve", static=True),
    ],
    returns=dict.fromkeys(("escapes", "force", "outcome", "steps"), ""),
)


def law(alpha, depth, force):
    """The escape time that theory tells, logarithmic at depth 2."""
    deep = depth.where(depth > 2, 3)
    power = alpha ** (2 - deep) / (2 * deep * (deep - 2) * force)
    return power.where(depth > 2, np.log(alpha**-2) / (8 * force))


def judge(data, alpha, depth, more) -> Evidence:
    """How escape times grow as the start shrinks, over the law's growth; and the powers of alpha at depths from 3."""
    told = law(alpha, depth + more, data.force)
    growth = (data.escapes.diff("alpha") / told.diff("alpha")).isel(alpha=-1).median("trial")
    falls, expected = (
        last_power(times, "alpha").median("trial").where(depth > 2, 0.0) for times in (data.escapes, told)
    )
    return Evidence(
        sound=[
            at_most(
                "runs that did not escape",
                np.isinf(data.escapes).sum(),
                0,
                why="half as much time again as the law says is given",
            )
        ],
        holds=[
            near(
                "growth of the escape time over the law's",
                farthest(growth, 1),
                1,
                0.1,
                why="the time from escape to half the loss is the same for all scales and drops out; other weights, "
                "at 0.5 of the "
                "force, have grown to a share of alpha, and moments are half a percent apart",
            ),
            near(
                "power of 1/alpha, less D - 2 at depths from 3",
                farthest(falls - expected, 0),
                0,
                0.1,
                why="the time from escape to half the loss is a share alpha^(D-2) of the whole",
            ),
        ],
    )


def draw(data, alpha, depth, answers) -> Drawing:
    """Escape times against the scale, with the law, by depth."""
    panels = []
    for k in depth.values:
        marks = []
        for at, factor in enumerate(answers.values):
            one = data.sel(depth=k, answers=factor)
            told = law(alpha, depth.sel(depth=k), one.force).median("trial").values
            found = one.escapes.median("trial").values
            marks += [
                Points(f"answers times {float(factor):g}", alpha.values, found, role=SERIES[at % 3]),
                Line("law", alpha.values, told, role="theory"),
            ]
        panels.append(
            Panel(
                marks,
                x=Axis("alpha", scale="log"),
                y=Axis("time until the loss has halved", scale="linear" if k == 2 else "log"),
                title=f"Depth {int(k)}",
            )
        )
    return Drawing(
        panels=panels,
        columns=3,
        caption="How long a small start stays near zero, the median over draws: the logarithm of the scale at depth "
        "2 (a line, parallel "
        "to the law), alpha^(2-D) beyond. Depth makes the rich limit easier to reach and slower.",
    )


CLAIM = Claim(
    kind="derived",
    title="How long a small start stays near zero",
    says="From u = v = alpha the flow of the summed squares leaves zero at about log(1/alpha^2)/(8 |X^T y|_inf) at "
    "depth 2 and at "
    "alpha^(2-D)/(2D(D-2) |X^T y|_inf) at depth D >= 3.",
    source="woodworth2020, appendices D and F",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"more": 0},
    least={"alpha": 2},
    control=Control(
        "the law of a net with one layer more",
        changes={"more": 1},
        breaks=("growth of the escape time over the law's", "power of 1/alpha, less D - 2 at depths from 3"),
    ),
    seconds={"quick": 35, "paper": 60},
)

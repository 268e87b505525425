r"""A linear network that groks: with weight decay it generalizes at $(\log\alpha + c)/\lambda$, long after it has memorized."""

import math

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import farthest, last_power, spread
from ...claims.marks import log_axis, power_law
from ...dynamics import GradientFlow
from ...events import first_below
from ...inits import gaussian
from ...lab import Param, Simulation
from ...losses import Squared
from ...measures import Curve
from ...models import LinearNet
from ...objective import Objective
from ...regularizers import L2
from .simulations.linear_net_flow import make_problem

FLOW = GradientFlow(solver=dfx.Kvaerno5(), rtol=1e-7, atol=1e-9, land=False)
r"""Stiff: fitting is faster than weight decay by a factor $\alpha^2/\lambda$."""
EARLY = 60
"""Saved times before a hundredth of the duration, evenly spaced in the logarithm."""
LEVEL, FIT = 0.1, 0.01
"""Generalization: relative distance to the minimum-norm solution. Memorization: training error over the initial one."""


def simulate(key, problem, *, d, outputs, width, alpha, weight_decay, after, moments):
    r"""Errors inside and outside the span of the inputs along the flow, from weights of standard deviation $\alpha h^{-1/2}$.

    `generalization` is when the component outside the span is a tenth of the minimum-norm solution, `memorization` when the
    training error is a hundredth of the initial one; `drift` is how far the imbalance is from $e^{-2\lambda t}$ times its first.
    """
    blank = LinearNet.at_zero(dim=d, outputs=outputs, width=width)
    init = gaussian(jr.fold_in(key, 1), blank, scale=alpha * width**-0.5)
    objective = Objective(problem.data, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    until = (jnp.log(alpha) + after) / weight_decay
    early = jnp.geomspace(1e-3 / alpha**2, until / 100, EARLY)
    times = jnp.concatenate([jnp.zeros(1), early, jnp.linspace(until / 100, until, moments - EARLY)[1:]])
    frame = problem.frame
    min_norm = frame.T @ (problem.target / problem.scale[:, None])
    size = jnp.linalg.norm(min_norm)

    def inside(net):
        return jnp.linalg.norm(frame @ (net.effective() - min_norm)) / size

    def outside(net):
        return jnp.linalg.norm(net.u @ net.v.T - frame.T @ (frame @ net.u @ net.v.T)) / size

    def error(net):
        return jnp.linalg.norm(problem.data.x @ net.effective() - problem.data.y)

    read = {"inside": inside, "outside": outside, "error": error}
    path = FLOW.run(objective, init, times, read=read)
    # The logarithms are nearly linear between saved times.
    fall = Curve(times, jnp.log(path.reads["outside"]), "predictor outside the span of the inputs")
    fit = Curve(times, jnp.log(path.reads["error"] / path.reads["error"][0]), "training error")
    return {
        "time": times,
        **path.reads,
        "distance": jnp.hypot(path.reads["inside"], path.reads["outside"]),
        "generalization": first_below(fall, math.log(LEVEL)).value,
        "memorization": first_below(fit, math.log(FIT)).value,
        "drift": path.certificates["imbalance_drift"],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param(
            "alpha",
            (8.0, 16.0, 32.0, 64.0),
            (8.0, 16.0, 32.0, 64.0, 128.0),
            smoke=(8.0, 16.0),
            low=1.0,
            high=1e6,
            unit=r"weights $N(0, \alpha^2/h)$",
        ),
        Param(
            "weight_decay",
            (1e-3, 1e-2),
            (1e-4, 1e-3, 1e-2),
            smoke=(1e-2,),
            low=1e-6,
            high=0.1,
            unit="strength of $L_2$ regularization",
        ),
        Param("n", 3, 6, smoke=2, low=1, high=100, unit="samples", static=True),
        Param("d", 8, 20, smoke=4, low=2, high=500, unit="inputs", static=True),
        Param("outputs", 2, smoke=1, low=1, high=20, static=True),
        Param("tilt", 1.0, low=0.0, high=2.0, unit="exponent of the singular values of $X$"),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation of the label noise"),
        Param("width", 20, 100, smoke=10, low=1, high=10_000, unit="hidden units", static=True),
        Param("after", 5.0, low=0.5, high=20.0, unit=r"duration after $\log(\alpha)/\lambda$, in units of $1/\lambda$"),
        Param("moments", 200, 400, smoke=100, low=80, high=5_000, unit="saved times", static=True),
    ],
    returns={
        **dict.fromkeys(("time", "inside", "outside", "error", "distance"), "t"),
        **dict.fromkeys(("generalization", "memorization", "drift", "outcome", "steps"), ""),
    },
)


def judge(data, alpha, weight_decay, power) -> Evidence:
    r"""The generalization time minus $\log(\alpha)/\lambda$; the memorization time; and the decay of the imbalance."""
    offset = weight_decay * data.generalization - power * np.log(alpha)
    name = "fraction of runs that generalize within the duration"
    finite, why = (data.generalization < np.inf).mean(), "times are compared only where there are times"
    return Evidence(
        sound=[at_least(name, finite, 1, key="generalized", why=why)],
        holds=[
            at_most(
                r"spread of $\lambda t_{\mathrm{gen}} - \log\alpha$ over $\alpha$, maximum",
                spread(offset, "alpha").max(),
                0.01,
                key="generalization",
                why=r"after memorization the flow depends on $\alpha$ only through $\alpha e^{-\lambda t}$, up to "
                r"$O(\alpha^{-2})$ that fitting leaves behind: a hundredth at $\alpha = 8$, less above",
            ),
            near(
                r"$p$ in $t_{\mathrm{fit}} \sim \alpha^{-p}$",
                farthest(last_power(data.memorization, "alpha").median("trial"), 2),
                2,
                0.1,
                key="memorization",
                why=r"rates are squared weights; the contribution of the targets to the motion is $\alpha^{-2}$",
            ),
            at_least(
                "generalization time over memorization time, minimum",
                (data.generalization / data.memorization).min(),
                100,
                key="delay",
                why=r"$1/\lambda$ against $1/\alpha^2$",
            ),
            at_most(
                r"imbalance minus $e^{-2\lambda t}D(0)$, over the squared weights, maximum",
                data.drift.max(),
                1e-4,
                key="imbalance",
                why="exact for gradient flow, up to a solver tolerance of 1e-7 and a few hundred steps",
            ),
        ],
    )


def draw(data, alpha, weight_decay) -> Drawing:
    r"""Errors of one run; distances from all initializations in shifted time; both times against $\alpha$."""
    one = data.isel(trial=0, weight_decay=0)
    strength = float(weight_decay[0])
    last = one.isel(alpha=-1)
    shifted = []
    for at, a in enumerate(alpha.values):
        part = one.isel(alpha=at)
        clock = (strength * part.time - np.log(a)).values
        late = clock > -1.5
        shifted.append(Line(rf"$\alpha = {a:g}$", clock[late], part.distance.values[late], role=SERIES[at % 3]))
    slow, fast = (
        (strength * part).isel(weight_decay=0).median("trial").values for part in (data.generalization, data.memorization)
    )
    errors = [
        Line("training error", last.time[1:], (last.error / last.error[0])[1:], role="second"),
        Line("distance to minimum norm", last.time[1:], last.distance[1:]),
    ]
    generalized, memorized = Points("generalization", alpha, slow), Points("memorization", alpha, fast, role="second")
    times = [generalized, memorized, power_law(r"$\alpha^{-2}$", [memorized], -2)]
    shift, distance = Axis(r"$\lambda t - \log\alpha$"), log_axis("relative distance to minimum norm")
    grokking = rf"Grokking, $\alpha = {float(alpha[-1]):g}$"
    x, y = log_axis(r"$\alpha$"), log_axis(r"$\lambda t$")
    return Drawing(
        [
            Panel(errors, log_axis("time $t$"), log_axis("relative error"), title=grokking),
            Panel([*shifted, Rule("generalization", LEVEL)], shift, distance, title="Collapse in shifted time"),
            Panel(times, x, y, title="Memorization and generalization"),
        ],
        columns=3,
        caption=rf"Weight decay $\lambda = {strength:g}$, one trial. The larger the initialization, the earlier it memorizes and "
        r"the later it generalizes: the predictor outside the span of the inputs decays until about $\log(\alpha)/\lambda$.",
    )


CLAIM = Claim(
    id="min2021/decay_bridge",
    kind="derived",
    title="A linear network that groks",
    says=r"With weight decay $\lambda$ and initial weights of scale $\alpha$, a network memorizes in a time $O(\alpha^{-2})$. "
    r"Its predictor outside the span of the inputs decays like $\alpha^2e^{-2\lambda t}$, then like $\alpha e^{-\lambda t}$: it "
    r"generalizes at $(\log\alpha + c)/\lambda$ with $c$ independent of $\alpha$. The imbalance is $e^{-2\lambda t}D(0)$.",
    source="min2021, section 4 with the weight decay of lyu2024",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("bridges/grokking_linear_net",),
    constants={"power": 1.0},
    least={"alpha": 2},
    controls=[Control(r"a shift of $1.05\log\alpha$", changes={"power": 1.05}, breaks=("generalization",))],
    seconds={"quick": 20, "paper": 200},
)

r"""The imbalance $U_1^\top U_1 - V^\top V$: conserved by gradient flow, up to a drift of order $\eta$ by gradient descent."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most, near
from ...claims.drawing import Drawing, Panel, Points, Rule, Slope
from ...claims.labelled import farthest
from ...claims.marks import family, log_axis
from ...dynamics import GradientDescent, GradientFlow
from ...lab import Param, Simulation
from ...measures.convergence import pace
from ...numerics.imbalance import difference
from .shared.marks import TIME
from .simulations.linear_net_flow import DATA, begin, follow, make_problem

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
NAME = r"$\rho = {}$"


def simulate(key, problem, *, width, scale, ratio, weight_decay, efolds, steps, moments):
    """The drift along gradient flow, after gradient descent at three learning rates to the same time, and after one step."""
    init = begin(key, problem, width=width, scale=scale, ratio=ratio)
    first = pace(problem.scale, problem.target, init)
    until = efolds / jnp.sqrt(first.rate * first.asymptotic)
    times = jnp.linspace(0.0, 1.0, moments) * until
    kept = difference(init.u, init.v)

    def drift(net):
        return jnp.linalg.norm(difference(net.u, net.v) - kept) / jnp.linalg.norm(kept)

    objective = problem.objective(weight_decay)
    path = follow(problem, init, times, {"drift": drift}, weight_decay=weight_decay, flow=FLOW)

    def descend(count):
        ended = GradientDescent(learning_rate=until / count).run(
            objective, init, jnp.stack([0 * count, count]), read={"drift": drift}
        )
        return ended.reads["drift"][-1]

    rate = 1 / first.top  # an identity at any learning rate; rounding error matters least at the largest stable one
    slope = jax.grad(objective)(init)
    once = jax.tree.map(lambda part, by: part - rate * by, init, slope)
    predicted = rate**2 * difference(slope.u, slope.v)
    counts = steps * jnp.array([1, 2, 4])
    return {
        "time": times,
        "drift": path.reads["drift"],
        "rates": until / counts,
        "descent": jax.lax.map(descend, counts),
        "one_step": jnp.linalg.norm(difference(once.u, once.v) - kept - predicted) / jnp.linalg.norm(predicted),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *DATA,
        Param("width", (12, 60), (12, 60, 1_000, 10**6), smoke=(12,), low=1, high=10**12, unit="hidden units"),
        Param("scale", 0.1, 0.05, smoke=0.2, low=1e-6, high=1e3, unit="standard deviation of the weights"),
        Param("ratio", (1.0, 10.0), smoke=(1.0,), low=1e-4, high=1e4, unit="scale of $U$ over that of $V$"),
        Param("weight_decay", 0.0, low=0.0, high=10.0, unit="strength of $L_2$ regularization"),
        Param("efolds", 6.0, low=0.1, high=1e3, unit="duration, in units of 1 / (mean rate)"),
        Param("steps", 1_000, 10_000, smoke=50, low=10, high=10**7, unit="steps at the largest learning rate"),
        Param("moments", 21, 101, smoke=5, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns={"time": "t", "drift": "t", "rates": "s", "descent": "s", "one_step": "", "outcome": ""},
)


def judge(data) -> Evidence:
    """The drift along gradient flow, one step of gradient descent, and the exponent of the learning rate in its drift."""
    solver = "conserved, up to the error of the solver at a relative tolerance of 1e-9"
    power = np.log2(data.descent.isel(s=1) / data.descent.isel(s=2))
    return Evidence(
        holds=[
            at_most(
                "relative drift of the imbalance along gradient flow, maximum", data.drift.max(), 1e-8, key="flow", why=solver
            ),
            at_most(
                r"change of $D$ in one step of gradient descent, relative error of $\eta^2 D(\nabla L)$",
                data.one_step.max(),
                1e-6,
                key="step",
                why="an identity; the change is about 1e-6 of the imbalance, which leaves ten of sixteen digits",
            ),
            near(
                "exponent of the learning rate in the drift of gradient descent, farthest from 1",
                farthest(power, 1),
                1,
                0.05,
                key="exponent",
                why=r"each of the $T/\eta$ steps adds $\eta^2$; the next order is $\eta$ times the fastest rate, some hundredths",
            ),
        ]
    )


def draw(data) -> Drawing:
    """The drift along gradient flow from each initialization, and that of gradient descent against its learning rate."""
    one = data.isel(trial=0, tilt=-1, width=-1)
    rates, drift = (part.median("trial").isel(tilt=-1, width=-1) for part in (data.rates, data.descent))
    lines = family(NAME, one.time[..., 1:], one.drift[..., 1:], "ratio")
    points = family(NAME, rates, drift, "ratio", mark=Points)
    last = float(rates.isel(ratio=0, s=-1)), float(drift.isel(ratio=0, s=-1))
    slope = Slope(r"proportional to $\eta$", rates.isel(ratio=0), last, 1)
    y = log_axis("relative drift of the imbalance")
    return Drawing(
        [
            Panel([*lines, Rule("bound", 1e-8)], TIME, y, title="Gradient flow: solver error"),
            Panel([*points, slope], log_axis(r"learning rate $\eta$"), y, title="Gradient descent"),
        ],
        caption=r"Relative drift of the imbalance $D = U_1^\top U_1 - V^\top V$, for layers of relative scale $\rho$. Gradient "
        r"flow conserves it; gradient descent changes it by $O(\eta^2)$ per step, hence by $O(\eta)$ in total.",
    )


CLAIM = Claim(
    id="min2021/conservation",
    kind="statement",
    title="The imbalance of the layers is conserved",
    says=r"Gradient flow conserves $D = U_1^\top U_1 - V^\top V$, where $U_1 = \Phi_1^\top U$ is the component of the first "
    r"layer in the span of the inputs. A step of gradient descent changes $D$ by $\eta^2$ times the same expression in the "
    r"gradients, so that its total drift is proportional to $\eta$.",
    source="min2021, equation 16",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    controls=[Control("weight decay", changes={"weight_decay": 0.05}, breaks=("flow", "step", "exponent"))],
    seconds={"quick": 12, "paper": 60},
)

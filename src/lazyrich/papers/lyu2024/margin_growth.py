r"""Without weight decay the margin keeps growing, and the transition at $\log t\propto\alpha^D$ is wide even in $\log t$."""

import jax
import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from ...claims.marks import log_axis
from ...dynamics import RescaledDescent
from ...events import first_above
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_classification import begin, make_problem
from ...losses import Exponential
from ...measures import Curve
from ...objective import Objective
from .shared.readings import all_near, crossed

# Fractions of the rise from the kernel's accuracy to 1.
LEVELS = (0.25, 0.75)


def simulate(key, problem, *, d, depth, alpha, scale, learning_rate, rounds, moments):
    r"""Accuracy, loss, norm and its growth along steps of $\eta/\mathcal L$, against $\log t$.

    `growth` is $d\|\theta\|^2/ds = -2\langle\theta, \nabla\log\mathcal L\rangle$, $s$ the sum of all learning rates.
    `kernel` is the accuracy of the first moment with a loss below $1/(en)$, `passes` are the times $\log t$ of `LEVELS`.
    """
    objective = Objective(problem.train, Exponential(), reduction="mean")
    counts = jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(10.0, rounds * scale, moments)]))

    def growth(net):
        slope = jax.grad(lambda u, v: objective.log_data_loss(type(net)(u, v, net.depth)), argnums=(0, 1))(net.u, net.v)
        return -2 * (net.u @ slope[0] + net.v @ slope[1])

    read = {
        "test": lambda net: problem.law.accuracy(net.effective()),
        "log_loss": objective.log_data_loss,
        "square": lambda net: jnp.sum(net.u**2 + net.v**2),
        "growth": growth,
    }
    init = begin(d, alpha=alpha, convention="per_coordinate", depth=depth)
    path = RescaledDescent(learning_rate=learning_rate).run(objective, init, counts, read=read)
    log_time, test, log_loss = (path.reads[name][1:] for name in ("log_time", "test", "log_loss"))
    fitted = log_loss < -1 - jnp.log(problem.train.n)
    first = jnp.argmax(fitted)
    late = jnp.arange(moments) >= first
    fraction = jnp.where(late, (test - test[first]) / (1 - test[first]), 0.0)
    rise = Curve(log_time, fraction, "fraction of the rise")
    return {
        "log_time": log_time,
        "test": test,
        "log_loss": log_loss,
        "square": path.reads["square"][1:],
        "growth": path.reads["growth"][1:],
        "kernel": test[first],
        "memorization": jnp.where(fitted.any(), log_time[first], jnp.inf),
        "passes": jnp.stack([first_above(rise, level).value for level in LEVELS]),
        "outcome": path.outcome.code,
    }


STEP = "=1/(d*depth**2*alpha**(2*depth-2))"
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("scale", (4.0, 16.0), (4.0, 16.0, 64.0), smoke=(4.0, 8.0), low=1.0, high=1e4, unit=r"$\alpha^D$"),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree $D$", static=True),
        Param("alpha", "=scale**(1/depth)", low=0.1, high=1e4, unit="initialization scale, per weight"),
        Param("n", 56, 96, smoke=24, low=4, high=4_096, unit="samples", static=True),
        Param("d", 80, 160, smoke=30, low=10, high=100_000, unit="dimensions", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
        # The curvature of the log loss at initialization is at most that of the longest gradient.
        Param("learning_rate", STEP, low=0.0, high=1.0, unit="of each step, over the loss"),
        Param("rounds", 1_500, 4_000, smoke=200, low=10, high=1e6, unit=r"steps over $\alpha^D$"),
        Param("moments", 80, smoke=30, low=20, high=2_000, unit="times on the curve", static=True),
    ],
    returns={
        **dict.fromkeys(("log_time", "test", "log_loss", "square", "growth"), "t"),
        "passes": "m",
        **dict.fromkeys(("kernel", "memorization", "outcome"), ""),
    },
)


def judge(data, n, depth, scale, power) -> Evidence:
    r"""When and how widely accuracy rises in $\log t$; how norm and margin grow."""
    early, late = (data.passes.isel(m=at) for at in range(len(LEVELS)))
    turn = late.median("trial")
    by_scale = np.log(turn.isel(scale=-1) / turn.isel(scale=-2)) / np.log(scale[-1] / scale[-2]).item()
    wide = (late / early).median("trial")
    smoothed = (-data.log_loss / data.square ** (depth / 2)).where(data.log_loss < -1 - np.log(n))
    rises = smoothed.diff("t") / smoothed.isel(t=slice(1, None))
    end = data.isel(t=-1)
    final = end.test.median("trial").min()
    most = "a trial whose sparse rule is hard to find has no such times by the end; medians need most trials"
    return Evidence(
        sound=[
            crossed(data, 0.7, why=most),
            at_least("final test accuracy", final, 0.9, key="final", why="fewer samples do not determine the rule"),
        ],
        holds=[
            all_near(
                r"power of $\alpha^D$ in $\log t$ of the rise",
                by_scale,
                power,
                0.15,
                key="scale",
                why=r"weights must outgrow their initialization, of effective size $\alpha^D$, and margins grow like $\log t$; "
                r"the next order is a logarithm of the growth rate over $\log t$, a tenth",
            ),
            at_least(
                r"$\log t$ at 75% of the rise over that at 25%, smallest over scales",
                wide.min(),
                2,
                key="width",
                why=r"not sharp: a factor in $\log t$, where weight decay adds a constant to $\lambda t$",
            ),
            at_most(
                r"change with the scale of the logarithm of $\log t$ at 75% over that at 25%",
                abs(np.log(wide.isel(scale=-1) / wide.isel(scale=-2))).max(),
                0.25,
                key="width_shift",
                why=r"both times are multiples of $\alpha^D$, each with a correction of a tenth",
            ),
            at_most(
                r"$\log t$ of the fit over that of the rise",
                (data.memorization / late).median("trial").max(),
                0.05,
                key="memorization",
                why=r"fitted in a time like $1/\alpha^{2D-2}$, generalizing in one like $e^{\alpha^D}$",
            ),
            at_least(
                r"smallest increase of $\log(1/\mathcal{L})/\|\theta\|^D$ between two moments, relative",
                rises.min(),
                0,
                key="margin",
                why="the smoothed margin never decreases along the flow once all samples are fitted",
            ),
            all_near(
                r"shortfall of the norm's growth from $2D\log(1/\mathcal{L})$, in units of $2D\log n$",
                (-2 * depth * end.log_loss - end.growth) / (2 * depth * np.log(n)),
                0.5,
                0.5,
                key="growth",
                why=r"margins weighted by $e^{-q}$ fall short of $\log(1/\mathcal{L})$ by $\log n$ minus an entropy between 0 "
                r"and $\log n$",
            ),
        ],
    )


def draw(data, depth, scale) -> Drawing:
    r"""Accuracy of one trial against $\log t$ over $\alpha^D$, and the smoothed margin."""
    layers = depth.values[0]
    rises, margins = [], []
    for at, each in enumerate(scale.values):
        one = data.sel(depth=layers, scale=each).isel(trial=0)
        good = one.log_time.values > 0
        x = one.log_time.values[good] / each
        name, role = rf"$\alpha^{int(layers)} = {each:g}$", SERIES[at % 3]
        rises.append(Line(name, x, one.test.values[good], role=role))
        smooth = -one.log_loss.values / one.square.values ** (layers / 2)
        margins.append(Line(name, x, smooth[good], role=role))
    kernel = float(data.kernel.sel(depth=layers).isel(trial=0).mean())
    rises.append(Rule("once fitted", kernel))
    x, y = log_axis(rf"$\log(t)/\alpha^{int(layers)}$"), Axis("test accuracy", low=0.5, high=1.03)
    return Drawing(
        [
            Panel(rises, x, y, title="A slow rise"),
            Panel(margins, x, log_axis(r"$\log(1/\mathcal{L})/\|\theta\|^D$"), title="The margin keeps growing"),
        ],
        caption=r"Without weight decay a diagonal net generalizes, too, but on the time scale $\log t \propto \alpha^D$, over a "
        r"fixed factor of $\log t$. Learning rates of $\eta/\mathcal{L}$ reach such times in thousands of steps.",
    )


CLAIM = Claim(
    id="lyu2024/margin_growth",
    kind="statement",
    title="Without weight decay: grokking that is not sharp",
    says=r"Without weight decay the margin of a homogeneous net keeps growing and test accuracy rises at last, but at $\log t$ "
    r"proportional to $\alpha^D$ and over a fixed factor of $\log t$. Per unit of the sum of learning rates of gradient descent "
    r"on $\log\mathcal{L}$ the squared norm grows by $2D\log(1/\mathcal{L})$.",
    source="lyu2024, appendix B.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"scale": 2},
    controls=[Control("a rise at a time that does not depend on the scale", changes={"power": 0.0}, breaks=("scale",))],
    seconds={"quick": 8, "paper": 200},
)

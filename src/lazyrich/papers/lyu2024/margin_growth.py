r"""Without decay the margin grows on, and the transition comes at $\log t\propto\alpha^D$: it is wide even in $\log t$."""

import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import RescaledDescent
from ...events import first_above
from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import begin, pose
from ...losses import MEAN, Exponential
from ...measures import Curve
from ...objective import Objective
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from ..labelled import farthest

# Shares of the rise from the accuracy of the kernel to 1.
LEVELS = (0.25, 0.75)


def simulate(key, problem, *, d, depth, alpha, scale, rate, rounds, moments):
    r"""Accuracy, loss, norm and its growth along steps of rate over loss, on the clock $\log t$.

    `growth` is $d\|\theta\|^2/ds = -2\langle\theta, \nabla\log\mathcal L\rangle$, $s$ the sum of all rates. `kernel` is the
    accuracy of the first moment with a loss below $1/(en)$, `passes` are the times $\log t$ of `LEVELS`.
    """
    goal = Objective(problem.train, Exponential(), factor=MEAN)
    counts = jnp.round(jnp.concatenate([jnp.zeros(1), jnp.geomspace(10.0, rounds * scale, moments)]))

    def growth(net):
        slope = jax.grad(lambda u, v: goal.log_data_loss(type(net)(u, v, net.depth)), argnums=(0, 1))(net.u, net.v)
        return -2 * (net.u @ slope[0] + net.v @ slope[1])

    read = {
        "test": lambda net: problem.law.accuracy(net.effective()),
        "log_loss": goal.log_data_loss,
        "square": lambda net: jnp.sum(net.u**2 + net.v**2),
        "growth": growth,
    }
    start = begin(d, alpha=alpha, convention="per_coordinate", depth=depth)
    path = RescaledDescent(rate=rate).run(goal, start, counts, read=read)
    log_time, test, log_loss = (path.reads[name][1:] for name in ("log_time", "test", "log_loss"))
    fitted = log_loss < -1 - jnp.log(problem.train.n)
    first = jnp.argmax(fitted)
    late = jnp.arange(moments) >= first
    share = jnp.where(late, (test - test[first]) / (1 - test[first]), 0.0)
    rise = Curve(log_time, share, "share of the rise")
    return {
        "log_time": log_time,
        "test": test,
        "log_loss": log_loss,
        "square": path.reads["square"][1:],
        "growth": path.reads["growth"][1:],
        "kernel": test[first],
        "fits": jnp.where(fitted.any(), log_time[first], jnp.inf),
        "passes": jnp.stack([first_above(rise, level).value for level in LEVELS]),
        "outcome": path.outcome.code,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("scale", (4.0, 16.0), (4.0, 16.0, 64.0), smoke=(4.0, 8.0), low=1.0, high=1e4, unit="alpha^depth"),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree D", static=True),
        Param("alpha", "=scale**(1/depth)", low=0.1, high=1e4, unit="every weight at the start"),
        Param("n", 56, 96, smoke=24, low=4, high=4_096, unit="samples", static=True),
        Param("d", 80, 160, smoke=30, low=10, high=100_000, unit="unknowns", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
        # The curvature of the log loss at the start is at most that of the longest gradient.
        Param("rate", "=1/(d*depth**2*alpha**(2*depth-2))", low=0.0, high=1.0, unit="of each step, over the loss"),
        Param("rounds", 1_500, 4_000, smoke=200, low=10, high=1e6, unit="steps, over alpha^depth"),
        Param("moments", 80, smoke=30, low=20, high=2_000, unit="times on the curve", static=True),
    ],
    returns={
        **dict.fromkeys(("log_time", "test", "log_loss", "square", "growth"), "t"),
        "passes": "m",
        **dict.fromkeys(("kernel", "fits", "outcome"), ""),
    },
)


def judge(data, n, depth, scale, power) -> Evidence:
    """When and how widely accuracy rises on the clock log t; how norm and margin grow."""
    early, late = (data.passes.isel(m=at) for at in range(len(LEVELS)))
    turn = late.median("trial")
    by_scale = np.log(turn.isel(scale=-1) / turn.isel(scale=-2)) / np.log(scale[-1] / scale[-2]).item()
    wide = (late / early).median("trial")
    smoothed = (-data.log_loss / data.square ** (depth / 2)).where(data.log_loss < -1 - np.log(n))
    rises = smoothed.diff("t") / smoothed.isel(t=slice(1, None))
    end = data.isel(t=-1)
    return Evidence(
        sound=[
            at_least(
                "share of runs that pass every level",
                (data.passes < np.inf).all("m").mean(),
                0.7,
                why="a draw whose sparse rule is hard to find has no such times by the end; medians need most draws",
            ),
            at_least(
                "test accuracy at the end",
                end.test.median("trial").min(),
                0.9,
                why="with fewer samples there is no sparse rule to find",
            ),
        ],
        holds=[
            near(
                "power of alpha^D in log t of the rise",
                farthest(by_scale, power),
                power,
                0.15,
                why="weights must outgrow their start, of effective size alpha^D, and margins grow like log t; the next order "
                "is a logarithm of the rate of growth over log t, a tenth",
            ),
            at_least(
                "log t of 75% of the rise over that of 25%, at every scale",
                wide.min(),
                2,
                why="not sharp: a factor in log t, where decay has a constant added to t",
            ),
            at_most(
                "how that factor moves with the scale",
                abs(np.log(wide.isel(scale=-1) / wide.isel(scale=-2))).max(),
                0.25,
                why="both times are multiples of alpha^D, each with a correction of a tenth",
            ),
            at_most(
                "log t of the fit over that of the rise",
                (data.fits / late).median("trial").max(),
                0.05,
                why="fitted in a time like 1/alpha^(2D-2), generalizing in one like exp(alpha^D)",
            ),
            at_least(
                "least rise of log(1/loss) / |theta|^D between two moments, relative",
                rises.min(),
                0,
                why="the smoothed margin never falls along the flow once all samples are fitted",
            ),
            near(
                "shortfall of the norm's growth from 2D log(1/loss), in units of 2D log(n)",
                farthest((-2 * depth * end.log_loss - end.growth) / (2 * depth * np.log(n)), 0.5),
                0.5,
                0.5,
                why="margins weighted by e^-q fall short of log(1/loss) by log(n) less an entropy between 0 and log(n)",
            ),
        ],
    )


def draw(data, depth, scale) -> Drawing:
    """Accuracy of one draw against log t over alpha^D, and the smoothed margin."""
    layers = depth.values[0]
    panels, rises, margins = [], [], []
    for at, each in enumerate(scale.values):
        one = data.sel(depth=layers, scale=each).isel(trial=0)
        good = one.log_time.values > 0
        x = one.log_time.values[good] / each
        name, role = f"alpha^{int(layers)} = {each:g}", SERIES[at % 3]
        rises.append(Line(name, x, one.test.values[good], role=role))
        smooth = -one.log_loss.values / one.square.values ** (layers / 2)
        margins.append(Line(name, x, smooth[good], role=role))
    kernel = float(data.kernel.sel(depth=layers).isel(trial=0).mean())
    axis = Axis(f"log(t) / alpha^{int(layers)}", scale="log")
    panels.append(
        Panel(
            [*rises, Rule("once fitted", kernel)],
            x=axis,
            y=Axis("test accuracy", low=0.5, high=1.03),
            title="A slow rise",
        )
    )
    panels.append(Panel(margins, x=axis, y=Axis("log(1/loss) / |theta|^D", scale="log"), title="The margin grows on"))
    return Drawing(
        panels=panels,
        caption="Without decay a diagonal net generalizes, too, but on a clock of log t in units of alpha^D, over a "
        "fixed factor of log t. Steps of rate over loss reach such times in thousands of steps.",
    )


CLAIM = Claim(
    kind="statement",
    title="Without decay: grokking that is not sharp",
    says="Without decay the margin of a homogeneous net goes on growing and test accuracy rises at last, but at log t in "
    "proportion to alpha^D and over a fixed factor of log t. In the sum of all rates the squared norm grows by 2D log(1/loss).",
    source="lyu2024, appendix B.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": 1.0},
    least={"scale": 2},
    control=Control(
        "a rise at a time that does not depend on the scale",
        changes={"power": 0.0},
        breaks=("power of alpha^D in log t of the rise",),
    ),
    seconds={"quick": 8, "paper": 200},
)

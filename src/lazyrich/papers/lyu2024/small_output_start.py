r"""A start of small output: it is forgotten at $(1 - c)\log\alpha/\lambda$ if it is small beside $\alpha^{-cD}$."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import advance, pose_apart
from ...losses import Logistic
from ...models import LogDiagonalNet
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule
from ..labelled import farthest, norm

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-10, max_steps=1_000_000)


def simulate(key, problem, *, d, depth, log_alpha, power, away, smallness):
    r"""The map at $(1 - c)\log\alpha/\lambda$, from one of length $\alpha^{-s}$ at $\bar\theta$ and from zero.

    `outside`: the part of the first outside the span of the inputs, which no gradient reaches while features stand still, over
    $\alpha^De^{-D\lambda t}$ times that of the start.
    """
    drawn = jr.normal(jr.fold_in(key, 1), (d,))
    first = jnp.exp(-smallness * log_alpha) * drawn / jnp.linalg.norm(drawn)
    halves = jnp.arcsinh(first / 2) / depth
    decay = jnp.exp(-power * log_alpha)
    times = jnp.stack([0.0, (1 - away) * log_alpha]) / decay
    maps, outcomes = [], []
    for half in (halves, jnp.zeros(d)):
        start = LogDiagonalNet(jnp.full(d, log_alpha), half, depth)
        read = {"effective": lambda net: net.effective()}
        path = advance(problem, start, times, decay=decay, loss=Logistic(), read=read, flow=FLOW)
        maps.append(path.reads["effective"][-1])
        outcomes.append(path.outcome.code)
    span = jnp.linalg.qr(problem.train.x.T)[0]
    left, was = (part - span @ (span.T @ part) for part in (maps[0], first))
    grown = jnp.exp(depth * away * log_alpha)
    return {
        "small": maps[0],
        "zero": maps[1],
        "outside": left @ was / (was @ was) / grown,
        "outcome": jnp.max(jnp.stack(outcomes)),
    }


SIMULATION = Simulation(
    simulate,
    pose=pose_apart,
    params=[
        Param(
            "log_alpha",
            (4.0, 8.0),
            (4.0, 6.0, 8.0, 12.0),
            smoke=(3.0, 4.0),
            low=2.0,
            high=16.0,
            unit="log of the weights at the start",
        ),
        Param("depth", (2, 3), smoke=(2,), low=2, high=4, unit="degree", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=3.0, unit="decay = alpha^-power"),
        Param("away", 0.5, low=0.2, high=0.8, unit="c: the time is (1 - c) log(alpha)/decay"),
        Param("over", 1.5, low=0.5, high=3.0, unit="smallness, over cD"),
        Param("smallness", "=over*away*depth", low=0.2, high=10.0, unit="the start's map has length alpha^-smallness"),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        Param("d", 24, low=5, high=1_000, unit="unknowns", static=True),
        Param("gap", 2.0, low=0.0, high=100.0, unit="between the classes, in deviations", static=True),
    ],
    returns={"small": "d", "zero": "d", "outside": "", "outcome": ""},
)


def measured(data, log_alpha, depth, away, smallness):
    """The distance from the map of the zero start: over what is left of the start, and over that map's own length."""
    distance = norm(data.small - data.zero)
    return distance / np.exp((away * depth - smallness) * log_alpha), distance / norm(data.zero)


def judge(data, log_alpha, depth, away, smallness) -> Evidence:
    """What is left of the start's map, and whether it is small beside what was learned."""
    left, share = measured(data, log_alpha, depth, away, smallness)
    return Evidence(
        holds=[
            near(
                "part of the map outside the inputs, over alpha^(cD) times the start's",
                farthest(data.outside, 1),
                1,
                0.1,
                why="no gradient reaches it, up to a share of the order of the square of the turn of the direction, "
                "(M alpha^(-cD)/gamma)^2, some hundredths",
            ),
            at_most(
                "distance from the map of the zero start, in units of alpha^(cD - s)",
                left.max(),
                1.25,
                why="inside the span margins are held, so that only what is outside is left of the start: 1 at most, and a "
                "quarter for the forces that change",
            ),
            at_most(
                "distance from the map of the zero start at the largest scale, over its length",
                share.isel(log_alpha=-1).max(),
                0.25,
                why="small enough to be forgotten: a quarter of the map is a turn of 15 degrees",
            ),
        ],
    )


def draw(data, log_alpha, depth, power, away, smallness) -> Drawing:
    """What is left of the start at each scale."""
    left, share = measured(data, log_alpha, depth, away, smallness)
    first, second = [], []
    for at, k in enumerate(depth.values):
        role = SERIES[at % 3]
        middle = share.sel(depth=k).median(("trial", "power"))
        first.append(Line(f"depth {int(k)}", log_alpha.values, middle.values, role=role))
        y = data.outside.sel(depth=k)
        x = (log_alpha + 0 * y).transpose(*y.dims)
        second.append(Points(f"depth {int(k)}", x.values.ravel(), y.values.ravel(), role=role))
    return Drawing(
        [
            Panel(
                first,
                x=Axis("log(alpha)"),
                y=Axis("distance over length", scale="log"),
                title="From the map of the zero start",
            ),
            Panel(
                [*second, Rule("untouched", 1.0)],
                x=Axis("log(alpha)"),
                y=Axis("over alpha^(cD) times the start's", low=0.9, high=1.1),
                title="The part outside the span of inputs",
            ),
        ],
        caption="A diagonal net whose start has a small map, alpha^-s long at scale 1, at (1 - c) log(alpha)/decay: "
        "outside the span of "
        "the inputs the start's map is kept, alpha^(cD) times as long, which vanishes for s > cD.",
    )


CLAIM = Claim(
    kind="statement",
    title="A small output at the start is forgotten",
    says="From alpha theta_0 with outputs of size alpha^-s at theta_0, s > cD, the net at (1 - c) log(alpha)/decay is "
    "that of the "
    "start of output zero, up to alpha^(cD - s): the part of the start's function that the data do not see is kept, and grows "
    "with the scale that is left. The paper says small outputs will do; this is how small. Trained on the logistic loss, since "
    "the exponential one of outputs alpha^(D - s) overflows.",
    source="lyu2024, section 3.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"log_alpha": 2},
    # At larger scales the control's first outputs are so large that the flow gets stuck where a sample changes sides.
    control=Control(
        "a start that is not small enough, s = cD/2, for two layers",
        changes={"over": 0.5, "depth": (2,), "log_alpha": (4.0, 6.0)},
        breaks=("distance from the map of the zero start at the largest scale, over its length",),
    ),
    seconds={"quick": 25, "paper": 60},
)

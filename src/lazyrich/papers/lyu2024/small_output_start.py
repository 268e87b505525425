r"""Initialization with small output: it is forgotten at $(1 - c)\log\alpha/\lambda$ if it is small beside $\alpha^{-cD}$."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Rule
from ...claims.labelled import norm
from ...claims.marks import family, log_axis
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_classification import advance, make_separated
from ...losses import Logistic
from ...models import LogDiagonalNet
from .shared.readings import all_near
from .simulations.diagonal_limits import SEPARATED

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-8, atol=1e-10, max_steps=1_000_000)
LOG_ALPHA = Axis(r"$\log\alpha$")


def simulate(key, problem, *, d, depth, log_alpha, power, away, smallness):
    r"""The map at $(1 - c)\log\alpha/\lambda$, from one of norm $\alpha^{-s}$ at $\bar\theta$ and from zero.

    `outside`: the part of the first outside the span of the inputs, which no gradient reaches while features do not move, over
    $\alpha^De^{-D\lambda t}$ times that at initialization.
    """
    drawn = jr.normal(jr.fold_in(key, 1), (d,))
    first = jnp.exp(-smallness * log_alpha) * drawn / jnp.linalg.norm(drawn)
    halves = jnp.arcsinh(first / 2) / depth
    weight_decay = jnp.exp(-power * log_alpha)
    times = jnp.stack([0.0, (1 - away) * log_alpha]) / weight_decay
    maps, outcomes = [], []
    for half in (halves, jnp.zeros(d)):
        init = LogDiagonalNet(jnp.full(d, log_alpha), half, depth)
        read = {"effective": lambda net: net.effective()}
        path = advance(problem, init, times, weight_decay=weight_decay, loss=Logistic(), read=read, flow=FLOW)
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


SCALES = (4.0, 6.0, 8.0, 12.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_separated,
    params=[
        Param("log_alpha", (4.0, 8.0), SCALES, smoke=(3.0, 4.0), low=2.0, high=16.0, unit=r"$\log\alpha$"),
        Param("depth", (2, 3), smoke=(2,), low=2, high=4, unit="degree $D$", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.5, high=3.0, unit=r"$p$ in $\lambda = \alpha^{-p}$"),
        Param("away", 0.5, low=0.2, high=0.8, unit="$c$"),
        Param("over", 1.5, low=0.5, high=3.0, unit="$s/(cD)$"),
        Param("smallness", "=over*away*depth", low=0.2, high=10.0, unit=r"$s$: initial map of norm $\alpha^{-s}$"),
        *SEPARATED,
    ],
    returns={"small": "d", "zero": "d", "outside": "", "outcome": ""},
)


def measured(data, log_alpha, depth, away, smallness):
    """The distance from the map of zero-output initialization: over what is left of the initial map, and over its norm."""
    distance = norm(data.small - data.zero)
    return distance / np.exp((away * depth - smallness) * log_alpha), distance / norm(data.zero)


def judge(data, log_alpha, depth, away, smallness) -> Evidence:
    """What is left of the initial map, and whether it is small beside what was learned."""
    left, fraction = measured(data, log_alpha, depth, away, smallness)
    return Evidence(
        holds=[
            all_near(
                r"part of the map outside the span of inputs, over $\alpha^{cD}$ times the initial one",
                data.outside,
                1,
                0.1,
                key="outside",
                why="no gradient reaches it, up to a fraction of the order of the squared turn of the direction, "
                r"$(M\alpha^{-cD}/\gamma)^2$, some hundredths",
            ),
            at_most(
                r"distance from the map of zero-output initialization, in units of $\alpha^{cD - s}$",
                left.max(),
                1.25,
                key="distance",
                why="inside the span margins are fixed, so that only the part outside is left of the initial map: 1 at most, "
                "and a quarter for the forces that change",
            ),
            at_most(
                "distance from the map of zero-output initialization at the largest scale, over its norm",
                fraction.isel(log_alpha=-1).max(),
                0.25,
                key="forgotten",
                why="small enough to be forgotten: a quarter of the map is a turn of 15 degrees",
            ),
        ]
    )


def draw(data, log_alpha, depth, power, away, smallness) -> Drawing:
    """What is left of the initial map at each scale."""
    fraction = measured(data, log_alpha, depth, away, smallness)[1].median(("trial", "power"))
    first = family("depth {}", log_alpha, fraction.transpose("depth", "log_alpha"), "depth")
    second = family("depth {}", log_alpha, data.outside, "depth", mark=Points)
    ratio = Axis(r"over $\alpha^{cD}$ times the initial one", low=0.9, high=1.1)
    return Drawing(
        [
            Panel(first, LOG_ALPHA, log_axis("distance / norm"), title="Distance from zero-output initialization"),
            Panel([*second, Rule("unchanged", 1.0)], LOG_ALPHA, ratio, title="The part outside the span of inputs"),
        ],
        caption=r"A diagonal net with a small initial map, of norm $\alpha^{-s}$ at scale 1, at $(1 - c)\log(\alpha)/\lambda$: "
        r"outside the span of the inputs the initial map is kept, $\alpha^{cD}$ times as large, which vanishes for $s > cD$.",
    )


CLAIM = Claim(
    id="lyu2024/small_output_start",
    kind="statement",
    title="A small output at initialization is forgotten",
    says=r"From $\alpha\bar\theta$ with outputs of size $\alpha^{-s}$ at $\bar\theta$, $s > cD$, the net at "
    r"$(1 - c)\log(\alpha)/\lambda$ is that of zero-output initialization, up to $\alpha^{cD - s}$: the part of the initial "
    "function that the data do not constrain is kept, and grows with the remaining scale. The paper says that small outputs "
    r"suffice; this is how small. Trained on the logistic loss, since the exponential one of outputs $\alpha^{D - s}$ overflows.",
    source="lyu2024, section 3.1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"log_alpha": 2},
    # At larger scales the control's initial outputs are so large that the flow gets stuck where a sample changes sides.
    controls=[
        Control(
            "an initial output that is not small enough, $s = cD/2$, for two layers",
            changes={"over": 0.5, "depth": (2,), "log_alpha": (4.0, 6.0)},
            breaks=("forgotten",),
        )
    ],
    seconds={"quick": 25, "paper": 60},
)

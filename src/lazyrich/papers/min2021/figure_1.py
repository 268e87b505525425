"""Figure 1 in numbers: where in the plane of two weights the start guarantees a rate, and the worst rate there is."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import numpy as np

from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.settings.linear_net_flow import Reduced
from ...measures.convergence import pace
from ...models import LinearNet
from ...problems import Split
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Heat, Line, Panel

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
# The target is 1: the margin is positive where 0 < uv < 2.
TARGET = 1.0


def simulate(*, reach, cells, until, moments):
    """The guaranteed rate and the least rate along the flow, from each point of a grid of weights."""
    one = jnp.ones((1, 1))
    problem = Reduced(Split(one, TARGET * one), one, one[0], TARGET * one, jnp.zeros(()))
    goal = problem.goal()
    # A grid without the axes and the diagonals' crossing: an even number of cells.
    places = jnp.linspace(-reach, reach, cells)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(until / 1e4, until, moments - 1)])

    def at(u, v):
        start = LinearNet(u=u * one, v=v * one)
        found = pace(problem.scale, problem.target, start)
        path = FLOW.run(goal, start, times, read={"rate": lambda net: 2 * (net.u[0, 0] ** 2 + net.v[0, 0] ** 2)})
        return found.guaranteed, found.margin, jnp.min(path.reads["rate"]), path.outcome.code

    def row(v):
        return jax.lax.map(lambda u: at(u, v), places)

    guaranteed, margin, worst, codes = jax.lax.map(row, places)
    return {"places": places, "guaranteed": guaranteed, "margin": margin, "worst": worst, "outcome": codes.max()}


SIMULATION = Simulation(
    simulate,
    params=[
        Param("reach", 2.0, low=0.1, high=10.0, unit="largest weight"),
        Param("cells", 24, 100, smoke=4, low=2, high=400, unit="along each weight", static=True),
        Param("until", 12.0, 20.0, low=0.1, high=1e3, unit="time"),
        Param("moments", 101, 401, smoke=21, low=3, high=10_000, unit="times", static=True),
    ],
    returns={"places": "u", "guaranteed": "v u", "margin": "v u", "worst": "v u", "outcome": ""},
    random=False,
)


def parts(data):
    """Both weights, and the least rate that theory tells: with the product on its way from where it is to the target."""
    u, v = data.places, data.places.rename(u="v")
    product = u * v
    least = np.where(product > 0, np.minimum(product, TARGET), 0.0)
    return u, v, 2 * np.hypot(u**2 - v**2, 2 * least)


def judge(data, factor) -> Evidence:
    """The guarantee beside the least rate, that one beside its closed form, and where there is a guarantee."""
    u, v, told = parts(data)
    covered = (abs(u**2 - v**2) > 1e-9) | ((u * v > 0) & (u * v < 2 * TARGET))
    return Evidence(
        holds=[
            at_least(
                "least rate less the guaranteed one, the least over the plane",
                (data.worst - factor * data.guaranteed).min(),
                -1e-6,
                why="theorem 3; errors of the solver over the whole time",
            ),
            at_most(
                "least rate less its closed form, over the largest, the farthest",
                abs(data.worst - told).max() / told.max(),
                0.01,
                why="the flow is looked at at about a hundred times: between two of them the product may pass zero",
            ),
            at_least(
                "share of the plane where a guarantee and its conditions agree",
                ((data.guaranteed > 1e-9) == covered).mean(),
                1,
                why="a rate is guaranteed where the weights differ in size or the product lies between 0 and twice "
                "the target",
            ),
        ],
    )


def draw(data, reach) -> Drawing:
    """Both rates over the plane, with the balanced lines and the edge of the margin."""
    x = data.places.values
    hill = np.linspace(2 / reach, reach, 60)
    marks = [
        Line("balanced", [-reach, reach], [-reach, reach], role="control"),
        Line("", [-reach, reach], [reach, -reach], role="control"),
        Line("fit: uv = 1", np.linspace(1 / reach, reach, 60), 1 / np.linspace(1 / reach, reach, 60), role="theory"),
        Line("margin ends: uv = 2", hill, 2 / hill, role="second"),
    ]
    top = float(np.quantile(data.worst.values, 0.95))
    u, v = Axis("u", low=-reach, high=reach), Axis("v", low=-reach, high=reach)
    heats = [
        Heat(name, x, x, part.values, low=0.0, high=top)
        for name, part in (("guaranteed rate", data.guaranteed), ("least rate", data.worst))
    ]
    return Drawing(
        [
            Panel([heat, *marks], x=u, y=v, title=heat.name.capitalize(), legend=at == 0)
            for at, heat in enumerate(heats)
        ],
        caption="Starts (u, v) of the net uv with target 1. Away from the diagonals the imbalance guarantees a rate; "
        "along them only a margin does, between the axes and uv = 2. On the diagonal u = -v the flow ends at the "
        "saddle.",
    )


CLAIM = Claim(
    kind="figure",
    title="Which starts are guaranteed to converge",
    says="For one weight in each layer the starts without guarantee are the balanced ones, u^2 = v^2, without a "
    "margin, uv <= 0 or uv >= 2y; everywhere else theorem 3 gives a rate, and no flow is slower.",
    source="min2021, figure 1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    control=Control(
        "twice the guaranteed rate",
        changes={"factor": 2.0},
        breaks=("least rate less the guaranteed one, the least over the plane",),
    ),
    seconds={"quick": 8, "paper": 30},
)

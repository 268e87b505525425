r"""Figure 1 for one weight per layer: which initializations $(u, v)$ have a guaranteed rate, and the smallest rate from each."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Heat, Line, Panel
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...measures.convergence import pace
from ...models import LinearNet
from ...problems import Split
from .simulations.linear_net_flow import Reduced

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
TARGET = 1.0
"""The margin is positive where $0 < uv < 2$."""


def simulate(*, reach, cells, until, moments):
    """The guaranteed rate and the smallest rate along the flow, from each point of a grid of weights."""
    one = jnp.ones((1, 1))
    problem = Reduced(Split(one, TARGET * one), one, one[0], TARGET * one, jnp.zeros(()))
    objective = problem.objective()
    # An even number of cells: no grid point on the axes or where the diagonals cross.
    places = jnp.linspace(-reach, reach, cells)
    times = jnp.concatenate([jnp.zeros(1), jnp.geomspace(until / 1e4, until, moments - 1)])

    def at(u, v):
        init = LinearNet(u=u * one, v=v * one)
        found = pace(problem.scale, problem.target, init)
        path = FLOW.run(objective, init, times, read={"rate": lambda net: 2 * (net.u[0, 0] ** 2 + net.v[0, 0] ** 2)})
        return found.guaranteed, found.margin, jnp.min(path.reads["rate"]), path.outcome.code

    guaranteed, margin, worst, codes = jax.lax.map(lambda v: jax.lax.map(lambda u: at(u, v), places), places)
    return {"places": places, "guaranteed": guaranteed, "margin": margin, "worst": worst, "outcome": codes.max()}


def parts(data):
    """Both weights, and the smallest rate in closed form: the product moves from its initial value to the target."""
    u, v = data.places, data.places.rename(u="v")
    product = u * v
    smallest = np.where(product > 0, np.minimum(product, TARGET), 0.0)
    return u, v, 2 * np.hypot(u**2 - v**2, 2 * smallest)


def judge(data, factor) -> Evidence:
    """The guarantee beside the smallest rate, that rate beside its closed form, and where there is a guarantee."""
    u, v, theory = parts(data)
    covered = (abs(u**2 - v**2) > 1e-9) | ((u * v > 0) & (u * v < 2 * TARGET))
    return Evidence(
        holds=[
            at_least(
                "smallest rate minus guaranteed rate, minimum over the plane",
                (data.worst - factor * data.guaranteed).min(),
                -1e-6,
                key="guarantee",
                why="theorem 3, up to the accumulated error of the solver",
            ),
            at_most(
                "smallest rate minus its closed form, over the largest rate, maximum",
                abs(data.worst - theory).max() / theory.max(),
                0.01,
                key="closed_form",
                why="the flow is sampled at about a hundred times: the product may cross zero between two of them",
            ),
            at_least(
                "fraction of the plane where guarantee and its conditions agree",
                ((data.guaranteed > 1e-9) == covered).mean(),
                1,
                key="conditions",
                why=r"theorem 3 guarantees a rate where $u^2 \neq v^2$ or $0 < uv < 2y$",
            ),
        ]
    )


def draw(data, reach) -> Drawing:
    """Both rates over the plane, with the balanced lines and the edge of the margin."""
    x = data.places.values
    margin, fit = np.linspace(2 / reach, reach, 60), np.linspace(1 / reach, reach, 60)
    marks = [
        Line(r"balanced: $u^2 = v^2$", [-reach, reach], [-reach, reach], role="control"),
        Line("", [-reach, reach], [reach, -reach], role="control"),
        Line(r"global minima: $uv = 1$", fit, 1 / fit, role="theory"),
        Line(r"end of the margin: $uv = 2$", margin, 2 / margin, role="second"),
    ]
    u, v = (Axis(name, low=-reach, high=reach) for name in ("$u$", "$v$"))
    top, panels = float(np.quantile(data.worst.values, 0.95)), []
    for name, rates in (("guaranteed rate", data.guaranteed), ("smallest rate", data.worst)):
        heat = Heat(name, x, x, rates.values, low=0.0, high=top)
        panels.append(Panel([heat, *marks], u, v, title=name.capitalize(), legend=not panels))
    return Drawing(
        panels,
        caption="Initializations $(u, v)$ of the network $uv$ with target 1. Away from the diagonals the imbalance guarantees a "
        "rate; on them only a margin does, between the axes and $uv = 2$. From $u = -v$ gradient flow converges to the saddle.",
    )


CLAIM = Claim(
    id="min2021/figure_1",
    kind="figure",
    title="Which initializations are guaranteed to converge",
    says="For one weight per layer, the initializations without a guarantee are the balanced ones, $u^2 = v^2$, without a "
    r"margin, $uv \leq 0$ or $uv \geq 2y$. Everywhere else theorem 3 guarantees a rate, and gradient flow is never slower.",
    source="min2021, figure 1",
    simulation=Simulation(
        simulate,
        params=[
            Param("reach", 2.0, low=0.1, high=10.0, unit="largest weight"),
            Param("cells", 24, 100, smoke=4, low=2, high=400, unit="grid points per weight", static=True),
            Param("until", 12.0, 20.0, low=0.1, high=1e3, unit="time"),
            Param("moments", 101, 401, smoke=21, low=3, high=10_000, unit="saved times", static=True),
        ],
        returns={"places": "u", "guaranteed": "v u", "margin": "v u", "worst": "v u", "outcome": ""},
        random=False,
    ),
    judge=judge,
    draw=draw,
    constants={"factor": 1.0},
    controls=[Control("twice the guaranteed rate", changes={"factor": 2.0}, breaks=("guarantee",))],
    seconds={"quick": 8, "paper": 30},
)

"""Table 1: the starts of earlier results, and to which of them theorem 3 guarantees a rate."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...inits import balanced, bartlett
from ...lab import Param, Simulation
from ...lab.settings.linear_net_flow import DATA, PACES, paces, pose
from ...models import LinearNet
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Panel, Points, Rule
from .decay import over_bound

KINDS = (
    "balanced, spectral",
    "balanced",
    "nearly balanced, with a margin",
    "imbalanced, spectral",
    "homogeneous imbalance",
    "a level of imbalance",
    "a margin",
)
PROMISED = (0, 0, 1, 1, 1, 1, 1)
"""Whether theorem 3 gives a rate: not without imbalance and margin."""


def starts(key, problem, away, width):
    """One start of each kind, from two random products and the target."""
    rank, outputs = problem.target.shape
    first, second, third, fourth = jr.split(jr.fold_in(key, 1), 4)
    left, values, right = jnp.linalg.svd(problem.target, full_matrices=False)
    wide = bartlett(first, dim=rank, outputs=outputs, width=width, scale=width**-0.5)
    miss = jr.normal(second, problem.target.shape)
    size = rank + outputs
    count = values.size
    none, signs = jnp.zeros(count), jnp.where(jnp.arange(count) % 2 == 0, 1.0, -1.0)
    product = wide.effective()
    # In the target's frame but of the other sign: spectral, and without a margin.
    spectral = -0.5 * (left * values) @ right
    close = (problem.target + away * values[-1] * miss / jnp.linalg.norm(miss)) / problem.scale[:, None]
    # Where both signs occur the imbalance has fewer than r positive and m negative eigenvalues: no level.
    found = [
        balanced(third, spectral, width=size, imbalance=none),
        balanced(third, product, width=size, imbalance=none),
        balanced(fourth, close, width=size, imbalance=0.01 * signs),
        balanced(third, spectral, width=size, imbalance=1.0 + jnp.arange(count)),
        balanced(third, product, width=size, imbalance=none + 1.0),
        LinearNet(u=2 * wide.u, v=wide.v / 2),
        balanced(fourth, close, width=size, imbalance=2 * signs),
    ]
    return jax.tree.map(lambda *parts: jnp.stack(parts), *found)


def simulate(key, problem, *, kind, away, width, efolds, moments):
    """The flow from the start of one kind, counted from 1."""
    start = jax.tree.map(lambda part: part[kind - 1], starts(key, problem, away, width))
    return paces(problem, start, efolds, moments)


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        *(param for param in DATA if param.name not in ("n", "outputs", "tilt")),
        Param("n", 3, 10, low=1, high=100, unit="samples", static=True),
        Param("outputs", 3, 10, low=1, high=100, static=True),
        Param("tilt", 0.0, low=0.0, high=2.0, unit="power of the inputs' singular values"),
        Param("kind", tuple(range(1, len(KINDS) + 1)), low=1, high=len(KINDS), unit="of start"),
        Param("away", 0.5, low=0.0, high=10.0, unit="error at a margin's start, over the least singular value"),
        Param("width", 30, 100, low=1, high=10**9, unit="hidden units where they are random"),
        Param("efolds", 8.0, low=0.1, high=1e3, unit="time, over that of a mean rate"),
        Param("moments", 21, 101, smoke=9, low=3, high=1_000, unit="times", static=True),
    ],
    returns=PACES,
)


def judge(data) -> Evidence:
    """The guarantee of the covered kinds, of those that are not, and the loss beside it."""
    share = data.guaranteed.isel(t=0) / data.asymptotic.isel(t=0)
    by = {want: share.isel(kind=[at for at, one in enumerate(PROMISED) if one == want]) for want in (0, 1)}
    return Evidence(
        holds=[
            at_least(
                "guarantee over its limit, the least of the kinds that have imbalance or margin",
                by[1].min(),
                1e-4,
                why="c(0) > 0 by corollary 4 or 5: half of the margin is left, a quarter of the rate or more",
            ),
            at_most(
                "guarantee over its limit, the largest of the balanced kinds without margin",
                by[0].max(),
                1e-12,
                why="neither imbalance nor margin: c(0) = 0, up to rounding",
            ),
            at_most(
                "log of the loss over its bound, the largest",
                over_bound(data, data.guaranteed.isel(t=0)).max(),
                0,
                why="theorem 3, for every kind",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The guaranteed rate of each kind over that of the target's singular values."""
    share = (data.guaranteed.isel(t=0) / data.asymptotic.isel(t=0)).median("trial")
    marks = [
        Points(
            f"{int(kind)}: {KINDS[int(kind) - 1]}",
            [int(kind)],
            [float(share.sel(kind=kind))],
            role="measured" if PROMISED[int(kind) - 1] else "control",
        )
        for kind in data.kind.values
    ]
    return Drawing(
        [
            Panel(
                [*marks, Rule("limit, where the error is gone", 1.0)],
                x=Axis("kind of start", low=0.5, high=len(KINDS) + 0.5),
                y=Axis("guaranteed rate over its limit", low=-0.05, high=1.1),
            )
        ],
        columns=1,
        caption="What theorem 3 guarantees to the starts of table 1, the median over draws. Balanced starts have "
        "nothing unless they are near the target; any level of imbalance or any margin is enough.",
    )


CLAIM = Claim(
    kind="table",
    title="Which starts earlier results cover, and theorem 3 with them",
    says="Of the starts studied before, theorem 3 guarantees an exponential fall to homogeneous and spectral "
    "imbalance and to nearly balanced layers with a margin, and beyond them to any level of imbalance and to any "
    "margin; exactly balanced ones without margin get nothing from it.",
    source="min2021, table 1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"kind": len(KINDS)},
    control=Control(
        "starts whose error exceeds the margin",
        changes={"away": 2.0},
        breaks=("guarantee over its limit, the least of the kinds that have imbalance or margin",),
    ),
    seconds={"quick": 12, "paper": 40},
)

"""Table 1: the initializations of earlier results, and which of them theorem 3 guarantees a rate for."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Points, Rule
from ...claims.marks import one_panel
from ...inits import balanced, bartlett
from ...lab import Param, Simulation
from ...models import LinearNet
from .shared.convergence import below_bound
from .simulations.linear_net_flow import DATA, PACES, make_problem, paces

KINDS = (
    "balanced, spectral",
    "balanced",
    "nearly balanced, with a margin",
    "imbalanced, spectral",
    "homogeneous imbalance",
    "sufficient level of imbalance",
    "sufficient margin",
)


def inits(key, problem, away, width):
    """One initialization of each kind, from two random products and the target."""
    rank, outputs = problem.target.shape
    first, second, third, fourth = jr.split(jr.fold_in(key, 1), 4)
    left, values, right = jnp.linalg.svd(problem.target, full_matrices=False)
    wide = bartlett(first, dim=rank, outputs=outputs, width=width, scale=width**-0.5)
    error = jr.normal(second, problem.target.shape)
    size = rank + outputs
    count = values.size
    none, signs = jnp.zeros(count), jnp.where(jnp.arange(count) % 2 == 0, 1.0, -1.0)
    product = wide.effective()
    # The target's singular vectors with the opposite sign: spectral, and without a margin.
    spectral = -0.5 * (left * values) @ right
    close = (problem.target + away * values[-1] * error / jnp.linalg.norm(error)) / problem.scale[:, None]
    # With both signs the imbalance has fewer than r positive and m negative eigenvalues: the level is zero.
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
    """Gradient flow from the initialization of one kind, counted from 1."""
    init = jax.tree.map(lambda part: part[kind - 1], inits(key, problem, away, width))
    return paces(problem, init, efolds, moments)


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        *(param for param in DATA if param.name not in ("n", "outputs", "tilt")),
        Param("n", 3, 10, low=1, high=100, unit="samples", static=True),
        Param("outputs", 3, 10, low=1, high=100, static=True),
        Param("tilt", 0.0, low=0.0, high=2.0, unit="exponent of the singular values of $X$; 0 whitens"),
        Param("kind", tuple(range(1, len(KINDS) + 1)), low=1, high=len(KINDS), unit="kind of initialization"),
        Param("away", 0.5, low=0.0, high=10.0, unit="initial error over smallest singular value"),
        Param("width", 30, 100, low=1, high=10**9, unit="hidden units where they are random"),
        Param("efolds", 8.0, low=0.1, high=1e3, unit="duration, in units of 1 / (mean rate)"),
        Param("moments", 21, 101, smoke=9, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns=PACES,
)
GUARANTEED = (0, 0, 1, 1, 1, 1, 1)
"""Whether theorem 3 guarantees a rate: not without imbalance or margin."""


def over_limit(data):
    """The initially guaranteed rate over its limit at zero error."""
    return data.guaranteed.isel(t=0) / data.asymptotic.isel(t=0)


def judge(data) -> Evidence:
    """The guarantee of the covered kinds and of the others, and the loss beside it."""
    ratio = over_limit(data)
    none, some = (ratio.isel(kind=[at for at, one in enumerate(GUARANTEED) if one == want]) for want in (0, 1))
    name = "guarantee over its limit"
    positive = "$c(0) > 0$ by corollary 4 or 5: half of the margin gives a quarter of the rate or more"
    zero = "neither imbalance nor margin: $c(0) = 0$ up to rounding error"
    return Evidence(
        holds=[
            at_least(f"{name}, minimum over the kinds with imbalance or margin", some.min(), 1e-4, key="covered", why=positive),
            at_most(f"{name}, maximum over the balanced kinds without margin", none.max(), 1e-12, key="uncovered", why=zero),
            below_bound(data, data.guaranteed.isel(t=0), "theorem 3, for every kind"),
        ]
    )


def draw(data) -> Drawing:
    """The guaranteed rate of each kind over its limit."""
    ratio, marks = over_limit(data).median("trial"), []
    for kind in map(int, data.kind.values):
        role = "measured" if GUARANTEED[kind - 1] else "control"
        marks.append(Points(f"{kind}: {KINDS[kind - 1]}", [kind], [float(ratio.sel(kind=kind))], role=role))
    return one_panel(
        [*marks, Rule("limit, at zero error", 1.0)],
        Axis("kind of initialization", low=0.5, high=len(KINDS) + 0.5),
        Axis("guaranteed rate over its limit", low=-0.05, high=1.1),
        "What theorem 3 guarantees for the initializations of table 1, median. Balanced ones have no guarantee unless they are "
        "near the target; any positive level of imbalance or any positive margin is sufficient.",
    )


CLAIM = Claim(
    id="min2021/table_1",
    kind="table",
    title="Which initializations of earlier results theorem 3 covers",
    says="Of the initializations studied before, theorem 3 guarantees exponential convergence for homogeneous and spectral "
    "imbalance and for approximately balanced layers with a margin, and beyond them for any positive level of imbalance and any "
    "positive margin. For exactly balanced layers without a margin it guarantees nothing.",
    source="min2021, table 1",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    least={"kind": len(KINDS)},
    controls=[Control("an error larger than the smallest singular value", changes={"away": 2.0}, breaks=("covered",))],
    seconds={"quick": 12, "paper": 40},
)

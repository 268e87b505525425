r"""Lemma 13: $\|WW^\top - \sigma^2kI\|_{op}$ of a Gaussian $d\times k$ matrix rarely exceeds $8\sigma^2\sqrt{kd}$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Points, Rule
from ...claims.marks import RAMP, family, log_axis, one_panel
from ...inits import bartlett
from ...lab import Param, Simulation
from .shared.marks import in_turn


def simulate(key, *, d, ratio, sigma, draws):
    r"""The deviation over $\sigma^2\sqrt{kd}$ for many samples of $W$, through its triangular factor."""

    def one(each):
        net = bartlett(each, dim=d - 1, outputs=1, width=ratio * d, scale=sigma)
        rows = jnp.concatenate([net.v, net.u])
        values = jnp.linalg.eigvalsh(rows @ rows.T / sigma**2) - ratio * d
        return jnp.max(jnp.abs(values)) / (jnp.sqrt(ratio) * d)

    return {"deviation": jax.lax.map(one, jr.split(jr.fold_in(key, 1), draws))}


RATIOS = (1.0, 10.0, 1e4), (1.0, 3.0, 10.0, 100.0, 1e4)
SIMULATION = Simulation(
    simulate,
    params=[
        Param("d", (2, 20), (2, 5, 20, 60), smoke=(4,), low=2, high=500, unit="rows", static=True),
        Param("ratio", *RATIOS, low=1.0, high=1e9, unit="columns over rows, $k/d$"),
        Param("sigma", (0.01, 3.0), low=1e-6, high=1e6, unit="standard deviation of an entry"),
        Param("draws", 100, 1_000, smoke=20, low=10, high=1_000_000, unit="matrices per trial", static=True),
    ],
    returns={"deviation": "m"},
)


def judge(data, constant) -> Evidence:
    """How often the level is exceeded against the bound, and how close the deviation comes to it."""
    often = ((data.deviation >= constant).mean(("m", "trial")) / (2 * np.exp(-data.d / 2))).max()
    typical = data.deviation.median(("m", "trial"))
    largest = (typical / (2 + 1 / np.sqrt(data.ratio))).where(data.d >= 20, 0).max()
    name = r"frequency of a deviation above $8 \sigma^2 \sqrt{kd}$, over $2 e^{-d/2}$"
    own = "the lemma's own bound; no wide matrix comes near the level"
    edge = r"the edge of the spectrum, $(\sqrt{k} + \sqrt{d})^2 - k$, is approached from below as $d$ grows, like $d^{-2/3}$"
    return Evidence(
        holds=[
            at_most(name, often, 1, key="frequency", why=own),
            at_most(r"median deviation over its limit $\sigma^2 (2 \sqrt{kd} + d)$", largest, 1.05, key="limit", why=edge),
            at_least(
                r"median deviation over $\sigma^2 \sqrt{kd}$ at the largest $d$",
                typical.isel(d=-1).min(),
                1.4,
                key="tightness",
                why=r"tightness: $2 + \sqrt{d/k}$ in the limit, less $1.3 d^{-2/3}$ times its scale: 8 is four times too large",
            ),
        ]
    )


def draw(data) -> Drawing:
    """The spread of the deviation against the ratio."""
    x, one = data.ratio.values, data.deviation.isel(sigma=0)
    largest = family("largest sample, $d = {}$", x, one.max(("m", "trial")), "d", mark=Points, roles=("second",))
    median = family("median, $d = {}$", x, one.median(("m", "trial")), "d", mark=Points, roles=RAMP)
    return one_panel(
        [
            *in_turn(largest, median),
            Line(r"limit of large $d$: $2 + \sqrt{d/k}$", x, 2 + 1 / np.sqrt(x), role="theory"),
            Rule("level of the lemma: 8", 8.0, role="control"),
        ],
        log_axis("$k/d$"),
        Axis(r"$\|W W^\top - \sigma^2 k I\|_{op}/(\sigma^2 \sqrt{kd})$", low=0),
        "The lemma's level of 8 is four times the typical deviation of a wide matrix, and only tiny matrices come near it.",
    )


CLAIM = Claim(
    id="woodworth2020/lemma_13",
    kind="lemma",
    title="A wide Gaussian matrix has nearly orthogonal rows",
    says=r"For $W \in \mathbb{R}^{d \times k}$, $d \leq k$, with $N(0, \sigma^2)$ entries, $\|W W^\top - \sigma^2 k I\|_{op} "
    r"\geq 8 \sigma^2 \sqrt{kd}$ with probability at most $2 e^{-d/2}$.",
    source="woodworth2020, lemma 13",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 8.0},
    controls=[Control(r"a level of $1.5 \sigma^2 \sqrt{kd}$", changes={"constant": 1.5}, breaks=("frequency",))],
    seconds={"quick": 5, "paper": 30},
)

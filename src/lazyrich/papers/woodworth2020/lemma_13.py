r"""Lemma 13: $\|WW^\top - \sigma^2kI\|_{op}$ of a Gaussian $d\times k$ matrix rarely exceeds $8\sigma^2\sqrt{kd}$."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...inits import bartlett
from ...lab import Param, Simulation
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule


def simulate(key, *, d, ratio, sigma, draws):
    r"""The deviation over $\sigma^2\sqrt{kd}$ for many draws of $W$, through its triangular factor."""

    def one(each):
        net = bartlett(each, dim=d - 1, outputs=1, width=ratio * d, scale=sigma)
        rows = jnp.concatenate([net.v, net.u])
        values = jnp.linalg.eigvalsh(rows @ rows.T / sigma**2) - ratio * d
        return jnp.max(jnp.abs(values)) / (jnp.sqrt(ratio) * d)

    return {"deviation": jax.lax.map(one, jr.split(jr.fold_in(key, 1), draws))}


SIMULATION = Simulation(
    simulate,
    params=[
        Param("d", (2, 20), (2, 5, 20, 60), smoke=(4,), low=2, high=500, unit="rows", static=True),
        Param(
            "ratio", (1.0, 10.0, 1e4), (1.0, 3.0, 10.0, 100.0, 1e4), low=1.0, high=1e9, unit="columns over rows, k/d"
        ),
        Param("sigma", (0.01, 3.0), low=1e-6, high=1e6, unit="deviation of an entry"),
        Param("draws", 100, 1_000, smoke=20, low=10, high=1_000_000, unit="matrices in a trial", static=True),
    ],
    returns={"deviation": "m"},
)


def judge(data, constant) -> Evidence:
    """How often the level is exceeded against the bound, and how near the deviation comes to it."""
    often = (data.deviation >= constant).mean(("m", "trial"))
    bound = 2 * np.exp(-data.d / 2)
    typical = data.deviation.median(("m", "trial"))
    expected = 2 + 1 / np.sqrt(data.ratio)
    return Evidence(
        holds=[
            at_most(
                "frequency of a deviation above 8 sigma^2 sqrt(kd), over 2 exp(-d/2)",
                (often / bound).max(),
                1,
                why="the lemma's own bound; of wide matrices no draw comes near the level",
            ),
            at_most(
                "typical deviation over its limit 2 sqrt(kd) + d",
                (typical / expected).where(data.d >= 20, 0).max(),
                1.05,
                why="the edge of the spectrum, (sqrt(k) + sqrt(d))^2 - k, is approached from below as d grows, like d^(-2/3)",
            ),
            at_least(
                "typical deviation over sigma^2 sqrt(kd) where d is largest",
                typical.isel(d=-1).min(),
                1.4,
                why="tightness: 2 + sqrt(d/k) in the limit, less 1.3 d^(-2/3) times its scale; so 8 is four times too large",
            ),
        ],
    )


def draw(data) -> Drawing:
    """The spread of the deviation against the ratio."""
    x = data.ratio.values
    marks = []
    for d in data.d.values:
        one = data.deviation.sel(d=d).isel(sigma=0)
        high = one.max(("m", "trial")).values
        marks += [
            Points(f"largest draw, d = {int(d)}", x, high, role="second"),
            Points(f"median, d = {int(d)}", x, one.median(("m", "trial")).values),
        ]
    return Drawing(
        [
            Panel(
                [
                    *marks,
                    Line("limit of large d: 2 + sqrt(d/k)", x, 2 + 1 / np.sqrt(x), role="theory"),
                    Rule("level of the lemma: 8", 8.0, role="control"),
                ],
                x=Axis("k / d", scale="log"),
                y=Axis("deviation / (sigma^2 sqrt(kd))", low=0),
            )
        ],
        columns=1,
        caption="The operator norm of W W^T - sigma^2 k I over sigma^2 sqrt(kd). The lemma's level of 8 is four "
        "times what is typical, and only tiny matrices come near it.",
    )


CLAIM = Claim(
    kind="lemma",
    title="A wide Gaussian matrix has nearly orthogonal rows",
    says="For W of size d x k, d <= k, with N(0, sigma^2) entries, |W W^T - sigma^2 k I|_op >= 8 sigma^2 "
    "sqrt(kd) with probability at "
    "most 2 exp(-d/2).",
    source="woodworth2020, lemma 13",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"constant": 8.0},
    control=Control(
        "a level of 1.5 sigma^2 sqrt(kd)",
        changes={"constant": 1.5},
        breaks=("frequency of a deviation above 8 sigma^2 sqrt(kd), over 2 exp(-d/2)",),
    ),
    seconds={"quick": 5, "paper": 30},
)

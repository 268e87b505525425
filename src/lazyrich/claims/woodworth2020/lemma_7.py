r"""Lemma 7: at large scales $4\alpha^2Q_\alpha(\beta)$ is within $1\pm\varepsilon$ of $\|\beta\|_2^2$."""

import jax.numpy as jnp
import jax.random as jr

from ...lab import Param, Simulation
from ...numerics.entropy import scaled_entropy
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule
from .lemma_5 import random_vector


def evaluate(key, *, eps, d, length, peak, over):
    r"""$4\alpha^2Q_\alpha(\beta)/\|\beta\|_2^2 - 1$ over $\varepsilon$, and what the next term of $q$ says of it."""
    beta = random_vector(jr.fold_in(key, 0), d, peak)
    beta = length * beta / jnp.linalg.norm(beta)
    alpha = over * jnp.sqrt(length) * (1 + eps**-0.25)
    ratio = 4 * alpha**2 * scaled_entropy(beta, 2 * jnp.log(alpha)).sum() / length**2
    return {"used": (ratio - 1) / eps, "law": -(beta**4).sum() / (48 * alpha**4 * length**2 * eps)}


SIMULATION = Simulation(
    evaluate,
    params=[
        Param("eps", (1e-6, 1e-3, 0.1, 0.5, 0.9), smoke=(1e-3, 0.5), low=1e-7, high=1.0),
        Param("length", (1e-3, 1.0, 1e3), smoke=(1.0,), low=1e-6, high=1e6, unit="l2 norm of the vector"),
        Param("peak", (0.0, 1.0, 30.0), smoke=(0.0, 30.0), low=0.0, high=100.0, unit="power of the normal entries"),
        Param("over", (1.0, 3.0), (1.0, 1.5, 3.0, 10.0), smoke=(1.0,), low=1.0, high=30.0, unit="alpha over alpha_2"),
        Param("d", 30, 1000, smoke=5, low=2, high=100_000, unit="unknowns", static=True),
    ],
    returns={"used": "", "law": ""},
)


def judge(data, promise) -> Evidence:
    """The lemma, how much room it leaves, and the next term of the expansion as its law."""
    seen = abs(data.law) > 1e-6
    return Evidence(
        sound=[at_least("points at which the law is read", seen.sum(), 1, why="an empty choice says nothing")],
        holds=[
            at_least("least excess, in units of eps", data.used.min(), -promise, why="the lemma's own constant, below"),
            at_most(
                "largest excess, in units of eps",
                data.used.max(),
                1e-6,
                why="q <= z^2/4, so the entropy is never above; rounding is 1e-16 of it, over eps >= 1e-7",
            ),
            near(
                "excess over -sum beta^4/(48 alpha^4 |beta|^2), the farthest",
                1 + abs(data.used / data.law - 1).where(seen).max(),
                1,
                0.02,
                why="q = z^2/4 - z^4/192 + z^6/2560: the next term is 0.075 z^2 of this one, and z <= (1 + "
                "eps^(-1/4))^-2 <= 1/4; where the share is above 1e-6, rounding of it is 1e-10",
            ),
            at_least(
                "share of eps that is used",
                -data.used.min(),
                0.012,
                why="one entry uses 1/48(1 + eps^(1/4))^4, 0.018 at eps = 1e-6: the lemma leaves a factor of about 50",
            ),
        ],
    )


def draw(data, eps, peak) -> Drawing:
    """The used share of eps against eps, with the law of one entry."""
    used = -data.used.isel(over=0).mean(("trial", "length"))
    law = 1 / (48 * (1 + eps**0.25) ** 4)
    marks = [Points(f"entries to the power {float(k):g}", eps.values, used.sel(peak=k).values) for k in peak.values]
    return Drawing(
        panels=[
            Panel(
                [
                    *marks,
                    Line("one entry: 1/48(1 + eps^(1/4))^4", eps.values, law.values, role="theory"),
                    Rule("the lemma: 1", 1.0),
                ],
                x=Axis("eps", scale="log"),
                y=Axis("(1 - 4 alpha^2 Q/|beta|_2^2) / eps", scale="log"),
            )
        ],
        columns=1,
        caption="How much of eps is used at the lemma's own scale, the mean over draws and norms: at most a fiftieth, "
        "by vectors of one large entry.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Large scales: the entropy is near the squared l2 norm",
    says="If alpha >= sqrt(|beta|_2)(1 + eps^(-1/4)), then 4 alpha^2 Q_alpha(beta) is between (1 - eps)|beta|_2^2 and "
    "(1 + eps)|beta|_2^2. "
    "In truth it is |beta|_2^2 - sum beta_i^4/(48 alpha^4) to leading order: never above, and at most eps/48 below.",
    source="woodworth2020, lemma 7",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"promise": 1.0},
    control=Control(
        "a hundredth of the room: within 1 - eps/100",
        changes={"promise": 0.01},
        breaks=("least excess, in units of eps",),
    ),
    seconds={"quick": 2, "paper": 4},
)

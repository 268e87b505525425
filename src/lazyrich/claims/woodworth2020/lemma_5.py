r"""Lemma 5: at small scales $Q_\alpha(\beta)/\log(1/\alpha^2)$ is within $1\pm\varepsilon$ of $\|\beta\|_1$."""

import jax.numpy as jnp
import jax.random as jr

from ...lab import Param, Simulation
from ...numerics.entropy import scaled_entropy
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule


def random_vector(key, d, peak):
    """Powers of normal numbers: at `peak` 0 all entries have one size, at a large one the largest is nearly alone."""
    entries = jr.normal(key, (d,))
    # In logarithms: a power of 30 leaves the range of floats.
    logs = peak * (jnp.log(jnp.abs(entries)) - jnp.log(jnp.abs(entries)).max())
    return jnp.sign(entries) * jnp.exp(logs)


def evaluate(key, *, eps, d, length, peak, power):
    r"""$Q_\alpha(\beta)/\log(1/\alpha^2)\|\beta\|_1 - 1$ over $\varepsilon$ at $\alpha = \alpha_1^{\text{power}}$."""
    beta = random_vector(jr.fold_in(key, 0), d, peak)
    beta = length * beta / jnp.abs(beta).sum()
    bounds = [0.0, jnp.log(length) / 2, -jnp.log(2 * length) / (2 * eps), -d / (2 * eps * length)]
    log_alpha = power * jnp.stack([jnp.asarray(b, float) for b in bounds]).min()
    ratio = scaled_entropy(beta, 2 * log_alpha).sum() / (-2 * log_alpha * length)
    return {"used": (ratio - 1) / eps, "log_alpha": log_alpha}


SIMULATION = Simulation(
    evaluate,
    params=[
        Param("eps", (0.05, 0.2, 0.5, 0.9), smoke=(0.1, 0.5), low=1e-3, high=1.0),
        Param(
            "length", (0.1, 1.0, 30.0, 1e4, 1e8), smoke=(1.0, 1e4), low=1e-3, high=1e12, unit="l1 norm of the vector"
        ),
        Param("peak", (0.0, 1.0, 30.0), smoke=(0.0, 30.0), low=0.0, high=100.0, unit="power of the normal entries"),
        Param(
            "power", (1.0, 2.0), (1.0, 1.2, 2.0, 5.0), smoke=(1.0,), low=1.0, high=10.0, unit="alpha = alpha_1^power"
        ),
        Param("d", 30, 1000, smoke=5, low=2, high=100_000, unit="unknowns", static=True),
    ],
    returns={"used": "", "log_alpha": ""},
)


def judge(data, promise) -> Evidence:
    """The lemma without tolerance, and how much of eps the hardest vectors use."""
    least, most = data.used.min(), data.used.max()
    return Evidence(
        holds=[
            at_most("largest excess, in units of eps", most, promise, why="the lemma's own constant on the upper side"),
            at_least(
                "least excess, in units of eps", least, -promise, why="the lemma's own constant on the lower side"
            ),
            at_least(
                "share of eps that is used on the upper side",
                most,
                0.7,
                why="one entry of size b uses (log b - 1)/log 2b of it, 0.91 at b = 1e8: the lemma is tight there",
            ),
        ],
    )


def draw(data, length, peak) -> Drawing:
    """The used share of eps against the norm, one line for each kind of vector."""
    used = data.used.isel(power=0)
    lines = []
    for kind in peak.values:
        one = used.sel(peak=kind)
        middle = one.mean(("trial", "eps"))
        lines.append(Line(f"entries to the power {float(kind):g}", length.values, middle.values))
    return Drawing(
        panels=[
            Panel(
                [*lines, Rule("the lemma: 1", 1.0), Rule("the lemma: -1", -1.0)],
                x=Axis("l1 norm", scale="log"),
                y=Axis("(Q / log(1/alpha^2)|beta|_1 - 1) / eps"),
            )
        ],
        columns=1,
        caption="How much of eps is used at the lemma's own scale, the mean over draws and eps. Flat vectors (power 0) "
        "lie below the l1 norm, peaked ones of a large norm nearly reach the bound above.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Small scales: the entropy is near the l1 norm",
    says="If alpha <= min(1, sqrt b, (2b)^(-1/(2 eps)), exp(-d/(2 eps b))) with b = |beta|_1, then "
    "Q_alpha(beta)/log(1/alpha^2) is between (1 - eps) b and (1 + eps) b. For one large entry this is tight.",
    source="woodworth2020, lemma 5",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"promise": 1.0},
    control=Control(
        "half of the room: within 1 + eps/2", changes={"promise": 0.5}, breaks=("largest excess, in units of eps",)
    ),
    seconds={"quick": 2, "paper": 4},
)

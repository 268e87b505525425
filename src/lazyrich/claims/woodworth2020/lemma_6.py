r"""Lemma 6: the scale must be exponentially small in $1/\varepsilon$ before $Q_\alpha$ is within $1+\varepsilon$ of $\ell_1$."""

import jax.numpy as jnp

from ...lab import Param, Simulation
from ...numerics.entropy import scaled_entropy
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel, Rule


def evaluate(eps, d, over):
    r"""How much $Q_\alpha$ prefers the spread vector to the sparse one, at `over` times the threshold scale."""
    log_alpha = jnp.log(over) - (0.25 + 1 / (8 * eps)) * jnp.log(d)
    sparse = scaled_entropy(jnp.ones(()), 2 * log_alpha)
    flat = d * scaled_entropy(1 / jnp.sqrt(d), 2 * log_alpha)
    return {
        "excess": (jnp.sqrt(d) * sparse / flat - 1) / eps,
        "applies": d >= jnp.maximum(jnp.e, 12 ** (4 * eps)),
    }


SIMULATION = Simulation(
    evaluate,
    params=[
        Param("eps", (0.02, 0.05, 0.1, 0.2, 0.3, 0.5), smoke=(0.1, 0.5), low=1e-3, high=4.0),
        Param("d", (3.0, 10.0, 100.0, 1e3, 1e4, 1e6), smoke=(100.0, 1e4), low=3, high=1e12, unit="unknowns"),
        Param("over", (1.0, 1.5, 3.0, 10.0, 100.0, 1e4), smoke=(1.0, 10.0), low=1, high=1e8, unit="threshold scales"),
    ],
    returns={"excess": "", "applies": ""},
    random=False,
)


def judge(data, gain) -> Evidence:
    """The inequality with no tolerance, wherever its hypotheses are met, and the growth in the scale."""
    excess = data.excess.where(data.applies)
    return Evidence(
        sound=[at_least("points that meet the hypotheses", data.applies.sum(), 1, why="an empty grid says nothing")],
        holds=[
            at_least(
                "least excess over eps",
                excess.min(),
                gain,
                why="the lemma's own constant: Q(v)/|v| >= (1 + eps) Q(w)/|w|",
            ),
            at_least(
                "least growth of the ratio with the scale",
                excess.diff("over").min() if excess.sizes["over"] > 1 else 0.0,
                -1e-9,
                why="the ratio increases in alpha; rounding of a ratio near sqrt(d) <= 1e6 is below 1e-9",
            ),
        ],
    )


def draw(data, d, eps) -> Drawing:
    """The excess at the threshold against eps, one line for each dimension."""
    excess = data.excess.where(data.applies).isel(over=0)
    lines = [Line(f"d = {float(v):g}", eps.values, excess.sel(d=v).values) for v in d.values]
    return Drawing(
        panels=[
            Panel(
                marks=[*lines, Rule("the lemma: 1", 1.0), Rule("limit of large d: 2", 2.0)],
                x=Axis("eps", scale="log"),
                y=Axis("(ratio - 1) / eps at the threshold scale", low=0),
            )
        ],
        columns=1,
        caption="How far Q_alpha is from a multiple of the l1 norm at the lemma's scale, in units of eps. "
        "The lemma promises 1; the ratio tends to 2 as d grows.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Near l1 only at exponentially small scale",
    says="If d >= max(e, 12^(4 eps)) and alpha >= d^(-1/4 - 1/(8 eps)), then Q_alpha(e_1)/|e_1|_1 >= (1 + eps) "
    "Q_alpha(1/sqrt d)/|1/sqrt d|_1: alpha must be below d^(-1/(8 eps)) for Q_alpha to be proportional to l1.",
    source="woodworth2020, lemma 6",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"gain": 1.0},
    control=Control(
        "three times the gain: a ratio of at least 1 + 3 eps", changes={"gain": 3.0}, breaks=("least excess over eps",)
    ),
    seconds={"quick": 2, "paper": 2},
)

r"""Lemmas C.1, C.2 and C.3: the inverse of $F(x) = x\log x$, and $\sum r_i\log(1/r_i)$ between two functions of the loss."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...lab import Param, Simulation
from ...numerics.linear_log import log_linear_log_inverse
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule


def simulate(key, *, draws, n, widest):
    r"""Numbers $y$ and $\beta$, and losses $r_1, \dots, r_n$ from equal ones to ones that differ by many orders.

    `first`: $\log F^{-1}(y) - \log(y/\log(1 + y))$. `second`: $\log(F^{-1}(\beta y) - 1) - \log\beta - \log(F^{-1}(y) - 1)$.
    `entropy`: what $\frac1n\sum r_i\log\frac1{r_i}$ has beyond $\mathcal L\log\frac1{n\mathcal L}$, over $\mathcal L$.
    """
    keys = jr.split(jr.fold_in(key, 0), 4)
    log_y = jr.uniform(keys[0], (draws,), minval=-widest, maxval=widest)
    log_share = jnp.log(jr.uniform(keys[1], (draws,), minval=1e-6))
    root, less = log_linear_log_inverse(log_y), log_linear_log_inverse(log_y + log_share)
    spread = jnp.exp(jr.uniform(keys[2], (draws, 1), minval=-5.0, maxval=5.0))
    log_r = jr.normal(keys[3], (draws, n)) * spread
    loss = jax.nn.logsumexp(log_r, axis=1) - jnp.log(n)
    mean = -jnp.sum(jax.nn.softmax(log_r) * log_r, axis=1)
    return {
        "log_y": log_y,
        "root": root,
        "equation": root + jnp.log(root) - log_y,
        "first": root - log_y + jnp.log(jax.nn.softplus(log_y)),
        "log_share": log_share,
        "second": jnp.log(jnp.expm1(less)) - log_share - jnp.log(jnp.expm1(root)),
        "spread": spread[:, 0],
        "entropy": mean + loss + jnp.log(n),
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("draws", 2_000, 100_000, smoke=200, low=10, high=10_000_000, unit="of each", static=True),
        Param("n", 6, 20, low=2, high=1_000, unit="losses", static=True),
        Param("widest", 20.0, 300.0, low=1.0, high=600.0, unit="|log y|, at most"),
    ],
    returns=dict.fromkeys(
        ("log_y", "root", "equation", "first", "log_share", "second", "spread", "entropy"),
        "s",
    ),
)


def judge(data, n, slack) -> Evidence:
    """The least room in each of the four inequalities, with a slack that is none in the lemmas."""
    return Evidence(
        sound=[
            at_most(
                "largest miss of the inverse in its own equation",
                abs(data.equation / abs(data.log_y).clip(min=1)).max(),
                1e-13,
                why="rounding",
            )
        ],
        holds=[
            at_least(
                "C.1: least log of the inverse over y/log(1 + y)",
                data.first.min() - slack,
                -1e-12,
                why="proven; rounding of logarithms as large as 300, a thousandfold",
            ),
            at_least(
                "C.2: least log of (inverse less 1 at a share of y) over that share of (inverse less 1)",
                data.second.min() - slack,
                -1e-12,
                why="the inverse is concave; the same rounding",
            ),
            at_least(
                "C.3: least excess over L log(1/(nL)), over L",
                data.entropy.min() - slack,
                -1e-12,
                why="it is the entropy of the shares of the losses; the same rounding",
            ),
            at_least(
                "C.3: least room below L log(1/L), over L",
                np.log(n) - data.entropy.max() - slack,
                -1e-12,
                why="an entropy is at most log(n); the same rounding",
            ),
        ],
    )


def draw(data, n) -> Drawing:
    """The three lemmas, one panel each."""
    one = data.isel(trial=0).sortby(data.isel(trial=0).log_y)
    x = one.log_y.values / np.log(10)
    return Drawing(
        [
            Panel(
                [
                    Line("F^-1(y)", x, one.root.values / np.log(10)),
                    Line("y/log(1 + y)", x, (one.root - one["first"]).values / np.log(10), role="theory"),
                ],
                x=Axis("log10 y"),
                y=Axis("log10"),
                title="C.1: the inverse of x log x",
            ),
            Panel(
                [Points("draws", one.log_share.values, one.second.values), Rule("bound", 0.0)],
                x=Axis("log of the share"),
                y=Axis("log of the ratio"),
                title="C.2: at a share of y",
            ),
            Panel(
                [
                    Points("draws", data.spread.values.ravel(), data.entropy.values.ravel()),
                    Rule("L log(1/(nL))", 0.0),
                    Rule("L log(1/L)", float(np.log(n))),
                ],
                x=Axis("spread of the losses, in their logarithm", scale="log"),
                y=Axis("excess over L log(1/(nL)), over L"),
                title="C.3: between equal losses and one",
            ),
        ],
        columns=3,
        caption="C.1: the inverse of x log x above y/log(1 + y). C.2: the ratio of both sides, never below 1. C.3: the mean of "
        "r log(1/r) lies between its value for a single loss and that for equal ones.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Three inequalities about x log x",
    says="With F(x) = x log x on x >= 1: F^-1(y) >= y/log(1 + y) for y > 0; F^-1(by) - 1 >= b (F^-1(y) - 1) for 0 < b "
    "< 1; and positive "
    "r_1..r_n of mean L have L log(1/(nL)) <= mean of r log(1/r) <= L log(1/L).",
    source="lyu2024, lemmas C.1 to C.3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"slack": 0.0},
    aliases=("lemma_c_1", "lemma_c_2", "lemma_c_3"),
    control=Control(
        "each inequality with a hundredth to spare",
        changes={"slack": 0.01},
        breaks=(
            "C.1: least log of the inverse over y/log(1 + y)",
            "C.2: least log of (inverse less 1 at a share of y) over that share of (inverse less 1)",
            "C.3: least excess over L log(1/(nL)), over L",
            "C.3: least room below L log(1/L), over L",
        ),
    ),
    seconds={"quick": 2, "paper": 5},
)

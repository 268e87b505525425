r"""Lemmas C.1, C.2 and C.3: the inverse of $F(x) = x\log x$, and $\sum r_i\log(1/r_i)$ between two functions of the loss."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule
from ...claims.marks import log_axis
from ...lab import Param, Simulation
from ...numerics.linear_log import log_linear_log_inverse


def simulate(key, *, draws, n, widest):
    r"""Numbers $y$ and $\beta$, and losses $r_1, \dots, r_n$ from equal ones to ones that differ by orders of magnitude.

    `first`: $\log F^{-1}(y) - \log(y/\log(1 + y))$. `second`: $\log(F^{-1}(\beta y) - 1) - \log\beta - \log(F^{-1}(y) - 1)$.
    `entropy`: $\frac1n\sum r_i\log\frac1{r_i}$ minus $\mathcal L\log\frac1{n\mathcal L}$, over $\mathcal L$.
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
        Param("draws", 2_000, 100_000, smoke=200, low=10, high=10_000_000, unit="samples of each", static=True),
        Param("n", 6, 20, low=2, high=1_000, unit="losses", static=True),
        Param("widest", 20.0, 300.0, low=1.0, high=600.0, unit=r"largest $|\log y|$"),
    ],
    returns=dict.fromkeys(("log_y", "root", "equation", "first", "log_share", "second", "spread", "entropy"), "s"),
)


def judge(data, n, slack) -> Evidence:
    """The smallest slack of each of the four inequalities, minus a constant that is zero in the lemmas."""
    error = abs(data.equation / abs(data.log_y).clip(min=1)).max()

    def smallest(name, value, key, why):
        why = f"{why}; rounding of logarithms as large as 300, times a thousand"
        return at_least(name, value - slack, -1e-12, key=key, why=why)

    first, second = r"$\log(F^{-1}(y)/(y/\log(1 + y)))$", r"$\log((F^{-1}(\beta y) - 1)/(\beta(F^{-1}(y) - 1)))$"
    lower, upper = (rf"$\mathcal{{L}}\log(1/{part})$, over $\mathcal{{L}}$" for part in (r"(n\mathcal{L})", r"\mathcal{L}"))
    high = np.log(n) - data.entropy.max()
    return Evidence(
        sound=[at_most("largest error of the inverse in its own equation", error, 1e-13, key="inverse", why="rounding error")],
        holds=[
            smallest(f"C.1: smallest {first}", data.first.min(), "c_1", "proven"),
            smallest(f"C.2: smallest {second}", data.second.min(), "c_2", "the inverse is concave"),
            smallest(f"C.3: smallest excess over {lower}", data.entropy.min(), "c_3_lower", "entropies are not negative"),
            smallest(f"C.3: smallest slack below {upper}", high, "c_3_upper", r"entropies are at most $\log n$"),
        ],
    )


def draw(data, n) -> Drawing:
    """The three lemmas, one panel each."""
    one = data.isel(trial=0).sortby(data.isel(trial=0).log_y)
    x = one.log_y.values / np.log(10)
    first = [
        Line("$F^{-1}(y)$", x, one.root.values / np.log(10)),
        Line(r"$y/\log(1 + y)$", x, (one.root - one["first"]).values / np.log(10), role="theory"),
    ]
    second = [Points("samples", one.log_share.values, one.second.values), Rule("bound", 0.0)]
    third = [
        Points("samples", data.spread.values.ravel(), data.entropy.values.ravel()),
        Rule(r"$\mathcal{L}\log(1/(n\mathcal{L}))$", 0.0),
        Rule(r"$\mathcal{L}\log(1/\mathcal{L})$", float(np.log(n))),
    ]
    spread, excess = log_axis(r"standard deviation of $\log r_i$"), Axis(r"excess over the lower bound, over $\mathcal{L}$")
    return Drawing(
        [
            Panel(first, Axis(r"$\log_{10}y$"), Axis(r"$\log_{10}$"), title=r"C.1: the inverse of $x\log x$"),
            Panel(second, Axis(r"$\log\beta$"), Axis("log of the ratio"), title=r"C.2: at a fraction $\beta$ of $y$"),
            Panel(third, spread, excess, title="C.3: between a single loss and equal ones"),
        ],
        columns=3,
        caption=r"C.1: the inverse of $x\log x$ above $y/\log(1 + y)$. C.2: the ratio of both sides, never below 1. C.3: the "
        r"mean of $r\log(1/r)$ lies between its value for a single loss and that for equal ones.",
    )


CLAIM = Claim(
    id="lyu2024/loss_bounds",
    kind="lemma",
    title=r"Three inequalities about $x\log x$",
    says=r"With $F(x) = x\log x$ on $x \geq 1$: $F^{-1}(y) \geq y/\log(1 + y)$ for $y > 0$; "
    r"$F^{-1}(\beta y) - 1 \geq \beta(F^{-1}(y) - 1)$ for $0 < \beta < 1$; and positive $r_1, ..., "
    r"r_n$ of mean $\mathcal{L}$ satisfy $\mathcal{L}\log(1/(n\mathcal{L})) \leq \frac{1}{n}\sum_i r_i\log(1/r_i) \leq "
    r"\mathcal{L}\log(1/\mathcal{L})$.",
    source="lyu2024, lemmas C.1 to C.3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"slack": 0.0},
    aliases=("lemma_c_1", "lemma_c_2", "lemma_c_3"),
    controls=[
        Control("each inequality with a slack of 0.01", changes={"slack": 0.01}, breaks=("c_1", "c_2", "c_3_lower", "c_3_upper"))
    ],
    seconds={"quick": 2, "paper": 5},
)

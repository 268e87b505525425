r"""Lemmas 5, 6, 7: how near $Q_\alpha$ is to the $\ell_1$ norm at small scales and to the squared $\ell_2$ norm at large ones."""

from functools import partial

import jax.numpy as jnp
import jax.random as jr

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Points, Rule
from ...claims.marks import RAMP, family, log_axis, one_panel
from ...lab import Param, Simulation
from ...numerics.entropy import scaled_entropy

EPS = log_axis(r"$\varepsilon$")


def random_vector(key, d, peak):
    """Powers of normal numbers: at `peak` 0 all entries have one size, at a large one the largest dominates."""
    entries = jr.normal(key, (d,))
    # In logarithms: a power of 30 leaves the range of floats.
    logs = peak * (jnp.log(jnp.abs(entries)) - jnp.log(jnp.abs(entries)).max())
    return jnp.sign(entries) * jnp.exp(logs)


def small_scale(key, *, eps, d, length, peak, power):
    r"""$Q_\alpha(\beta)/\log(1/\alpha^2)\|\beta\|_1 - 1$ over $\varepsilon$ at $\alpha = \alpha_1^{\mathrm{power}}$."""
    beta = random_vector(jr.fold_in(key, 0), d, peak)
    beta = length * beta / jnp.abs(beta).sum()
    bounds = [0.0, jnp.log(length) / 2, -jnp.log(2 * length) / (2 * eps), -d / (2 * eps * length)]
    log_alpha = power * jnp.stack([jnp.asarray(b, float) for b in bounds]).min()
    ratio = scaled_entropy(beta, 2 * log_alpha).sum() / (-2 * log_alpha * length)
    return {"used": (ratio - 1) / eps, "log_alpha": log_alpha}


def large_scale(key, *, eps, d, length, peak, over):
    r"""$4\alpha^2Q_\alpha(\beta)/\|\beta\|_2^2 - 1$ over $\varepsilon$, and what the next term of $q$ predicts of it."""
    beta = random_vector(jr.fold_in(key, 0), d, peak)
    beta = length * beta / jnp.linalg.norm(beta)
    alpha = over * jnp.sqrt(length) * (1 + eps**-0.25)
    ratio = 4 * alpha**2 * scaled_entropy(beta, 2 * jnp.log(alpha)).sum() / length**2
    return {"used": (ratio - 1) / eps, "law": -(beta**4).sum() / (48 * alpha**4 * length**2 * eps)}


def two_vectors(eps, d, over):
    r"""How much $Q_\alpha$ prefers the dense vector to the sparse one, at `over` times the threshold scale."""
    log_alpha = jnp.log(over) - (0.25 + 1 / (8 * eps)) * jnp.log(d)
    sparse = scaled_entropy(jnp.ones(()), 2 * log_alpha)
    flat = d * scaled_entropy(1 / jnp.sqrt(d), 2 * log_alpha)
    return {"excess": (jnp.sqrt(d) * sparse / flat - 1) / eps, "applies": d >= jnp.maximum(jnp.e, 12 ** (4 * eps))}


SHAPE = (
    Param("peak", (0.0, 1.0, 30.0), smoke=(0.0, 30.0), low=0.0, high=100.0, unit="power of the normal entries"),
    Param("d", 30, 1000, smoke=5, low=2, high=100_000, unit="dimension", static=True),
)
SMALL = Simulation(
    small_scale,
    params=[
        Param("eps", (0.05, 0.2, 0.5, 0.9), smoke=(0.1, 0.5), low=1e-3, high=1.0),
        Param("length", (0.1, 1.0, 30.0, 1e4, 1e8), smoke=(1.0, 1e4), low=1e-3, high=1e12, unit=r"$\|\beta\|_1$"),
        SHAPE[0],
        Param("power", (1.0, 2.0), (1.0, 1.2, 2.0, 5.0), smoke=(1.0,), low=1.0, high=10.0, unit=r"exponent of $\alpha_1$"),
        SHAPE[1],
    ],
    returns={"used": "", "log_alpha": ""},
)
LARGE = Simulation(
    large_scale,
    params=[
        Param("eps", (1e-6, 1e-3, 0.1, 0.5, 0.9), smoke=(1e-3, 0.5), low=1e-7, high=1.0),
        Param("length", (1e-3, 1.0, 1e3), smoke=(1.0,), low=1e-6, high=1e6, unit=r"$\|\beta\|_2$"),
        SHAPE[0],
        Param("over", (1.0, 3.0), (1.0, 1.5, 3.0, 10.0), smoke=(1.0,), low=1.0, high=30.0, unit=r"$\alpha/\alpha_2$"),
        SHAPE[1],
    ],
    returns={"used": "", "law": ""},
)
PAIR = Simulation(
    two_vectors,
    params=[
        Param("eps", (0.02, 0.05, 0.1, 0.2, 0.3, 0.5), smoke=(0.1, 0.5), low=1e-3, high=4.0),
        Param("d", (3.0, 10.0, 100.0, 1e3, 1e4, 1e6), smoke=(100.0, 1e4), low=3, high=1e12, unit="dimension"),
        Param("over", (1.0, 1.5, 3.0, 10.0, 100.0, 1e4), smoke=(1.0, 10.0), low=1, high=1e8, unit="threshold scales"),
    ],
    returns={"excess": "", "applies": ""},
    random=False,
)


def judge_small(data, promise) -> Evidence:
    r"""The lemma without tolerance, and how much of $\varepsilon$ the hardest vectors use."""
    least, most = data.used.min(), data.used.max()
    tight = r"one entry of size $b$ uses $(\log b - 1)/\log 2b$, 0.91 at $b = 10^8$: the lemma is tight there"
    return Evidence(
        holds=[
            at_most(r"largest excess over $\varepsilon$", most, promise, key="upper", why="the lemma's constant, above"),
            at_least(r"smallest excess over $\varepsilon$", least, -promise, key="lower", why="the lemma's constant, below"),
            at_least(r"fraction of $\varepsilon$ used above", most, 0.7, key="tightness", why=tight),
        ]
    )


def draw_small(data, length, peak) -> Drawing:
    r"""The used fraction of $\varepsilon$ against the norm, one line for each kind of vector."""
    used = data.used.isel(power=0).mean(("trial", "eps"))
    lines = family("normal entries to the power {}", length.values, used, "peak", roles=RAMP)
    return one_panel(
        [*lines, Rule("lemma: 1", 1.0), Rule("lemma: -1", -1.0)],
        log_axis(r"$\|\beta\|_1$"),
        Axis(r"$(Q_\alpha/(\log(1/\alpha^2) \|\beta\|_1) - 1)/\varepsilon$"),
        r"How much of $\varepsilon$ is used at the lemma's own scale, mean over trials and $\varepsilon$. Flat vectors (power 0) "
        r"lie below the $\ell_1$ norm, peaked ones of a large norm nearly reach the upper bound.",
    )


def judge_pair(data, gain) -> Evidence:
    """The inequality without tolerance, wherever its hypotheses hold, and the growth in the scale."""
    excess, applies = data.excess.where(data.applies), data.applies.sum()
    growth = excess.diff("over").min() if excess.sizes["over"] > 1 else 0.0
    why = r"the lemma's own constant, $1 + \varepsilon$"
    rises = r"the ratio increases with $\alpha$; rounding error of a ratio near $\sqrt{d} \leq 10^6$ is below 1e-9"
    return Evidence(
        sound=[at_least("points that satisfy the hypotheses", applies, 1, key="points", why="an empty grid says nothing")],
        holds=[
            at_least(r"smallest excess over $\varepsilon$", excess.min(), gain, key="excess", why=why),
            at_least("smallest growth of the ratio with the scale", growth, -1e-9, key="growth", why=rises),
        ],
    )


def draw_pair(data, d, eps) -> Drawing:
    r"""The excess at the threshold against $\varepsilon$, one line for each dimension."""
    lines = family("$d = {}$", eps.values, data.excess.where(data.applies).isel(over=0), "d", roles=RAMP)
    return one_panel(
        [*lines, Rule("lemma: 1", 1.0), Rule("limit of large $d$: 2", 2.0)],
        EPS,
        Axis(r"excess over $\varepsilon$ at the threshold", low=0),
        r"How far $Q_\alpha$ is from a multiple of the $\ell_1$ norm at the lemma's scale, in units of $\varepsilon$. The lemma "
        r"guarantees 1; the ratio tends to 2 as $d$ grows.",
    )


def judge_large(data, promise) -> Evidence:
    """The lemma, how much room it leaves, and the next term of the expansion as its law."""
    seen, least, most = abs(data.law) > 1e-6, data.used.min(), data.used.max()
    above = r"$q \leq z^2/4$, so the entropy is never above; rounding error is 1e-16 over $\varepsilon \geq 10^{-7}$"
    return Evidence(
        sound=[at_least("points at which the law is read", seen.sum(), 1, key="points", why="an empty set says nothing")],
        holds=[
            at_least(r"smallest excess over $\varepsilon$", least, -promise, key="lower", why="the lemma's constant, below"),
            at_most(r"largest excess over $\varepsilon$", most, 1e-6, key="upper", why=above),
            near(
                r"excess over $-\sum_i \beta_i^4/(48 \alpha^4 \|\beta\|_2^2)$, farthest from 1",
                1 + abs(data.used / data.law - 1).where(seen).max(),
                1,
                0.02,
                key="law",
                why=r"$q = z^2/4 - z^4/192 + z^6/2560$: the next term is $0.075 z^2$ of this one, $z \leq (1 + "
                r"\varepsilon^{-1/4})^{-2} \leq 1/4$; rounding error is 1e-10 of a law above 1e-6",
            ),
            at_least(
                r"fraction of $\varepsilon$ used",
                -least,
                0.012,
                key="tightness",
                why=r"one entry uses $1/(48 (1 + \varepsilon^{1/4})^4)$, 0.018 at $\varepsilon = 10^{-6}$: 50 times less than 1",
            ),
        ],
    )


def draw_large(data, eps, peak) -> Drawing:
    r"""The used fraction of $\varepsilon$ against $\varepsilon$, with the law of one entry."""
    used = -data.used.isel(over=0).mean(("trial", "length"))
    law = 1 / (48 * (1 + eps**0.25) ** 4)
    return one_panel(
        [
            *family("normal entries to the power {}", eps.values, used, "peak", mark=Points, roles=RAMP),
            Line(r"one entry: $1/(48 (1 + \varepsilon^{1/4})^4)$", eps.values, law.values, role="theory"),
            Rule("lemma: 1", 1.0),
        ],
        EPS,
        log_axis(r"$(1 - 4 \alpha^2 Q_\alpha/\|\beta\|_2^2)/\varepsilon$"),
        r"How much of $\varepsilon$ is used at the lemma's own scale, mean over trials and norms: at most 2%, by peaked vectors.",
    )


lemma = partial(Claim, kind="lemma")

CLAIMS = (
    lemma(
        id="woodworth2020/lemma_5",
        title=r"Small scales: the entropy is near the $\ell_1$ norm",
        says=r"If $\alpha \leq \min(1, \sqrt{b}, (2b)^{-1/(2\varepsilon)}, \exp(-d/(2 \varepsilon b)))$ with $b = \|\beta\|_1$, "
        r"then $Q_\alpha(\beta)/\log(1/\alpha^2)$ is between $(1 - \varepsilon) b$ and $(1 + \varepsilon) b$. For one large "
        r"entry this is tight.",
        source="woodworth2020, lemma 5",
        simulation=SMALL,
        judge=judge_small,
        draw=draw_small,
        constants={"promise": 1.0},
        controls=[Control(r"half of the room: within $1 + \varepsilon/2$", changes={"promise": 0.5}, breaks=("upper",))],
        seconds={"quick": 2, "paper": 4},
    ),
    lemma(
        id="woodworth2020/lemma_7",
        title=r"Large scales: the entropy is near the squared $\ell_2$ norm",
        says=r"If $\alpha \geq \sqrt{\|\beta\|_2} (1 + \varepsilon^{-1/4})$, then $4 \alpha^2 Q_\alpha(\beta)$ is between $(1 - "
        r"\varepsilon) \|\beta\|_2^2$ and $(1 + \varepsilon) \|\beta\|_2^2$. In truth it is $\|\beta\|_2^2 - \sum_i "
        r"\beta_i^4/(48 \alpha^4)$ to leading order: never above, and at most $\varepsilon \|\beta\|_2^2/48$ below.",
        source="woodworth2020, lemma 7",
        simulation=LARGE,
        judge=judge_large,
        draw=draw_large,
        constants={"promise": 1.0},
        controls=[Control(r"1% of the room: within $1 - \varepsilon/100$", changes={"promise": 0.01}, breaks=("lower",))],
        seconds={"quick": 2, "paper": 4},
    ),
    lemma(
        id="woodworth2020/lemma_6",
        title=r"Near $\ell_1$ only at exponentially small scale",
        says=r"If $d \geq \max(e, 12^{4\varepsilon})$ and $\alpha \geq d^{-1/4 - 1/(8\varepsilon)}$, then "
        r"$Q_\alpha(e_1)/\|e_1\|_1 \geq (1 + \varepsilon) Q_\alpha(\mathbf{1}/\sqrt{d})/\|\mathbf{1}/\sqrt{d}\|_1$: for "
        r"$Q_\alpha$ to be proportional to $\ell_1$ up to $1 + \varepsilon$, $\alpha$ must be below $d^{-1/4 - "
        r"1/(8\varepsilon)}$.",
        source="woodworth2020, lemma 6",
        simulation=PAIR,
        judge=judge_pair,
        draw=draw_pair,
        constants={"gain": 1.0},
        controls=[Control(r"three times the gain: a ratio of at least $1 + 3\varepsilon$", {"gain": 3.0}, breaks=("excess",))],
        seconds={"quick": 2, "paper": 2},
    ),
)

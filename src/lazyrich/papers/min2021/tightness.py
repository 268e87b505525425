r"""Tightness of proposition 1: networks of given imbalance and product whose rate equals the bound."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line
from ...claims.marks import log_axis, one_panel
from ...errors import BadInput
from ...lab import Param, Simulation
from ...numerics.imbalance import Imbalance, place


def layers(up, down, singular, crossed):
    r"""Layers with imbalance $\mathrm{diag}(p, -q)$ and a product with these singular values; more $p$ than $q$.

    A pair $(p, q)$ carries $w$ with $u = (\sqrt{p}\cosh s, \sqrt{q}\sinh s)$, $v = (\sqrt{p}\sinh s, \sqrt{q}\cosh s)$ and
    $(p + q)\sinh 2s = 2w$; an unpaired $p$ has $u = \sqrt{p}$. Where they are `crossed` the smallest $w$ is paired with the
    largest $p$ and the smallest $q$, and the smallest $p$ is unpaired; otherwise the largest are unpaired.
    """
    draws, rows, outputs = up.shape[0], up.shape[1], down.shape[1]
    meets = [*range(1, outputs), 0] if crossed else list(range(rows - outputs, rows))
    alone = [at for at in range(rows) if at not in meets]
    u, v = np.zeros((draws, rows, rows + outputs)), np.zeros((draws, outputs, rows + outputs))
    for at, (q, p) in enumerate(zip(range(outputs), meets, strict=True)):
        turn = np.arcsinh(2 * singular[:, at] / (up[:, p] + down[:, q])) / 2
        u[:, at, p], u[:, at, rows + q] = np.sqrt(up[:, p]) * np.cosh(turn), np.sqrt(down[:, q]) * np.sinh(turn)
        v[:, at, p], v[:, at, rows + q] = np.sqrt(up[:, p]) * np.sinh(turn), np.sqrt(down[:, q]) * np.cosh(turn)
    for at, p in enumerate(alone, start=outputs):
        u[:, at, p] = np.sqrt(up[:, p])
    return u, v


def simulate(key, *, rows, outputs, draws, crossed):
    """The slowest rate of such layers over the bound, and the error of their imbalance and product."""
    if rows == outputs:
        raise BadInput(
            needed="rows different from outputs: with as many, both brackets need not be attained at once",
            given=f"rows = outputs = {rows}",
            cure="Choose different numbers.",
        )
    rng = np.random.default_rng(np.asarray(jr.key_data(jr.fold_in(key, 4))))
    many, few = max(rows, outputs), min(rows, outputs)
    up, down, singular = (np.sort(np.exp(rng.standard_normal((draws, size))), axis=1)[:, ::-1] for size in (many, few, few))
    u, v = layers(up, down, singular, crossed)
    values = np.linalg.eigvalsh(u.swapaxes(1, 2) @ u - v.swapaxes(1, 2) @ v)
    product = np.linalg.svd(u @ v.swapaxes(1, 2), compute_uv=False)
    asked = np.concatenate([-down, up[:, ::-1]], axis=1)
    ends, made = Imbalance.of(jnp.asarray(values), rows=many, others=few), jnp.asarray(product)
    bound = np.asarray(ends.rate_at_least(place(made, few), place(made, many)))
    (first, left), (second, right) = (np.linalg.eigh(part @ part.swapaxes(1, 2)) for part in (u, v))
    error = left[:, :, 0, None] * right[:, None, :, 0]
    rate = 2 * (((error @ v) ** 2).sum((1, 2)) + ((error.swapaxes(1, 2) @ u) ** 2).sum((1, 2)))
    return {
        "ratio": rate / bound,
        "slowest": 2 * (first[:, 0] + second[:, 0]) / bound,
        "imbalance_off": (abs(values - asked).max(1) / abs(asked).max(1)).max(),
        "product_off": (abs(product - singular).max(1) / singular[:, 0]).max(),
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("rows", (2, 5, 7), (2, 5, 20), smoke=(2,), low=1, high=100, unit="rank of the inputs", static=True),
        Param("outputs", (1, 3, 4), (1, 3, 10), smoke=(1,), low=1, high=100, static=True),
        Param("draws", 200, 1_000, smoke=20, low=1, high=10**6, unit="spectra per trial", static=True),
        Param("crossed", 1, low=0, high=1, unit="1: pair the smallest $w$ with the largest $p$", static=True),
    ],
    returns={"ratio": "n", "slowest": "n", "imbalance_off": "", "product_off": ""},
    host=True,
)


def judge(data) -> Evidence:
    """The slowest rate over the bound, from both layers' eigenvalues and from the error that attains it."""
    rounding = "rounding error of eigenvalues within a factor of a few thousand of each other"
    return Evidence(
        sound=[
            at_most("relative error of the imbalance", data.imbalance_off.max(), 1e-10, key="imbalance", why=rounding),
            at_most("relative error of the product", data.product_off.max(), 1e-10, key="product", why=rounding),
        ],
        holds=[
            at_most("rate over the bound, maximum", data.ratio.max(), 1 + 1e-9, key="rate", why=rounding),
            at_most("slowest mode over the bound, maximum", data.slowest.max(), 1 + 1e-9, key="slowest", why=rounding),
            at_least("rate over the bound, minimum", data.ratio.min(), 1 - 1e-9, key="bound", why=f"proposition 1; {rounding}"),
        ],
    )


def draw(data) -> Drawing:
    """The rates of all draws over the bound, in increasing order."""
    part = abs(data.ratio.isel(trial=0, rows=-1, outputs=-1) - 1).values
    return one_panel(
        [Line("rate over the bound, minus 1", np.linspace(0, 1, part.size), np.maximum(np.sort(part), 1e-17))],
        Axis("fraction of draws"),
        log_axis("distance from 1", high=1e-6),
        "Networks with random spectra of imbalance and product, constructed so that the smallest singular value of the product "
        "is paired with the largest positive eigenvalue: their rate is the bound of proposition 1 up to rounding error.",
    )


CLAIM = Claim(
    id="min2021/tightness",
    kind="derived",
    title="The bound on the rate is attained",
    says=r"For whitened inputs, $r \neq m$ and any spectra of the imbalance ($r$ positive, $m$ negative eigenvalues) and of the "
    "product there is a network of $r + m$ hidden units and an error with the rate of proposition 1: in terms of these spectra "
    "its bound is optimal.",
    source="min2021, remark 2 and appendix C",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("remark_2",),
    controls=[Control("the largest eigenvalues unpaired", changes={"crossed": 0}, breaks=("rate", "slowest"))],
    seconds={"quick": 3, "paper": 30},
)

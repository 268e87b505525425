r"""Tightness of proposition 1: nets of given imbalance and product whose rate is the bound."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...errors import BadInput
from ...lab import Param, Simulation
from ...numerics.imbalance import Imbalance, place
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel


def layers(up, down, singular, crossed):
    r"""Layers with imbalance $\mathrm{diag}(p, -q)$ and these singular values of the product, $p$ more than $q$.

    A pair $(p, q)$ carries $w$ by $u = (\sqrt p\cosh s, \sqrt q\sinh s)$ and $v = (\sqrt p\sinh s, \sqrt q\cosh s)$ with
    $(p + q)\sinh 2s = 2w$; a lone $p$ has $u = \sqrt p$. Where they are `crossed` the least $w$ meets the largest $p$ and the
    least $q$, and the least $p$ is alone; otherwise the largest are alone.
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
    """The slowest rate of such layers over the bound, and how well imbalance and product are what was asked for."""
    if rows == outputs:
        raise BadInput(
            needed="layers with more rows than outputs, or fewer: with as many, both brackets need not be met at once",
            given=f"rows = outputs = {rows}",
            cure="Choose different numbers.",
        )
    rng = np.random.default_rng(np.asarray(jr.key_data(jr.fold_in(key, 4))))
    many, few = max(rows, outputs), min(rows, outputs)
    up, down, singular = (
        np.sort(np.exp(rng.standard_normal((draws, size))), axis=1)[:, ::-1] for size in (many, few, few)
    )
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
        Param("draws", 200, 1_000, smoke=20, low=1, high=10**6, unit="of spectra, a trial", static=True),
        Param("crossed", 1, low=0, high=1, unit="1: the least singular value meets the largest p", static=True),
    ],
    returns={"ratio": "n", "slowest": "n", "imbalance_off": "", "product_off": ""},
    host=True,
)


def judge(data) -> Evidence:
    """The slowest rate over the bound, by both layers' eigenvalues and by the error that attains it."""
    rounding = "eigenvalues within a factor of some thousands of each other: rounding"
    return Evidence(
        sound=[
            at_most("imbalance less what was asked for, relative", data.imbalance_off.max(), 1e-10, why=rounding),
            at_most("product less what was asked for, relative", data.product_off.max(), 1e-10, why=rounding),
        ],
        holds=[
            at_most("rate over the bound, the largest", data.ratio.max(), 1 + 1e-9, why=f"attained; {rounding}"),
            at_most(
                "slowest mode over the bound, the largest", data.slowest.max(), 1 + 1e-9, why=f"attained; {rounding}"
            ),
            at_least("rate over the bound, the least", data.ratio.min(), 1 - 1e-9, why=f"proposition 1; {rounding}"),
        ],
    )


def draw(data) -> Drawing:
    """The rates of all draws over the bound, in order."""
    part = abs(data.ratio.isel(trial=0, rows=-1, outputs=-1) - 1).values
    return Drawing(
        [
            Panel(
                [Line("rate over the bound, less 1", np.linspace(0, 1, part.size), np.maximum(np.sort(part), 1e-17))],
                x=Axis("share of the draws"),
                y=Axis("distance from 1", scale="log", high=1e-6),
            )
        ],
        columns=1,
        caption="Nets with random spectra of the imbalance and of the product, built so that the least singular value "
        "of the product meets the largest positive eigenvalue: their rate is the bound of proposition 1 up to "
        "rounding.",
    )


CLAIM = Claim(
    kind="derived",
    title="The bound on the rate is attained",
    says="For r != m and any spectra of the imbalance (r positive, m negative eigenvalues) and of the product there "
    "is a net of r + m hidden units and an error whose rate is the bound of proposition 1: knowing no more than "
    "these, it cannot be improved.",
    source="min2021, remark 2 and appendix C",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("remark_2",),
    control=Control(
        "the largest eigenvalues left alone",
        changes={"crossed": 0},
        breaks=("rate over the bound, the largest", "slowest mode over the bound, the largest"),
    ),
    seconds={"quick": 3, "paper": 30},
)

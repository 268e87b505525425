r"""Lemma 7, lemma 8 and proposition 1: lower bounds on the instantaneous rate at every point, for random layers and errors."""

from functools import partial

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Line
from ...claims.marks import one_panel
from ...errors import BadInput
from ...lab import Param, Simulation
from ...numerics.imbalance import Imbalance, place

QUANTILES = 51
"""Kept of each bound over what it bounds."""
ROUNDING = 1e-12
"""Rounding error of eigenvalues of matrices with up to 9 rows, relative to the sum of all squares."""


def require_width(width: int, rows: int, outputs: int) -> None:
    """Refuse networks that cannot express every linear map."""
    if width < min(rows, outputs):
        raise BadInput(
            needed=f"at least min({rows}, {outputs}) hidden units: fewer constrain the rank of the predictor",
            given=f"width {width}",
            cure=f"Give width={min(rows, outputs)} or more.",
        )


def draw(key, draws, rows, outputs, width):
    """Layers whose units differ in scale, every fourth pair rank deficient; singular values of the inputs; an error.

    In even draws the error is the bottom eigenmatrix of the two layers, and the singular values are all equal.
    """
    rng = np.random.default_rng(np.asarray(jr.key_data(key)))
    parts = [rng.standard_normal((draws, size, width)) for size in (rows, outputs)]
    units = np.exp(rng.standard_normal((2, draws, 1, width + 1)))
    u, v = (part * unit[..., :-1] * unit[..., -1:] for part, unit in zip(parts, units, strict=True))
    poor = np.arange(draws) % 4 == 1
    u[poor, -1], v[poor, :, -1] = u[poor, 0], 0.0
    scale = np.sort(np.exp(rng.standard_normal((draws, rows))))[:, ::-1].copy()
    error = rng.standard_normal((draws, rows, outputs))
    bottoms = [np.linalg.eigh(part @ part.swapaxes(-1, -2))[1][..., 0] for part in (u, v)]
    even = np.arange(draws) % 2 == 0
    error[even] = (bottoms[0][:, :, None] * bottoms[1][:, None, :])[even]
    scale[even] = scale[even, :1]
    return u, v, scale, error, even


def kept(ratio, of):
    """Quantiles over the draws of a bound over what it bounds, where that is not zero."""
    return np.quantile(ratio[of], np.linspace(0, 1, QUANTILES))


def simulate(key, *, rows, outputs, width, draws):
    """The smallest slack of each bound over all draws, relative to the squared norms, and that of its false variant."""
    require_width(width, rows, outputs)
    u, v, scale, error, even = draw(jr.fold_in(key, 4), draws, rows, outputs, width)
    weighed = scale[:, :, None] * error
    pull = ((weighed @ v) ** 2).sum((1, 2)) + ((error.swapaxes(1, 2) @ (scale[:, :, None] * u)) ** 2).sum((1, 2))
    rate = 2 * pull / (error**2).sum((1, 2))
    size = (u**2).sum((1, 2)) + (v**2).sum((1, 2))
    least, unit = scale[:, -1] ** 2, 2 * scale[:, 0] ** 2 * size
    first, second = (np.linalg.eigvalsh(part @ part.swapaxes(-1, -2)) for part in (u, v))
    values = jnp.asarray(np.linalg.eigvalsh(u.swapaxes(1, 2) @ u - v.swapaxes(1, 2) @ v))
    ends = Imbalance.of(values, rows=rows, others=outputs)
    product = jnp.asarray(np.linalg.svd(u @ v.swapaxes(1, 2), compute_uv=False))
    singular = place(product, outputs), place(product, rows)
    flat = Imbalance(ends.bottom, ends.bottom, ends.low_bottom, ends.low_bottom)

    def seven(at):
        return 2 * least * (first[:, min(at, rows - 1)] + second[:, min(at, outputs - 1)])

    bounds, eager = (np.asarray(part.squares_at_least(*singular)) for part in (ends, flat))
    squares = np.stack([second[:, 0], first[:, 0]])
    one = least * np.asarray(ends.rate_at_least(*singular))
    up, down = ends.spreads
    brackets = [np.hypot(s + ends.level, 2 * w) - s for s, w in zip((up, down), singular, strict=True)]
    tops = [np.hypot(ends.level, 2 * w) for w in singular]
    inside = [np.minimum(b - ends.level, t - b) / size for b, t in zip(brackets, tops, strict=True)]
    full = squares > 1e-6 * size
    return {
        "slack_7": ((rate - seven(0)) / unit).min(),
        "eager_7": ((rate - seven(1)) / unit).min(),
        "tight_7": (abs(rate - seven(0)) / unit)[even].max(),
        "slack_8": ((squares - bounds) / size).min(),
        "eager_8": ((squares - eager) / size).min(),
        "slack_1": ((rate - one) / unit).min(),
        "eager_1": ((rate - least * np.asarray(flat.rate_at_least(*singular))) / unit).min(),
        "sandwich": np.min(inside),
        "ratio_7": kept(seven(0) / rate, ~even),
        "ratio_8": kept(np.where(full, bounds / np.where(full, squares, 1.0), 0.0), full),
        "ratio_1": kept(one / rate, even),
        "fraction": np.linspace(0, 1, QUANTILES),
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("rows", (1, 3, 5), (1, 3, 5, 20), smoke=(1, 3), low=1, high=100, unit="rank of the inputs", static=True),
        Param("outputs", (1, 3, 4), (1, 3, 4, 10), smoke=(3,), low=1, high=100, static=True),
        Param("width", (4, 9), (10, 40), smoke=(4,), low=1, high=200, unit="hidden units", static=True),
        Param("draws", 300, 1_000, smoke=40, low=8, high=10**6, unit="layers and errors per trial", static=True),
    ],
    returns={
        **dict.fromkeys(("slack_7", "eager_7", "tight_7", "slack_8", "eager_8", "slack_1", "eager_1", "sandwich"), ""),
        **dict.fromkeys(("ratio_7", "ratio_8", "ratio_1", "fraction"), "q"),
    },
    host=True,
)


def slack(data, variant, what) -> Reading:
    """The smallest slack over all draws."""
    why = "a lower bound, up to rounding error of eigenvalues"
    return at_least(f"{what} minus its bound, minimum over all draws", data[variant].min(), -ROUNDING, key="slack", why=why)


def attained(data, ratio, what) -> Reading:
    """The largest bound over what it bounds."""
    why = "equality for one row and one output, where the bounds are identities of the scalar network"
    return at_least(f"bound over the {what}, maximum", data[ratio].max(), 1 - 1e-6, key="attained", why=why)


def judge_7(data, variant) -> Evidence:
    """The smallest slack over all draws, and the largest where the error is the bottom eigenmatrix."""
    why = "equality for equal singular values of the inputs and the bottom eigenmatrix as the error"
    name = "rate minus its bound where it is attained, maximum"
    tight = at_most(name, data.tight_7.max(), ROUNDING, key="attained", why=why)
    return Evidence(holds=[slack(data, variant, "rate"), tight])


def judge_8(data, variant) -> Evidence:
    """The smallest slack of both bounds over all draws, and how close they come to equality."""
    return Evidence(holds=[slack(data, variant, "smallest eigenvalue"), attained(data, "ratio_8", "eigenvalue")])


def judge_1(data, variant) -> Evidence:
    """The smallest slack over all draws, the range of each bracket, and how close the bound comes to the rate."""
    name = r"distance of each bracket to the ends of $[\Delta, \sqrt{\Delta^2 + 4\sigma^2}]$, minimum"
    why = "it decreases from the upper to the lower end as the spread of the imbalance grows"
    sandwich = at_least(name, data.sandwich.min(), -ROUNDING, key="range", why=why)
    return Evidence(holds=[slack(data, variant, "rate"), sandwich, attained(data, "ratio_1", "rate")])


def draw_ratio(data, ratio, title, caption) -> Drawing:
    """A bound over what it bounds, in increasing order over draws, for three sizes of the layers."""
    part = data[ratio].isel(trial=0, width=-1)
    x = data.fraction.values.reshape(-1, part.sizes["q"])[0]
    marks = {}
    for role, (rows, outputs) in zip(SERIES, [(0, 0), (-1, 0), (-1, -1)], strict=True):
        at = part.isel(rows=rows, outputs=outputs)
        name = rf"$r = {int(at.rows)}$, $m = {int(at.outputs)}$, $h = {int(at.width)}$"
        marks.setdefault(name, Line(name, x, at.values, role=role))
    return one_panel([*marks.values()], Axis("fraction of draws"), Axis("bound over value", low=0, high=1.05), caption, title)


claim = partial(Claim, simulation=SIMULATION, seconds={"quick": 8, "paper": 120})
CLAIMS = (
    claim(
        id="min2021/lemma_7",
        kind="lemma",
        title="The smallest eigenvalues of both layers bound the rate",
        says=r"At every point the excess loss decays at a rate of at least $2\lambda_r(\Sigma_X)(\lambda_r(U_1U_1^\top) + "
        r"\lambda_m(VV^\top))$, with equality for whitened inputs and the product of the bottom eigenvectors as the error.",
        source="min2021, lemma 7",
        judge=judge_7,
        draw=partial(
            draw_ratio,
            ratio="ratio_7",
            title="Lemma 7 over the rate of random errors",
            caption="Random layers, errors and inputs: the bound of lemma 7 over the rate, draws in increasing order. It never "
            "exceeds 1, and is 1 where the error is the bottom eigenmatrix of both layers (not shown).",
        ),
        constants={"variant": "slack_7"},
        controls=[Control("the second smallest eigenvalues", changes={"variant": "eager_7"}, breaks=("slack",))],
    ),
    claim(
        id="min2021/lemma_8",
        kind="lemma",
        title="Imbalance and product bound each layer from below",
        says=r"For $F$ with $r$ rows, $G$ with $m$ columns and $D = F^\top F - GG^\top$: $\lambda_m(G^\top G) \geq "
        r"\frac{1}{2}(-p + q + \sqrt{(p + q)^2 + 4\sigma_m^2(FG)})$, where $p = \max(\lambda_1(D), 0)$ and $q = "
        r"\max(\lambda_m(-D), 0)$; and the same for $FF^\top$.",
        source="min2021, lemma 8",
        judge=judge_8,
        draw=partial(
            draw_ratio,
            ratio="ratio_8",
            title="Lemma 8 over the smallest eigenvalues",
            caption="Random layers: the bound of lemma 8 over the smallest eigenvalue, both layers, draws in increasing order. "
            "For one row and one output some bounds are attained; for larger layers they are strict.",
        ),
        constants={"variant": "slack_8"},
        controls=[Control("the smallest positive eigenvalue of $D$, not the largest", {"variant": "eager_8"}, breaks=("slack",))],
    ),
    claim(
        id="min2021/proposition_1",
        kind="proposition",
        title="Imbalance and product bound the rate",
        says=r"At every point the rate of the excess loss is at least $\lambda_r(\Sigma_X)$ times the sum of $-\Delta_+ + "
        r"\sqrt{(\Delta_+ + \Delta)^2 + 4\sigma_m^2(U_1V^\top)}$ and $-\Delta_- + \sqrt{(\Delta_- + \Delta)^2 + "
        r"4\sigma_r^2(U_1V^\top)}$, $\Delta$ the level of imbalance, $\Delta_\pm$ the spreads of its positive and negative part.",
        source="min2021, proposition 1",
        judge=judge_1,
        draw=partial(
            draw_ratio,
            ratio="ratio_1",
            title="Proposition 1 over the slowest rate",
            caption="Random layers, whitened inputs, slowest error: bound of proposition 1 over the rate, in increasing order.",
        ),
        constants={"variant": "slack_1"},
        controls=[Control("without the spreads of the imbalance", changes={"variant": "eager_1"}, breaks=("slack",))],
    ),
)

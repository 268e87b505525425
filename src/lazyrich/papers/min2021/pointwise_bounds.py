"""Two layers and an error drawn at random, many at once: rates and least eigenvalues beside the bounds of their imbalance."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...errors import BadInput
from ...numerics.imbalance import Imbalance, place
from ..params import Param
from ..simulation import Simulation

SHARES = 51
"""Quantiles kept of each bound over what it bounds."""


def require_width(width: int, rows: int, outputs: int) -> None:
    """Refuse nets that cannot express every map."""
    if width < min(rows, outputs):
        raise BadInput(
            needed=f"at least min({rows}, {outputs}) hidden units: fewer constrain the rank of the map",
            given=f"width {width}",
            cure=f"Give width={min(rows, outputs)} or more.",
        )


def draw(key, draws, rows, outputs, width):
    """Layers whose units differ in size by factors, every fourth pair of less than full rank; singular values and an error.

    The error of even draws is the bottom eigenmatrix of the two layers, and the singular values are then all equal.
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


def kept(share, of):
    """Quantiles over the draws of a bound over what it bounds, where that is not zero."""
    return np.quantile(share[of], np.linspace(0, 1, SHARES))


def simulate(key, *, rows, outputs, width, draws):
    """The least slack of each bound over all draws in units of the layers' squares, and that of its false variant."""
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
        "share_7": kept(seven(0) / rate, ~even),
        "share_8": kept(np.where(full, bounds / np.where(full, squares, 1.0), 0.0), full),
        "share_1": kept(one / rate, even),
        "share": np.linspace(0, 1, SHARES),
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("rows", (1, 3, 5), (1, 3, 5, 20), smoke=(1, 3), low=1, high=100, unit="rank of the inputs", static=True),
        Param("outputs", (1, 3, 4), (1, 3, 4, 10), smoke=(3,), low=1, high=100, static=True),
        Param("width", (4, 9), (10, 40), smoke=(4,), low=1, high=200, unit="hidden units", static=True),
        Param("draws", 300, 1_000, smoke=40, low=8, high=10**6, unit="of layers and errors, a trial", static=True),
    ],
    returns={
        **dict.fromkeys(("slack_7", "eager_7", "tight_7", "slack_8", "eager_8", "slack_1", "eager_1", "sandwich"), ""),
        **dict.fromkeys(("share_7", "share_8", "share_1", "share"), "q"),
    },
    host=True,
)

"""How long the data take to be fitted, by theorem C.8 among the directions that measurements see."""

import numpy as np

from ..base import Reading, at_most


def stable(data, rate, decay=0.0) -> Reading:
    """That the rate is one at which descent on the loss does not diverge."""
    return at_most(
        "rate over the bound of stability, the largest",
        (rate * (data.top + decay) / 2).max(),
        1,
        why="2/(sigma_max + decay): beyond it every step along the steepest direction overshoots by more than it gains",
    )


def contraction(data, rate, decay=0.0):
    r"""$\rho = \max_k|1-\alpha(\sigma_k+\lambda)|$ over the curvatures that are not zero."""
    ends = [abs(1 - rate * (part + decay)) for part in (data.top, data.bottom)]
    return np.maximum(*ends)


def radius(rho, *, rate, strength, d):
    r"""$2\alpha\beta\sqrt n/(1-\rho)$: how near the least-squares answer descent must come."""
    return 2 * rate * strength * np.sqrt(d) / (1 - rho)


def latest(first, rho, *, rate, strength, d, least=1.0):
    r"""$\lceil-\ln(1+(1-\rho)\|b^{(0)}-\hat b\|/\alpha\beta\sqrt n)/\ln\rho\rceil$; `least` is the 1 in the logarithm."""
    inside = np.maximum(least + (1 - rho) * first / (rate * strength * np.sqrt(d)), 1.0)
    return np.ceil(-np.log(inside) / np.log(rho))


def arrival(data, distance, within):
    """The first step read at which a distance is within a radius; infinity if none."""
    return data.step.where(distance <= within).min("t").fillna(np.inf)


def fitted(data, *, rate, strength, d):
    """The step at which the iterate is within theorem C.8's radius along measured directions, and the theorem's step."""
    rho = contraction(data, rate)
    sizes = {"rate": rate, "strength": strength, "d": d}
    return arrival(data, data.near, radius(rho, **sizes)), latest(data.near.isel(t=0), rho, **sizes)

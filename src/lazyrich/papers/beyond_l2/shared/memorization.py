r"""The memorization time $t_1$ by theorem C.8, among the directions that measurements span."""

import numpy as np

from ....claims.base import Reading, at_least, at_most


def stable(data, learning_rate, weight_decay=0.0) -> Reading:
    """That gradient descent on the loss does not diverge at this learning rate."""
    return at_most(
        "learning rate over its stability limit, maximum",
        (learning_rate * (data.top + weight_decay) / 2).max(),
        1,
        key="stability",
        why=r"beyond $2/(\sigma_{\max}+\beta_2)$ every step along the steepest direction overshoots by more than it gains",
    )


def contraction(data, learning_rate, weight_decay=0.0):
    r"""$\rho = \max_k|1-\alpha(\sigma_k+\lambda)|$ over the nonzero eigenvalues."""
    ends = [abs(1 - learning_rate * (part + weight_decay)) for part in (data.top, data.bottom)]
    return np.maximum(*ends)


def radius(rho, *, learning_rate, strength, d):
    r"""$2\alpha\beta\sqrt n/(1-\rho)$: how close to the least-squares solution descent must come."""
    return 2 * learning_rate * strength * np.sqrt(d) / (1 - rho)


def latest(first, rho, *, learning_rate, strength, d, least=1.0):
    r"""$\lceil-\ln(1+(1-\rho)\|b^{(0)}-\hat b\|/\alpha\beta\sqrt n)/\ln\rho\rceil$; `least` is the 1 in the logarithm."""
    inside = np.maximum(least + (1 - rho) * first / (learning_rate * strength * np.sqrt(d)), 1.0)
    return np.ceil(-np.log(inside) / np.log(rho))


def arrival(data, distance, within):
    """The first saved step at which a distance is within a radius; infinity if none."""
    return data.step.where(distance <= within).min("t").fillna(np.inf)


def fitted(data, *, learning_rate, strength, d):
    """The step at which the iterate is within theorem C.8's radius in the row space, and the theorem's bound on it."""
    rho = contraction(data, learning_rate)
    sizes = {"learning_rate": learning_rate, "strength": strength, "d": d}
    return arrival(data, data.near, radius(rho, **sizes)), latest(data.near.isel(t=0), rho, **sizes)


def within_bound(over) -> list[Reading]:
    """Memorization times over the bound of theorem C.8."""
    why = "the last digits converge at the bound's rate; an initialization across many directions loses a small factor"
    return [
        at_most("memorization time over the bound, maximum", over.max(), 1, key="bound", why="theorem C.8, exactly"),
        at_least("memorization time over the bound, median", over.median(), 0.1, key="tightness", why=why),
    ]


def measurements_help(steps) -> Reading:
    """Recovery times, of the trials that recover, over those with fewer measurements."""
    why = r"with more measurements least squares is closer to the ground truth, like $\sqrt{1-N/n}$, and the slow flow is faster"
    ratio = (steps / steps.shift(sampling_ratio=1)).median()
    return at_most("recovery time over that with fewer measurements, median", ratio, 0.9, key="measurements_speed_up", why=why)

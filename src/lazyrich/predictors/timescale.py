"""When the phases of training end, from the problem and the initialization alone."""

from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from ..numerics.slow_path import slow_path
from ..problems import Split
from .parts.arguments import require_choice, require_strength

CONVENTIONS = ("per_coordinate", "norm")

# From the end of the kernel phase until the kernel's direction is lost (a cosine of 0.99 with it), in units of 1/(weight decay):
# measured on two classes, and stable over scales of the initialization from 16 to 4096; not derived.
LINGERS = 1.06
# The same for real targets: measured from 0.38 to 0.57 on eight draws of 8 samples in 24 dimensions; not derived.
LINGERS_FITTED = 0.5


@dataclass(frozen=True)
class Moment:
    """A predicted time of a gradient flow: `middle`, from `low` to `high`; `says` states its convention."""

    low: float
    middle: float
    high: float
    says: str

    @property
    def time(self) -> float:
        """The middle."""
        return self.middle


def per_coordinate(alpha, *, convention: str, parameters: int):
    r"""The initial size of each coordinate: $\alpha$ itself, or $\alpha/\sqrt p$ where $\alpha$ is the norm of all $p$."""
    require_choice("convention", convention, CONVENTIONS)
    return alpha if convention == "per_coordinate" else alpha / np.sqrt(parameters)


def transition_time(alpha: float, *, weight_decay: float, convention: str, classification: bool, degree: int = 2) -> Moment:
    r"""$\log(\alpha)/\lambda$ less $\log\log(1/\lambda)/(L\lambda)$ for classification: the kernel phase's end.

    The loss may have any reduction; $\lambda$ is the strength of $\tfrac12\|\theta\|^2$ and time that of the flow (learning
    rate x steps). Up to a shift $C/\lambda$ that depends on the data alone; only ratios as $\alpha\to\infty$ are universal,
    since the two conventions of $\alpha$ differ by $\log(\sqrt p)/\lambda$. `high` is the plain $\log(\alpha)/\lambda$,
    `low` the proven length of the kernel phase, $(\log\alpha - \log\log A/L)/\lambda$ with $A = \alpha^{2(L-1)}/\lambda$.
    Squared loss has no correction: the three agree.
    Assumes: a model homogeneous of degree $L \ge 2$ whose output is zero at initialization; weight decay below 1/e to classify.
    Source: lyu2024, theorem 3.4 and lemma C.5.
    """
    require_choice("convention", convention, CONVENTIONS)
    alpha, weight_decay = _positive("alpha", alpha), _positive("weight_decay", weight_decay)
    if classification and not weight_decay < np.exp(-1):
        raise BadInput(
            needed="the correction for classification needs weight decay below 1/e",
            given=f"{weight_decay:g}",
            cure="Use a smaller weight decay: the law is one of small ones.",
        )
    plain, middle, low = np.log(alpha) / weight_decay, np.log(alpha) / weight_decay, np.log(alpha) / weight_decay
    if classification:
        log_a = 2 * (degree - 1) * np.log(alpha) - np.log(weight_decay)
        middle = plain - np.log(-np.log(weight_decay)) / (degree * weight_decay)
        low = plain - np.log(max(log_a, -np.log(weight_decay))) / (degree * weight_decay)
    size = f"alpha is the initialization's {convention.replace('_', ' ')} size"
    says = f"flow time; {size}; weight decay is the strength of half the squared norm"
    return Moment(float(low), float(middle), float(plain), says)


def kernel_exit(size, *, weight_decay, top):
    r"""$\log(2\alpha_c^2/\|w\|_\infty)/(2\lambda)$: when $2\alpha_c^2e^{-2\lambda t}$ is down at the kernel's weights.

    For a diagonal net of depth 2 with every coordinate at `size`, $\alpha_c$; for symmetric factors $UU^\top - VV^\top$ at the
    identity times $\alpha_c$ with `top` the kernel solution's operator norm. Takes arrays.
    Source: lyu2024, section 3.2.3.
    """
    return np.log(2 * size**2 / top) / (2 * weight_decay)


def held_margin(top, value, *, weight_decay):
    r"""$q = \log(2\|w_2\|_\infty/(\lambda\|w_2\|_2^2))$: the margin held as the kernel phase ends.

    For the mean logistic loss and depth 2.
    `top` and `value` are the largest weight and the length of the least $w_2$ with margins 1. The kernel's largest weight is
    then $q\|w_2\|_\infty$. Takes arrays.
    Source: lyu2024, section 3.2.3.
    """
    return np.log(2 * top / (weight_decay * value**2))


def kernel_window(early: float, late: float, *, size: float, weight_decay: float, classification: bool) -> Moment:
    r"""From the end of the kernel phase to the rich solution, for a diagonal net of depth 2 or its matrix twin.

    `early` and `late` are the largest weights (operator norms) of the kernel's and the rich solution, `size` every coordinate of
    the initialization. `low` is `kernel_exit`, `middle` is $1.06/\lambda$ later for two classes and $0.5/\lambda$ later for
    real targets, when a cosine of 0.99 with the kernel's direction is lost (measured, not derived), `high` adds the growth
    at rate $2\lambda$ to the last size. An estimate and no bound: where the rich solution has close rivals, it is reached
    a few $1/\lambda$ later.
    Source: lyu2024, section 3.2.3.
    """
    early, late, size, weight_decay = (
        _positive(name, value)
        for name, value in (("early", early), ("late", late), ("size", size), ("weight_decay", weight_decay))
    )
    low = float(kernel_exit(size, weight_decay=weight_decay, top=early))
    middle = low + (LINGERS if classification else LINGERS_FITTED) / weight_decay
    high = middle + max(float(np.log(late / early)), 0.0) / (2 * weight_decay)
    says = "flow time; every coordinate begins at size; weight decay is the strength of half the squared norm"
    return Moment(low, middle, high, says)


def slow_time(data: Split, init, *, strength: float, within: float | None = None) -> Moment:
    r"""$T^*/$strength: when a weak $\ell_1$ penalty has brought a fitted linear model to the least $\ell_1$ norm.

    The penalty is strength times $\|b\|_1$, the loss has any reduction; a descent takes this time over its learning rate in
    steps, and so do proximal and projected steps. With `within`, the time to that relative distance from the end.
    Exact in the limit of a weak penalty, so `middle` is `high`; `low` is what a speed of at most $\sqrt d$ leaves: the
    distance over it. Infinite when the path was cut off.
    Source: beyond_l2, theorem 2.1.
    """
    strength = _positive("strength", strength)
    path = slow_path(np.asarray(data.x, float), np.asarray(data.y, float), np.asarray(init, float))
    slow = path.extinction if within is None else path.first_within(path.end, _positive("within", within))
    apart = float(np.linalg.norm(path.positions[0] - path.end))
    near = 0.0 if within is None else within * float(np.linalg.norm(path.end))
    low = max(apart - near, 0.0) / np.sqrt(path.end.size)
    says = "flow time, learning rate x steps; strength multiplies the absolute norm; counted from the fit of the data"
    return Moment(low / strength, slow / strength, slow / strength, says)


def _positive(name: str, value) -> float:
    return require_strength(name, value, instead="a small number")

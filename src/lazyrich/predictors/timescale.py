"""When the phases of training end, from the problem and the start alone."""

from dataclasses import dataclass

import numpy as np

from ..errors import BadInput
from ..numerics.slow_path import slow_path
from ..problems import Split
from .arguments import require_choice, require_strength

CONVENTIONS = ("per_coordinate", "norm")

# From the end of the kernel phase until the kernel's direction is lost (a cosine of 0.99 with it), in units of 1/decay:
# measured on two classes, and stable over scales of the start from 16 to 4096; not derived.
LINGERS = 1.06
# The same for real answers: measured from 0.38 to 0.57 on eight draws of 8 samples in 24 dimensions; not derived.
LINGERS_FITTED = 0.5


@dataclass(frozen=True)
class Moment:
    """A predicted time of a gradient flow: `middle`, from `low` to `high`; `says` states the convention it is told in."""

    low: float
    middle: float
    high: float
    says: str

    @property
    def time(self) -> float:
        """The middle."""
        return self.middle


def per_coordinate(alpha, *, convention: str, parameters: int):
    r"""The size of each coordinate at the start: $\alpha$ itself, or $\alpha/\sqrt p$ where $\alpha$ is the norm of all $p$."""
    require_choice("convention", convention, CONVENTIONS)
    return alpha if convention == "per_coordinate" else alpha / np.sqrt(parameters)


def transition_time(alpha: float, *, decay: float, convention: str, classification: bool, degree: int = 2) -> Moment:
    r"""$\log(\alpha)/\lambda$ less $\log\log(1/\lambda)/(L\lambda)$ for classification: the kernel phase's end.

    The loss may carry any factor; $\lambda$ is the strength of $\tfrac12\|\theta\|^2$ and time that of the flow (rate x
    steps). Up to a shift $C/\lambda$ that depends on the data alone; only ratios as $\alpha\to\infty$ are universal,
    since the two conventions of $\alpha$ differ by $\log(\sqrt p)/\lambda$. `high` is the plain $\log(\alpha)/\lambda$,
    `low` the proven length of the kernel phase, $(\log\alpha - \log\log A/L)/\lambda$ with $A = \alpha^{2(L-1)}/\lambda$.
    Squared loss has no correction: the three agree.
    Assumes: a model homogeneous of degree $L \ge 2$ whose output is zero at the start; decay below 1/e to classify.
    Source: lyu2024, theorem 3.4 and lemma C.5.
    """
    require_choice("convention", convention, CONVENTIONS)
    alpha, decay = _positive("alpha", alpha), _positive("decay", decay)
    if classification and not decay < np.exp(-1):
        raise BadInput(
            needed="the correction for classification needs decay below 1/e",
            given=f"{decay:g}",
            cure="Use a smaller decay: the law is one of small ones.",
        )
    plain, middle, low = np.log(alpha) / decay, np.log(alpha) / decay, np.log(alpha) / decay
    if classification:
        log_a = 2 * (degree - 1) * np.log(alpha) - np.log(decay)
        middle = plain - np.log(-np.log(decay)) / (degree * decay)
        low = plain - np.log(max(log_a, -np.log(decay))) / (degree * decay)
    says = f"flow time; alpha is the start's {convention.replace('_', ' ')} size; decay is the strength of half the squared norm"
    return Moment(float(low), float(middle), float(plain), says)


def kernel_exit(size, *, decay, top):
    r"""$\log(2\alpha_c^2/\|w\|_\infty)/(2\lambda)$: when $2\alpha_c^2e^{-2\lambda t}$ is down at the kernel's weights.

    For a diagonal net of depth 2 with every coordinate at `size`, $\alpha_c$; for symmetric factors $UU^\top - VV^\top$ at the
    identity times $\alpha_c$ with `top` the kernel answer's operator norm. Takes arrays.
    Source: lyu2024, section 3.2.3.
    """
    return np.log(2 * size**2 / top) / (2 * decay)


def held_margin(top, value, *, decay):
    r"""$q = \log(2\|w_2\|_\infty/(\lambda\|w_2\|_2^2))$: the margin held as the kernel phase ends.

    For the mean logistic loss and depth 2.
    `top` and `value` are the largest weight and the length of the least $w_2$ with margins 1. The kernel's largest weight is
    then $q\|w_2\|_\infty$. Takes arrays.
    Source: lyu2024, section 3.2.3.
    """
    return np.log(2 * top / (decay * value**2))


def kernel_window(early: float, late: float, *, size: float, decay: float, classification: bool) -> Moment:
    r"""From the end of the kernel phase to the rich answer, for a diagonal net of depth 2 or its matrix twin.

    `early` and `late` are the largest weights (operator norms) of the kernel's and the rich answer, `size` every coordinate of
    the start. `low` is `kernel_exit`, `middle` is 1.06/decay later for two classes and 0.5/decay for real answers, when a
    cosine of 0.99 with the kernel's direction is lost (measured, not derived), `high` adds the growth at rate twice the decay
    to the last size. An estimate and no bound: where the rich answer has close rivals, it is reached a few 1/decay later.
    Source: lyu2024, section 3.2.3.
    """
    early, late, size, decay = (
        _positive(name, value) for name, value in (("early", early), ("late", late), ("size", size), ("decay", decay))
    )
    low = float(kernel_exit(size, decay=decay, top=early))
    middle = low + (LINGERS if classification else LINGERS_FITTED) / decay
    high = middle + max(float(np.log(late / early)), 0.0) / (2 * decay)
    says = "flow time; every coordinate starts at size; decay is the strength of half the squared norm"
    return Moment(low, middle, high, says)


def slow_time(data: Split, start, *, strength: float, share: float | None = None) -> Moment:
    r"""$T^*/$strength: when a weak $\ell_1$ penalty has brought a fitted linear model to the least $\ell_1$ norm.

    The penalty is strength times $\|b\|_1$, the loss has any factor; a descent takes this time over its rate in steps, and so do
    proximal and projected steps. With `share`, the time to a relative distance of that share from the end. Exact in the
    limit of a weak penalty, so `middle` is `high`; `low` is what a speed of at most $\sqrt d$ leaves: the distance over it.
    Infinite when the path was cut off.
    Source: beyond_l2, theorem 2.1.
    """
    strength = _positive("strength", strength)
    path = slow_path(np.asarray(data.x, float), np.asarray(data.y, float), np.asarray(start, float))
    slow = path.extinction if share is None else path.first_within(path.end, _positive("share", share))
    apart = float(np.linalg.norm(path.positions[0] - path.end))
    near = 0.0 if share is None else share * float(np.linalg.norm(path.end))
    low = max(apart - near, 0.0) / np.sqrt(path.end.size)
    says = "flow time, rate x steps; strength multiplies the absolute norm; counted from the fit of the data"
    return Moment(low / strength, slow / strength, slow / strength, says)


def _positive(name: str, value) -> float:
    return require_strength(name, value, instead="a small number")

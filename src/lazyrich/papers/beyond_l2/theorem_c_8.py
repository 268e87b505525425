r"""Theorem C.8: fit by step $-\log(1+(1-\rho)\|b^{(0)}-\hat b\|/(\alpha\beta_1\sqrt{n}))/\log\rho$, where $\rho<1$."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Drawing, Panel, Points
from ...claims.marks import equal, family, log_axis
from .shared.memorization import arrival, contraction, latest, radius, stable
from .shared.phases import STEPS, curve
from .simulations.sparse_phases import SHRUNK


def parts(data, learning_rate, strength, weight_decay, d):
    """Distance and contraction, along measured directions without weight decay and in all with it; and what bounds ask for."""
    rho = contraction(data, learning_rate, weight_decay)
    rho = np.maximum(rho, (1 - learning_rate * weight_decay).where(weight_decay > 0, 0.0))
    distance = data.near.where(weight_decay == 0, data.far)
    return distance, rho, {"learning_rate": learning_rate, "strength": strength, "d": d}


def bound_of(data, distance, rho, within):
    """The bound on the distance at every step."""
    left = rho**data.step
    return left * distance.isel(t=0) + (1 - left) * within / 2


def judge(data, learning_rate, strength, weight_decay, d, haste) -> Evidence:
    """The bound at all times, its time and that of the corollary, the training error then, and how times grow."""
    distance, rho, sizes = parts(data, learning_rate, strength, weight_decay, d)
    first, within = distance.isel(t=0), radius(rho, **sizes)
    step = arrival(data, distance, within)
    predicted, sooner = (haste * latest(first, rho, **sizes, least=least) for least in (1.0, 0.0))
    # Corollary C.2 has no 1 in the logarithm.
    used = {"theorem": step / predicted, "corollary": step / np.maximum(sooner, 1)}
    misfit = (data.train - data.left) * data.scale / (within * data.top**0.5)
    growth = (step.isel(strength=-1) - step.isel(strength=0)) * -np.log(rho)
    growth = growth.sel(weight_decay=0.0) / float(np.log(strength[0] / strength[-1]))
    return Evidence(
        sound=[stable(data, learning_rate, weight_decay)],
        holds=[
            at_most(
                r"$\|b^{(t)}-\hat b\|_2$ / bound, maximum over steps",
                (distance / bound_of(data, distance, rho, within)).max(),
                1 + 1e-9,
                key="bound",
                why="lemma C.7, no tolerance but rounding error; equal at initialization",
            ),
            *(
                at_most(f"steps to the radius / the {name}'s, maximum", part.max(), 1, key=name, why=f"the {name}, no tolerance")
                for name, part in used.items()
            ),
            at_most(
                "excess of the training error over that of least squares / its bound, from then on, maximum",
                misfit.where(data.step >= predicted).max(),
                1,
                key="training_error",
                why="the radius times the largest singular value",
            ),
            near(
                r"growth of the steps with $\log(1/\beta_1)$ times $-\log\rho$, without weight decay, median",
                growth.median(),
                1,
                0.25,
                key="growth",
                why=r"late in the fit only the flattest measured direction is left, and its error falls by $\rho$ per step",
            ),
            at_least(
                "steps to the radius / the theorem's, without weight decay, median",
                used["theorem"].sel(weight_decay=0.0).median(),
                0.25,
                key="tightness",
                why="tightness: finally the distance falls at the rate of the bound",
            ),
        ],
    )


def draw(data, learning_rate, strength, weight_decay, d) -> Drawing:
    """The distance of one trial over time beside its bound; and steps beside those of the bound, all runs."""
    distance, rho, sizes = parts(data, learning_rate, strength, weight_decay, d)
    within = radius(rho, **sizes)
    at = {"trial": 0, "learning_rate": -1, "sampling_ratio": -1, "weight_decay": 0, "strength": -1}
    x, y, top = (part.isel(at) for part in (data.step, distance, bound_of(data, distance, rho, within)))
    allowed, taken = latest(distance.isel(t=0), rho, **sizes), arrival(data, distance, within)
    marks = [curve("descent", x, y), curve("bound", x, top, role="theory")]
    points = [*family(r"$\beta_2 = {}$", allowed, taken, "weight_decay", mark=Points), equal(allowed.values)]
    return Drawing(
        [
            Panel(marks, STEPS, log_axis("distance from least squares"), title="One trial, without weight decay"),
            Panel(points, log_axis("steps allowed by the theorem"), log_axis("steps to the radius"), title="All runs"),
        ],
        caption=r"Subgradient descent with an $\ell_1$ penalty; distances along the measured directions, or in all with weight "
        "decay. Left: the distance and its bound at every step. Right: the steps until it is within the radius.",
    )


CLAIM = Claim(
    id="beyond_l2/theorem_c_8",
    kind="theorem",
    title="The memorization time",
    says=r"With $\rho<1$ the contraction of a gradient step on the loss, the distance from the ridge solution is at most "
    r"$\rho^t$ times the initial one plus $\alpha\beta_1\sqrt{n}/(1-\rho)$, so within twice the last term after a time of order "
    r"$\log(1/(\alpha\beta_1))$: in all directions with weight decay, along the measured ones without.",
    source="beyond_l2, theorem C.8",
    simulation=SHRUNK,
    judge=judge,
    draw=draw,
    constants={"haste": 1.0},
    aliases=("lemma_c_7", "corollary_c_2", "lemma_d_7", "theorem_d_8", "corollary_d_2"),
    least={"strength": 2, "weight_decay": 2},
    controls=[Control("a third of the steps", changes={"haste": 0.33}, breaks=("theorem",))],
    seconds={"quick": 7, "paper": 60},
)

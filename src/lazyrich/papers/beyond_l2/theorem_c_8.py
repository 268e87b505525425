r"""Theorem C.8: data are fitted by step $-\ln(1+(1-\rho)\|b^{(0)}-\hat b\|/\alpha\beta\sqrt n)/\ln\rho$, where $\rho<1$."""

import numpy as np

from ...lab.settings.sparse_phases import SHRUNK
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from .memorization import arrival, contraction, latest, radius, stable


def parts(data, rate, strength, decay, d):
    """Distance and contraction: along measured directions without decay, in all directions with it; and the sizes."""
    rho = contraction(data, rate, decay)
    rho = np.maximum(rho, (1 - rate * decay).where(decay > 0, 0.0))
    return data.near.where(decay == 0, data.far), rho, {"rate": rate, "strength": strength, "d": d}


def judge(data, rate, strength, decay, d, haste) -> Evidence:
    """The bound at all times, the time it gives and the corollary's, the training error then, and how times grow."""
    distance, rho, sizes = parts(data, rate, strength, decay, d)
    first, within = distance.isel(t=0), radius(rho, **sizes)
    left = rho**data.step
    bound = left * first + (1 - left) * within / 2
    step = arrival(data, distance, within)
    named, sooner = (haste * latest(first, rho, **sizes, least=least) for least in (1.0, 0.0))
    late = data.step >= named
    misfit = (data.train - data.left) * data.scale / (within * data.top**0.5)
    growth = (step.isel(strength=-1) - step.isel(strength=0)) * -np.log(rho)
    growth = growth.sel(decay=0.0) / float(np.log(strength[0] / strength[-1]))
    return Evidence(
        sound=[stable(data, rate, decay)],
        holds=[
            at_most(
                "distance from least squares over the bound at that step, the largest",
                (distance / bound).max(),
                1 + 1e-9,
                why="lemma C.7, no tolerance but rounding; equal at the start",
            ),
            at_most(
                "steps until within the radius over the theorem's, the largest",
                (step / named).max(),
                1,
                why="the theorem, no tolerance",
            ),
            at_most(
                "steps until within the radius over the corollary's, the largest",
                (step / np.maximum(sooner, 1)).max(),
                1,
                why="corollary C.2: the same without the 1 in the logarithm",
            ),
            at_most(
                "training error above that of least squares from then on over its bound, the largest",
                misfit.where(late).max(),
                1,
                why="the radius times the largest singular value",
            ),
            near(
                "growth of the steps with log(1/strength) over -1/log(rho), without decay, the median",
                growth.median(),
                1,
                0.25,
                why="late in the fit the flattest measured direction is left alone, and its error falls by rho a step",
            ),
            at_least(
                "steps until within the radius over the theorem's, without decay, the median",
                (step / named).sel(decay=0.0).median(),
                0.25,
                why="tightness: the last digits are lost at the bound's pace",
            ),
        ],
    )


def draw(data, rate, strength, decay, share, d) -> Drawing:
    """The distance of one draw in time beside its bound; and steps beside the bound's, all runs."""
    distance, rho, sizes = parts(data, rate, strength, decay, d)
    left = rho**data.step
    bound = left * distance.isel(t=0) + (1 - left) * radius(rho, **sizes) / 2
    at = {"trial": 0, "rate": -1, "share": -1, "decay": 0, "strength": -1}
    shown = data.step.isel(at).values > 0
    x = data.step.isel(at).values[shown]
    step, named = arrival(data, distance, radius(rho, **sizes)), latest(distance.isel(t=0), rho, **sizes)
    points = []
    for strong, role in zip(decay.values, SERIES, strict=False):
        name = f"decay {float(strong):g}"
        order = step.sel(decay=strong).dims
        points.append(
            Points(
                name,
                named.sel(decay=strong).transpose(*order).values.ravel(),
                step.sel(decay=strong).values.ravel(),
                role=role,
            )
        )
    ends = [float(named.min()), float(named.max())]
    return Drawing(
        [
            Panel(
                [
                    Line("descent", x, distance.isel(at).values[shown]),
                    Line("bound", x, bound.isel(at).values[shown], role="theory"),
                ],
                x=Axis("steps", scale="log"),
                y=Axis("distance from least squares", scale="log"),
                title="One draw, without decay",
            ),
            Panel(
                [*points, Line("equal", ends, ends, role="theory")],
                x=Axis("steps that the theorem allows", scale="log"),
                y=Axis("steps until within its radius", scale="log"),
                title="All runs",
            ),
        ],
        caption="Subgradient descent with an l1 penalty. Without decay distances are along measured directions, where rho is "
        "below one; with decay in all directions. Left: the distance and its bound at every step. Right: when it is within "
        "the radius.",
    )


CLAIM = Claim(
    kind="theorem",
    title="How long the data take to be fitted",
    says="With rho < 1 the contraction of the loss's step, the distance from the ridge answer is at most rho^t times the "
    "first plus rate strength sqrt(n)/(1 - rho), so within twice that after a time like log(1/(rate strength)): in all "
    "directions with decay, along measured ones without.",
    source="beyond_l2, theorem C.8",
    simulation=SHRUNK,
    judge=judge,
    draw=draw,
    constants={"haste": 1.0},
    aliases=("lemma_c_7", "corollary_c_2", "lemma_d_7", "theorem_d_8", "corollary_d_2"),
    least={"strength": 2, "decay": 2},
    control=Control(
        "a third of the steps",
        changes={"haste": 0.33},
        breaks=("steps until within the radius over the theorem's, the largest",),
    ),
    seconds={"quick": 7, "paper": 60},
)

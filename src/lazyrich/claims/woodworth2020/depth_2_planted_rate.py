r"""At depth 2 the excess l1 norm of planted recovery falls like $\alpha^{2(1-\rho^*)}$: polynomially, not logarithmically."""

import numpy as np

from ...lab.settings.small_scales import SHALLOW
from ..base import Claim, Control, Evidence, at_least
from ..drawing import Axis, Drawing, Line, Panel, Points, Slope


def slopes(data):
    """The power of alpha between the two smallest scales."""
    excess, alpha = np.log(data.excess), np.log(data.alpha)
    return (excess.isel(m=-1) - excess.isel(m=-2)) / (alpha.isel(m=-1) - alpha.isel(m=-2))


def judge(data, factor) -> Evidence:
    """The share of draws whose power is the promised one."""
    recovered = (data.rate > 1e-6) & data.certified
    close = (abs(slopes(data) / (factor * data.rate / 2) - 1) <= 0.05).where(recovered)
    return Evidence(
        sound=[
            at_least(
                "share of draws with a rate and certified answers",
                recovered.mean(),
                0.5,
                why="where the truth is not the only answer of least l1 norm there is no rate; at the smallest scales "
                "the dual is nearly singular, and a sweep may end short of its certificate",
            )
        ],
        holds=[
            at_least(
                "share of draws within 5% of the rate",
                close.mean(),
                0.8,
                why="the slope is a limit; a second price close to the largest delays it on some draws",
            )
        ],
    )


def draw(data) -> Drawing:
    """The excess of a few draws with their power laws, and slope against rate."""
    marks, slope = [], slopes(data)
    for trial in range(min(4, data.sizes["trial"])):
        one = data.isel(trial=trial)
        through = (float(one.alpha[-1]), float(one.excess[-1]))
        marks.append(Points(f"draw {trial + 1}", one.alpha.values, one.excess.values))
        marks.append(Slope(f"alpha^{float(one.rate):.2f}", one.alpha.values, through, float(one.rate)))
    ends = np.array([float(data.rate.min()), float(data.rate.max())])
    return Drawing(
        panels=[
            Panel(
                marks,
                x=Axis("alpha", scale="log"),
                y=Axis("|beta_alpha|_1 - least", scale="log"),
                title="A few draws",
            ),
            Panel(
                [Points("draws", data.rate.values, slope.values), Line("equal", ends, ends, role="theory")],
                x=Axis("2(1 - rho)"),
                y=Axis("measured power of alpha"),
                title="All draws",
            ),
        ],
        caption="Planted recovery without noise at depth 2: the excess l1 norm is a power law whose exponent the duals "
        "of least l1 know.",
    )


CLAIM = Claim(
    kind="derived",
    title="Depth 2 in planted recovery: a power law",
    says="For noiseless sparse data |beta_alpha|_1 - |beta_l1|_1 falls like alpha^(2(1 - rho)), rho the least over "
    "optimal duals of the "
    "largest price off the support: polynomially, although a bound that holds for all data is logarithmic.",
    source="woodworth2020, theorem 2",
    simulation=SHALLOW,
    judge=judge,
    draw=draw,
    constants={"factor": 2},
    control=Control(
        "half of the rate: alpha^(1 - rho)", changes={"factor": 1}, breaks=("share of draws within 5% of the rate",)
    ),
    seconds={"quick": 5, "paper": 30},
)

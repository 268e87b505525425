r"""Figure 2: $q(z)$ of the implicit bias beside $r(z)$ of the distance from the start: alike, and not proportional."""

import numpy as np

from ...lab.settings.entropy_curves import DISTANCES
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel


def judge(data, first) -> Evidence:
    """The ratio at zero and far away, the growth over |z|, and r by two ways that know nothing of each other."""
    upper, z = data[f"{first}_far"], data.far
    over = upper / z
    growth = (over[-1] - over[-3]) / np.log(z[-1] / z[-3])
    short = (1 - data.r_far / z) * z**0.5 / 2
    return Evidence(
        sound=[
            at_most(
                "r by search from r as a root, relative",
                abs(data.least / data.r - 1).max(),
                1e-9,
                why="both are good to rounding; a root found to 1e-9 is no other root",
            )
        ],
        holds=[
            near(
                "ratio of the two near zero",
                upper[0] / data.r_far[0],
                2,
                1e-4,
                why="z^2/4 over z^2/8 at z = 0.01; the next terms are of order z^2",
            ),
            at_least(
                "ratio far away over that near zero",
                (upper / data.r_far)[-1] / (upper / data.r_far)[0],
                5,
                why="(log z - 1)/2 at z = 1e8 is 8.7; a constant ratio would be 1",
            ),
            near("growth of q/|z| with log|z|", growth, 1, 1e-3, why="q = |z| log|z| - |z| + 2 up to 1/|z|"),
            near(
                "shortfall of r from |z|, in units of 2 sqrt|z|",
                short[-1],
                1,
                1e-3,
                why="r = |z| - 2 sqrt|z| + 3/2 up to 1/sqrt|z|: the next term is 0.75e-4 of this one at z = 1e8",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Both functions on both sides of zero, and each over |z| on a logarithmic axis."""
    z = np.concatenate([-data.z.values[::-1], [0.0], data.z.values])
    both = [np.concatenate([y[::-1], [0.0], y]) for y in (data.q.values, data.r.values)]
    return Drawing(
        panels=[
            Panel(
                [Line("q(z)", z, both[0]), Line("r(z)", z, both[1], role="second")], x=Axis("z"), y=Axis("value", low=0)
            ),
            Panel(
                [
                    Line("q(z)/|z|", data.far.values, (data.q_far / data.far).values),
                    Line("r(z)/|z|", data.far.values, (data.r_far / data.far).values, role="second"),
                ],
                x=Axis("z", scale="log"),
                y=Axis("value over |z|", low=0),
                title="Far away: a logarithm, and one",
            ),
        ],
        caption="The function that gradient flow minimizes and the one that the nearest interpolant in the weights would. "
        "Both are quadratic near zero; q grows faster than |z| by a logarithm, r tends to |z| polynomially.",
    )


CLAIM = Claim(
    kind="figure",
    title="The implicit bias is not the distance from the start",
    says="q(z) and r(z) are similar but not multiples of each other: q = z^2/4 and r = z^2/8 near zero, while far away q grows "
    "like |z| log|z| and r like |z| - 2 sqrt|z|.",
    source="woodworth2020, figure 2",
    simulation=DISTANCES,
    judge=judge,
    draw=draw,
    constants={"first": "q"},
    control=Control(
        "r in the place of q",
        changes={"first": "r"},
        breaks=(
            "ratio of the two near zero",
            "ratio far away over that near zero",
            "growth of q/|z| with log|z|",
        ),
    ),
    seconds={"quick": 1, "paper": 1},
)

r"""Far from zero $q(z) = |z|\log|z| - |z| + 2$: the paper keeps the first term alone."""

import numpy as np

from ...lab.settings.entropy_curves import DISTANCES
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Slope


def remainder(data, form):
    r"""$q(z)$ less its expansion, at powers of ten from 10 to 1e6, where rounding is far below it."""
    seen = (data.far > 9) & (data.far < 2e6)
    z = data.far[seen]
    return z, data.q_far[seen] - (z * np.log(z) + (2 - z if form == "corrected" else 0))


def judge(data, form) -> Evidence:
    """What is left, over what the next term says, and over the norm that it is to approach."""
    z, left = remainder(data, form)
    middle = (z > 90) & (z < 2e3)
    return Evidence(
        holds=[
            near(
                "remainder times |z|",
                (left * z)[middle].mean(),
                -1,
                0.01,
                why="the next terms are -1/|z| and O(|z|^-3); at z <= 2000 rounding of q leaves 1e-8 of it",
            ),
            at_most(
                "largest remainder over |z|",
                abs(left / z).max(),
                0.02,
                why="1/z^2 is 0.01 at z = 10 and falls; a term missing in proportion to |z| would be a share of the l1 norm",
            ),
        ],
    )


def draw(data) -> Drawing:
    """What either expansion leaves of q."""
    z, corrected = remainder(data, "corrected")
    _, printed = remainder(data, "printed")
    return Drawing(
        panels=[
            Panel(
                [
                    Line("printed: |z| log|z|", z.values, abs(printed).values, role="control"),
                    Line("corrected: |z| log|z| - |z| + 2", z.values, abs(corrected).values),
                    Slope("1/|z|", z.values, (float(z[0]), 1 / float(z[0])), -1),
                ],
                x=Axis("z", scale="log"),
                y=Axis("what is left of q(z)", scale="log"),
            )
        ],
        columns=1,
        caption="What the expansions leave of q. The printed one misses -|z| + 2, a share 1/log of the whole: of the "
        "same order as the distance from the l1 norm that it is used for, so the conclusion (O(1/log)) stands.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The entropy far from zero",
    says="q(z) = |z| log|z| - |z| + 2 - 1/|z| + O(|z|^-3) as |z| grows; in print Q_alpha is sum |beta| log(|beta|/alpha^2), "
    "without -|z| + 2.",
    source="woodworth2020, section 4 after theorem 1",
    simulation=DISTANCES,
    judge=judge,
    draw=draw,
    constants={"form": "corrected"},
    control=Control(
        "|z| log|z| alone, as printed",
        changes={"form": "printed"},
        breaks=("remainder times |z|", "largest remainder over |z|"),
    ),
    seconds={"quick": 1, "paper": 1},
)

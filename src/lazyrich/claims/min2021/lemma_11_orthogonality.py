r"""Lemma 11, second part: the defect and the product of a wide Gaussian start are of size $h^{1/2-2a}$."""

import numpy as np

from ...lab.settings.gaussian_starts import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points
from ..labelled import farthest
from .widths import powers, radius, root_mean_square


def judge(data, width, exponent, n, d, outputs, delta, half) -> Evidence:
    """How often the bounds fail, the mean squares against their closed forms, and the powers of the width."""
    s = radius(outputs, d, delta)
    scale = width ** (half - 2 * exponent)
    defect, product = (root_mean_square(part) for part in (data.defect, data.product))
    over = (data.defect > 2 * np.sqrt(outputs + n) * s * scale) | (data.product > 2 * np.sqrt(outputs) * s * scale)
    slopes = [powers(part).isel(width=-1) for part in (defect, product)]
    return Evidence(
        sound=[
            at_least(
                "least width over what the lemma asks for",
                width.min() / (16 * s**2),
                1,
                why="the lemma speaks of widths above 16 s^2",
            )
        ],
        holds=[
            at_most(
                "share of starts beyond a bound, the largest",
                over.mean(("trial", "s")).max(),
                delta,
                why="the lemma's own probability",
            ),
            near(
                "defect over its closed form, the root mean square farthest from one",
                farthest(defect / (scale * np.sqrt((outputs + n) * (d - n))), 1),
                1,
                0.03,
                why="independent rows of h normal numbers; 4,000 draws of 35 squares spread by half a percent",
            ),
            near(
                "product over its closed form, the root mean square farthest from one",
                farthest(product / (scale * np.sqrt(outputs * n)), 1),
                1,
                0.04,
                why="the same with 10 squares a draw: one percent",
            ),
            at_most(
                "power of the width less 1/2 - 2a, the farthest",
                max(float(abs(slope - (half - 2 * exponent)).max()) for slope in slopes),
                0.02,
                why="the mean squares are h^(1-4a) times a number exactly; draws spread by two percent over a logarithm of five",
            ),
        ],
    )


def draw(data, width, exponent, n, d, outputs) -> Drawing:
    """Root mean squares against the width, with their closed forms."""
    panels = []
    for title, part, count in (
        ("Defect", data.defect, (outputs + n) * (d - n)),
        ("Product of the layers", data.product, outputs * n),
    ):
        size, marks = root_mean_square(part), []
        for at, a in enumerate(exponent.values):
            law = np.sqrt(count) * width.values ** (0.5 - 2 * a)
            marks.append(Points(f"a = {a:g}", width, size.isel(exponent=at).values, role=SERIES[at % 3]))
            marks.append(Line(f"closed form, a = {a:g}", width, law, role="theory"))
        panels.append(Panel(marks, x=Axis("width", scale="log"), y=Axis("root mean square", scale="log"), title=title))
    return Drawing(
        panels,
        caption="Rows of a wide layer are nearly orthogonal: what the unseen part has in common with the rest, and what the two "
        "layers have in common, falls like h^(1/2-2a).",
    )


CLAIM = Claim(
    kind="lemma",
    title="Wide Gaussian starts are nearly orthogonal",
    says="With probability 1 - delta the defect is at most 2 sqrt(m + r) s h^(1/2-2a) and the product of the layers at most "
    "2 sqrt(m) s h^(1/2-2a), s = sqrt(m + n) + log(2/delta)/2. Their mean squares are h^(1-4a) (m + r)(n - r) and h^(1-4a) r m.",
    source="min2021, lemma 11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"delta": 0.1, "half": 0.5},
    least={"width": 2},
    control=Control(
        "h^(1/4-2a) in the place of h^(1/2-2a)",
        changes={"half": 0.25},
        breaks=(
            "share of starts beyond a bound, the largest",
            "power of the width less 1/2 - 2a, the farthest",
        ),
    ),
    seconds={"quick": 5, "paper": 600},
)

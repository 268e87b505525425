r"""One scale for three papers: $s = h^{1-2a} = 2\alpha^2$, and squared weights of $\sqrt{s^2 + \theta^2}$."""

import numpy as np

from ...lab.settings.one_scale import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points
from ..labelled import spread

NETS = {"linear": "linear net, any width", "diagonal": "diagonal net", "symmetric": "symmetric factors"}


def off(data, net, factor):
    r"""Squared weights over $\sqrt{s^2 + \theta^2}$, less one; $s$ = `factor` times $\alpha^2$ for the two nets of $\alpha$."""
    ratio = 1.0 if net == "linear" else factor / 2
    return abs(data[f"{net}_weights"] / np.hypot(ratio, data[f"{net}_map"]) - 1)


def judge(data, factor) -> Evidence:
    """How far each net is from the curve, and how far nets of one scale and two widths are from each other."""
    reach = [float(abs(data[f"{net}_map"]).max()) for net in NETS]
    least = [float(abs(data[f"{net}_map"]).isel(scale=-1).max()) for net in NETS]
    widths = spread(np.log(data.linear_weights), "width")
    return Evidence(
        sound=[
            at_most("runs without a fit", data.unfitted.max(), 0, why="the curve is that of fits"),
            at_least(
                "largest effective size over the scale, the least over the nets",
                min(reach),
                3,
                why="the rich end of the curve must be seen",
            ),
            at_most(
                "effective size over the scale at the largest scale, the largest",
                max(least),
                0.5,
                why="and the lazy end",
            ),
        ],
        holds=[
            at_most(
                "linear net: squared weights over the curve, less one, the farthest",
                off(data, "linear", factor).max(),
                0.02,
                why="one over the root of the width, a thousandth, for each of six rows, and some to spare",
            ),
            at_most(
                "diagonal net: squared weights over the curve, less one, the farthest",
                off(data, "diagonal", factor).max(),
                1e-5,
                why="u v is conserved; solver tolerance 1e-9 over some thousand steps",
            ),
            at_most(
                "symmetric factors: squared weights over the curve, less one, the farthest",
                off(data, "symmetric", factor).max(),
                1e-5,
                why="the product of the factors is conserved; the same tolerance",
            ),
            at_most(
                "linear nets of one scale and different widths: logarithm of the squared weights, the largest spread",
                widths.max(),
                0.02,
                why="they differ by one over the root of the lesser width",
            ),
        ],
    )


def draw(data) -> Drawing:
    """All ends on one curve, and the same as an angle."""
    marks = []
    for (net, name), role in zip(NETS.items(), ("measured", "second", "control"), strict=True):
        x = abs(data[f"{net}_map"]).values.ravel()
        y = data[f"{net}_weights"].transpose(*data[f"{net}_map"].dims).values.ravel()
        marks.append((name, x, y, role))
    top = max(float(x.max()) for _, x, _, _ in marks)
    fine = np.geomspace(1e-3, top, 80)
    curve = Line("sqrt(1 + x^2)", fine, np.hypot(1, fine), role="theory")
    return Drawing(
        [
            Panel(
                [*[Points(n, np.maximum(x, 1e-3), y, role=r) for n, x, y, r in marks], curve],
                x=Axis("effective size over the scale", scale="log"),
                y=Axis("squared weights over the scale", scale="log"),
                title="Three nets, all scales, one curve",
            )
        ],
        columns=1,
        caption="Every point is a direction of a net at the end of its flow. Left the lazy end, where weights stay as they were; "
        "right the rich end, where they are those of the map alone. The scale is h^(1-2a) for a linear net of width h with "
        "weights of deviation h^-a, and 2 alpha^2 for the other two.",
    )


CLAIM = Claim(
    kind="derived",
    title="One scale through three papers",
    says="With s = h^(1-2a) for wide linear nets and s = 2 alpha^2 for diagonal nets and symmetric factors, a direction of "
    "effective size theta ends with squared weights sqrt(s^2 + theta^2): the scale alone says how lazy or rich a fit is.",
    source="bridges: min2021 section 4, woodworth2020 theorem 1, lyu2024 corollary 3.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 2.0},
    least={"scale": 2, "width": 2},
    control=Control(
        "a scale of alpha^2",
        changes={"factor": 1.0},
        breaks=(
            "diagonal net: squared weights over the curve, less one, the farthest",
            "symmetric factors: squared weights over the curve, less one, the farthest",
        ),
    ),
    seconds={"quick": 25, "paper": 120},
)

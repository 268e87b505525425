r"""Figure 3a: $q_D(z)$ for several depths: quadratic at zero, linear far away from depth 3 on."""

import numpy as np

from ...lab.settings.entropy_curves import DEPTHS
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel


def judge(data, depth, constant) -> Evidence:
    """The quadratic and the linear law of each depth, and the order of the depths."""
    a = depth / np.maximum(depth - 2, 1e-300)
    flat = data.q_far.isel(w=0) / data.far.isel(w=0) ** 2 * 4 * np.where(depth > 2, a, 1.0)
    deep = depth > 2
    z, q = (part.where(deep, drop=True) for part in (data.far, data.q_far))
    a, layers = (part.where(deep, drop=True) for part in (a, depth))
    law = z - layers / 2 * z ** (2 / layers) + constant * (layers - 2) * (1 - 2**-a)
    left = ((q - law) * 2**a * z ** (1 / a)).isel(w=-1)
    shallow = data.q_far.where(~deep, drop=True) / data.far.where(~deep, drop=True)
    growth = shallow.isel(w=-1) - shallow.isel(w=-5)
    return Evidence(
        sound=[
            at_most(
                "the closed form from its defining integral",
                abs(data.q - data.integral).max(),
                1e-12,
                why="Gauss and Legendre with 80 nodes integrate an analytic function to rounding",
            ),
            at_least("depths of 3 and more", layers.size, 1, why="an empty choice says nothing"),
        ],
        holds=[
            near(
                "q_D over z^2 (D-2)/4D near zero, the farthest",
                1 + abs(flat - 1).max(),
                1,
                1e-5,
                why="the next term is of order z^2 at z = 1e-3",
            ),
            near(
                "what the linear law leaves, over its next term, the farthest",
                1 + abs(left + 1).max(),
                1,
                0.02,
                why="q_D = |z| - (D/2)|z|^(2/D) + (D-2)(1 - 2^-a) - 2^-a |z|^(-1/a) + ..., a = D/(D-2): what follows is "
                "smaller by |z|^(-1/a) (0.01 at z = 1e6 and depth 3, less beyond)",
            ),
            at_least(
                "least rise from one depth to the next",
                q.diff("depth").min() if layers.size > 1 else 0.0,
                0,
                why="larger depths lie closer to |z| from below",
            ),
            near(
                "growth of q_2/|z| in a decade, over log 10",
                (growth / np.log(10)).mean() if shallow.size else 1.0,
                1,
                1e-4,
                why="|z| log|z| - |z| + 2: only depth 2 is superlinear; 2/|z| is 2e-5 at z = 1e5",
            ),
        ],
    )


def draw(data, depth) -> Drawing:
    """The curves of all depths on both sides of zero, and over |z|."""
    half = data.isel(depth=0).z.values
    z = np.concatenate([-half[:0:-1], half])
    lines, over = [], []
    for layers in depth.values:
        q = data.q.sel(depth=layers).values
        lines.append(Line(f"D = {int(layers)}", z, np.concatenate([q[:0:-1], q])))
        far = data.sel(depth=layers)
        over.append(Line(f"D = {int(layers)}", far.far.values, (far.q_far / far.far).values))
    return Drawing(
        panels=[
            Panel([*lines, Line("|z|", z, abs(z), role="theory")], x=Axis("z"), y=Axis("q_D(z)", low=0)),
            Panel(
                [*over, Line("one", far.far.values, np.ones(far.far.size), role="theory")],
                x=Axis("z", scale="log"),
                y=Axis("q_D(z)/|z|", low=0, high=4),
                title="Depth 2 goes on growing; deeper nets tend to |z|",
            ),
        ],
        caption="The coordinate function of the implicit bias for nets of depth D: quadratic near zero, and from depth 3 on "
        "linear far away, the sooner the deeper the net.",
    )


CLAIM = Claim(
    kind="figure",
    title="The entropies of all depths",
    says="q_D is quadratic near zero for each depth; for D >= 3 it grows linearly, q_D = |z| - (D/2)|z|^(2/D) + "
    "(D-2)(1 - 2^-a) with a = D/(D-2), closer to |z| the larger D; for D = 2 like |z| log|z|.",
    source="woodworth2020, figure 3a",
    simulation=DEPTHS,
    judge=judge,
    draw=draw,
    constants={"constant": 1.0},
    control=Control(
        "the linear law without its constant",
        changes={"constant": 0.0},
        breaks=("what the linear law leaves, over its next term, the farthest",),
    ),
    seconds={"quick": 1, "paper": 1},
)

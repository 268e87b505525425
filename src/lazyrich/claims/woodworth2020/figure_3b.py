r"""Figure 3b: $Q_\alpha(e_1)/Q_\alpha(\mathbf 1/\sqrt d)$ goes from 1 (l2) to $1/\sqrt d$ (l1), sharply from depth 3 on."""

import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.entropy_curves import entropy
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Rule

# The ratio at d = 1,000 and alpha = 0.1, to five digits.
KNOWN = {2: 0.16658, 3: 0.04877, 5: 0.03216}


def ratio(log_alpha, depth, d):
    r"""$Q(e_1)/Q(\mathbf 1/\sqrt d)$ at these scales."""
    log_scale = depth * np.asarray(log_alpha, float)
    one = np.ones_like(log_scale)
    return entropy(one, depth, log_scale) / (d * entropy(one / np.sqrt(d), depth, log_scale))


def curve(depth, d, least, most, points):
    """The ratio over the scales, at the known point, and the largest scale at which it is within a tenth of its limit."""
    log_alpha = np.linspace(np.log(least), np.log(most), points)
    values = ratio(log_alpha, depth, d)
    near_l1 = np.interp(1.1, values * np.sqrt(d), log_alpha, left=-np.inf)
    known = ratio(np.log([0.1]), depth, 1000.0)[0]
    return {"alpha": np.exp(log_alpha), "ratio": values, "log_rich": near_l1, "known": known}


SIMULATION = Simulation(
    curve,
    params=[
        Param("depth", (2, 3, 5, 10), (2, 3, 4, 5, 7, 10), smoke=(2, 3), low=2, high=100),
        Param("d", 1000.0, low=2, high=1e9, unit="unknowns"),
        Param("least", 1e-12, low=1e-100, high=1e-2, unit="smallest scale"),
        Param("most", 100.0, low=10.0, high=1e6, unit="largest scale"),
        Param("points", 281, 2801, smoke=57, low=29, high=100_000, unit="scales"),
    ],
    returns={"alpha": "m", "ratio": "m", "log_rich": "", "known": ""},
    random=False,
    host=True,
)


def linear_law(alpha, depth, d, lost):
    r"""What $|z| - (D/2)|z|^{2/D} + (D-2)(1-2^{-a})$ says of the excess, and where its first term is from 1e-8 to 1e-2.

    The powers of $\alpha$ are $D-2$ in the second term and $D$ in the third: $z$ is $1/\alpha^D$ or $1/\alpha^D\sqrt d$.
    """
    layers = depth.where(depth > 2)
    last = (layers - 2) * (1 - 2 ** (-layers / (layers - 2)))

    def over(size):
        return layers / 2 * alpha ** (depth - lost) * size ** (2 / layers - 1) - last * alpha**depth / size

    first = layers / 2 * alpha ** (depth - lost) * (d ** (0.5 - 1 / layers) - 1)
    sparse, flat = over(1.0), over(d**-0.5)
    return (flat - sparse) / (1 - flat), (first > 1e-8) & (first < 1e-2)


def judge(data, depth, d, lost) -> Evidence:
    """Both limits, how each depth nears the second, and the known values."""
    excess = data.ratio * d**0.5 - 1
    law, seen = linear_law(data.alpha, depth, d, lost)
    off = abs(excess / law - 1).where(seen)
    logs = -2 * np.log(data.alpha) - 1
    slow = abs(excess / (0.5 * np.log(d) / (logs - 0.5 * np.log(d))) - 1).where((depth == 2) & (data.alpha < 1e-6))
    known = [abs(data.known.sel(depth=D) - value) for D, value in KNOWN.items() if D in depth.values]
    return Evidence(
        sound=[
            at_least("scales at which the law is read", seen.sum(), 1, why="an empty choice says nothing"),
            at_most(
                "values at d = 1,000 and alpha = 0.1 from those known",
                max(known, default=0.0),
                5.1e-6,
                why="they are known to five digits",
            ),
        ],
        holds=[
            near(
                "ratio at the largest scale",
                1 + abs(data.ratio.isel(m=-1) - 1).max(),
                1,
                1e-3,
                why="1 + O(alpha^-2D), 1e-4 and less from alpha = 10 on",
            ),
            at_most(
                "excess over 1/sqrt(d) from that of the linear laws of q_D, relative",
                off.max(),
                0.01,
                why="the next term of q_D is smaller by |z| >= 1,000 where the law is below 0.01, and rounding is 1e-16 of an "
                "excess of at least 1e-8",
            ),
            at_most(
                "depth 2: excess from its logarithmic law",
                slow.max() if (depth == 2).any() else 0.0,
                1e-6,
                why="q = |z| log|z| - |z| + 2: what is left is of order sqrt(d) alpha^2",
            ),
            at_least(
                "gain in log(alpha) of one depth over the one before, where the ratio is within a tenth of 1/sqrt(d)",
                data.log_rich.diff("depth").min() if depth.size > 1 else 0.0,
                0,
                why="deeper nets are rich at larger scales",
            ),
        ],
    )


def draw(data, depth, d) -> Drawing:
    """The ratio against the scale, one line for each depth, with both limits."""
    lines = [
        Line(f"D = {int(D)}", data.alpha.sel(depth=D).values, data.ratio.sel(depth=D).values) for D in depth.values
    ]
    return Drawing(
        panels=[
            Panel(
                [*lines, Rule("l2: 1", 1.0), Rule("l1: 1/sqrt(d)", float(d**-0.5))],
                x=Axis("alpha", scale="log"),
                y=Axis("Q(e_1)/Q(1/sqrt d)", scale="log"),
            )
        ],
        columns=1,
        caption=f"How much dearer the dense unit vector is than the sparse one, d = {d:g}. Depth 2 creeps to the l1 norm's ratio "
        "logarithmically, deeper nets reach it at scales that are not small.",
    )


CLAIM = Claim(
    kind="figure",
    title="Depth sharpens the transition",
    says="Q_alpha(e_1)/Q_alpha(1/sqrt d) tends to 1 for large alpha and to 1/sqrt(d) for small: like 1/log(1/alpha) at "
    "depth 2, with a relative excess (D/2) alpha^(D-2) (d^(1/2-1/D) - 1) at depths D >= 3, sooner the larger D.",
    source="woodworth2020, figure 3b",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"lost": 2},
    control=Control(
        "a law with alpha^D, the scale of the linear map, for alpha^(D-2)",
        changes={"lost": 0},
        breaks=("excess over 1/sqrt(d) from that of the linear laws of q_D, relative",),
    ),
    seconds={"quick": 1, "paper": 1},
)

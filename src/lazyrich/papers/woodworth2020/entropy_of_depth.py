r"""Figures 3a and 3b: the coordinate functions $q_D$ of all depths, and the ratio of two unit vectors."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel, Rule
from ...claims.marks import RAMP, family, log_axis, one_panel
from .simulations.entropy_curves import DEPTHS, RATIOS


def judge_depths(data, depth, constant) -> Evidence:
    """The quadratic and the linear law of each depth, and the order of the depths."""
    a, deep = depth / np.maximum(depth - 2, 1e-300), depth > 2
    flat = data.q_far.isel(w=0) / data.far.isel(w=0) ** 2 * 4 * np.where(deep, a, 1.0)
    z, q = (part.where(deep, drop=True) for part in (data.far, data.q_far))
    a, layers = (part.where(deep, drop=True) for part in (a, depth))
    law = z - layers / 2 * z ** (2 / layers) + constant * (layers - 2) * (1 - 2**-a)
    left = ((q - law) * 2**a * z ** (1 / a)).isel(w=-1)
    rise = q.diff("depth").min() if layers.size > 1 else 0.0
    shallow = data.q_far.where(~deep, drop=True) / data.far.where(~deep, drop=True)
    growth = (shallow.isel(w=-1) - shallow.isel(w=-5)) / np.log(10)
    quadratic, error = 1 + abs(flat - 1).max(), abs(data.q - data.integral).max()
    near_zero = "the next term is of order $z^2$ at $z = 10^{-3}$"
    nodes = "80 Gauss-Legendre nodes integrate an analytic function up to rounding error"
    return Evidence(
        sound=[
            at_most("closed form against its defining integral", error, 1e-12, key="integral", why=nodes),
            at_least("depths of at least 3", layers.size, 1, key="depths", why="an empty choice says nothing"),
        ],
        holds=[
            near(r"$\frac{4D}{D-2} q_D(z)/z^2$ near zero, farthest from 1", quadratic, 1, 1e-5, key="quadratic", why=near_zero),
            near(
                "remainder of the linear law over its next term, farthest from 1",
                1 + abs(left + 1).max(),
                1,
                0.02,
                key="linear",
                why=r"the next term is $-2^{-a} |z|^{-1/a}$, $a = D/(D-2)$; what follows is smaller by $|z|^{-1/a} \leq 0.01$",
            ),
            at_least(
                "smallest increase from one depth to the next", rise, 0, key="order", why="deeper: closer to $|z|$, from below"
            ),
            near(
                r"growth of $q_2/|z|$ in a decade over $\log 10$",
                growth.mean() if shallow.size else 1.0,
                1,
                1e-4,
                key="depth_2",
                why=r"$|z| \log|z| - |z| + 2$: only depth 2 is superlinear; $2/|z|$ is 2e-5 at $z = 10^5$",
            ),
        ],
    )


def draw_depths(data, depth) -> Drawing:
    """The curves of all depths on both sides of zero, and over |z|."""
    half, far = data.isel(depth=0).z.values, data.isel(depth=0).far.values
    z, both = np.concatenate([-half[:0:-1], half]), np.r_[-half.size + 1 : half.size]
    name = "$D = {}$"
    left = [*family(name, z, data.q.isel(m=abs(both)), "depth", roles=RAMP), Line("$|z|$", z, abs(z), role="theory")]
    curves = family(name, far, data.q_far / data.far, "depth", roles=RAMP)
    right = [*curves, Line("1", far, np.ones(far.size), role="theory")]
    y, title = Axis("$q_D(z)/|z|$", low=0, high=4), r"Far from zero: linear for $D \geq 3$"
    return Drawing(
        [Panel(left, Axis("$z$"), Axis("$q_D(z)$", low=0)), Panel(right, log_axis("$z$"), y, title=title)],
        caption=r"The coordinate function of the implicit bias of depth-$D$ nets: quadratic near zero, and for $D \geq 3$ linear "
        r"far from zero, the earlier the deeper the net.",
    )


# The ratio at d = 1,000 and alpha = 0.1, to five digits.
KNOWN = {2: 0.16658, 3: 0.04877, 5: 0.03216}


def linear_law(alpha, depth, d, lost):
    r"""What $|z| - (D/2)|z|^{2/D} + (D-2)(1-2^{-a})$ predicts of the excess, and where its first term is in 1e-8 to 1e-2.

    The powers of $\alpha$ are $D-2$ in the second term and $D$ in the third: $z$ is $1/\alpha^D$ or $1/\alpha^D\sqrt d$.
    """
    layers = depth.where(depth > 2)
    last = (layers - 2) * (1 - 2 ** (-layers / (layers - 2)))

    def over(size):
        return layers / 2 * alpha ** (depth - lost) * size ** (2 / layers - 1) - last * alpha**depth / size

    first = layers / 2 * alpha ** (depth - lost) * (d ** (0.5 - 1 / layers) - 1)
    sparse, flat = over(1.0), over(d**-0.5)
    return (flat - sparse) / (1 - flat), (first > 1e-8) & (first < 1e-2)


def judge_ratio(data, depth, d, lost) -> Evidence:
    """Both limits, how each depth approaches the second, and the known values."""
    excess = data.ratio * d**0.5 - 1
    law, seen = linear_law(data.alpha, depth, d, lost)
    off = abs(excess / law - 1).where(seen)
    logs = -2 * np.log(data.alpha) - 1
    slow = abs(excess / (0.5 * np.log(d) / (logs - 0.5 * np.log(d))) - 1).where((depth == 2) & (data.alpha < 1e-6))
    largest, kernel = 1 + abs(data.ratio.isel(m=-1) - 1).max(), r"$1 + O(\alpha^{-2D})$, at most 1e-4 for $\alpha \geq 10$"
    known = max((abs(data.known.sel(depth=D) - value) for D, value in KNOWN.items() if D in depth.values), default=0.0)
    return Evidence(
        sound=[
            at_least("scales at which the law is read", seen.sum(), 1, key="scales", why="an empty choice says nothing"),
            at_most(
                r"deviation of the ratio from its known values at $d = 1000$ and $\alpha = 0.1$",
                known,
                5.1e-6,
                key="known",
                why="five digits are known",
            ),
        ],
        holds=[
            near("ratio at the largest scale, farthest from 1", largest, 1, 1e-3, key="kernel", why=kernel),
            at_most(
                r"excess over $1/\sqrt{d}$ against that of the linear laws of $q_D$, relative",
                off.max(),
                0.01,
                key="deep_law",
                why=r"the next term of $q_D$ is smaller by a factor $|z| \geq 1000$ where the law is below 0.01; rounding is "
                "1e-16",
            ),
            at_most(
                "depth 2: excess against its logarithmic law, relative",
                slow.max() if (depth == 2).any() else 0.0,
                1e-6,
                key="depth_2_law",
                why=r"$q = |z| \log|z| - |z| + 2$: the remainder is of order $\sqrt{d} \alpha^2$",
            ),
            at_least(
                r"gain per depth in the $\log\alpha$ at which the ratio is within 10% of $1/\sqrt{d}$, smallest",
                data.log_rich.diff("depth").min() if depth.size > 1 else 0.0,
                0,
                key="gain",
                why="deeper nets are rich at larger scales",
            ),
        ],
    )


def draw_ratio(data, depth, d) -> Drawing:
    """The ratio against the scale, one line for each depth, with both limits."""
    lines = [Line(f"$D = {int(D)}$", data.alpha.sel(depth=D).values, data.ratio.sel(depth=D).values) for D in depth.values]
    return one_panel(
        [*lines, Rule(r"$\ell_2$: 1", 1.0), Rule(r"$\ell_1$: $1/\sqrt{d}$", float(d**-0.5))],
        log_axis(r"$\alpha$"),
        log_axis(r"$Q_\alpha(e_1)/Q_\alpha(\mathbf{1}/\sqrt{d})$"),
        rf"The sparse against the dense unit vector, $d = {d:g}$. Depth 2 approaches the ratio of the $\ell_1$ norm "
        rf"logarithmically, deeper nets reach it at scales that are not small.",
    )


figure = partial(Claim, kind="figure", seconds={"quick": 1, "paper": 1})

CLAIMS = (
    figure(
        id="woodworth2020/figure_3a",
        title="The coordinate functions of all depths",
        says=r"$q_D$ is quadratic near zero at every depth. For $D \geq 3$ it grows linearly, $q_D = |z| - \frac{D}{2} |z|^{2/D} "
        r"+ (D-2)(1 - 2^{-a}) + o(1)$ with $a = D/(D-2)$, closer to $|z|$ the larger $D$; for $D = 2$ like $|z| \log|z|$.",
        source="woodworth2020, figure 3a",
        simulation=DEPTHS,
        judge=judge_depths,
        draw=draw_depths,
        constants={"constant": 1.0},
        controls=[Control("the linear law without its constant", changes={"constant": 0.0}, breaks=("linear",))],
    ),
    figure(
        id="woodworth2020/figure_3b",
        title="Depth sharpens the transition",
        says=r"$Q_\alpha(e_1)/Q_\alpha(\mathbf{1}/\sqrt{d})$ tends to 1 as $\alpha \to \infty$ and to $1/\sqrt{d}$ as $\alpha "
        r"\to 0$: like $1/\log(1/\alpha)$ at depth 2, with relative excess $\frac{D}{2} \alpha^{D-2} (d^{1/2-1/D} - 1)$ at "
        r"depths $D \geq 3$.",
        source="woodworth2020, figure 3b",
        simulation=RATIOS,
        judge=judge_ratio,
        draw=draw_ratio,
        constants={"lost": 2},
        controls=[Control(r"a law in $\alpha^D$ in place of $\alpha^{D-2}$", changes={"lost": 0}, breaks=("deep_law",))],
    ),
)

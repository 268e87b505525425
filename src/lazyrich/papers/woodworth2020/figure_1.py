"""Figures 1a and 1b: population error and norms of sparse regression along one sweep of the initialization scale."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Band, Drawing, Line, Panel, Points, Rule, Slope
from ...claims.marks import log_axis, one_panel
from .simulations.entropy_path import CHECKED

ALPHA = log_axis(r"$\alpha$")


def judge_error(data, n, d, noise, trials, beside) -> Evidence:
    """Both plateaus, and the gradient flow solution against the prediction."""
    rich = (abs(data.error - data.error_l1) / (data.error_l2 - data.error_l1)).where(data.alpha <= 1e-3)
    kernel = data.error.where(data.alpha >= 1).mean("m").mean()
    fraction, spread = 1 - n / d, np.sqrt(2 * n / d * (1 - n / d) / (d * trials))
    recovers = r"$O(r \log d)$ samples recover the ground truth up to noise; minimum $\ell_2$ loses $1 - n/d$ of it"
    ratio = (data.error_l2 / data.error_l1).median()
    return Evidence(
        holds=[
            at_most(
                r"distance between the gradient flow solution and the minimum-$Q_\alpha$ interpolant",
                data[f"from_{beside}"].max(),
                1e-4,
                key="distance",
                why="the ground truth has norm 1; residuals end at 1e-6, times 100 for the condition number of the dual",
            ),
            at_most(
                r"distance to the error of minimum $\ell_1$ at $\alpha \leq 10^{-3}$, over the height of the rise, median",
                rich.max("m").median(),
                0.1,
                key="rich_error",
                why="depth 2 approaches its limit slowly; below a tenth of the rise it is on the low plateau",
            ),
            near(
                r"mean error at $\alpha \geq 1$",
                kernel,
                fraction + noise**2 * n / max(d - n, 1),
                4 * spread + 0.02,
                key="kernel_error",
                why=r"minimum $\ell_2$ keeps a fraction $n/d$ of the ground truth, a beta variable: 4 standard deviations of the "
                r"mean over trials, and 0.02 since $\alpha = 1$ is not yet the limit",
            ),
            at_least(
                r"error of minimum $\ell_2$ over that of minimum $\ell_1$, median", ratio, 5, key="l2_over_l1", why=recovers
            ),
        ]
    )


def draw_error(data) -> Drawing:
    """The error against the scale with its spread, gradient flow on it, and the two limits."""
    alpha = data.alpha.isel(trial=0).values
    low, middle, high = (data.error.quantile(q, "trial").values for q in (0.1, 0.5, 0.9))
    flow_alpha, flow = data.flow_alpha.isel(trial=0), data.flow_error.median("trial")
    return one_panel(
        [
            Band("80% of trials", alpha, low, high),
            Line(r"minimum $Q_\alpha$", alpha, middle),
            Points("gradient flow", flow_alpha.values, flow.values, role="second"),
            Rule(r"minimum $\ell_1$", float(data.error_l1.median())),
            Rule(r"minimum $\ell_2$", float(data.error_l2.median())),
        ],
        ALPHA,
        Axis("excess population error", low=0),
        r"Sparse regression from $u = v = \alpha \mathbf{1}$: small scales reach the population error of minimum $\ell_1$, large "
        r"ones that of minimum $\ell_2$. The curve is computed without training; gradient flow lies on it.",
    )


def excess_l2(data):
    r"""$\|\beta_\alpha\|_2 - \|\beta_{\ell_2}\|_2$ without cancellation: the difference is orthogonal to $\beta_{\ell_2}$."""
    return data.apart_l2 / (np.sqrt(data.norm_l2**2 + data.apart_l2) + data.norm_l2)


def judge_norms(data, power) -> Evidence:
    """Signs, monotonicity of both curves, and the powers at which they fall."""
    l1, l2, logs = data.excess_l1, excess_l2(data), np.log(data.alpha)
    far = (data.alpha > 3 * data.norm_l2**0.5) & (data.apart_l2 > 1e-18 * data.norm_l2**2)
    steep = (np.log(l2).diff("m") / logs.diff("m")).where(far.isel(m=slice(1, None)))
    slow = (np.log(l1).diff("m") / logs.diff("m")).where(data.alpha.isel(m=slice(1, None)) < 1e-3)
    return Evidence(
        sound=[at_least("scales in the far range", far.sum("m").min(), 2, key="far_scales", why="no empty range")],
        holds=[
            at_most(
                r"largest undershoot of $\|\beta_\alpha\|_1$ below the minimum $\ell_1$ norm",
                (-l1).clip(min=0).max(),
                1e-12,
                key="undershoot",
                why="no interpolant is below the minimum; rounding error of norms of order 1",
            ),
            at_most(
                r"largest rise of the excess $\ell_1$ norm as $\alpha$ falls, over its maximum",
                (l1.diff("m").max("m") / l1.max("m")).max(),
                0.02,
                key="l1_rise",
                why=r"increasing in $\alpha$ up to a small overshoot near $\alpha = 1$, where another norm is minimized",
            ),
            at_most(
                r"largest rise of the excess $\ell_2$ norm as $\alpha$ grows, over its maximum",
                (-l2.diff("m").min("m") / l2.max("m")).max(),
                0.02,
                key="l2_rise",
                why=r"decreasing in $\alpha$ up to an overshoot of the same size near the rich end",
            ),
            near(
                r"power of $\alpha$ at which the excess $\ell_2$ norm falls",
                steep.median(),
                -power,
                0.05,
                key="l2_power",
                why=r"$\beta_\alpha - \beta_{\ell_2} = O(\alpha^{-4})$, orthogonal to $\beta_{\ell_2}$, up to 1/81 of it",
            ),
            at_most(
                r"power of $\alpha$ at which the excess $\ell_1$ norm falls below $\alpha = 10^{-3}$, median",
                slow.median(),
                1,
                key="l1_power",
                why=r"$2(1 - \rho)$ with $\rho$, the largest $|X^\top \nu|$ off the support, near 1: far below 8",
            ),
        ],
    )


def draw_norms(data) -> Drawing:
    """Both excesses, as in the paper and on logarithmic axes."""
    one = data.isel(trial=0)
    alpha, l1, l2 = one.alpha.values, one.excess_l1.values, excess_l2(one).values
    at = int(np.argmin(abs(alpha - 10)))
    names = r"$\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1$", r"$\|\beta_\alpha\|_2 - \|\beta_{\ell_2}\|_2$"
    logarithmic = [
        Line(names[0], alpha, np.where(l1 > 1e-16, l1, np.nan)),
        Line(names[1], alpha, np.where(l2 > 1e-16, l2, np.nan), role="control"),
        Slope(r"$\alpha^{-8}$", alpha[(alpha > 0.3) & (alpha < 100)], (float(alpha[at]), float(l2[at])), -8),
    ]
    return Drawing(
        [
            Panel([Line(names[0], alpha, l1), Line(names[1], alpha, l2, role="control")], ALPHA, Axis("excess norm", low=0)),
            Panel(logarithmic, ALPHA, log_axis("excess norm", low=1e-16, high=100), title="Rates"),
        ],
        caption=r"Excess of the norms of $\beta_\alpha$ over their minima, one trial. The minimum $\ell_2$ norm is approached "
        r"like $\alpha^{-8}$ as $\alpha$ grows, the minimum $\ell_1$ norm far more slowly as $\alpha$ falls.",
    )


figure = partial(Claim, kind="figure", simulation=CHECKED, seconds={"quick": 12, "paper": 60})

CLAIMS = (
    figure(
        id="woodworth2020/figure_1a",
        title="The initialization scale controls the population error",
        says=r"On sparse regression the population error of $\beta_\alpha$ rises with $\alpha$ from that of the "
        r"minimum-$\ell_1$-norm interpolant ($\alpha \leq 10^{-3}$) to that of the minimum-$\ell_2$-norm one, about $1 - n/d$ "
        r"($\alpha \geq 1$).",
        source="woodworth2020, figure 1a",
        judge=judge_error,
        draw=draw_error,
        constants={"beside": "same"},
        controls=[Control("the prediction at a third of the scale", changes={"beside": "third"}, breaks=("distance",))],
        aliases=("figure_1",),
    ),
    figure(
        id="woodworth2020/figure_1b",
        title=r"Fast approach to minimum $\ell_2$, slow approach to minimum $\ell_1$",
        says=r"$\|\beta_\alpha\|_1 - \|\beta_{\ell_1}\|_1$ increases with $\alpha$ and tends to 0 slowly as $\alpha \to 0$; "
        r"$\|\beta_\alpha\|_2 - \|\beta_{\ell_2}\|_2$ decreases with $\alpha$ and falls like $\alpha^{-8}$.",
        source="woodworth2020, figure 1b",
        judge=judge_norms,
        draw=draw_norms,
        constants={"power": 8},
        controls=[Control(r"$\alpha^{-4}$, the power of $\|\beta_\alpha - \beta_{\ell_2}\|_2$", {"power": 4}, ("l2_power",))],
    ),
)

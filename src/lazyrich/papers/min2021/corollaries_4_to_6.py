r"""Corollaries 4 to 6 of theorem 3, and the two errata of their rates: loss and rate beside what they guarantee."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line
from ...claims.marks import log_axis, one_panel
from .shared.convergence import LOSS, NEAR_TARGET, above_bound, below_bound, guaranteed, loss_panel, over_bound, rate_panel
from .shared.marks import TIME, beside, seeds
from .simulations.linear_net_flow import SIMULATION

FIRST = {"tilt": 0, "away": 0, "near": 0, "ratio": 0}


def by_level(data, factor):
    """The rate that the level of imbalance guarantees."""
    return factor * data.least * data.level


def judge_level(data, factor) -> Evidence:
    """The loss and the rate beside what the level of imbalance guarantees."""
    theory = by_level(data, factor)
    strict = "corollary 4; the error initially decays faster than the slowest mode, so that the bound is strict"
    hypothesis = "the hypothesis: a positive level, as random layers with more units than rows have"
    return Evidence(
        sound=[guaranteed(data, theory, 6, hypothesis)],
        holds=[below_bound(data, theory, strict), above_bound(data, theory, "theorem 3 with zero margin")],
    )


def draw_level(data, factor) -> Drawing:
    """Loss and rate of one trial by the ratio of the layers, whitened inputs."""
    one = data.isel(trial=0, tilt=0, away=0, near=0, imbalance=0)
    theory = by_level(one, factor)
    runs = [(rf"$\rho = {r:g}$", one.sel(ratio=r), theory.sel(ratio=r)) for r in data.ratio.values[-2:]]
    return Drawing(
        [loss_panel(runs, "Loss and bound"), rate_panel(runs, "Rate and bound")],
        caption=r"Layers of relative scale $\rho$, one product. The level of imbalance is conserved, and the rate is at least "
        "twice the level.",
    )


def judge_margin(data, limit) -> Evidence:
    """That the margin guarantees a rate where the imbalance does not, and the loss beside it."""
    theory = data.guaranteed.isel(t=0)
    return Evidence(
        sound=[
            at_most(
                "rate guaranteed by the level of imbalance, over the final rate, maximum",
                (2 * data.least * data.level / data.rate.isel(t=-1)).max(),
                1e-12,
                key="level",
                why="the imbalance has too few eigenvalues to guarantee a rate by itself, up to rounding error",
            )
        ],
        holds=[
            at_least(
                "guaranteed rate over the final rate, minimum",
                (theory / data.rate.isel(t=-1)).min(),
                limit,
                key="guarantee",
                why="positive wherever there is a margin; the condition number of the inputs enters to the fourth power",
            ),
            below_bound(data, theory, "corollary 5; the margin grows as the loss decreases, so that the bound is strict"),
        ],
    )


def draw_margin(data) -> Drawing:
    """Loss and rate of one trial, balanced and not, whitened inputs."""
    one = data.isel(trial=0, **FIRST)
    runs = [(f"imbalance {d:g}", one.sel(imbalance=d), one.guaranteed.sel(imbalance=d)) for d in data.imbalance.values[:3]]
    first = [(name, run, theory.isel(t=0)) for name, run, theory in runs]
    return Drawing(
        [loss_panel(first, "Loss and initial bound"), rate_panel(runs, "Rate and current bound")],
        caption="Initial error half of the smallest singular value of the target. Left: the loss and the guarantee of the "
        "initial margin. Right: the rate and the guarantee as the margin grows.",
    )


def over_renewed(data, factor, since):
    r"""The maximum of $\log(L(t)/L(t_0)) + \lambda_rc(t_0)(t - \mathrm{since}\cdot t_0)$ over $t > t_0$, for each $t_0 > 0$."""
    logs, worst = np.log(data.excess), []
    for at in range(1, data.sizes["t"] - 1):
        first, later = data.isel(t=at), slice(at + 1, None)
        theory = factor * first.guaranteed * (data.time.isel(t=later) - since * first.time)
        worst.append((logs.isel(t=later) - np.log(first.excess) + theory).max("t"))
    return worst


def gap(data):
    """Relative distance of the guarantee to its limit, over twice the error relative to the target's smallest singular value."""
    last = data.isel(t=-1)
    error = np.sqrt(2 * last.excess)
    return (1 - last.guaranteed / last.asymptotic) / (2 * error / (last.margin + error))


def below_renewed(data, factor, since, why) -> Reading:
    """The loss under the bound from any time."""
    worst = max(float(part.max()) for part in over_renewed(data, factor, since))
    return at_most("log of the loss over the bound from any time, maximum", worst, 0, key="loss", why=why)


def judge_renewed(data, factor) -> Evidence:
    """The loss after any time beside the guarantee at that time, and the limit of the guarantee."""
    return Evidence(
        holds=[
            below_renewed(data, factor, 1.0, "theorem 3 from every later time; the rate stays above the current guarantee"),
            at_most(
                "relative distance of the guarantee to its limit, over twice the relative error, maximum",
                gap(data).max(),
                1,
                key="limit",
                why="it grows between the first and the second power of the margin, which is short of its limit by the error",
            ),
        ]
    )


def draw_renewed(data) -> Drawing:
    """Rate and guarantee of three seeds over the limit."""
    one = data.isel(**FIRST, imbalance=-1, trial=slice(0, 3))
    rate, bound = (part / one.asymptotic for part in (one.rate, one.guaranteed))
    return one_panel(
        beside(one.time, rate, bound, ("rate, seed {}", "guarantee, seed {}"), "trial", Line),
        TIME,
        log_axis("relative to the limit of the guarantee"),
        "Near the target, whitened inputs, imbalanced layers. The current guarantee grows to its limit, the rate falls to it.",
    )


def judge_clock(data, since) -> Evidence:
    """The loss after any time beside the bound, with time counted from there or from initialization."""
    why = "at $t = t_0$ both sides are equal, and afterwards the rate stays above the guarantee"
    return Evidence(holds=[below_renewed(data, 1.0, since, why)])


def draw_clock(data) -> Drawing:
    """The loss of one trial, with the bound from the middle of the run as corrected and as printed."""
    run = data.isel(**FIRST, imbalance=0, trial=0)
    at = run.sizes["t"] // 2
    first, time = run.isel(t=at), run.time.values[at:]
    whole = float(run.excess.isel(t=0))
    rate, level = float(first.guaranteed), float(first.excess) / whole
    marks = [
        Line("loss", run.time, run.excess / whole),
        Line("corrected", time, level * np.exp(-rate * (time - time[0])), role="theory"),
        Line("printed", time, level * np.exp(-rate * time), role="control"),
    ]
    caption = "The bound of corollary 6 from the middle of a run. With time from initialization, as printed, it fails at once."
    return one_panel(marks, TIME, LOSS, caption)


def judge_factor(data, factor) -> Evidence:
    """The smallest rate and the loss beside a multiple of the guarantee, near the target."""
    theory = factor * data.guaranteed.isel(t=0)
    last, name = over_bound(data, theory).isel(t=-1).max(), "log of the final loss over its bound, maximum"
    return Evidence(
        holds=[
            above_bound(data, theory, r"theorem 3: the rate is at least $\lambda_rc(0)$ at all times"),
            at_most(name, last, 0, key="loss", why="the same for the loss"),
        ]
    )


def draw_factor(data) -> Drawing:
    """The rate over the initial guarantee, all seeds."""
    one = data.isel(**FIRST, imbalance=0)
    theory = one.guaranteed.isel(t=0)
    marks = seeds(one.time * theory, one.rate / theory, one.sizes["trial"])
    ends = [0.0, float((one.time * theory).max())]
    rules = [Line("corrected", ends, [1, 1], role="theory"), Line("printed", ends, [2, 2], role="control")]
    return one_panel(
        [*marks, *rules],
        Axis(r"$\lambda_rc(0)\,t$"),
        log_axis(r"rate over $\lambda_rc(0)$"),
        r"Balanced, very near the target, whitened inputs: the rate decreases to that of the slowest mode, $\lambda_rc$.",
    )


claim = partial(Claim, simulation=SIMULATION, seconds={"quick": 12, "paper": 60})
CLAIMS = (
    claim(
        id="min2021/corollary_4",
        kind="corollary",
        title="A positive level of imbalance is sufficient",
        says="If the imbalance $D$ has $r$ positive and $m$ negative eigenvalues, the loss converges exponentially, for any "
        r"product, at a rate of at least $2\lambda_r(\Sigma_X)\Delta$ with the level $\Delta = \lambda_r(D) + \lambda_m(-D)$.",
        source="min2021, corollary 4",
        judge=judge_level,
        draw=draw_level,
        constants={"factor": 2.0},
        sizes={size: {"near": (0,), "imbalance": (0.0,)} for size in ("quick", "paper")}
        | {"smoke": {"near": (0,), "imbalance": (1.0,)}},
        controls=[Control("four times the level", changes={"factor": 4.0}, breaks=("loss", "rate"))],
    ),
    claim(
        id="min2021/corollary_5",
        kind="corollary",
        title="A positive margin is sufficient",
        says=r"If $\|E(0)\|_F < \sigma_{\min}(\tilde Y)$ then $c(0) > 0$, and the loss converges exponentially at a rate of at "
        r"least $\lambda_r(\Sigma_X)c(0)$, for any imbalance.",
        source="min2021, corollary 5",
        judge=judge_margin,
        draw=draw_margin,
        constants={"limit": 1e-8},
        sizes=NEAR_TARGET,
        controls=[Control("an error larger than the smallest singular value", changes={"away": (1.5,)}, breaks=("guarantee",))],
    ),
    claim(
        id="min2021/corollary_6",
        kind="corollary",
        title="The guarantee holds from any later time",
        says=r"If $c(t_0) > 0$, then $L(t) - L^* \leq \exp(-\lambda_r(\Sigma_X)c(t_0)(t - t_0))(L(t_0) - L^*)$ for $t \geq t_0$. "
        r"As the loss vanishes, $c(t_0)$ converges to its value with $\sigma(\tilde Y)$ in place of the margin.",
        source="min2021, corollary 6 and equation 22",
        judge=judge_renewed,
        draw=draw_renewed,
        constants={"factor": 1.0},
        sizes=NEAR_TARGET,
        controls=[Control("twice the rate", changes={"factor": 2.0}, breaks=("loss",))],
    ),
    claim(
        id="min2021/corollary_6_clock",
        kind="erratum",
        title="The exponent of corollary 6 contains $t - t_0$",
        says=r"For $t \geq t_0$ the excess loss is at most $\exp(-\lambda_r(\Sigma_X)c(t_0)(t - t_0))$ times that at $t_0$. The "
        "printed exponent has $t$ in place of $t - t_0$ and fails at $t = t_0$ already.",
        source="min2021, corollary 6",
        judge=judge_clock,
        draw=draw_clock,
        constants={"since": 1.0},
        sizes=NEAR_TARGET,
        controls=[Control("as printed: time from initialization", changes={"since": 0.0}, breaks=("loss",))],
    ),
    claim(
        id="min2021/corollary_5_factor",
        kind="erratum",
        title="The rate of corollary 5 has no factor 2",
        says=r"With a positive margin the loss decays at a rate of at least $\lambda_r(\Sigma_X)c(0)$, as in theorem 3. Twice "
        "that rate, printed after corollaries 5 and 6, is violated by balanced initializations near the target.",
        source="min2021, corollaries 5 and 6",
        judge=judge_factor,
        draw=draw_factor,
        constants={"factor": 1.0},
        sizes={size: {**near, "away": (0.05,), "tilt": (0.0,), "imbalance": (0.0,)} for size, near in NEAR_TARGET.items()},
        controls=[Control("as printed: twice the rate", changes={"factor": 2.0}, breaks=("rate", "loss"))],
        seconds={"quick": 10, "paper": 30},
    ),
)

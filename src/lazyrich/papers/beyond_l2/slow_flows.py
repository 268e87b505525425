r"""Theorems 2.1 and 2.2 as one slow flow: generalization after $T/(\alpha\beta)$ steps for every method, $T$ known in advance."""

from functools import partial

import numpy as np

from ...claims.axes import side_by_side
from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Drawing, Event, Line, Panel, Points, Rule
from ...claims.labelled import spread
from ...claims.marks import equal, log_axis, one_panel
from ...lab.simulations.l1_descent import COMPARED, METHODS
from .shared import limits, nuclear_limits
from .shared.nuclear_figures import shown, strongest
from .shared.nuclear_limits import enough, readable
from .shared.scaling import power as power_of
from .simulations.nuclear_descent import COMPLETION

POWERS = r"exponent of $\alpha$ and $\beta$ in the number of steps, plus one, "
SPARSE_STEPS = r"steps are $T/(\alpha\beta_1)$; a bias of 1% over a factor of three is 0.009"
LOW_RANK_STEPS = r"steps are $T/(\alpha\beta_*)$; three times the bias over a factor of three is 0.05"


def times(data, theory, strength, power, good):
    r"""Times of generalization of all methods, in the time $\alpha\beta^{\mathrm{power}}t$, over the slow flow's."""
    found = side_by_side([data[f"{method}_generalization"] for method in METHODS], "method")
    return (found * strength ** (power - 1) / theory["generalization"]).where(good, drop=True)


def powers_left(ratio) -> list:
    """The sizes of the powers of learning rate and strength that are left in the times."""
    return [abs(power_of(ratio, axis)) for axis in ("learning_rate", "strength")]


def on_time(ratio, tolerance, why):
    """Times at the smallest strength beside the slow flow's, and between methods."""
    weakest = ratio.isel(strength=-1)
    apart, between = abs(weakest - 1).max(skipna=False), spread(weakest, "method").max(skipna=False)
    name, same = (
        "time of generalization over the slow flow's, minus one, at the smallest strength, maximum",
        "one flow for all, up to this",
    )
    other = "spread between methods over the slow flow's time at the smallest strength, maximum"
    return [at_most(name, apart, tolerance, key="time", why=why), at_most(other, between, tolerance, key="methods", why=same)]


def judge_sparse(data, theory, strength, power) -> Evidence:
    """Times of generalization beside the slow flow's, between methods, and as learning rate and strength change."""
    good = theory["recovery_error"] < limits.SAME
    ratio = times(data, theory, strength, power, good)
    farthest = max(float(left.max(skipna=False)) for left in powers_left(ratio))
    return Evidence(
        sound=[limits.recoverable(good)],
        holds=[
            *on_time(ratio, 0.01, "off by the bias of the penalty and by one step, both of order strength / level, 1e-2"),
            at_most(POWERS + "maximum", farthest, 0.01, key="powers", why=SPARSE_STEPS),
        ],
    )


def held(data, learning_rate, strength, n, slack):
    r"""Error on observed entries over $\rho^t$ times the initial one plus $\alpha\beta_*n^{1/p}(1-\rho^t)/(1-\rho)$."""
    import xarray as xr

    shrink = abs(1 - learning_rate) ** data.steps
    ends = xr.DataArray(n ** np.array([1.0, 0.5, 0.0]), dims="p")
    settled = learning_rate * strength * (1 - shrink) / (1 - abs(1 - learning_rate)) * ends
    return data.subgradient_residuals / (shrink * data.subgradient_residuals.isel(t=0) + slack * settled)


def judge_low_rank(data, theory, learning_rate, strength, n, reach, power, slack) -> Evidence:
    """The bound on observed entries at all times, and times of generalization beside the slow flow's."""
    good = readable(theory, reach)
    ratio = times(data, theory, strength, power, good)
    farthest = max(float(left.median("trial").max()) for left in powers_left(ratio))
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                r"error on observed entries / bound, maximum over $p=1,2,\infty$",
                held(data, learning_rate, strength, n, slack).where(data.steps > 0).max(),
                1 + 1e-9,
                key="bound",
                why=r"the theorem where it is not vacuous: on observed entries the data term contracts by $|1-\alpha|$ in "
                "every norm, and an entry of the polar factor is at most one; rounding error",
            ),
            *on_time(
                ratio,
                0.03,
                "the bias, a few strengths, over the level, 0.03, times the fraction of time spent there",
            ),
            at_most(POWERS + "median over trials", farthest, 0.05, key="powers", why=LOW_RANK_STEPS),
        ],
    )


def both_panels(data, theory, good, until, caption) -> Drawing:
    """Errors of the first good trial by each method, up to `until` times its recovery, and times of all good trials."""
    runs, first = data.isel(learning_rate=0, strength=-1), int(np.argmax(good))
    one, late, predicted = runs.isel(trial=first), runs.isel(trial=good), theory["generalization"].values[good]
    found = float(predicted[0]) if good.any() else np.inf
    seen = (one.slow.values > 0) & (one.slow.values < until * found)
    styles = list(zip(METHODS, SERIES, strict=True))
    left = [Line(name, one.slow.values[seen], one[f"{name}_recovery"].values[seen], role=role) for name, role in styles]
    right = [Points(name, predicted, late[f"{name}_generalization"].values, role=role) for name, role in styles]
    left += [Event("slow flow", found)] if np.isfinite(found) else []
    right += [equal(predicted)] if predicted.size else []
    x, y = (log_axis(f"time of generalization{by}") for by in (", predicted by the slow flow", ""))
    one_trial = Panel(left, log_axis(r"$\alpha\beta t$"), log_axis("relative recovery error"), title="One trial")
    return Drawing([one_trial, Panel(right, x, y, title="All trials")], caption=caption)


def draw_sparse(data, theory) -> Drawing:
    """Sparse recovery: the first trial until its ground truth is recovered, and all."""
    caption = (
        r"Subgradient, proximal and projected descent with a small $\ell_1$ penalty. Left: the error against $\alpha\beta_1t$; "
        "the methods differ while they fit the data, then coincide. Right: each trial generalizes when the slow flow predicts."
    )
    return both_panels(data, theory, np.ones(data.sizes["trial"], bool), 1.05, caption)


def draw_low_rank(data, theory, reach) -> Drawing:
    """Matrix completion: the first trial that can be judged, and all of them."""
    caption = (
        "Matrix completion with a small nuclear penalty. Left: three methods fit the observed entries each in its own time "
        "and then coincide. Right: each trial generalizes when the slow flow of the nuclear norm predicts it."
    )
    return both_panels(data, theory, readable(theory, reach).values, np.inf, caption)


def judge_limit(data, theory, learning_rate, strength, rank, reach, beyond) -> Evidence:
    """The largest singular value beyond the rank over a step, after the slow flow has stopped and before.

    That of the penalized solution, the limit of proximal descent, is subtracted; projected descent does not converge to it.
    """
    good = readable(theory, reach)
    seen = side_by_side([data[f"{method}_sigma"] for method in METHODS], "method").where(good, drop=True)
    slowly, rests = data.slow.where(good, drop=True), theory["rests"].where(good, drop=True)
    largest = seen.isel(k=rank if beyond else 0) / (learning_rate * strength)
    limit = data.proximal_sigma.isel(k=rank, t=-1).where(good, drop=True) / (learning_rate * strength)
    over = largest - side_by_side([0 * limit if method == "projected" else limit for method in METHODS], "method")
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                r"$\sigma_{r+1}$ minus that of the penalized solution, over $\alpha\beta_*$, for $t\geq t_2$, maximum",
                over.where(slowly > 1.1 * rests).max(),
                3,
                key="after",
                why=r"a step moves it by $\alpha$ times ($\beta_*$ + data gradient, at most $\beta_*$): two steps, and one "
                r"between method and flow; where the data gradient is $\beta_*$ the penalized solution keeps tenths of $\beta_*$",
            ),
            at_least(
                r"$\sigma_{r+1}/(\alpha\beta_*)$ before $t_2/2$, median",
                largest.where((slowly > 0.1 * rests) & (slowly < 0.5 * rests)).median(),
                3,
                key="before",
                why="the converse",
            ),
            at_least(
                r"$\sigma_r$ at the end, minimum",
                seen.isel(k=rank - 1, t=-1).min(skipna=False),
                0.95,
                key="kept",
                why="that of the ground truth is one, minus a few strengths: the matrix does not tend to zero",
            ),
        ],
    )


def draw_limit(data, theory, learning_rate, strength, rank, reach) -> Drawing:
    """The largest singular value of one trial, and the largest beyond the rank, over a step."""
    one = strongest(data, theory, shown(theory, reach), "subgradient").isel(trial=0)
    after = one.steps.values > 0
    x, sigma = one.steps.values[after], one.sigma.transpose("t", "k").values[after]
    sigma = sigma / float(learning_rate[0] * strength[-1])
    return one_panel(
        [
            Line(r"$\sigma_{r+1}$", x, np.maximum(sigma[:, rank], 1e-3)),
            Line(r"$\sigma_1$: as printed", x, sigma[:, 0], role="control"),
            Rule("one step", 1.0),
        ],
        log_axis("steps"),
        log_axis(r"singular value / $(\alpha\beta_*)$"),
        caption="Subgradient descent for matrix completion, one trial. Singular values beyond the rank of the ground truth "
        "fall to the size of a step; the matrix itself tends to the ground truth, not to zero.",
    )


ROOT = "the square root of the strength in place of the strength"
low_rank = partial(Claim, source="beyond_l2, theorem 2.2", simulation=COMPLETION, predict=nuclear_limits.slow)
CLAIMS = (
    Claim(
        id="beyond_l2/slow_flow",
        kind="derived",
        title="One slow flow for three methods",
        says=r"The number of steps to recovery times $\alpha\beta_1$ tends to the time that the slow flow of the $\ell_1$ norm "
        "on the set of interpolants takes: for subgradient, proximal and projected descent alike.",
        source="beyond_l2, theorem 2.1",
        simulation=COMPARED,
        predict=limits.slow,
        judge=judge_sparse,
        draw=draw_sparse,
        constants={"power": 1.0},
        least={"learning_rate": 2, "strength": 2},
        controls=[Control(ROOT, changes={"power": 0.5}, breaks=("time", "powers"))],
        seconds={"quick": 20, "paper": 60},
    ),
    low_rank(
        id="beyond_l2/theorem_2_2",
        kind="theorem",
        title=r"Low rank is recovered in order $1/(\alpha\beta_*)$ steps",
        says=r"Observed entries come within $\alpha\beta_*n^{1/p}/(1-\rho)$ of their values and stay, $\rho=|1-\alpha|$; "
        r"subgradient, proximal and projected descent recover the ground truth after $T/(\alpha\beta_*)$ steps, with $T$ the "
        "time that the slow flow of the nuclear norm takes.",
        judge=judge_low_rank,
        draw=draw_low_rank,
        constants={"power": 1.0, "slack": 1.0},
        least={"learning_rate": 2, "strength": 2},
        controls=[
            Control(f"{ROOT}, and a hundredth of it in the bound", {"power": 0.5, "slack": 0.01}, ("bound", "time", "powers"))
        ],
        seconds={"quick": 20, "paper": 3600},
    ),
    low_rank(
        id="beyond_l2/theorem_2_2_limit",
        kind="erratum",
        title="Only the singular values beyond the rank fall to zero",
        says=r"The singular values beyond the rank of the ground truth are of order $\alpha\beta_*$ if and only if $t\geq "
        r"t_2$; printed is that all are, $\|A^{(t)}\|_p\leq\alpha\beta_*n^{1/p}$, while the matrix tends to the ground truth.",
        judge=judge_limit,
        draw=draw_limit,
        constants={"beyond": True},
        controls=[Control("all singular values, as printed", changes={"beyond": False}, breaks=("after",))],
        seconds={"quick": 20, "paper": 380},
    ),
)

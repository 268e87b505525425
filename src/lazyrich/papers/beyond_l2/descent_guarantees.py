r"""Theorems C.3, C.13, C.14, C.15, D.13: by how much descent can exceed the ground truth, in objective and norm."""

from functools import partial

import numpy as np

from ...claims.axes import places
from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line, Panel
from ...claims.marks import log_axis
from .simulations.descent_guarantees import LOW_RANK, SPARSE


def so_far(a, best):
    """The smallest (`np.minimum`) or largest (`np.maximum`) up to each step but the last."""
    values = best.accumulate(a.transpose(..., "t").values, axis=-1)
    return a.transpose(..., "t").copy(data=values).isel(t=slice(None, -1))


def spent(data):
    """Sums of learning rates and of their squares after each step."""
    return data.total.isel(t=slice(1, None)), data.squares.isel(t=slice(1, None))


def subgradient_bound(data):
    r"""$(R^2 + L^2\sum\alpha_t^2)/(2\sum\alpha_t)$ with the largest subgradient so far as $L$."""
    total, squares = spent(data)
    return (data.distance + so_far(data.subgradient_slope, np.maximum) ** 2 * squares) / (2 * total)


def objective_gap(data, strength, weight_decay, power):
    """Theorem C.3: the gap of the objective and its bound."""
    return so_far(data.subgradient_gap, np.minimum), subgradient_bound(data)


def norm_gap(data, strength, weight_decay, power):
    """Theorems C.13 and D.13: the gap of the norm and its bound."""
    bound = subgradient_bound(data) / strength + weight_decay * data.length / (2 * strength)
    return so_far(data.subgradient_excess, np.minimum), bound


def projected_gap(data, strength, weight_decay, power):
    """Theorem C.14: the gap of the norm and its bound."""
    total, squares = spent(data)
    bound = (data.distance + data.dimension * strength**2 * squares) / (2 * strength * total)
    return so_far(data.projected_excess, np.minimum), bound


def proximal_gap(data, strength, weight_decay, power):
    """Theorem C.15: the gap of the objective and its bound, or that with another power of the number of steps."""
    count = 1.0 + places(data, "t").isel(t=slice(None, -1))
    return data.proximal_gap.isel(t=slice(1, None)), data.distance / (2 * data.learning_rate * count**power)


def judge(data, strength, weight_decay, factor, power, gap_and_bound, tight, why) -> Evidence:
    """The gap over its bound; for the proximal method also the largest increase of the objective."""
    gap, bound = gap_and_bound(data, strength, weight_decay, power)
    used = (gap / (factor * bound)).max("t")
    holds = [
        at_most("gap / bound, maximum", used.max(), 1, key="gap", why="the theorem, without tolerance"),
        at_least("gap / bound, median over trials", used.median(), tight, key="tightness", why=f"tightness: {why}"),
    ]
    if gap_and_bound is proximal_gap:
        rise = data.proximal_gap.diff("t").max() / abs(data.proximal_gap.isel(t=0)).min()
        why = "a proximal step never increases the objective; its rounding error over a gap of a thousandth of it"
        holds.append(at_most("largest increase of the objective / initial gap", rise, 1e-10, key="increase", why=why))
    return Evidence(holds=holds)


def draw(data, strength, weight_decay, gap_and_bound, name, caption) -> Drawing:
    """Gap and bound of one trial without weight decay at a constant learning rate, a panel for each strength."""
    both = gap_and_bound(data, strength, weight_decay, 1)
    first = dict.fromkeys(("trial", "weight_decay", "fading"), 0)
    gap, bound = (part.isel(first, missing_dims="ignore") for part in both)
    panels = []
    for value in gap.strength.values:
        one, top = (part.sel(strength=value).values for part in (gap, bound))
        shown = np.unique(np.geomspace(1, one.size, 300).astype(int)) - 1
        y = np.where(one > 0, one, np.nan)
        marks = [Line("descent", shown + 1, y[shown]), Line("bound", shown + 1, top[shown], role="theory")]
        panels.append(Panel(marks, log_axis("steps"), log_axis(name), title=rf"$\beta$ = {float(value):g}"))
    return Drawing(panels, caption=caption)


TWENTIETH = ("a twentieth of the bound", {"factor": 0.05})


def claim(item, *, title, says, gap_and_bound, why, name, caption, tight=0.05, control=TWENTIETH, **more) -> Claim:
    """One theorem with its gap and bound."""
    return Claim(
        id=f"beyond_l2/{item}",
        kind="theorem",
        title=title,
        says=says,
        source=f"beyond_l2, theorem {item[8].upper()}.{item[10:]}",
        judge=partial(judge, gap_and_bound=gap_and_bound, tight=tight, why=why),
        draw=partial(draw, gap_and_bound=gap_and_bound, name=name, caption=caption),
        constants={"factor": 1.0, "power": 1},
        controls=[Control(control[0], changes=control[1], breaks=("gap",))],
        **{"simulation": SPARSE, "seconds": {"quick": 15, "paper": 60}} | more,
    )


norm_claim = partial(claim, gap_and_bound=norm_gap, why="what the bound on the objective loses, and the data loss")
VACUOUS = (
    " From an initialization near zero the bound is vacuous: the norm is below that of the ground truth from the first step on."
)
CLAIMS = (
    claim(
        "theorem_c_3",
        title="Subgradient descent: bound on the best objective so far",
        says=r"$f_{\mathrm{best}}(T)-f(b^*)\leq(R^2+L^2\sum_t\alpha_t^2)/(2\sum_t\alpha_t)$ for subgradient descent, with the "
        r"initial distance $R=\|b^{(0)}-b^*\|$, the largest subgradient norm $L$ along the run, and learning rates $\alpha_t$ "
        "that are constant or fade like $1/t$.",
        gap_and_bound=objective_gap,
        why="half is lost where steps and errors are not aligned",
        name=r"$f_{\mathrm{best}}-f(b^*)$",
        caption="Subgradient descent from the least-squares solution, one trial: the best objective so far minus that of the "
        "ground truth. The curve ends where it becomes negative, since the ground truth does not minimize the objective.",
        aliases=("corollary_c_1", "theorem_d_4", "corollary_d_1"),
    ),
    norm_claim(
        "theorem_c_13",
        title=r"Subgradient descent: bound on the smallest $\ell_1$ norm so far",
        says=r"Without noise the smallest $\ell_1$ norm of subgradient descent so far exceeds $\|b^*\|_1$ by at most "
        r"$(R^2+L^2\sum_t\alpha_t^2)/(2\beta_1\sum_t\alpha_t)+\beta_2\|b^*\|^2/(2\beta_1)$.",
        name=r"$\min_t\|b\|_1-\|b^*\|_1$",
        caption="Subgradient descent from the least-squares solution, one trial." + VACUOUS,
    ),
    claim(
        "theorem_c_14",
        title=r"Projected subgradient descent: bound on the smallest $\ell_1$ norm so far",
        says=r"The smallest $\ell_1$ norm of projected subgradient descent so far exceeds $\|b^*\|_1$ by at most $(R^2+n\sum_t "
        r"c_t^2)/(2\sum_t c_t)$ with $c_t=\beta_1\alpha_t$.",
        gap_and_bound=projected_gap,
        tight=0.2,
        why="a half where the path goes straight to the ground truth",
        name=r"$\min_t\|b\|_1-\|b^*\|_1$",
        caption="Projected subgradient descent from the least-squares solution, one trial: it interpolates the data "
        "throughout, so its norm approaches that of the ground truth from above.",
        control=("a fifth of the bound", {"factor": 0.2}),
    ),
    claim(
        "theorem_c_15",
        title="Proximal gradient descent: bound on the objective",
        says=r"Proximal gradient descent at $\alpha\leq 1/(\sigma_{\max}+\beta_2)$ satisfies $f(b^{(T)})-f(b^*)\leq "
        r"R^2/(2\alpha T)$, and its objective never increases.",
        gap_and_bound=proximal_gap,
        why="two fifths where the objective falls like $1/T$",
        name=r"$f(b^{(t)})-f(b^*)$",
        caption="Proximal gradient descent from the least-squares solution, one trial. The curve ends where it falls below "
        "the objective of the ground truth, which is not the minimizer.",
        control=(r"$T^2$, as for accelerated methods", {"power": 2}),
    ),
    norm_claim(
        "theorem_d_13",
        title="Subgradient descent: bound on the smallest nuclear norm so far",
        says=r"Without noise the smallest nuclear norm of subgradient descent so far exceeds $\|A^*\|_*$ by at most "
        r"$(R^2+L^2\sum_t\alpha_t^2)/(2\beta_*\sum_t\alpha_t)+\beta_2\|A^*\|_F^2/(2\beta_*)$.",
        name=r"$\min_t\|A\|_*-\|A^*\|_*$",
        caption="Subgradient descent for matrix completion from the observed entries and zeros elsewhere, one trial." + VACUOUS,
        simulation=LOW_RANK,
        seconds={"quick": 12, "paper": 120},
    ),
)

r"""Section 6: matrix completion below and above the transition, and which minimizer the rich limit is."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Event, Line, Panel, Rule
from ...claims.labelled import norm, relative_distance, spread
from ...claims.marks import RAMP, family, log_axis
from .shared.readings import fitted, power
from .simulations.matrix_completion import ALONG_WIDTH, AT_SCALE, VANISHING

SCALE, WIDTH = log_axis(r"$\alpha^2 k$"), log_axis("width $k$")


def judge_transition(data) -> Evidence:
    r"""One curve of $\alpha^2 k$ below the transition; above it the excess is the initial norm, which falls like $k^{-1/2}$."""
    excess = ((data.nuclear - data.true_nuclear) / data.true_nuclear).mean("trial", skipna=False)
    rich, kernel = data.scale <= 0.1, data.scale >= 1e3
    change = data.change.mean("trial", skipna=False)
    sides = min(int(rich.sum()), int(kernel.sum()))
    return Evidence(
        sound=[fitted(data, 1e-9), at_least("scales below and above", sides, 1, key="sides", why="both sides are judged")],
        holds=[
            at_most(
                r"spread over widths of the excess nuclear norm at $\alpha^2 k \leq 0.1$, over $\|Y^*\|_*$",
                spread(excess.where(rich, drop=True), "width").max(),
                0.05,
                key="excess",
                why=r"Gram matrices deviate by $\sqrt{2d/k} \leq 0.45$, which changes the excess, at most 0.2, by a fifth",
            ),
            at_most(
                r"spread over widths of the change of unseen entries at $\alpha^2 k \leq 0.1$, relative",
                (spread(change, "width") / change.mean("width")).where(rich, drop=True).max(),
                0.1,
                key="change",
                why="the same deviation; the change moves by a fifth over a decade of the scale, a tenth over half of one",
            ),
            near(
                r"exponent of the excess in the width at $\alpha^2 k = 10^3$",
                power(excess.where(kernel, drop=True), data.width, "width").mean(),
                -0.5,
                0.06,
                key="kernel",
                why=r"the initial norm is proportional to $\sigma = \alpha^2 k/\sqrt{k}$; the rest is 1% of it",
            ),
        ],
    )


def draw_transition(data) -> Drawing:
    r"""Both quantities against $\alpha^2 k$, one line for each width."""
    panels = []
    for name, values in (("excess nuclear norm", data.nuclear - data.true_nuclear), ("change of unseen entries", data.change)):
        lines = family("$k = {}$", data.scale.values, values.mean("trial"), "width", roles=RAMP)
        panels.append(Panel([*lines, Event(r"$\alpha^2 k = 1$", 1.0)], SCALE, log_axis(name), title=name.capitalize()))
    return Drawing(
        panels,
        caption=r"Below $\alpha^2 k = 1$ the curves of all widths coincide. Above it they separate, since the initial output "
        r"$\alpha^2 \sqrt{k}$ stays in the unseen entries.",
    )


def judge_regimes(data) -> Evidence:
    """Each regime by its own sign: entries that stay, entries that reach the ground truth, and a limit in between."""
    fraction = (data.change / data.needed).mean("trial", skipna=False)
    error, sigma = (data[name].mean("trial", skipna=False) for name in ("error", "sigma"))
    rich, middle, kernel = (fraction.isel(power=at) for at in (0, 1, 2))
    wide, lag = rich.isel(width=-1), "1 in the limit; entries that the others hardly determine lag behind"
    return Evidence(
        sound=[fitted(data, 1e-9)],
        holds=[
            at_most(
                "(a) fraction of the way of unseen entries to the ground truth, largest width",
                kernel.isel(width=-1),
                1 / 18,
                key="kernel_change",
                why=r"moves outside the kernel's span are second order: $1/(\alpha^2 k) = 1/18$ of what is needed",
            ),
            at_most(
                "(a) size of the initial output at the largest width over the smallest",
                sigma.isel(power=2, width=-1) / sigma.isel(power=2, width=0),
                0.5,
                key="kernel_output",
                why=r"$\sigma \sim k^{-1/4}$ falls by a factor of ten: the regime is lazy although the output vanishes",
            ),
            at_most(
                "(b) error at the largest width over the smallest",
                error.isel(power=0, width=-1) / error.isel(power=0, width=0),
                0.6,
                key="rich_error",
                why=r"$\alpha^2 k$ falls by a factor of 100; the error falls like its square root at best, a power of 0.15 is "
                "enough",
            ),
            at_least("(b) fraction of the way to the ground truth, largest width", wide, 0.6, key="rich_change", why=lag),
            at_most(
                "(c) spread of the fraction of the way over widths",
                spread(middle, "width"),
                0.1,
                key="middle_spread",
                why=r"the Gram matrix tends to a multiple of $I$ with deviation $\sqrt{2d/k}$, 0.14 at the smallest width",
            ),
            at_least(
                "(c) fraction of the way, distance to those of (a) and (b), largest width",
                np.minimum(rich - middle, middle - kernel).isel(width=-1),
                0.03,
                key="middle",
                why="neither limit is reached however wide the net; 0.03 is above the spread of four trials",
            ),
        ],
    )


def draw_regimes(data) -> Drawing:
    """The fraction of the way to the ground truth, and the size of the initial output, against the width."""
    rows = (
        ("Unseen entries", data.change / data.needed, Axis("fraction of the way to the ground truth", low=0, high=1)),
        ("Size of the initial output", data.sigma, log_axis(r"$\sigma$")),
    )
    name, x = r"$\alpha^2 k \propto k^p$, $p = {}$", data.width.values
    return Drawing(
        [Panel(family(name, x, of.mean("trial"), "power", roles=RAMP), WIDTH, y, title=title) for title, of, y in rows],
        caption=r"Three scalings. In all of them the initial output vanishes with the width (right), and yet unseen entries "
        r"stay, reach the ground truth, or go a fixed part of the way, as $\alpha^2 k$ grows, falls or stays.",
    )


def predict(problem, scale):
    """The minimum nuclear norm, and the minimum Schatten entropy at the initialization scale; the ground truth beside them."""
    from dataclasses import replace

    from ...predictors import MinNuclear, MinSchattenEntropy

    found = {
        "nuclear": MinNuclear().solve(problem.train),
        "schatten": MinSchattenEntropy(np.sqrt(scale / 2)).solve(problem.train),
    }
    flat = {name: replace(one, effective=one.effective.ravel()) for name, one in found.items()}
    return {**flat, "truth": np.ravel(problem.truth)}


def distances(data, theory):
    """Of the gradient flow solution to ground truth, minimum nuclear norm and minimum entropy, over the ground truth's norm."""
    targets = {"truth": theory["truth"], **{name: theory[name].effective for name in ("nuclear", "schatten")}}
    return {name: norm(data.end - target) / norm(theory["truth"]) for name, target in targets.items()}


def judge_conjecture(data, theory, target) -> Evidence:
    """Where minimum rank and minimum nuclear norm differ, gradient flow finds the rank; and never the minimum entropy."""
    away = distances(data, theory)
    least = theory["nuclear"].value.isel(scale=0, missing_dims="ignore")
    gap = (data.true_nuclear.isel(scale=0) / least - 1).rename("gap")
    part, middle = gap > 1e-3, data.scale == 1e-2
    over = (data.nuclear.sel(scale=data.scale.min()) / least - 1) / gap
    own = relative_distance(theory["nuclear"].effective, theory["truth"]).isel(scale=0, missing_dims="ignore")
    to_target = away[target].sel(scale=data.scale.min())
    why = "where it is, both candidates coincide"
    return Evidence(
        sound=[
            fitted(data, 1e-9),
            at_least(r"trials in which $\|Y^*\|_*$ is not minimal", part.sum(), 2, key="apart", why=why),
        ],
        holds=[
            at_most(
                r"distance to the ground truth over that to the minimum nuclear norm, median over trials with $\|Y^*\|_*$ not "
                "minimal",
                (to_target / own).where(part).median(),
                0.5,
                key="truth",
                why="0 if the flow converges to the ground truth, 1 if to the minimum nuclear norm: closer to the ground truth",
            ),
            at_least(
                r"excess over the minimum nuclear norm, over that of the ground truth, median over trials with $\|Y^*\|_*$ not "
                "minimal",
                over.where(part).median(),
                0.4,
                key="excess",
                why="1 for the ground truth, 0 for the minimum; half, less a standard deviation of the median of some six trials",
            ),
            at_most(
                "distance to the ground truth where that has the minimum nuclear norm",
                to_target.where(~part, 0.0).max(),
                0.1,
                key="recovery",
                why=r"both candidates coincide; the distance falls like $\sqrt{\alpha^2 k}$ or faster, 1e-3 here",
            ),
            at_most(
                "distance to the minimum Schatten entropy in the kernel limit",
                away["schatten"].where(data.scale >= 100, 0.0).max(),
                0.1,
                key="kernel",
                why=r"both tend to the minimum Frobenius norm; they differ by $\|Y^*\|/(\alpha^2 k)$, about 0.1 at 100",
            ),
            at_least(
                r"distance to the minimum Schatten entropy at $\alpha^2 k = 10^{-2}$, median",
                away["schatten"].where(middle).median() if bool(middle.any()) else np.inf,
                0.03,
                key="schatten",
                why="theorem 4 does not cover measurements that do not commute; if it did, the distance would be the solver's "
                "error, 1e-4",
            ),
        ],
    )


def draw_conjecture(data, theory, scale) -> Drawing:
    """The gradient flow solution, against the scale, among three candidates."""
    names = {"truth": "ground truth", "nuclear": "minimum nuclear norm", "schatten": "minimum Schatten entropy"}
    lines = [
        Line(f"to the {names[key]}", scale.values, values.median("trial").values, role=role)
        for (key, values), role in zip(distances(data, theory).items(), SERIES, strict=True)
    ]
    ratio, true = (part / theory["nuclear"].value for part in (data.nuclear, data.true_nuclear))
    norms = [
        Line("gradient flow", scale.values, ratio.median("trial").values),
        Rule("ground truth", float(true.median())),
        Rule("minimum", 1.0, role="control"),
    ]
    return Drawing(
        [
            Panel(lines, SCALE, Axis("relative distance", low=0), title="The gradient flow solution"),
            Panel(norms, SCALE, Axis("nuclear norm over the minimum"), title="Nuclear norm"),
        ],
        caption=r"Medians over trials. With 50 known entries a rank-one $10 \times 10$ matrix is not always the completion of "
        r"minimum nuclear norm. As the initialization vanishes the nuclear norm first falls near the minimum and then "
        r"rises to that of the ground truth.",
    )


statement = partial(Claim, kind="statement")

CLAIMS = (
    statement(
        id="woodworth2020/completion_transition",
        title=r"Below the transition only $\alpha^2 k$ matters",
        says=r"In matrix completion the excess nuclear norm and the change of unseen entries depend on scale and width only "
        r"through $\alpha^2 k$ while that is at most 0.1; far above 1 they also depend on the width, through $\sigma = \alpha^2 "
        r"\sqrt{k}$.",
        source="woodworth2020, section 6 and appendix A",
        simulation=AT_SCALE,
        judge=judge_transition,
        draw=draw_transition,
        least={"width": 2},
        controls=[
            Control(
                r"a constant $\sigma = \alpha^2 \sqrt{k}$ over widths in place of a constant $\alpha^2 k$",
                changes={"alpha": "=sqrt(scale/sqrt(100*width))"},
                breaks=("excess", "change"),
            )
        ],
        seconds={"quick": 12, "paper": 20},
    ),
    statement(
        id="woodworth2020/nuclear_conjecture",
        title="From a vanishing initialization: minimum rank, not minimum nuclear norm",
        says=r"The paper reports that for $\alpha^2 k \ll 1$ the nuclear norm is nearly minimized and $U V^\top$ tends to $Y^*$. "
        r"Where the two differ only the second is true: gradient flow converges to the rank-one $Y^*$, and its nuclear norm "
        r"stays above the minimum. Nor does it minimize the Schatten entropy $Q_\mu$, outside the kernel limit.",
        source="woodworth2020, section 6",
        simulation=VANISHING,
        predict=predict,
        judge=judge_conjecture,
        draw=draw_conjecture,
        constants={"target": "truth"},
        controls=[Control("the minimum nuclear norm as the limit", changes={"target": "nuclear"}, breaks=("truth",))],
        seconds={"quick": 30, "paper": 90},
    ),
    statement(
        id="woodworth2020/width_regimes",
        title="Three regimes of the width",
        says=r"As $k \to \infty$: (a) $\sigma \gg 1/\sqrt{k}$ is the kernel regime even if $\sigma \to 0$, (b) $\sigma \ll "
        r"1/\sqrt{k}$ is the rich regime, and (c) $\sigma \sim 1/\sqrt{k}$ is an intermediate one with a limit of its own.",
        source="woodworth2020, section 6",
        simulation=ALONG_WIDTH,
        judge=judge_regimes,
        draw=draw_regimes,
        least={"power": 3, "width": 2},
        controls=[Control(r"$\alpha^2 k$ near 1 in all three", {"power": (-0.02, 0.0, 0.02)}, ("kernel_change", "rich_error"))],
        seconds={"quick": 12, "paper": 30},
    ),
)

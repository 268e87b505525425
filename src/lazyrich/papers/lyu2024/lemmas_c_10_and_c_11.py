r"""Lemmas C.10 and C.11: the objective at the end of the kernel regime, and the norm from then on."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Panel, Points, Slope
from ...claims.marks import family, log_axis, power_law
from .shared.marks import NORMALIZED
from .shared.readings import all_near
from .simulations.rich_phase import SIMULATION

LAST_NORM = (
    r"$\|\theta\|^D$ scales with the minimum margin, $\log(1/\lambda) + (1 - 2/D)\log\log(1/\lambda) + "
    "O(1)$: an offset of 2 beside 12 or 24 changes the power by a tenth"
)
INVERSE_DECAY = log_axis(r"$\log(1/\lambda)$")


def predict_kernel(problem):
    """The maximum margin of the tangent kernel at initialization."""
    from ...predictors import KernelMaxMargin

    theory = KernelMaxMargin(problem.init).solve(problem.train)
    return {"kernel": theory, "margin": 1 / theory.value}


def measured(data, log_alpha, degree, power):
    r"""$\log A$, and $\mathcal L/\lambda$ and $\frac12\|\theta\|^2$ at the end of the kernel regime."""
    end = data.isel(t=0)
    log_a = (2 * (degree - 1) + power) * log_alpha
    return log_a, np.exp(end.log_loss + power * log_alpha), np.exp(2 * end.log_norm) / 2


def grown_with(part, log_a):
    r"""The power of $\log A$ at which a part grows, from the first to the last scale."""
    rise = (np.log(side.isel(log_alpha=-1) / side.isel(log_alpha=0)) for side in (part, log_a))
    return next(rise) / next(rise)


def judge_objective(data, theory, log_alpha, degree, power) -> Evidence:
    r"""The objective over $\lambda$: its power of $\log A$, its size, and the loss in it."""
    log_a, loss, norm = measured(data, log_alpha, degree, power)
    expected = log_a ** (2 / degree) * data.first**2 / 2
    held = theory["margin"] ** 2 / (8 * degree)
    proven = np.log1p(held * np.exp(log_a)) / held / log_a ** (2 * (degree - 1) / degree)
    return Evidence(
        holds=[
            all_near(
                r"power of $\log A$ in the objective over $\lambda$, minus $2/D$",
                grown_with(loss + norm, log_a) - 2 / degree,
                0,
                0.05,
                key="power",
                why=r"the norm is the initial one times $(\log A)^{1/D}$; the loss adds less by a factor $\log A$, and the turn "
                "by its square, some hundredths",
            ),
            all_near(
                r"objective over $\frac{1}{2}\lambda\|\bar\theta\|^2(\log A)^{2/D}$, the farthest from 1",
                (loss + norm) / expected,
                1,
                0.2,
                key="objective",
                why="the same two parts",
            ),
            at_most(
                r"loss over $\lambda$, in units of the bound from lemma C.4",
                (loss / proven).max(),
                1,
                key="loss",
                why=r"$\mathcal{L} \leq 8D\log(1 + \gamma^2A/(8D))e^{2(D-1)\lambda t}/(\gamma^2A)$, of order $\lambda(\log "
                "A)^{-1 + 2/D}$ there",
            ),
        ]
    )


def predict_reach(problem, degree):
    r"""`reach`: $B_0 = \max_i\max_{\|\theta\|=1}|f_\theta(x_i)|$ of two-layer nets with power $m = D - 1$.

    It is attained by a single unit: $\|x\|^m\max_{a^2+r^2=1}ar^m = \|x\|^m\sqrt{m^m/(m+1)^{m+1}}$.
    """
    m = degree - 1
    lengths = np.linalg.norm(np.asarray(problem.train.x), axis=1)
    return {"reach": lengths.max() ** m * (m**m / degree**degree) ** 0.5}


def grown(log_norm, axis: str):
    r"""The power of $\log\frac1\lambda = p\log\alpha$ at which a norm grows from the first to the last value of an axis."""
    ends = log_norm.isel({axis: [0, -1]})
    rise = np.log(ends[axis].values[-1] / ends[axis].values[0])
    return (ends.isel({axis: -1}) - ends.isel({axis: 0})) / rise


def judge_norm(data, theory, log_alpha, degree, power, n) -> Evidence:
    r"""Norms between the bounds of the proof, and the powers of $\log(1/\lambda)$ at which they grow."""
    length, size = power * log_alpha, degree * data.log_norm
    cost = np.exp(data.log_loss + length) + np.exp(2 * data.log_norm) / 2
    # log(1/(n L)) of the objective L at the first moment: all margins are above it from then on.
    above = length - np.log(n * cost.isel(t=0))
    log_a = (2 * (degree - 1) + power) * log_alpha
    first = np.exp(size.max("t")) / (data.first**degree * log_a)
    most, last = grown(size.max("t"), "log_alpha"), grown(size.isel(t=-1, log_alpha=-1), "power")
    final = r"power of $\log(1/\lambda)$ in the final norm as $p$ grows, times $D$"
    return Evidence(
        holds=[
            at_least(
                r"$B\|\theta\|^D$ minus $\log(1/(n\mathcal{L}_\lambda))$ of the first moment, over $\log(1/\lambda)$",
                ((theory["reach"] * np.exp(size.min("t")) - above) / length).min(),
                0,
                key="lower_bound",
                why=r"losses of samples are at most $n$ times the objective, which only falls, so that margins are at least "
                r"$\log(1/(n\mathcal{L}_\lambda))$; and they are at most $B\|\theta\|^D$",
            ),
            at_least(
                r"$\log(1/(n\mathcal{L}_\lambda))$ at the first moment over $\log(1/\lambda)$, largest scale",
                (above / length).isel(log_alpha=-1).min(),
                0.25,
                key="objective",
                why=r"$\mathcal{L}_\lambda$ is $\lambda\|\bar\theta\|^2(\log A)^{2/D}/2$, and $n$ times it over $\lambda$ has a "
                r"logarithm of about 6, half of $\log\alpha$",
            ),
            at_most(
                r"largest $\|\theta\|^D$ over $\|\bar\theta\|^D\log A$",
                first.max(),
                1.2,
                key="upper_bound",
                why=r"$\lambda\|\theta\|^2/2$ is at most the objective, which only falls and at first is little more than this",
            ),
            all_near(
                r"power of $\log(1/\lambda)$ in the largest norm as $\alpha$ grows, times $D$",
                most.median("trial"),
                1,
                0.1,
                key="largest_norm",
                why=r"at first it is the initial norm times $(\log A)^{1/D}$, up to the square of the turn",
            ),
            all_near(final, last.median("trial"), 1, 0.2, key="final_norm", why=LAST_NORM),
        ]
    )


def judge_exponent(data, log_alpha, degree, power, exponent) -> Evidence:
    r"""The powers of $\log(1/\lambda)$ at which the bound on the squared norm grows, and the squared norm itself."""
    length = power * log_alpha
    cost = 2 * np.exp(data.log_loss + length).isel(t=0) + np.exp(2 * data.log_norm.isel(t=0))
    bound, last = grown(np.log(cost), "log_alpha"), grown(2 * data.log_norm.isel(t=-1, log_alpha=-1), "power")
    return Evidence(
        holds=[
            all_near(
                r"power of $\log(1/\lambda)$ in $2\mathcal{L}_\lambda/\lambda$ as $\alpha$ grows, times $D$",
                (degree * bound).median("trial"),
                exponent,
                0.1,
                key="bound",
                why=r"at the end of the kernel regime it is $\|\bar\theta\|^2(\log A)^{2/D}$, up to the loss, which is smaller "
                r"by $\log A$",
            ),
            all_near(
                r"power of $\log(1/\lambda)$ in the final squared norm as $p$ grows, times $D$",
                (degree * last).median("trial"),
                exponent,
                0.4,
                key="norm",
                why=LAST_NORM + ", that of the square by two tenths",
            ),
        ]
    )


def draw_objective(data, log_alpha, degree, power) -> Drawing:
    r"""Both parts of the objective over $\lambda$ against $\log A$."""
    log_a, loss, norm = measured(data, log_alpha, degree, power)
    panels = []
    for title, label, part, less in (("Norm", r"$\|\theta\|^2/2$", norm, 0), ("Loss", r"$\mathcal{L}/\lambda$", loss, 1)):
        marks = []
        for mark, k in zip(family("degree {}", log_a, part.median("trial"), "degree", mark=Points), degree.values, strict=True):
            name = rf"$(\log A)^{{{2 - less * int(k)}/{int(k)}}}$"
            marks += [mark, power_law(name, [mark], 2 / float(k) - less)]
        panels.append(Panel(marks, log_axis(r"$\log A$"), log_axis(label), title=title))
    return Drawing(
        panels,
        caption=r"At the end of the kernel regime, $(\log\alpha - \frac{1}{D}\log\log "
        r"A)/\lambda$: half the squared norm, and the loss over $\lambda$, against $\log A$ with $A = \alpha^{2(D-1)}/\lambda$, "
        r"median over trials, one point for each scale and weight decay. Their sum is the objective over $\lambda$.",
    )


def draw_norm(data, log_alpha, degree, power) -> Drawing:
    r"""Norms in normalized time, one trial; and the final ones against $\log(1/\lambda)$."""
    path = data.isel(log_alpha=-1, power=0, trial=0)
    top = float(log_alpha.values[-1])
    size = np.exp(degree * path.log_norm) / (top * float(power.values[0]))
    lines, points = family("degree {}", path.slow / top, size.transpose("degree", "t"), "degree"), []
    last = np.exp(data.log_norm.isel(t=-1).median("trial"))
    for mark, k in zip(family("degree {}", power * log_alpha, last, "degree", mark=Points), degree.values, strict=True):
        points += [mark, power_law(rf"$\log(1/\lambda)^{{1/{int(k)}}}$", [mark], 1 / float(k))]
    first = log_axis(r"$\|\theta\|^D/\log(1/\lambda)$")
    return Drawing(
        [
            Panel(lines, NORMALIZED, first, title="After the kernel regime, one trial"),
            Panel(points, INVERSE_DECAY, log_axis(r"$\|\theta\|$"), title="At the last moment, median trial"),
        ],
        caption=r"The norm of the weights in units of $\log(1/\lambda)^{1/D}$ stays between constants from the end of the "
        "kernel regime on; at the last moment it grows with that power, for all weight decays and scales.",
    )


def draw_exponent(data, log_alpha, degree, power) -> Drawing:
    r"""The squared norm at the last moment against $\log(1/\lambda)$, with both powers, one panel a degree."""
    panels, x = [], power * log_alpha
    for k in degree.values:
        y = np.exp(2 * data.log_norm.isel(t=-1).sel(degree=k).median("trial"))
        ends, top = [float(x.min()), float(x.max())], float(y.sel(log_alpha=log_alpha.values[-1]).max())
        slopes = [
            Slope(f"corrected: $2/{int(k)}$", ends, (ends[1], top), 2 / float(k)),
            Slope(f"printed: $1/{int(k)}$", ends, (ends[1], top), 1 / float(k), role="control"),
        ]
        marks = [*family(r"$\log\alpha$ = {}", x, y, "log_alpha", mark=Points), *slopes]
        panels.append(Panel(marks, INVERSE_DECAY, log_axis(r"$\|\theta\|^2$"), title=f"degree {int(k)}"))
    return Drawing(
        panels,
        caption=r"The squared norm of the weights at $(1 + c)\log(\alpha)/\lambda$ against $\log(1/\lambda)$, median over "
        "trials, beside the power as printed and as corrected.",
    )


rich_phase = partial(Claim, simulation=SIMULATION, seconds={"quick": 25, "paper": 400})
grows_with_decay = partial(rich_phase, sizes={"smoke": {"power": (1.0, 2.0)}}, least={"log_alpha": 2, "power": 2})
CLAIMS = (
    rich_phase(
        id="lyu2024/lemma_c_10",
        kind="lemma",
        title="The objective at the end of the kernel regime",
        says=r"At $(\log\alpha - \frac{1}{D}\log\log A)/\lambda$, with $A = \alpha^{2(D-1)}/\lambda$ and $\lambda = "
        r"\alpha^{-p}$, the objective $\mathcal{L}_\lambda = \mathcal{L} + \frac{\lambda}{2}\|\theta\|^2$ is of order "
        r"$\lambda(\log(1/\lambda))^{2/D}$: the norm is still the initial one times $(\log A)^{1/D}$, and the loss is smaller "
        r"by $\log A$. Printed is $\mathcal{L} + \|\theta\|^2$, without $\lambda$.",
        source="lyu2024, lemma C.10",
        predict=predict_kernel,
        judge=judge_objective,
        draw=draw_objective,
        least={"log_alpha": 2},
        controls=[
            Control(r"twice the $\log\log$ before $\log(\alpha)/\lambda$", changes={"lead": 2.0}, breaks=("power", "objective"))
        ],
    ),
    grows_with_decay(
        id="lyu2024/lemma_c_11",
        kind="lemma",
        title="The norm after the kernel regime",
        says=r"Once the objective $\mathcal{L}_\lambda = \mathcal{L} + \frac{\lambda}{2}\|\theta\|^2$ is of order "
        r"$\lambda(\log(1/\lambda))^{2/D}$, as at the end of the kernel regime, $\|\theta\|$ stays of order "
        r"$(\log(1/\lambda))^{1/D}$: at least $(\log(1/(n\mathcal{L}_\lambda))/B)^{1/D}$, with $\mathcal{L}_\lambda$ of that "
        r"moment and the largest output $B$ of unit weights, and at most $(2\mathcal{L}_\lambda/\lambda)^{1/2}$.",
        source="lyu2024, lemma C.11",
        predict=predict_reach,
        judge=judge_norm,
        draw=draw_norm,
        controls=[
            Control(
                r"from $\frac{1}{2}\log(\alpha)/\lambda$ on, where the objective is much larger",
                changes={"since": 0.5, "lead": 0.0},
                breaks=("objective", "upper_bound", "largest_norm"),
            )
        ],
    ),
    grows_with_decay(
        id="lyu2024/lemma_c_11_exponent",
        kind="erratum",
        title="The exponent of the squared norm",
        says=r"The squared norm $\|\theta\|^2$ after the kernel regime is of order $(\log(1/\lambda))^{2/D}$; the proof of the "
        r"lemma prints $1/D$ for the square, which is the exponent of $\|\theta\|$ itself.",
        source="lyu2024, lemma C.11",
        judge=judge_exponent,
        draw=draw_exponent,
        constants={"exponent": 2},
        controls=[Control("the exponent as printed", changes={"exponent": 1}, breaks=("bound", "norm"))],
    ),
)

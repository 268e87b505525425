r"""Theorems C.9 and C.10 with their errata: training residual and error of the ridge solution, by singular values."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Points
from ...claims.labelled import farthest
from ...claims.marks import equal, log_axis, one_panel
from .simulations.least_squares import SIMULATION


def residual(data, n, weight_decay, noise, *, power=1, beyond=1):
    r"""$\sum_i(\frac{\beta_2}{\sigma_i+\beta_2})^2(\sigma_i^p c_i^2+\tau^2)+\tau^2(N-r)$.

    `power` is 1 in the proof and 2 in print; `beyond` multiplies the last term.
    """
    kept = data.eigenvalues > 0
    rank = kept.sum("d")
    shrunk = (weight_decay / (data.eigenvalues + weight_decay)).where(kept & (weight_decay > 0), 0.0) ** 2
    noisy = shrunk.sum("d") + beyond * (n - rank)
    return (shrunk * data.eigenvalues**power * data.along**2).sum("d") + noise**2 * noisy


def exact(name: str, deviation, tolerance: int | float, why: str) -> Reading:
    """The largest deviation from the prediction without noise."""
    return at_most(f"{name} without noise, maximum", deviation.max(), tolerance, key="noiseless", why=f"nothing is random: {why}")


def noisy(name: str, scores, bound: int | float, why: str) -> Reading:
    """The deviation from the prediction with noise, in standard errors."""
    name = f"mean square of {name} minus prediction, in standard errors, with noise"
    return at_most(name, (scores**2).mean(), bound, key="noisy", why=f"1 if the law is true{why}")


def shared_noise(squares: int, alone: str) -> str:
    """Why a mean square of residuals may be above 1."""
    return (
        f", a tenth more with standard errors from few samples; all weight decays share their noise, so the mean of {squares} "
        f"squares has a standard deviation of 0.2, not of {alone}"
    )


def judge_residual(data, n, weight_decay, noise, beyond) -> Evidence:
    """The mean over the noise beside the prediction: in standard errors with noise, exactly without."""
    theory = residual(data, n, weight_decay, noise, beyond=beyond)
    quiet = (abs(data.train - theory) / data.size).sel(noise=0.0)
    scores = ((data.train - theory) / data.train_error).where((noise > 0) & (theory > 1e-9 * data.size))
    return Evidence(
        holds=[
            exact(r"residual minus prediction over $\|b^*\|^2$", quiet, 1e-10, "rounding error"),
            noisy("residual", scores, 2, shared_noise(200, "0.1")),
        ]
    )


def draw_residual(data, n, weight_decay, noise) -> Drawing:
    """Mean residuals of all trials against the prediction, at each noise level."""
    theory, marks = residual(data, n, weight_decay, noise), []
    for level, role in zip((0, -1), ("second", "measured"), strict=True):
        both = (part.isel(weight_decay=-1, noise=level) for part in (theory, data.train))
        name = rf"$\sigma_\xi$ = {float(noise.values[level]):g}"
        marks.append(Points(name, *(part.transpose("n", "trial").values.ravel() for part in both), role=role))
    caption = "All trials at the largest weight decay, averaged over the noise."
    return scatter(marks, [mark.x for mark in marks], "mean squared residual", caption)


def scatter(marks, span, quantity, caption) -> Drawing:
    """A measured quantity against its prediction."""
    return one_panel([*marks, equal(*span)], log_axis("prediction"), log_axis(quantity), caption)


def corrected_and_printed(seen, corrected, printed, quantity, caption) -> Drawing:
    """A measured quantity against both forms of its prediction."""
    y, right, wrong = (part.transpose("n", "trial").values.ravel() for part in (seen, corrected, printed))
    marks = [Points("corrected", right, y), Points("as printed", wrong, y, role="control")]
    return scatter(marks, [y], quantity, caption)


def judge_exponent(data, n, weight_decay, noise, power) -> Evidence:
    """Either form without noise, where nothing is random, and with it, in standard errors."""
    decayed = data.where(weight_decay > 0, drop=True)
    theory = residual(decayed, n, weight_decay.where(weight_decay > 0, drop=True), noise, power=power)
    quiet = (abs(decayed.train - theory) / theory).sel(noise=0.0)
    scores = ((decayed.train - theory) / decayed.train_error).where(noise > 0, drop=True)
    return Evidence(
        sound=[
            at_least(
                r"standard deviation of $\log\sigma_i$, minimum",
                np.log(decayed.eigenvalues.where(decayed.eigenvalues > 0)).std("d").min(),
                0.1,
                key="spread",
                why="if all eigenvalues were 1 both forms would agree",
            )
        ],
        holds=[
            exact("residual over prediction, minus one,", quiet, 1e-8, r"rounding error over $(\beta_2/\sigma)^2$"),
            noisy("residual", scores, 2, shared_noise(90, "0.15")),
        ],
    )


def draw_exponent(data, n, weight_decay, noise) -> Drawing:
    """Residuals of all trials without noise against both forms of the law."""
    forms = (residual(data, n, weight_decay, noise, power=power) for power in (1, 2))
    seen, corrected, printed = (part.isel(weight_decay=-1, noise=0) for part in (data.train, *forms))
    caption = r"The ridge solution without noise, all trials: the residual is linear in $\sigma_i$, not quadratic."
    return corrected_and_printed(seen, corrected, printed, "squared residual", caption)


def judge_error(data, n, d, weight_decay, noise, kept) -> Evidence:
    """The bound for every noise sample, equality without noise and weight decay, and the mean for Gaussian rows."""
    few = data.where(n < d, drop=True)
    plain = few.sel(weight_decay=0.0, noise=0.0)
    error = (plain.least / plain.size).mean("trial")
    disturbed = few.where((few.weight_decay > 0) | (few.noise > 0))
    return Evidence(
        holds=[
            at_least(
                r"$\|\hat b-b^*\|^2/\|Pb^*\|^2$, minimum over noise samples",
                (few.least / few.outside).min(),
                1 - 1e-9,
                key="bound",
                why="the part outside the row space is lost, and orthogonal parts add; rounding error",
            ),
            at_most(
                r"$|\|\hat b-b^*\|^2/\|Pb^*\|^2-1|$ without noise and weight decay, maximum",
                abs(plain.recovery / plain.outside - 1).max(),
                1e-9,
                key="equality",
                why="the part inside the row space is recovered exactly; rounding error times the condition number",
            ),
            at_least(
                r"$\|\hat b-b^*\|^2/\|Pb^*\|^2-1$ with noise or weight decay, minimum",
                (disturbed.recovery / disturbed.outside).min() - 1,
                1e-6,
                key="strict",
                why="equality only without both: weight decay of 0.1 shrinks the part inside, and noise enters it",
            ),
            near(
                "squared relative error minus $1-N/n$, largest deviation",
                farthest(error - (1 - kept * plain.n / d), 0),
                0,
                0.1,
                key="mean",
                why="a Gaussian row space has no preferred direction: $1-N/n$ on average; over 30 trials with four nonzeros "
                "the mean has a standard deviation of about 0.025, and 0.1 is four of them",
            ),
        ]
    )


def draw_error(data, d) -> Drawing:
    """The squared error against the number of measurements, beside the mean for Gaussian rows."""
    one = data.sel(weight_decay=0.0, noise=0.0)
    error, x = one.recovery / one.size, one.n.values / d
    return one_panel(
        [
            Points("mean over trials", x, error.mean("trial").values, error=error.std("trial").values),
            Line("$1-N/n$", [0, 1, max(1.0, float(x.max()))], [1, 0, 0], role="theory"),
        ],
        Axis("measurements / unknowns, $N/n$", low=0.0),
        Axis("squared relative error of least squares", low=0.0),
        caption="Without noise and weight decay; bars: standard deviations. Least squares loses the part outside the row space.",
    )


def relative_error(data, noise, first):
    r"""$\|Pb^*\|^2/\|b^*\|^2$, or 1 in its place, plus the mean $\sigma_\xi^2\sum_i\sigma_i^{-1}/\|b^*\|^2$ of the noise."""
    lost = data.outside / data.size if first == "outside" else 1.0 + 0 * data.outside
    return lost + noise**2 * (1 / data.eigenvalues.where(data.eigenvalues > 0)).sum("d") / data.size


def judge_remark(data, n, d, noise, repeats, first) -> Evidence:
    """The squared relative error of least squares beside the prediction: exactly without noise, in standard errors with it."""
    few = data.where(n < d, drop=True).sel(weight_decay=0.0)
    apart = few.recovery / few.size - relative_error(few, noise, first)
    squares = (1 / few.eigenvalues.where(few.eigenvalues > 0) ** 2).sum("d")
    error = noise**2 * (2 * squares / repeats) ** 0.5 / few.size
    scores, name = (apart / error).where(noise > 0, drop=True), "squared relative error"
    why = "; a mean of 60 squares of nearly normal numbers has a standard deviation of 0.2"
    return Evidence(
        sound=[at_least("numbers of measurements $N<n$", few.sizes["n"], 1, key="settings", why="the remark is about those")],
        holds=[
            exact(f"{name} minus prediction,", abs(apart.sel(noise=0.0)), 1e-9, "rounding error times the condition number"),
            noisy(name, scores, 1.8, why),
        ],
    )


def draw_remark(data, noise) -> Drawing:
    """Errors of all trials at the largest noise against both forms."""
    few = data.sel(weight_decay=0.0).isel(noise=-1)
    few, level = few.where(few.n < few.sizes["d"], drop=True), noise.isel(noise=-1)
    corrected, printed = (relative_error(few, level, first) for first in ("outside", "one"))
    caption = rf"Least squares, $N<n$, noise $\sigma_\xi$ = {float(level):g}, all trials: the part outside the row space is lost."
    return corrected_and_printed(few.recovery / few.size, corrected, printed, "squared relative error", caption)


ridge = partial(Claim, simulation=SIMULATION, seconds={"quick": 10, "paper": 60})
CLAIMS = (
    ridge(
        id="beyond_l2/theorem_c_9",
        kind="theorem",
        title="Expected training residual of the ridge solution",
        says=r"The mean squared residual of the ridge solution is $\sum_{i\leq r}(\frac{\beta_2}{\sigma_i+\beta_2})^2"
        r"(\sigma_ic_i^2+\sigma_\xi^2)+\sigma_\xi^2(N-r)$, with the nonzero eigenvalues $\sigma_i$ of $X^\top X$, the "
        r"coefficients $c_i$ of the ground truth along their eigenvectors, and the standard deviation $\sigma_\xi$ of the noise.",
        source="beyond_l2, theorem C.9",
        judge=judge_residual,
        draw=draw_residual,
        constants={"beyond": 1},
        aliases=("theorem_d_9",),
        controls=[
            # The paper has no more measurements than unknowns, where the law has no such term.
            Control("without the noise of the measurements beyond the rank", {"beyond": 0}, ("noisy",), size="quick")
        ],
    ),
    ridge(
        id="beyond_l2/theorem_c_9_exponent",
        kind="erratum",
        title="One power of the eigenvalue too many in theorem C.9",
        says=r"The expected residual has the terms $(\frac{\beta_2}{\sigma_i+\beta_2})^2\sigma_ic_i^2$; printed is $\sigma_i^2$.",
        source="beyond_l2, theorem C.9",
        judge=judge_exponent,
        draw=draw_exponent,
        constants={"power": 1},
        controls=[Control("the eigenvalue squared, as printed", {"power": 2}, ("noiseless", "noisy"))],
    ),
    ridge(
        id="beyond_l2/theorem_c_10",
        kind="theorem",
        title="Least squares loses the part of the ground truth outside the row space",
        says=r"For $N<n$ the ridge solution has $\|\hat b-b^*\|^2\geq\|Pb^*\|^2$, with $P$ the projection onto the null space of "
        r"$X$, and equality without noise and weight decay; for Gaussian rows $\|Pb^*\|^2$ is $(1-N/n)\|b^*\|^2$ on average.",
        source="beyond_l2, theorem C.10",
        judge=judge_error,
        draw=draw_error,
        constants={"kept": 1.0},
        aliases=("theorem_d_10",),
        controls=[Control("$1-N/(2n)$: half of the dimensions of the row space", {"kept": 0.5}, ("mean",))],
    ),
    ridge(
        id="beyond_l2/remark_c_10",
        kind="erratum",
        title="Least squares loses a part of the ground truth, not all of it",
        says=r"For $N<n$ and no weight decay the squared relative error of least squares is $\|Pb^*\|^2/\|b^*\|^2$, on average "
        r"$1-N/n$ for Gaussian rows, plus $\sigma_\xi^2\sum_i\sigma_i^{-1}/\|b^*\|^2$; printed is at least 1 plus that.",
        source="beyond_l2, theorem C.10 (the remark after it)",
        judge=judge_remark,
        draw=draw_remark,
        constants={"first": "outside"},
        controls=[
            Control("1 in place of the fraction outside the row space, as printed", {"first": "one"}, ("noiseless", "noisy"))
        ],
    ),
)

r"""Corollary 3.11 and remark 3.13: before the transition matrix completion fills unobserved entries with zeros."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Drawing, Panel, Points, Slope
from ...claims.labelled import norm
from ...claims.marks import equal, log_axis, one_panel
from .shared.marks import each_trial
from .shared.readings import all_near
from .simulations.symmetric_completion import NOISY, SIMULATION


def judge(data, divisor) -> Evidence:
    """Observed entries against the ground truth, unobserved ones against zero and against the law of their size."""
    largest = abs(data.filled).max("m")
    error = (abs(data.matrix - data.filled) * data.observed).max("m") / largest
    stray = data.matrix * (1 - data.observed)
    theory = data.law / divisor
    off = (((stray - theory) ** 2).sum("m") / (theory**2).sum("m")) ** 0.5
    pull = r"$n\lambda/(4\kappa)$ times an entry, half of it on the diagonal: $14\cdot 10^{-3}/220$"
    return Evidence(
        holds=[
            at_most("error of observed entries, relative", error.max(), 1e-3, key="observed", why=pull),
            at_most(
                "largest unobserved entry, relative",
                (abs(stray).max("m") / largest).max(),
                0.05,
                key="unobserved",
                why=r"an entry of the zero-filled matrix's cube over $24\kappa^2$, with $\kappa \geq e^4$",
            ),
            at_most(
                "error of the law of unobserved entries, relative",
                off.max(),
                0.01,
                key="law",
                why=r"the next order of the square root's series, $(\|W\|/2\kappa)^2$ with $\|W\|$ about 3, "
                r"$n\lambda/\kappa$ from the residuals, and the solver tolerance at the smallest entries: a thousandth each",
            ),
        ]
    )


def judge_noisy(data) -> Evidence:
    """What the noise changes at unobserved entries, its power, and the largest of those entries."""
    rest = 1 - data.observed
    change = (data.matrix - data.clean) * rest
    size, largest, noise = norm(change, "m"), abs(data.filled).max("m"), data.noise
    power = (np.log(size.isel(noise=-1)) - np.log(size.isel(noise=0))) / np.log(noise[-1] / noise[0])
    theory = data.carried * rest
    return Evidence(
        holds=[
            all_near(
                "power of the noise in the change of unobserved entries, the farthest from 1",
                power.median("trial"),
                1,
                0.05,
                key="power",
                why=r"the flow depends smoothly on its initialization; the next order is $\sigma/\alpha$, below 1e-4",
            ),
            at_most(
                "change of unobserved entries against the decayed output of the initialization, relative error",
                (norm(change - theory, "m") / norm(theory, "m")).max(),
                0.1,
                key="change",
                why=r"unobserved entries depend on the others through $W^2/(8\kappa^2)$ alone, a hundredth",
            ),
            at_most(
                r"$\log_{10}$ of the largest unobserved entry, relative",
                np.log10((abs(data.matrix * rest).max("m") / largest).max()),
                -1.3,
                key="unobserved",
                why=r"the bound of corollary 3.11, 0.05: noise $\sigma$ adds $\sigma\alpha^{2c - 1}$ times a Gaussian of "
                "standard deviation 2 or 2.8, whose largest in some dozens is 7: a hundredth at most",
            ),
        ]
    )


def draw(data, divisor) -> Drawing:
    """Unobserved entries against the law, and the largest of them against kappa."""
    rest = 1 - data.observed
    x, y = (abs((part * rest).values.ravel()) for part in (data.law / divisor, data.matrix))
    shown = x > 1e-12
    largest = abs(data.matrix * rest).max("m")
    kappa = data.kappa.values.ravel()
    middle = largest.median("trial").values.ravel()
    first = int(kappa.reshape(middle.size, -1)[:, 0].argmin())
    through = (float(kappa.min()), float(middle[first]))
    entries = [Points("each entry", x[shown], y[shown]), equal(x[shown])]
    sizes = each_trial(kappa, largest.values.ravel(), r"$\kappa^{-2}$", -2, through)
    scale, top = log_axis(r"$\kappa = \alpha^{2c}$"), log_axis("largest unobserved entry")
    return Drawing(
        [
            Panel(entries, log_axis("predicted entry"), log_axis("unobserved entry"), title="Unobserved entries"),
            Panel(sizes, scale, top, title=r"They vanish like $1/\kappa^2$"),
        ],
        caption=r"At $(1 - c)\log(\alpha)/\lambda$ observed entries are fitted and unobserved ones are those of the zero-filled "
        r"matrix's cube over $24\kappa^2$: zero in the limit.",
    )


def draw_noisy(data, noise) -> Drawing:
    """The change against the noise, for each time and scale; the law through its last point."""
    change = norm((data.matrix - data.clean) * (1 - data.observed), "m").median("trial")
    x, marks = noise.values, []
    for alpha in change.log_alpha.values:
        for c in change.away.values:
            y = change.sel(log_alpha=alpha, away=c).values
            marks.append(Points(rf"$\alpha = e^{{{alpha:g}}}$, $c = {c:g}$", x, y))
            marks.append(Slope("power 1", [x[0], x[-1]], (float(x[-1]), float(y[-1])), 1))
    return one_panel(
        marks,
        log_axis(r"noise $\sigma$"),
        log_axis("change of unobserved entries"),
        r"The change due to noise on every entry of $U$ and $V$ at $(1 - c)\log(\alpha)/\lambda$: proportional, so that "
        "sufficiently small noise leaves the unobserved entries at zero.",
    )


CLAIMS = (
    Claim(
        id="lyu2024/corollary_3_11",
        kind="corollary",
        title="Completion fills with zeros first",
        says=r"From $U = V = \alpha I$, at $(1 - c)\log(\alpha)/\lambda$, $W = UU^\top - VV^\top$ converges to the ground truth "
        "at entries that were observed or whose transposes were, and to zero elsewhere, where it is "
        r"$(W_0^3)_{ij}/(24\kappa^2)$ to leading order, with $W_0$ the zero-filled matrix and "
        r"$\kappa = \alpha^2e^{-2\lambda t}$.",
        source="lyu2024, corollary 3.11",
        simulation=SIMULATION,
        judge=judge,
        draw=draw,
        constants={"divisor": 24.0},
        controls=[
            Control(
                r"after the transition, at $(1 + c)\log(\alpha)/\lambda$",
                changes={"relative_time": "=1+away", "log_alpha": (4.0,)},
                breaks=("unobserved",),
            )
        ],
        seconds={"quick": 20, "paper": 120},
    ),
    Claim(
        id="lyu2024/remark_3_13",
        kind="statement",
        title="Small noise keeps the zeros",
        says=r"With independent noise of standard deviation $\sigma$ on every entry of $U = V = \alpha I$ the conclusion of "
        r"corollary 3.11 remains true if $\sigma \ll \alpha^{1 - 2c}$: to unobserved entries it adds $e^{-2\lambda t}$ times "
        r"the output of the initialization, proportional to $\sigma$ and to $\alpha^{2c - 1}$.",
        source="lyu2024, remark 3.13",
        simulation=NOISY,
        judge=judge_noisy,
        draw=draw_noisy,
        sizes={
            "quick": {"log_alpha": (4.0,), "away": (0.5,), "d": 5},
            "smoke": {"d": 3, "away": (0.5,)},
            # The noise that is small enough at all scales and times: alpha^(2c - 1) is up to e^2.4.
            "paper": {"d": 6, "noise": (1e-5, 3e-5, 1e-4), "trials": 4},
        },
        least={"noise": 2},
        controls=[Control("noise as large as the initialization scale", changes={"noise": (1.0, 30.0)}, breaks=("unobserved",))],
        seconds={"quick": 30, "paper": 80},
    ),
)

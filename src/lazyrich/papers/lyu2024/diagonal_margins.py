r"""The margins of a diagonal net at $(1 \mp c)\log\alpha/\lambda$: $\ell_2$ before the transition, $\ell_1$ after it."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Role
from ...claims.labelled import last_power, norm
from ...claims.marks import family, log_axis, power_law
from ...lab import Param
from .shared.margins import shortfall
from .shared.readings import all_near, below_entropy, kkt_residual
from .simulations.diagonal_limits import SIMULATION

LATE = SIMULATION.with_params(
    Param("depth", 2, low=2, high=2, unit="degree $D$", static=True),
    Param("relative_time", "=1+away", low=0.05, high=1.95, unit=r"time over $\log(\alpha)/\lambda$"),
)
SPHERES: tuple[tuple[str, str, Role], ...] = (("l1", "corrected", "measured"), ("l2", "printed", "control"))


def predict_early(problem):
    """The max-l2-margin classifier, which is the kernel's, since the tangent kernel is a multiple of the inputs'."""
    from ...predictors import MaxMargin

    return {"kernel": MaxMargin("l2").solve(problem.train)}


def predict(problem):
    """The max-l1-margin classifier, the minimum-norm one of two layers, and the max-l2-margin one, to distinguish it from."""
    from ...predictors import MaxMargin

    return {"rich": MaxMargin("l1").solve(problem.train), "kernel": MaxMargin("l2").solve(problem.train)}


def angle(a, b):
    """The angle of two vectors, from the distance of the unit vectors, which does not cancel."""
    return 2 * np.arcsin(norm(a / norm(a) - b / norm(b)) / 2)


def measured_early(data, theory):
    r"""$1-\cos(w, w_2^*)$, the shortfall of the l2 margin, and that over $\|w\|_2\gamma_2$: what is missing of a margin of 1.

    The first is half the squared distance of the unit vectors, which does not cancel.
    """
    kernel = theory["kernel"]
    size = norm(data.effective)
    apart = norm(data.effective / size - kernel.effective / kernel.value) ** 2 / 2
    short = shortfall(size, data.margins.min("n"), kernel)
    return apart, short, short / (size / kernel.value)


def measured(data, theory):
    r"""The shortfall of the l1 margin; that over $\|w\|_1\gamma_1$; the angle to $w_1^*$ over the one from $w_1^*$ to $w_2^*$."""
    rich, kernel = theory["rich"], theory["kernel"]
    size = abs(data.effective).sum("d")
    short = shortfall(size, data.margins.min("n"), rich)
    between = angle(rich.effective, kernel.effective)
    return short, short / (size / rich.value), angle(data.effective, rich.effective) / between, between


def different(between) -> Reading:
    """Whether the two classifiers differ."""
    name = r"angle between the max-$\ell_1$-margin and max-$\ell_2$-margin classifiers"
    return at_least(name, between.min(), 0.2, key="between", why="a trial on which they agree cannot distinguish them")


def nearer(name: str, turn) -> Reading:
    """Whether the direction at the largest scale is that of one classifier and not of the other."""
    why = "nearer to one than halfway to the other; the median trial, since some have another vertex of nearly the same margin"
    return at_most(name, turn.isel(log_alpha=-1).median("trial").max(), 0.5, key="angle", why=why)


def judge_early(data, theory, n) -> Evidence:
    """How the cosine's and the margin's deficits fall between the last two scales; and the margin's shortfall itself."""
    apart, short, deficit = measured_early(data, theory)
    turn, close = (last_power(part, "log_alpha").median("trial") for part in (apart, deficit))
    return Evidence(
        holds=[
            all_near(
                r"power of $\log\alpha$ at which $1 - \cos$ falls",
                turn,
                2,
                0.25,
                key="cosine",
                why=r"an angle like $1/M$, with outputs of size $M - O(\log M)$, $M = (2(D-1)c + p)\log\alpha$: $\log(M)/M$ is "
                "0.1 at the smaller of the last two scales, and counts twice in the power of an angle squared",
            ),
            all_near(
                r"power of $\log\alpha$ at which 1 minus the normalized margin falls",
                close,
                1,
                0.15,
                key="margin",
                why=r"a constant shortfall over outputs of size $M - O(\log M)$: the same correction, counted once",
            ),
            below_entropy(r"shortfall of the $\ell_2$ margin", short, n),
        ]
    )


def judge_late(data, theory, n, log_alpha, away) -> Evidence:
    """The KKT residual against the proof's bound, and the l1 margin and direction at the largest scale."""
    short, deficit, turn, between = measured(data, theory)
    return Evidence(
        sound=[different(between)],
        holds=[
            kkt_residual("KKT residual", data.residual / (2 * away * log_alpha) ** -0.5),
            at_least(
                r"power of $\log\alpha$ at which the KKT residual falls",
                last_power(data.residual.isel(log_alpha=[0, -1]), "log_alpha").median("trial").min(),
                0.5,
                key="residual_power",
                why="the power of that bound",
            ),
            at_least(
                r"power of $\log\alpha$ at which 1 minus the normalized $\ell_1$ margin falls",
                last_power(deficit, "log_alpha").median("trial").min(),
                0.75,
                key="margin_power",
                why=r"a constant shortfall over margins of size $\log(1/\lambda) + O(1)$ gives 1, and what is left of the "
                "transition more; nearer to that than to the proof's 1/2",
            ),
            below_entropy(r"shortfall of the $\ell_1$ margin at the largest scale", short.isel(log_alpha=-1), n),
            nearer(r"angle to the max-$\ell_1$-margin classifier at the largest scale, over that between the two", turn),
        ],
    )


def turns(data, theory, sphere):
    """The angle from the flow to a sphere's maximizer, over the angle between the two maximizers."""
    found = {"l1": theory["rich"].effective, "l2": theory["kernel"].effective}
    between = angle(found["l1"], found["l2"])
    return angle(data.effective, found[sphere]) / between, between


def judge_sphere(data, theory, n, sphere) -> Evidence:
    """Whether the flow after the transition, at the largest scale, has the sphere's maximum margin and its direction."""
    turn, between = turns(data, theory, sphere)
    size = abs(data.effective).sum("d") if sphere == "l1" else norm(data.effective)
    short = shortfall(size, data.margins.min("n"), theory["rich" if sphere == "l1" else "kernel"])
    return Evidence(
        sound=[different(between)],
        holds=[
            below_entropy("shortfall from the maximum margin over the sphere", short.isel(log_alpha=-1), n),
            nearer("angle to the sphere's maximizer, over that between the two", turn),
        ],
    )


def draw_early(data, theory, log_alpha, depth, power, away) -> Drawing:
    """Both deficits against the size of the outputs: all depths, powers, times and scales on one line."""
    apart, _, deficit = (part.median("trial") for part in measured_early(data, theory))
    clock = (2 * (depth - 1) * away + power) * log_alpha
    panels = []
    for title, label, part, exponent in (
        (r"Angle to the max-$\ell_2$-margin classifier", r"$1 - \cos$", apart, -2),
        (r"Deficit of the $\ell_2$ margin", "1 - normalized margin", deficit, -1),
    ):
        marks = family("depth {}", clock, part, "depth", mark=Points)
        marks.append(power_law(f"$M^{{{exponent}}}$", marks, exponent))
        panels.append(Panel(marks, log_axis(r"$M = (2(D-1)c + p)\log\alpha$"), log_axis(label), title=title))
    return Drawing(
        panels,
        caption=r"At $(1 - c)\log(\alpha)/\lambda$ with $\lambda = \alpha^{-p}$, median over trials: one point for each depth "
        "$D$, $p$, $c$ and scale. All lie on one line, since the direction depends on them through the size $M$ of the outputs "
        "alone.",
    )


def draw_late(data, theory, log_alpha, power, away) -> Drawing:
    r"""The margin's deficit against $\log(1/\lambda)$, and the KKT residual with its bound; medians over trials."""
    deficit, residual = measured(data, theory)[1].median("trial"), data.residual.median(("trial", "power"))
    margins, residuals = family("$c$ = {}", power * log_alpha, deficit, "away", mark=Points), []
    for mark, c in zip(margins, away.values, strict=True):
        residuals.append(Line(mark.name, log_alpha.values, residual.sel(away=c).values, role=mark.role))
        bound = (2 * c * log_alpha.values) ** -0.5
        residuals.append(Line(f"bound, {mark.name}", log_alpha.values, bound, role="theory"))
    margins.append(power_law(r"$1/\log(1/\lambda)$", margins[::-1], -1))
    x, y = log_axis(r"$\log(1/\lambda)$"), log_axis("1 - normalized margin")
    return Drawing(
        [
            Panel(margins, x, y, title=r"Deficit of the $\ell_1$ margin"),
            Panel(residuals, log_axis(r"$\log\alpha$"), log_axis("KKT residual"), title="Distance from a stationary point"),
        ],
        caption=r"At $(1 + c)\log(\alpha)/\lambda$ with $\lambda = \alpha^{-p}$, median over trials: the $\ell_1$ margin "
        "converges to its maximum, and the weights to a KKT point of the minimum-norm problem, faster than the proof's bound "
        "(dashed).",
    )


def draw_sphere(data, theory, log_alpha, away) -> Drawing:
    """The angle from the flow to both maximizers, against the scale."""
    panels = []
    for c in away.values:
        lines = [
            Line(
                rf"over the $\ell_{sphere[1]}$ sphere ({form})",
                log_alpha.values,
                turns(data, theory, sphere)[0].sel(away=c).median(("trial", "power")).values,
                role=role,
            )
            for sphere, form, role in SPHERES
        ]
        axes = Axis(r"$\log\alpha$"), Axis("angle, over that between the two", low=0.0)
        panels.append(Panel(lines, *axes, title=rf"at $(1 + {c:g})\log(\alpha)/\lambda$"))
    return Drawing(
        panels,
        caption="After the transition: the angle from the linear map of a diagonal net to the maximum margin over either "
        "sphere, in units of the angle between the two, median over trials. Training converges to the maximizer over the "
        r"$\ell_1$ sphere.",
    )


late = partial(
    Claim,
    simulation=LATE,
    predict=predict,
    sizes={"paper": {"log_alpha": (16.0, 32.0, 64.0, 128.0)}},
    seconds={"quick": 10, "paper": 70},
)
CLAIMS = (
    Claim(
        id="lyu2024/corollary_3_6",
        kind="corollary",
        title=r"Before the transition: the maximum $\ell_2$ margin",
        says=r"At $(1 - c)\log(\alpha)/\lambda$ with $\lambda = \alpha^{-p}$ the normalized linear map of a diagonal net, "
        r"trained on the exponential loss, converges to the max-$\ell_2$-margin direction: $1 - \cos$ falls like "
        r"$1/(\log\alpha)^2$ and the normalized margin converges to 1 like $1/\log\alpha$, for each depth, $p$ and $c$.",
        source="lyu2024, corollary 3.6",
        simulation=SIMULATION,
        predict=predict_early,
        judge=judge_early,
        draw=draw_early,
        # For d much larger than n all samples have multipliers of one size, and the next order of the angle is small.
        sizes={"quick": {"d": 96}, "paper": {"d": 96}},
        least={"log_alpha": 2},
        controls=[
            Control(
                r"after the transition, at $(1 + c)\log(\alpha)/\lambda$, for two layers",
                changes={"relative_time": "=1+away", "depth": (2,)},
                breaks=("cosine", "margin", "shortfall"),
            )
        ],
        seconds={"quick": 20, "paper": 120},
    ),
    late(
        id="lyu2024/corollary_3_7",
        kind="corollary",
        title=r"After the transition: the maximum $\ell_1$ margin",
        says=r"At $(1 + c)\log(\alpha)/\lambda$ with $\lambda = \alpha^{-p}$ the weights of a two-layer diagonal net, trained "
        r"on the exponential loss, are near a KKT point of $\min\|u\|^2 + \|v\|^2$ subject to margins of at least 1, and more: "
        r"the linear map converges to the max-$\ell_1$-margin direction, with a relative deficit like $1/\log\alpha$. Two "
        "layers, as in the corollary: deeper nets have other KKT points.",
        source="lyu2024, corollary 3.7",
        judge=judge_late,
        draw=draw_late,
        least={"log_alpha": 2},
        controls=[
            Control(
                r"before the transition, at $(1 - c)\log(\alpha)/\lambda$",
                changes={"relative_time": "=1-away"},
                breaks=("residual", "residual_power", "margin_power", "shortfall", "angle"),
            )
        ],
    ),
    late(
        id="lyu2024/w1_sphere",
        kind="erratum",
        title=r"The rich solution maximizes the margin over the $\ell_1$ sphere",
        says=r"The minimum-$\ell_1$-norm classifier with margins of at least 1, to which a two-layer diagonal net converges "
        r"after the transition, maximizes the margin over the $\ell_1$ sphere; printed is the sphere of all unit vectors, whose "
        "maximizer is the kernel solution.",
        source="lyu2024, section 3.2.3",
        judge=judge_sphere,
        draw=draw_sphere,
        constants={"sphere": "l1"},
        controls=[Control("the sphere as printed", changes={"sphere": "l2"}, breaks=("shortfall", "angle"))],
    ),
)

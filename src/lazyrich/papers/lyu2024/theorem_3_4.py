r"""Theorem 3.4: at $(1 - c)\log\alpha/\lambda$ a homogeneous net is the max-margin classifier of its tangent kernel."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule
from ...claims.labelled import last_power, norm, relative_distance
from ...claims.marks import family, log_axis, power_law
from .shared.readings import all_near
from .simulations.theorem_3_4 import DIAGONAL, SIMULATION


def predict(problem, whose):
    r"""The kernel's max-margin classifier, and the outputs of its unit vector $h^*$ on fresh inputs."""
    from ...predictors import KernelMaxMargin

    theory = KernelMaxMargin(getattr(problem, whose)).solve(problem.train)
    return {"kernel": theory, "limit": np.asarray(theory.predict(problem.fresh)) / theory.value}


def scaled(data, theory, log_alpha, degree, power):
    r"""$M = \log(\alpha^{2(D-1)c}/\lambda)$, the outputs over $M/\gamma$ along the limit, and half their squared angle to it."""
    clock = (2 * (degree - 1) * data.away + power) * log_alpha
    limit, margin = theory["limit"], 1 / theory["kernel"].value
    along = (data.outputs * limit).sum("d") / (limit**2).sum("d") * margin
    turn = relative_distance(data.outputs / norm(data.outputs), limit / norm(limit)) ** 2 / 2
    return clock, along, turn


def judge(data, theory, log_alpha, degree, power, n) -> Evidence:
    """The size of the outputs against the normalizer, and how fast their direction converges."""
    clock, along, turn = scaled(data, theory, log_alpha, degree, power)
    force = np.log(theory["kernel"].value ** -2 / degree)
    zero = data.before.max()
    return Evidence(
        sound=[at_most("largest output at initialization", zero, 1e-12, key="zero_output", why="the theorem assumes it")],
        holds=[
            at_most(
                "distance of outputs over $Z$ from the limit's size, in units of the neglected terms",
                (abs(along / clock - 1) * clock / (np.log(clock) + abs(force) + np.log(n))).max(),
                1,
                key="size",
                why=r"of $\log(1/\mathcal{L}) = M + \log(\gamma^2/D) - \log\log(1/\mathcal{L})$, which is $\gamma\|h\|$ up to "
                r"an entropy of at most $\log n$, the proof keeps $M$",
            ),
            all_near(
                r"power of $\log\alpha$ at which $1 - \cos$ with the limit falls",
                last_power(turn, "log_alpha").median("trial"),
                2,
                0.4,
                key="direction",
                why=r"an angle like $1/M$, with $M$ up to $\log M$ and a constant of order one: a tenth of $M$ from 40 on, and "
                r"so $2\cdot 0.1/\log 2 = 0.3$ in the power",
            ),
        ],
    )


def draw(data, theory, log_alpha, degree, power) -> Drawing:
    """Size and direction of the outputs against the logarithm M of the normalizer."""
    clock, along, turn = scaled(data, theory, log_alpha, degree, power)
    clock = clock.isel(trial=0)
    sizes = family("degree {}", clock, (along / clock).median("trial"), "degree", mark=Points)
    turns = family("degree {}", clock, turn.median("trial"), "degree", mark=Points)
    turns.append(power_law("$M^{-2}$", turns, -2))
    x, size = log_axis(r"$M = (2(D-1)c + p)\log\alpha$"), Axis(r"outputs over $M/\gamma$, along the limit")
    return Drawing(
        [
            Panel([*sizes, Rule("limit", 1.0)], x, size, title="The size of the outputs"),
            Panel(turns, x, log_axis(r"$1 - \cos$"), title="Their direction"),
        ],
        caption=r"Outputs on fresh inputs of two-layer nets with powers as activation, at $(1 - c)\log(\alpha)/\lambda$, beside "
        "those of the max-margin classifier of the tangent kernel at initialization: one point for each $c$, weight decay and "
        "scale, median over trials.",
    )


def predict_diagonal(problem):
    """The max-l2-margin classifier, which is the kernel's, since the tangent kernel is a multiple of the inputs'."""
    from ...predictors import MaxMargin

    return {"kernel": MaxMargin("l2").solve(problem.train)}


def normalized(data, theory, *, log_alpha, depth, power, early, form):
    r"""$\langle w, w_2^*\rangle\gamma_2/M$ and $M = \log(\alpha^{ec}/\lambda)$: the ratio that should converge to 1, and $M$.

    With $w_2$ of margin 1, $\gamma_2 = 1/\|w_2\|$ and $w\to M\,w_2$. The exponent $e$ of $\alpha^c$ is 1 as printed, and
    $2(D-1)$ as corrected.
    """
    kernel = theory["kernel"]
    clock = ((1 if form == "printed" else 2 * (depth - 1)) * early + power) * log_alpha
    return (data.effective * kernel.effective).sum("d") / kernel.value**2 / clock, clock


def judge_normalizer(data, theory, log_alpha, depth, power, early, form) -> Evidence:
    """The ratio of the outputs to the normalizer, against 1."""
    ratio, clock = normalized(data, theory, log_alpha=log_alpha, depth=depth, power=power, early=early, form=form)
    away = abs(ratio - 1)
    last, why = away.isel(log_alpha=-1).max(), r"$\log(M)/M$ is at most 0.045 at $\log\alpha = 64$"
    return Evidence(
        holds=[
            at_most(
                r"distance of the ratio from 1, in units of $\log(M)/M$",
                (away * clock / np.log(clock)).max(),
                1,
                key="ratio",
                why=r"the proof neglects $O(\log\log)$ terms beside the logarithm $M$ of the normalizer: $\log(M)/M$ relative",
            ),
            at_most("distance of the ratio from 1 at the largest scale", last, 0.05, key="limit", why=why),
        ]
    )


def draw_normalizer(data, theory, log_alpha, depth, power, early) -> Drawing:
    """Both normalizers against the scale, one panel each, one line for each depth and power."""
    panels = []
    for name, form in ((r"corrected: $\alpha^{2(D-1)c}$", "corrected"), (r"printed: $\alpha^c$", "printed")):
        ratio, _ = normalized(data, theory, log_alpha=log_alpha, depth=depth, power=power, early=early, form=form)
        middle = ratio.median("trial").isel(early=-1)
        lines = [
            Line(f"$D = {int(D)}$, $p = {float(p):g}$", log_alpha.values, middle.sel(depth=D, power=p).values)
            for D in depth.values
            for p in power.values
        ]
        axes = Axis(r"$\log\alpha$"), Axis("outputs / normalizer", low=0.9)
        panels.append(Panel([*lines, Rule("predicted limit", 1.0)], *axes, title=name))
    return Drawing(
        panels=panels,
        caption=rf"Outputs at $(1 - c)\log(\alpha)/\lambda$, $c = {float(early.values[-1]):g}$, with $\lambda = \alpha^{{-p}}$, "
        "over the normalizer of theorem 3.4: with the exponent of its proof the ratio converges to 1, with the printed one to "
        "$(2(D-1)c + p)/(c + p)$.",
    )


CLAIMS = (
    Claim(
        id="lyu2024/theorem_3_4",
        kind="theorem",
        title="Before the transition: the kernel's max-margin classifier",
        says=r"At $(1 - c)\log(\alpha)/\lambda$ with $\lambda = \alpha^{-p}$ the outputs of a homogeneous net with zero output "
        r"at initialization, trained on the exponential loss, are on every input $(1 + o(1))M/\gamma$ times those of the "
        r"unit-norm max-margin classifier of its tangent kernel, where $M = \log(\alpha^{2(D-1)c}/\lambda)$: the normalizer of "
        "the proof; the printed one is an erratum of its own.",
        source="lyu2024, theorem 3.4",
        simulation=SIMULATION,
        predict=predict,
        judge=judge,
        draw=draw,
        constants={"whose": "init"},
        least={"log_alpha": 2},
        aliases=("theorem_c_9",),
        controls=[Control("the kernel of another initialization", changes={"whose": "other"}, breaks=("size", "direction"))],
        seconds={"quick": 30, "paper": 180},
    ),
    Claim(
        id="lyu2024/theorem_3_4_normalizer",
        kind="erratum",
        title="The normalizer of the kernel regime",
        says=r"At $(1 - c)\log(\alpha)/\lambda$ with $\lambda = \alpha^{-p}$ the outputs divided by "
        r"$\frac{1}{\gamma}\log(\alpha^{2(D-1)c}/\lambda)$ converge to the kernel's unit-norm max-margin classifier; the printed "
        r"theorem has $\alpha^c$ there, with which they converge to $(2(D-1)c + p)/(c + p)$ times it.",
        source="lyu2024, theorem 3.4",
        simulation=DIAGONAL,
        predict=predict_diagonal,
        judge=judge_normalizer,
        draw=draw_normalizer,
        constants={"form": "corrected"},
        controls=[Control("the normalizer as printed", changes={"form": "printed"}, breaks=("ratio", "limit"))],
        seconds={"quick": 20, "paper": 110},
    ),
)

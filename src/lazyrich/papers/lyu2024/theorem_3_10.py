r"""Theorem 3.10: after $\log\alpha/\lambda$ parameters stay bounded and come near a KKT point of minimum norm; its proof."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Event, Line, Panel, Points, Role, Rule
from ...claims.labelled import spread
from ...claims.marks import family, log_axis, one_panel
from .kernel_regression import last_slope
from .shared.readings import all_near
from .simulations.diagonal_decay import SIMULATION

# The scale itself is the axis here; a window needs more times than an end. Beyond e^10 a net of depth 3 has lost its digits.
AFTER = {"rate": 1.0, "strength": 0.3, "power": (1.0,), "away": (0.75,), "relative_time": "=1+away", "count": 32}
SIZES = {
    "smoke": {**AFTER, "fall": (3.0, 5.0), "count": 16},
    "quick": {**AFTER, "fall": (4.0, 7.5)},
    "paper": {**AFTER, "fall": (3.0, 5.0, 8.0), "depth": (2, 3), "power": (0.5, 1.0)},
}


def window(data):
    r"""The times from $\log\alpha/\lambda$ on; where a run ends before, its end alone."""
    last = np.arange(data.sizes["t"]) == data.sizes["t"] - 1
    return (data.log_size <= 0) | data.log_size.copy(data=np.broadcast_to(last, data.log_size.shape))


def judge(data, power, log_alpha, strength, n, d) -> Evidence:
    """Norms, residuals and the distance from a combination of gradients over the window."""
    weight_decay, inside = strength * np.exp(-power * log_alpha), window(data)
    size = data["size"].where(inside).max("t")
    near_kkt = data.stationarity.where(inside).min("t")
    cost = (data["size"] ** 2 / 2 + (data.residual**2).sum("n") / (n * weight_decay)).where(inside).max("t")
    span = spread(data.log_size.where(inside, data.log_size.min("t")), "t")
    allowed = (cost / np.maximum(span, 1e-9)) ** 0.5
    error = abs(data.residual).max("n").where(inside).max("t").median("trial")
    return Evidence(
        holds=[
            at_most(
                r"largest norm in the window over $\|\bar\theta\|$",
                size.max() / (2 * d) ** 0.5,
                1.2,
                key="norm",
                why=r"at $\log(\alpha)/\lambda$ it is $\|\bar\theta\|$, up to the $\ell_1$ norm of the linear map over $2d$; "
                "then the objective only falls",
            ),
            at_most(
                "smallest gradient in the window over what the fall of the objective allows",
                ((data.slope * data["size"]).where(inside).min("t") / allowed).max(),
                1,
                key="gradient",
                why="its square, integrated over the window, is at most the objective at its beginning: the proof's own "
                "inequality",
            ),
            at_most(
                "KKT residual at the largest scale, median over trials",
                near_kkt.isel(fall=-1).median("trial").max(),
                0.15,
                key="residual",
                why=r"inactive weights decay like $\alpha^{-c(1 - \xi)}$ with dual values $\xi$ some tenths below 1 in most "
                "trials",
            ),
            at_most(
                "KKT residual at the largest scale over that at the scale before, median over trials",
                (near_kkt.isel(fall=-1) / near_kkt.isel(fall=-2)).median("trial").max(),
                0.7,
                key="decrease",
                why=r"the proof has $(\log\alpha)^{-1/2}$: 0.71 for twice the logarithm",
            ),
            all_near(
                r"power of $\alpha$ at which the largest prediction error falls minus $p$, the farthest from 0",
                last_slope(error, log_alpha) - power,
                0,
                0.2,
                key="fit",
                why=r"prediction errors are $\lambda$ times multipliers, which converge to those of the limit",
            ),
        ]
    )


def draw(data) -> Drawing:
    """The distance from combinations of gradients in time, for one trial; and its minimum against the scale."""
    one = data.isel(trial=0, power=-1, away=-1, depth=0)
    marks = family(r"$\alpha = e^{{}}$", 1 - one.log_size / one.fall, one.stationarity, "fall")
    best = data.stationarity.where(window(data)).min("t").isel(power=-1, away=-1).median("trial")
    points = family("depth {}", np.exp(best.fall), best, "depth", mark=Points)
    x, y = Axis(r"$\lambda t/\log\alpha$", low=0), log_axis("KKT residual")
    return Drawing(
        [
            Panel([*marks, Event(r"$\log(\alpha)/\lambda$", 1.0)], x, y, title="One trial, in normalized time"),
            Panel(points, log_axis(r"$\alpha$"), y, title="The minimum in the window, median trial"),
        ],
        caption="The distance of the parameters from a combination of gradients, relative to their norm: 1 in the kernel "
        r"regime, falling to 0 at a KKT point of minimum norm after $\log(\alpha)/\lambda$.",
    )


def criterion(data, power, log_alpha, strength, divided):
    r"""$\|\nabla L_\lambda\|$, over $\lambda\|\theta\|$ where it is divided."""
    if divided:
        return data.slope
    return data.slope * strength * np.exp(-power * log_alpha) * data["size"]


def judge_criterion(data, power, log_alpha, strength, divided) -> Evidence:
    r"""The criterion late, near a KKT point, and at $\frac12\log\alpha/\lambda$, far from one."""
    theory = criterion(data, power, log_alpha, strength, divided).isel(fall=-1)
    late = theory.min("t").median("trial").max()
    early = abs(data.log_size.isel(fall=-1) / data.log_size.isel(fall=-1, t=0) - 0.5)
    half = early == early.min("t")
    far = data.stationarity.isel(fall=-1).where(half)
    why = "the kernel regime: initialization is orthogonal to the tangent features, so the point is no KKT point"
    return Evidence(
        sound=[at_least("KKT residual at half the time, smallest", far.min(), 0.9, key="far", why=why)],
        holds=[
            at_most("criterion near the KKT point, median over trials", late, 0.15, key="near", why="the bound of theorem 3.10"),
            at_least(
                "criterion in the kernel regime, smallest",
                theory.where(half).min(),
                0.5,
                key="kernel_regime",
                why="it must reject what is no KKT point: there weight decay acts alone, which makes it 1 where it is divided",
            ),
        ],
    )


def draw_criterion(data, power, log_alpha, strength) -> Drawing:
    """Both criteria in time for one trial."""
    one, marks = {"trial": 0, "fall": -1, "power": -1, "away": -1, "depth": 0}, []
    for name, divided in ((r"divided by $\lambda\|\theta\|$", True), ("as printed: the gradient alone", False)):
        role: Role = "measured" if divided else "control"
        line = data.log_size.isel(one)
        theory = criterion(data, power, log_alpha, strength, divided).isel(one)
        marks.append(Line(name, 1 - (line / line[0]).values[1:], theory.values[1:], role=role))
    return one_panel(
        [*marks, Rule("weight decay alone", 1.0)],
        Axis(r"$\lambda t/\log\alpha$"),
        log_axis("criterion"),
        "The gradient of the objective is small as soon as the data are fitted, in the kernel regime too. Divided by "
        r"$\lambda\|\theta\|$ it stays at 1 there, and falls only where a KKT point is near.",
    )


after = partial(Claim, simulation=SIMULATION, sizes=SIZES, seconds={"quick": 40, "paper": 120})
CLAIMS = (
    after(
        id="lyu2024/theorem_3_10",
        kind="theorem",
        title="After the transition: KKT points of minimum norm",
        says=r"Under the squared loss, between $\log(\alpha)/\lambda$ and $(1 + c)\log(\alpha)/\lambda$, the parameters stay "
        r"bounded, prediction errors are of order $\lambda$, and at some time the parameters are nearly a combination of the "
        r"gradients of their own outputs: limit points as $\alpha \to \infty$ are KKT points of minimum norm subject to "
        "interpolation.",
        source="lyu2024, theorem 3.10 and lemma D.8",
        judge=judge,
        draw=draw,
        least={"fall": 2},
        aliases=("lemma_d_8",),
        controls=[
            Control(
                r"before the transition, up to $(1 - c)\log(\alpha)/\lambda$, with $c = 0.5$",
                changes={"relative_time": "=1-away", "away": (0.5,)},
                breaks=("norm", "residual", "decrease"),
            )
        ],
    ),
    after(
        id="lyu2024/proof_of_3_10",
        kind="erratum",
        title="A small gradient does not imply a KKT point",
        says="The proof of theorem 3.10 concludes from a vanishing gradient of the objective that the limit is a KKT point; the "
        r"gradient vanishes with $\lambda$ everywhere on the fitted set, including the kernel regime. The gradient over "
        r"$\lambda$ must vanish, with multipliers $-2(f - y)/(n\lambda)$: that identifies KKT points, and the proof's own bound "
        "gives it.",
        source="lyu2024, equation (33) in the proof of theorem 3.10",
        judge=judge_criterion,
        draw=draw_criterion,
        constants={"divided": True},
        controls=[
            Control(r"the criterion as printed, not divided by $\lambda$", changes={"divided": False}, breaks=("kernel_regime",))
        ],
    ),
)

r"""Regression in the kernel regime: at $(1 - c)\log\alpha/\lambda$ the kernel interpolant, off by powers of $\alpha$."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Axis, Drawing, Panel, Points, Rule
from ...claims.labelled import norm, relative_distance
from ...claims.marks import family, log_axis, power_law
from .shared.readings import all_near
from .simulations.diagonal_decay import SIMULATION

ALPHA_C = log_axis(r"$\alpha^c$")


def last_slope(part, log_alpha):
    r"""The power $r$ of $\alpha^{-r}$ through the last two scales, along the axis `fall`, where every point has its own scale."""
    rise = log_alpha.isel(fall=-1) - log_alpha.isel(fall=-2)
    return np.log(part.isel(fall=-2) / part.isel(fall=-1)) / rise


def predict(problem):
    """The minimum-l2-norm interpolant, which is the kernel's, since the tangent kernel is a multiple of the inputs'."""
    from ...predictors import MinL2

    return {"kernel": MinL2().solve(problem.train)}


def rates(depth, power, away, *, held):
    r"""$\min(2cD, 2(D-1)c + p)$: the drift of the features, and the pull of weight decay, which `held` counts."""
    drift = 2 * away * depth + 0 * power
    return np.minimum(drift, 2 * (depth - 1) * away + power) if held else drift


def judge_interpolant(data, theory, depth, power, away, log_alpha, held) -> Evidence:
    r"""The measured power of $\alpha$ between the last two scales, against the law; and the distance itself."""
    far = relative_distance(data.effective, theory["kernel"].effective).median("trial")
    slope = last_slope(far, log_alpha)
    return Evidence(
        holds=[
            all_near(
                r"measured power of $\alpha$ minus that of the law, the farthest from 0",
                slope - rates(depth, power, away, held=held),
                0,
                0.1,
                key="power",
                why="the other of the two terms adds its fraction times the gap of the powers: a tenth times 0.6",
            ),
            at_least(
                "measured power over the theorem's $cD$, smallest",
                (slope / (away * depth)).min(),
                0.95,
                key="bound",
                why="the theorem's bound, attained at depth 2 and $p = 0$, elsewhere exceeded, since symmetrized nets cancel "
                "even orders; powers are measured to hundredths",
            ),
            at_most(
                "relative distance at the largest scale",
                far.isel(fall=-1).max(),
                1e-4,
                key="distance",
                why="the predicted fall, $e^{-7.5}$ or $e^{-9}$ by size, times a constant that depends on the data, below a "
                "fifth",
            ),
        ]
    )


def judge_move(data, depth, away, power, log_alpha, order) -> Evidence:
    r"""The powers of $\alpha$ at which the displacement and its part outside the span fall."""
    moved, aside = (last_slope(part.isel(t=-1).median("trial"), log_alpha) for part in (data.moved, data.aside))
    target = away * depth + 0 * power
    return Evidence(
        holds=[
            all_near(
                r"power of $\alpha$ in the displacement over $cD$, the farthest from 1",
                moved / target,
                1,
                0.01,
                key="displacement",
                why=r"to leading order $\alpha^{-cD}$ times the kernel solution; the next order is a fraction of 1e-4",
            ),
            all_near(
                r"power of $\alpha$ in the part outside the span over $cD$, the farthest from the law",
                aside / target,
                order,
                0.1,
                key="outside",
                why="twice $cD$: half the squared displacement of each weight; the rest of this part is smaller by a power",
            ),
        ]
    )


def measured(data, theory, depth, d):
    r"""$\|w - \langle\nabla f, h\rangle\|/\|h\|$, and $\|h\|$ over that of the kernel solution, $\|w_2\|/(D\sqrt2)$."""
    h = data.direction * np.exp(depth * data.log_size.isel(t=-1))
    halves = [h.isel(p=slice(first, first + d)).rename(p="d") for first in (0, d)]
    size = norm(h, "p")
    return norm(data.effective - depth * (halves[0] - halves[1])) / size, size * depth * 2**0.5 / theory["kernel"].value


def judge_linear(data, theory, depth, away, power, log_alpha, d, order) -> Evidence:
    r"""The power of $\alpha$ at which the nonlinear part falls, and the length of $h$."""
    bent, length = (part.median("trial") for part in measured(data, theory, depth, d))
    return Evidence(
        holds=[
            all_near(
                r"power of $\alpha$ in the nonlinear part over $cD$, the farthest from the law",
                last_slope(bent, log_alpha) / (away * depth + 0 * power),
                order,
                0.1,
                key="nonlinear",
                why="the lemma allows $cD$; symmetrized nets cancel the even orders of Taylor's series, which leaves twice that",
            ),
            all_near(
                r"$\|h\|$ over that of the kernel solution, the farthest from 1",
                length.isel(fall=-1),
                1,
                1e-3,
                key="length",
                why=r"order one by the lemma; $h$ is the kernel solution, up to $\alpha^{-2cD}$ and residuals of 1e-4",
            ),
        ]
    )


def draw_interpolant(data, theory, depth, power, away, log_alpha) -> Drawing:
    """The distance against the scale, one panel for each depth, with the law's power through the last point."""
    far = relative_distance(data.effective, theory["kernel"].effective).median("trial")
    law, panels = rates(depth, power, away, held=True), []
    for layers in depth.values:
        marks = []
        for at, (p, c) in enumerate([(p, c) for p in power.values for c in away.values]):
            point = {"depth": layers, "power": p, "away": c}
            x = np.exp(log_alpha.sel(point, drop=True)).values
            exponent = float(law.sel(point))
            mark = Points(f"$p = {p:g}$, $c = {c:g}$", x, far.sel(point).values, role=SERIES[at % len(SERIES)])
            marks += [mark, power_law(rf"$\alpha^{{-{exponent:.3g}}}$", [mark], -exponent)]
        panels.append(Panel(marks, log_axis(r"$\alpha$"), log_axis("relative distance"), title=f"depth {int(layers)}"))
    return Drawing(
        panels,
        caption=r"Distance of the linear map at $(1 - c)\log(\alpha)/\lambda$ from the kernel interpolant, $\lambda$ "
        r"proportional to $\alpha^{-p}$, median over trials. Lines: the law $\alpha^{-\min(2cD, 2(D-1)c + p)}$.",
    )


def draw_move(data, depth, away, log_alpha) -> Drawing:
    r"""Both lengths against $\alpha^c$, all scales, times and powers of weight decay on two lines for each depth."""
    panels = []
    for layers in depth.values:
        size = np.exp((log_alpha * away).sel(depth=layers, drop=True))
        moved, aside = (part.isel(t=-1).median("trial").sel(depth=layers) for part in (data.moved, data.aside))
        x, marks = size.transpose(*moved.dims).values.ravel(), []
        rows = (("displacement", moved, -layers), ("part outside the span", aside, -2 * layers))
        for role, (name, part, power) in zip(SERIES, rows, strict=False):
            mark = Points(name, x, part.values.ravel(), role=role)
            marks += [mark, power_law(f"power {int(power)}", [mark], int(power))]
        panels.append(Panel(marks, ALPHA_C, log_axis("length"), title=f"depth {int(layers)}"))
    return Drawing(
        panels,
        caption=r"The displacement of $e^{\lambda t}\theta/\alpha$ from initialization at $(1 - c)\log(\alpha)/\lambda$, and "
        r"its part outside the span of the tangent features. Median over trials; one point for each $\alpha$, $c$ and $p$.",
    )


def draw_linear(data, theory, depth, away, log_alpha, d) -> Drawing:
    r"""The nonlinear part, and the length of $h$, against $\alpha^c$."""
    bent, length = (part.median("trial") for part in measured(data, theory, depth, d))
    size, first = np.exp(log_alpha * away), []
    second = family("depth {}", size, length, "depth", mark=Points)
    for mark, layers in zip(family("depth {}", size, bent, "depth", mark=Points), depth.values, strict=True):
        first += [mark, power_law(f"power {-2 * int(layers)}", [mark], -2 * int(layers))]
    return Drawing(
        [
            Panel(first, ALPHA_C, log_axis(r"nonlinear part / $\|h\|$"), title="Outputs are linear in $h$"),
            Panel([*second, Rule("kernel", 1.0)], ALPHA_C, Axis(r"$\|h\|$ / kernel's"), title="$h$ has order one"),
        ],
        caption=r"At $(1 - c)\log(\alpha)/\lambda$: the part of the outputs that is not linear in the tangent features, and the "
        r"length of $h = (\alpha e^{-\lambda t})^D$ times the displacement of the normalized parameters. Median over trials.",
    )


regression = partial(Claim, simulation=SIMULATION, least={"fall": 2}, seconds={"quick": 30, "paper": 90})
CLAIMS = (
    regression(
        id="lyu2024/theorem_3_9",
        kind="theorem",
        title="Before the transition: the kernel interpolant",
        says=r"At $(1 - c)\log(\alpha)/\lambda$ with $\lambda \propto \alpha^{-p}$ the outputs of a net of degree $D$ under the "
        "squared loss converge to those of the minimum-norm interpolant of the tangent kernel. The theorem allows an error of "
        r"$\alpha^{-cD}$; for a diagonal net it falls like $\alpha^{-\min(2cD, 2(D-1)c + p)}$.",
        source="lyu2024, theorem 3.9",
        predict=predict,
        judge=judge_interpolant,
        draw=draw_interpolant,
        constants={"held": True},
        # Where the drift should lead, the term of weight decay is up to 60 strength alpha^-(p - 2c) times it: a tenth is allowed.
        sizes={"paper": {"strength": "=10**minimum(0, maximum(-3, 10*(2*away-power)))"}},
        aliases=("theorem_d_7", "corollary_d_6"),
        controls=[Control(r"the drift of the features alone, $\alpha^{-2cD}$", changes={"held": False}, breaks=("power",))],
    ),
    regression(
        id="lyu2024/lemma_d_2",
        kind="lemma",
        title="How far the direction moves in the kernel regime",
        says=r"Up to $(1 - c)\log(\alpha)/\lambda$ the normalized parameters $e^{\lambda t}\theta/\alpha$ of a net of degree "
        r"$D$ move by $\alpha^{-cD}$ from initialization, and outside the span of the tangent features by $\alpha^{-2cD}$ only.",
        source="lyu2024, lemma D.2 and lemma D.3",
        judge=judge_move,
        draw=draw_move,
        constants={"order": 2.0},
        aliases=("lemma_d_3",),
        controls=[
            Control("a part outside the span of the order of the displacement", changes={"order": 1.0}, breaks=("outside",))
        ],
    ),
    regression(
        id="lyu2024/lemma_d_4",
        kind="lemma",
        title="Outputs are linear in the scaled displacement",
        says=r"In the kernel regime $f = \langle\nabla f(\bar\theta), h\rangle$ up to $\alpha^{-cD}\|h\|$, where "
        r"$h = (\alpha e^{-\lambda t})^D(e^{\lambda t}\theta/\alpha - \bar\theta)$ has order one. For a diagonal net the "
        r"nonlinear part is $\alpha^{-2cD}\|h\|$, and $h$ converges to the kernel solution.",
        source="lyu2024, lemma D.4 and lemma D.5",
        predict=predict,
        judge=judge_linear,
        draw=draw_linear,
        constants={"order": 2.0},
        # The nonlinear part is a square of the displacement: evaluated where it is above rounding.
        sizes={"smoke": {"fall": (4.0, 7.0)}, "quick": {"fall": (4.0, 7.0)}, "paper": {"fall": (3.0, 5.0, 7.0)}},
        aliases=("lemma_d_5",),
        controls=[Control("a nonlinear part of the lemma's own order", changes={"order": 1.0}, breaks=("nonlinear",))],
    ),
)

r"""Lemmas D.4 and D.5: outputs are linear in $h = (\alpha e^{-\lambda t})^D\delta$, and $h$ has order one."""

import numpy as np

from ...lab.settings.diagonal_decay import SIMULATION
from ..base import Claim, Control, Evidence, near
from ..drawing import Axis, Drawing, Panel, Points, Rule, Slope
from ..labelled import norm
from .powers import farthest_from, last_slope


def refer(problem):
    """The kernel's interpolant."""
    from ...predictors import MinL2

    return {"kernel": MinL2().solve(problem.train)}


def measured(data, told, depth, d):
    r"""$\|w - \langle\nabla f, h\rangle\|/\|h\|$, and $\|h\|$ over that of the kernel's answer, $\|w_2\|/(D\sqrt2)$."""
    h = data.direction * np.exp(depth * data.log_size.isel(t=-1))
    halves = [h.isel(p=slice(first, first + d)).rename(p="d") for first in (0, d)]
    size = norm(h, "p")
    return norm(data.effective - depth * (halves[0] - halves[1])) / size, size * depth * 2**0.5 / told["kernel"].value


def judge(data, told, depth, away, power, log_alpha, d, order) -> Evidence:
    """The power of alpha at which the nonlinear part falls, and the length of h."""
    bent, length = (part.median("trial") for part in measured(data, told, depth, d))
    return Evidence(
        holds=[
            near(
                "power of alpha of the nonlinear part over c D, the farthest from the law",
                farthest_from(last_slope(bent, log_alpha) / (away * depth + 0 * power), order),
                order,
                0.1,
                why="the lemma allows c D; mirrored halves cancel the even orders of Taylor's series, which leaves twice that",
            ),
            near(
                "length of h over that of the kernel's answer, the farthest from 1",
                farthest_from(length.isel(fall=-1), 1),
                1,
                1e-3,
                why="order one by the lemma; h tends to the kernel's answer, off by alpha^(-2cD) and by residuals of 1e-4",
            ),
        ],
    )


def draw(data, told, depth, away, log_alpha, d) -> Drawing:
    """The nonlinear part, and the length of h, against alpha^c."""
    bent, length = (part.median("trial") for part in measured(data, told, depth, d))
    first, second = [], []
    for layers, role in zip(depth.values, ("measured", "second", "control"), strict=False):
        part, size = bent.sel(depth=layers), np.exp((log_alpha * away).sel(depth=layers, drop=True))
        x, y = size.transpose(*part.dims).values.ravel(), part.values.ravel()
        last, ends = int(np.argmax(x)), [float(x.min()), float(x.max())]
        first.append(Points(f"depth {int(layers)}", x, y, role=role))
        first.append(Slope(f"power {-2 * int(layers)}", ends, (float(x[last]), float(y[last])), -2 * int(layers)))
        second.append(Points(f"depth {int(layers)}", x, length.sel(depth=layers).values.ravel(), role=role))
    x = Axis("alpha^c", scale="log")
    return Drawing(
        panels=[
            Panel(first, x=x, y=Axis("nonlinear part / length of h", scale="log"), title="Outputs are linear in h"),
            Panel([*second, Rule("kernel", 1.0)], x=x, y=Axis("length of h / kernel's"), title="h has order one"),
        ],
        caption="At (1 - c) log(alpha)/decay: what the tangent features miss of the outputs, and the length of "
        "h = (alpha exp(-decay t))^D times the move of the normalized parameters. Median over draws.",
    )


CLAIM = Claim(
    kind="lemma",
    title="Outputs are linear in the scaled move",
    says="In the kernel phase f = <tangent features, h> up to alpha^(-cD) |h|, where h = (alpha exp(-decay t))^D (exp(decay t) "
    "theta/alpha - start) has order one. For a diagonal net the nonlinear part is alpha^(-2cD), and h tends to the kernel's "
    "answer.",
    source="lyu2024, lemma D.4 and lemma D.5",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"order": 2.0},
    # The nonlinear part is a square of the move: read where it stands above rounding.
    sizes={"smoke": {"fall": (4.0, 7.0)}, "quick": {"fall": (4.0, 7.0)}, "paper": {"fall": (3.0, 5.0, 7.0)}},
    least={"fall": 2},
    aliases=("lemma_d_5",),
    control=Control(
        "a nonlinear part of the lemma's own order",
        changes={"order": 1.0},
        breaks=("power of alpha of the nonlinear part over c D, the farthest from the law",),
    ),
    seconds={"quick": 30, "paper": 90},
)

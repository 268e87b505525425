r"""Corollary 3.7: at $(1 + c)\log\alpha/\lambda$ a diagonal net of two layers is at a KKT point: the largest l1 margin."""

import numpy as np

from ...lab import Param
from ...lab.settings.diagonal_limits import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points, Slope
from ..labelled import last_power, norm
from .margins import shortfall


def refer(problem):
    """The classifier of largest l1 margin, the least-norm one of two layers, and that of largest l2 margin, to tell it from."""
    from ...predictors import MaxMargin

    return {"rich": MaxMargin("l1").solve(problem.train), "kernel": MaxMargin("l2").solve(problem.train)}


def angle(a, b):
    """The angle of two vectors, from the distance of the unit vectors, which does not cancel."""
    return 2 * np.arcsin(norm(a / norm(a) - b / norm(b)) / 2)


def measured(data, told):
    r"""The shortfall of the l1 margin; that over $\|w\|_1\gamma_1$; the angle to $w_1^*$ over the one from $w_1^*$ to $w_2^*$."""
    rich, kernel = told["rich"], told["kernel"]
    size = abs(data.effective).sum("d")
    short = shortfall(size, data.margins.min("n"), rich)
    between = angle(rich.effective, kernel.effective)
    return short, short / (size / rich.value), angle(data.effective, rich.effective) / between, between


def judge(data, told, n, log_alpha, away) -> Evidence:
    """The KKT residual against the proof's bound, and the l1 margin and direction at the largest scale."""
    short, deficit, turn, between = measured(data, told)
    allowed = (2 * away * log_alpha) ** -0.5
    return Evidence(
        sound=[
            at_least(
                "angle between the two answers",
                between.min(),
                0.2,
                why="a draw on which the largest l1 and l2 margins agree cannot tell them apart",
            )
        ],
        holds=[
            at_most(
                "KKT residual, in units of (2 c log(alpha))^(-1/2)",
                (data.residual / allowed).max(),
                1,
                why="the integral of the squared gradient over c log(alpha)/decay is at most the objective at its start, "
                "decay |theta|^2/2 to leading order",
            ),
            at_least(
                "power of log(alpha) at which the KKT residual falls",
                last_power(data.residual.isel(log_alpha=[0, -1]), "log_alpha").median("trial").min(),
                0.5,
                why="the power of that bound",
            ),
            at_least(
                "power of log(alpha) at which 1 - l1 margin falls",
                last_power(deficit, "log_alpha").median("trial").min(),
                0.75,
                why="a shortfall that stays, over margins of size log(1/decay) + O(1), gives 1, and what is left of the "
                "transition more; nearer to that than to the proof's 1/2",
            ),
            at_most(
                "shortfall of the l1 margin at the largest scale, in units of log(n)",
                (short / np.log(n)).isel(log_alpha=-1).max(),
                1,
                why="at a balance of loss and decay it is a difference of entropies of n multipliers",
            ),
            at_most(
                "angle to the largest l1 margin at the largest scale, over that between the answers",
                turn.isel(log_alpha=-1).median("trial").max(),
                0.5,
                why="nearer to the one answer than halfway to the other; the middle draw, since there are draws on which "
                "another vertex has nearly the same margin",
            ),
        ],
    )


def draw(data, told, log_alpha, power, away) -> Drawing:
    """The margin's deficit against log(1/decay), and the KKT residual with its bound; medians over draws."""
    _, deficit, _, _ = measured(data, told)
    left, x = deficit.median("trial"), power * log_alpha
    residual = data.residual.median(("trial", "power"))
    margins, residuals, bounds = [], [], []
    for c in away.values:
        y, role = left.sel(away=c), "measured" if c == away.values[0] else "second"
        margins.append(Points(f"c = {c:g}", x.transpose(*y.dims).values.ravel(), y.values.ravel(), role=role))
        residuals.append(Line(f"c = {c:g}", log_alpha.values, residual.sel(away=c).values, role=role))
        bounds.append(Line(f"bound, c = {c:g}", log_alpha.values, (2 * c * log_alpha.values) ** -0.5, role="theory"))
    last = int(np.argmax(margins[-1].x))
    through = (float(margins[-1].x[last]), float(margins[-1].y[last]))
    ends = [margins[0].x.min(), margins[0].x.max()]
    return Drawing(
        panels=[
            Panel(
                [*margins, Slope("1/log(1/decay)", ends, through, -1)],
                x=Axis("log(1/decay)", scale="log"),
                y=Axis("1 - margin", scale="log"),
                title="1 - l1 margin over the largest",
            ),
            Panel(
                [*residuals, *bounds],
                x=Axis("log(alpha)", scale="log"),
                y=Axis("KKT residual", scale="log"),
                title="Distance from a stationary point",
            ),
        ],
        caption="At (1 + c) log(alpha)/decay with decay = alpha^-p, the median over draws: the l1 margin nears the largest one, "
        "and the weights a KKT point of the least-norm problem, faster than the proof's bound (dashed).",
    )


CLAIM = Claim(
    kind="corollary",
    title="After the transition: the largest l1 margin",
    says="At (1 + c) log(alpha)/decay with decay = alpha^-p the weights of a diagonal net of two layers, trained on the "
    "exponential loss, near a KKT point of least |u|^2 + |v|^2 under margins of 1, and more: the linear map nears the direction "
    "of largest l1 margin, of which it misses a share like 1/log(alpha). Two layers, as in the "
    "corollary: deeper nets have other KKT points.",
    source="lyu2024, corollary 3.7",
    simulation=SIMULATION.with_params(
        Param("depth", 2, low=2, high=2, unit="degree", static=True),
        Param("share", "=1+away", low=0.05, high=1.95, unit="time, over log(alpha)/decay"),
    ),
    refer=refer,
    judge=judge,
    draw=draw,
    sizes={"paper": {"log_alpha": (16.0, 32.0, 64.0, 128.0)}},
    least={"log_alpha": 2},
    control=Control(
        "before the transition, at (1 - c) log(alpha)/decay",
        changes={"share": "=1-away"},
        breaks=(
            "KKT residual, in units of (2 c log(alpha))^(-1/2)",
            "power of log(alpha) at which the KKT residual falls",
            "power of log(alpha) at which 1 - l1 margin falls",
            "shortfall of the l1 margin at the largest scale, in units of log(n)",
            "angle to the largest l1 margin at the largest scale, over that between the answers",
        ),
    ),
    seconds={"quick": 10, "paper": 70},
)

r"""Lemma C.10: at the end of the kernel phase $\mathcal L_\lambda = O(\lambda(\log\frac1\lambda)^{2/D})$."""

import numpy as np

from ...lab.settings.rich_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import SERIES, Axis, Drawing, Panel, Points, Slope
from ..labelled import farthest


def refer(problem):
    """The largest margin of the kernel of the start."""
    from ...predictors import KernelMaxMargin

    told = KernelMaxMargin(problem.start).solve(problem.train)
    return {"kernel": told, "margin": 1 / told.value}


def measured(data, log_alpha, degree, power):
    r"""$\log A$, and $\mathcal L/\lambda$ and $\frac12\|\theta\|^2$ at the end of the kernel phase."""
    end = data.isel(t=0)
    log_a = (2 * (degree - 1) + power) * log_alpha
    return log_a, np.exp(end.log_loss + power * log_alpha), np.exp(2 * end.log_norm) / 2


def grown(part, log_a):
    r"""The power of $\log A$ at which a part grows, from the first to the last scale."""
    rise = (np.log(side.isel(log_alpha=-1) / side.isel(log_alpha=0)) for side in (part, log_a))
    return next(rise) / next(rise)


def judge(data, told, log_alpha, degree, power) -> Evidence:
    """The objective over the decay: its power of log A, its size, and the loss in it."""
    log_a, loss, norm = measured(data, log_alpha, degree, power)
    expected = log_a ** (2 / degree) * data.first**2 / 2
    held = told["margin"] ** 2 / (8 * degree)
    proven = np.log1p(held * np.exp(log_a)) / held / log_a ** (2 * (degree - 1) / degree)
    return Evidence(
        holds=[
            near(
                "power of log A at which the objective over the decay grows, less 2/D",
                farthest(grown(loss + norm, log_a) - 2 / degree, 0),
                0,
                0.05,
                why="the norm is that of the start times (log A)^(1/D); what the loss adds is smaller by log A, and what "
                "the turn adds by its square, some hundredths",
            ),
            near(
                "objective over decay |theta_0|^2 (log A)^(2/D)/2, the farthest from 1",
                farthest((loss + norm) / expected, 1),
                1,
                0.2,
                why="the same two parts",
            ),
            at_most(
                "loss over the decay, in units of the bound from lemma C.4",
                (loss / proven).max(),
                1,
                why="L <= 8 D log(1 + gamma^2 A/(8 D)) e^(2(D-1) decay t)/(gamma^2 A), of order decay (log A)^(-1 + 2/D) there",
            ),
        ],
    )


def draw(data, log_alpha, degree, power) -> Drawing:
    """Both parts of the objective over the decay against log A."""
    log_a, loss, norm = measured(data, log_alpha, degree, power)
    panels = []
    for title, part, less in (("Norm", norm, 0), ("Loss", loss, 1)):
        marks = []
        for at, k in enumerate(degree.values):
            y = part.sel(degree=k).median("trial")
            x = log_a.sel(degree=k).transpose(*y.dims).values.ravel()
            y, exponent = y.values.ravel(), 2 / float(k) - less
            through = (float(x[np.argmax(x)]), float(y[np.argmax(x)]))
            marks.append(Points(f"degree {int(k)}", x, y, role=SERIES[at % 3]))
            marks.append(Slope(f"(log A)^({2 - less * int(k)}/{int(k)})", [x.min(), x.max()], through, exponent))
        label = "|theta|^2/2" if part is norm else "loss over decay"
        panels.append(Panel(marks, x=Axis("log A", scale="log"), y=Axis(label, scale="log"), title=title))
    return Drawing(
        panels,
        caption="At the end of the kernel phase, (log(alpha) - log(log A)/D)/decay: half the squared norm, and the loss over the "
        "decay, against log A with A = alpha^(2(D-1))/decay, the median over draws, one point for each scale and decay. "
        "Their sum is the objective over the decay.",
    )


CLAIM = Claim(
    kind="lemma",
    title="The objective at the end of the kernel phase",
    says="At (log(alpha) - log(log A)/D)/decay, with A = alpha^(2(D-1))/decay and decay = alpha^-p, loss and decay together, "
    "L + decay |theta|^2/2, are of order decay (log(1/decay))^(2/D): the norm is still that of the start times (log A)^(1/D), "
    "and the loss is smaller by log A. Printed is L + |theta|^2, without the decay.",
    source="lyu2024, lemma C.10",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    least={"log_alpha": 2},
    control=Control(
        "twice the log log before log(alpha)/decay",
        changes={"lead": 2.0},
        breaks=(
            "power of log A at which the objective over the decay grows, less 2/D",
            "objective over decay |theta_0|^2 (log A)^(2/D)/2, the farthest from 1",
        ),
    ),
    seconds={"quick": 25, "paper": 400},
)

r"""Erratum: the turn of the direction is $\alpha^{-D}e^{+D\lambda t}$ times a logarithm; printed is the inverse power."""

import numpy as np

from ...lab.settings.kernel_phase import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Role
from .kernel_phase import Phase, refer

FORMS: tuple[tuple[str, Role], ...] = (("corrected", "theory"), ("printed", "control"))


def log_ratio(data, told, phase, depth, form):
    r"""$\log$ of $\|\delta\|$ over $\gamma^{-1}\alpha^{-D}e^{D\lambda t}\log(\alpha^{2(D-1)c}/\lambda)$, or the printed form."""
    power = depth * phase.left * (1 if form == "printed" else -1)
    return np.log((data.moved * told["margin"]).where(data.slow > 0)) - power - np.log(phase.log_reach)


def seen(data, log_alpha):
    """Moments (1 - c) log(alpha)/decay with c from 0.3 to 0.8: away from the start and from the end."""
    share = data.slow / log_alpha
    return (share >= 0.2) & (share <= 0.7)


def judge(data, told, log_alpha, depth, power, n, form) -> Evidence:
    """Size and direction of the turn at all moments well inside the phase."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    inside = seen(data, log_alpha)
    ratio, clock = np.exp(log_ratio(data, told, phase, depth, form)), phase.log_reach
    w = (told["kernel"].effective / told["kernel"].value).rename(d="p") / 2**0.5
    half = w.sizes["p"]
    turned = data.h / phase.size
    apart = sum(
        ((turned.isel(p=part) - sign * w) ** 2).sum("p") for part, sign in ((slice(half), 1), (slice(half, None), -1))
    )
    return Evidence(
        sound=[
            at_least(
                "fewest moments read in a run",
                inside.sum("t").min(),
                2,
                why="the law is of all c between 0 and 1",
            )
        ],
        holds=[
            at_most(
                "distance of the ratio from 1, in units of log(M)/M",
                (abs(ratio - 1) * clock / np.log(clock)).where(inside).max(),
                1,
                why="what is left out of the logarithm M is O(log log)",
            ),
            at_most(
                "distance of the direction from the kernel's, in units of 2 (log(n)/M)^(1/2)",
                (apart**0.5 / (2 * (np.log(n) / clock) ** 0.5)).where(inside).max(),
                1,
                why="the margin misses at most a share log(n)/M of the largest, and unit vectors of nearly the largest "
                "margin are near each other",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power) -> Drawing:
    """The turn against both forms, along the phase."""
    phase = Phase.of(data, told, depth=depth, log_alpha=log_alpha, power=power)
    panels = []
    for layers in depth.values:
        one = {"depth": layers, "log_alpha": log_alpha.values[-1], "power": power.values[0]}
        path = data.sel(**one).isel(trial=0)
        later = path.slow.values >= 0.1
        x, turn = path.slow.values[later] / float(log_alpha.values[-1]), np.log(path.moved.values[later])
        lines = [Line("measured", x, turn / np.log(10))]
        for form, role in FORMS:
            told_by = log_ratio(data, told, phase, depth, form).sel(**one).isel(trial=0).values[later]
            lines.append(Line(form, x, (turn - told_by) / np.log(10), role=role))
        panels.append(
            Panel(
                lines,
                x=Axis("decay x time / log(alpha)"),
                y=Axis("log10 of the turn"),
                title=f"depth {int(layers)}",
            )
        )
    return Drawing(
        panels,
        caption="How far the direction of the weights has turned, one draw at the largest scale: the corrected form lies on "
        "it; the printed one has the inverse power, and is astronomically large where the turn is small.",
    )


CLAIM = Claim(
    kind="erratum",
    title="The turn of the direction is small, not large",
    says="At (1 - c) log(alpha)/decay the direction has turned by e^(decay t) theta/alpha - theta_0 = (1/gamma) alpha^-D "
    "e^(+D decay t) log(alpha^(2(D-1)c)/decay) times the kernel's direction; printed after theorem 3.4 is the factor "
    "alpha^D e^(-D decay t).",
    source="lyu2024, section 3.2.1",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"form": "corrected"},
    control=Control(
        "the factor as printed",
        changes={"form": "printed"},
        breaks=("distance of the ratio from 1, in units of log(M)/M",),
    ),
    seconds={"quick": 20, "paper": 90},
)

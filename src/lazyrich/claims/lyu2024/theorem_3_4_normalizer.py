r"""Theorem 3.4 prints the normalizer $\log(\alpha^c/\lambda)$; its own proof gives $\log(\alpha^{2(D-1)c}/\lambda)$."""

import jax.numpy as jnp
import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.diagonal_classification import LIMITS, advance, begin, pose
from ...losses import Exponential
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule


def simulate(key, problem, *, d, depth, log_alpha, power, early):
    r"""The linear map at $(1 - c)\log\alpha/\lambda$ with $\lambda = \alpha^{-p}$, from every weight at $\alpha$."""
    decay = jnp.exp(-power * log_alpha)
    times = jnp.array([0.0, 1.0]) * (1 - early) * log_alpha / decay
    start = begin(d, alpha=jnp.exp(log_alpha), convention="per_coordinate", depth=depth)
    read = {"effective": lambda net: net.effective()}
    path = advance(problem, start, times, decay=decay, loss=Exponential(), read=read, flow=LIMITS)
    return {"effective": path.reads["effective"][-1], "outcome": path.outcome.code, "steps": path.outcome.steps}


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "log_alpha",
            (16.0, 64.0),
            (8.0, 16.0, 32.0, 64.0, 128.0),
            smoke=(16.0,),
            low=4.0,
            high=128.0,
            unit="log of every weight",
        ),
        Param("depth", (2, 3), (2, 3, 4), smoke=(2,), low=2, high=5, unit="degree", static=True),
        Param("power", (1.0, 2.0), smoke=(1.0,), low=0.25, high=3.0, unit="decay = alpha^-power"),
        Param(
            "early",
            (0.3, 0.6),
            (0.3, 0.5, 0.7),
            smoke=(0.5,),
            low=0.1,
            high=0.9,
            unit="c: the time is (1 - c) log(alpha)/decay",
        ),
        Param("n", 6, low=2, high=100, unit="samples", static=True),
        Param("d", 24, low=5, high=1_000, unit="unknowns", static=True),
        Param("sparsity", 3, low=1, high=9, unit="relevant inputs, odd", static=True),
    ],
    returns={"effective": "d", "outcome": "", "steps": ""},
)


def refer(problem):
    """The classifier of largest l2 margin: the kernel's answer, since the tangent kernel is a multiple of the inputs'."""
    from ...predictors import MaxMargin

    return {"kernel": MaxMargin("l2").solve(problem.train)}


def scaled(data, told, *, log_alpha, depth, power, early, form):
    r"""$\langle w, w_2^*\rangle\gamma_2/M$ and $M = \log(\alpha^{ec}/\lambda)$: the ratio that should tend to 1, and its clock.

    With $w_2$ of margin 1, $\gamma_2 = 1/\|w_2\|$ and $w\to M\,w_2$. The power $e$ of $\alpha^c$ is 1 as printed, and
    $2(D-1)$ as corrected.
    """
    kernel = told["kernel"]
    clock = ((1 if form == "printed" else 2 * (depth - 1)) * early + power) * log_alpha
    return (data.effective * kernel.effective).sum("d") / kernel.value**2 / clock, clock


def judge(data, told, log_alpha, depth, power, early, form) -> Evidence:
    """The ratio of the outputs to the normalizer, against 1."""
    ratio, clock = scaled(data, told, log_alpha=log_alpha, depth=depth, power=power, early=early, form=form)
    away = abs(ratio - 1)
    return Evidence(
        holds=[
            at_most(
                "distance of the ratio from 1, in units of log(M)/M",
                (away * clock / np.log(clock)).max(),
                1,
                why="the proof drops O(log log) terms from the logarithm M of the normalizer: log(M)/M relative",
            ),
            at_most(
                "distance of the ratio from 1 at the largest scale",
                away.isel(log_alpha=-1).max(),
                0.05,
                why="log(M)/M is at most 0.045 at log(alpha) = 64",
            ),
        ],
    )


def draw(data, told, log_alpha, depth, power, early) -> Drawing:
    """Both normalizers against the scale, one panel each, one line for each depth and power."""
    panels = []
    for name, form in (("corrected: alpha^(2(D-1)c)", "corrected"), ("printed: alpha^c", "printed")):
        ratio, _ = scaled(data, told, log_alpha=log_alpha, depth=depth, power=power, early=early, form=form)
        middle = ratio.median("trial").isel(early=-1)
        lines = [
            Line(f"depth {int(D)}, decay = alpha^-{float(p):g}", log_alpha.values, middle.sel(depth=D, power=p).values)
            for D in depth.values
            for p in power.values
        ]
        panels.append(
            Panel(
                [*lines, Rule("should be 1", 1.0)],
                x=Axis("log(alpha)"),
                y=Axis("outputs / normalizer", low=0.9),
                title=name,
            )
        )
    return Drawing(
        panels=panels,
        caption=f"Outputs at (1 - c) log(alpha)/decay, c = {float(early.values[-1]):g}, over the normalizer of theorem 3.4: the "
        "exponent of its proof tends to 1, the printed one to (2(D-1)c + p)/(c + p).",
    )


CLAIM = Claim(
    kind="erratum",
    title="The normalizer of the kernel phase",
    says="At (1 - c) log(alpha)/decay with decay = alpha^-p the outputs divided by (1/gamma) log(alpha^(2(D-1)c)/decay) tend to "
    "the kernel's largest-margin classifier; the printed theorem has alpha^c there, with which "
    "they tend to (2(D-1)c + p)/(c + p) times it.",
    source="lyu2024, theorem 3.4",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"form": "corrected"},
    control=Control(
        "the normalizer as printed",
        changes={"form": "printed"},
        breaks=(
            "distance of the ratio from 1, in units of log(M)/M",
            "distance of the ratio from 1 at the largest scale",
        ),
    ),
    seconds={"quick": 20, "paper": 110},
)

r"""Erratum: weight decay fails with one factor because its degree is 1, not because its initial output is nonzero."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least
from ...claims.drawing import SERIES, Drawing, Panel
from ...claims.marks import log_axis
from ...lab import Param
from .shared.depth import far_from_edge, named
from .shared.phases import STEPS, curve
from .simulations.hadamard import LARGE


def judge(data, cause) -> Evidence:
    """Which of four runs recover the ground truth, and which should by either cause."""
    found = np.isfinite(data.generalization)
    should = (data.depth > 1) | (data.twice < 0) if cause == "degree" else (data.twice > 0) | (data.depth < 0)
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            at_least(
                "fraction of trials that recover if and only if the cause predicts it, minimum over kinds of runs",
                (found == should).mean("trial").min(),
                0.8,
                key="cause",
                why=r"one factor: kernel and rich solutions are both least squares; two: weight decay is an $\ell_1$ penalty",
            ),
            at_least(
                "final error of one factor with and without initial output, minimum over trials",
                data.recovery.isel(t=-1).where(data.depth == 1).min(),
                0.45,
                key="error",
                why="the ridge solution loses half of the squared norm: a relative error of 0.71, standard deviation 0.05",
            ),
        ],
    )


def draw(data, depth, twice) -> Drawing:
    """Errors of one trial over time: both depths, with and without initial output."""
    words = {0: "nonzero initial output", 1: "zero initial output"}
    panels = []
    for layers in depth.values:
        marks = []
        for role, kind in zip(SERIES, twice.values, strict=False):
            one = data.sel(depth=layers, twice=kind).isel(trial=0)
            marks.append(curve(words[int(kind)], one.steps, one.recovery, role=role))
        panels.append(Panel(marks, STEPS, log_axis("relative recovery error"), title=named(layers).capitalize()))
    return Drawing(
        panels,
        caption="One trial from a large initialization with small weight decay, as one net and as the difference of two with "
        "equal initialization. Zero initial output does not help one factor, and two factors do not need it.",
    )


CLAIM = Claim(
    id="beyond_l2/assumption_3_2_excuse",
    kind="erratum",
    title="One factor fails for its degree, not for its initialization",
    says="The paper attributes the failure of weight decay to a nonzero initial output. As a difference of two nets with "
    "equal initialization, so from output zero, one factor still does not recover the ground truth, and two factors recover "
    "it from either initialization: the degree decides.",
    source="beyond_l2, appendix C.9",
    simulation=LARGE.with_params(
        Param("depth", (1, 2), smoke=(1, 2), low=1, high=8, unit="factors", static=True),
        Param("twice", (0, 1), smoke=(0, 1), low=0, high=1, unit="1: difference of two equal nets", static=True),
        Param("n", 50, smoke=14, low=1, high=1_000, unit="measurements"),
        Param("weight_decay", 1e-3, 2e-4, smoke=1e-2, low=1e-8, high=10.0, unit=r"$\beta_2$"),
        Param("reach", 5.0, smoke=2.0, low=0.01, high=1e3, unit=r"horizon $\alpha\beta_2t$"),
    ),
    judge=judge,
    draw=draw,
    constants={"cause": "degree"},
    least={"depth": 2, "twice": 2},
    controls=[Control("the initial output as the cause, as printed", changes={"cause": "output"}, breaks=("cause",))],
    seconds={"quick": 20, "paper": 120},
)

"""Figure 6a: test error of ReLU nets against the depth-adjusted scale of the start."""

import numpy as np

from ...lab.settings.relu_circle import SIMULATION, begin
from ..base import Claim, Control, Evidence, at_least, near
from ..drawing import Axis, Drawing, Panel, Slope
from .circle import SCALE, curves, fitted, instruments, medians, top_slope


def refer(problem):
    """The test error of the interpolant of the doubled start's tangent kernel, which no scale changes."""
    from ...predictors import KernelInterpolant

    lazy = KernelInterpolant(begin(problem.shape, alpha=1.0, doubling=1.0)).solve(problem.problem.train)
    test = problem.problem.test
    return {"lazy": lazy.value, "lazy_error": ((lazy.predict(test.x) - test.y) ** 2).mean()}


def judge(data, told, n, growth) -> Evidence:
    """Small starts err less; a large one errs as its kernel does, or by its own output where that is not zero."""
    doubled, alone = (data.error.sel(doubling=value) for value in (1.0, 0.0))
    runs = [data.sel(doubling=value) for value in (1.0, 0.0)]
    fits = fitted(runs[0], n)
    gain = np.log(doubled / doubled.isel(alpha=0)).isel(alpha=-1).where(fits.isel(alpha=0) & fits.isel(alpha=-1))
    limit = (doubled.isel(alpha=-1) / told["lazy_error"]).where(fits.isel(alpha=-1))
    return Evidence(
        sound=instruments(data, n),
        holds=[
            at_least(
                "decades of error from the smallest to the largest scale, doubled",
                gain.mean() / np.log(10),
                0.18,
                why="a factor of 1.5: the mean over draws and depths, several times that as a rule; single draws go either way",
            ),
            near(
                "error at the largest scale over that of the kernel",
                limit.median("trial").max(),
                1.0,
                0.1,
                why="the kernel limit: features turn by less than a thousandth there",
            ),
            near(
                "slope in alpha^D at the top, alone",
                top_slope(alone, runs[1], n).mean(),
                growth,
                0.25,
                why="off the data the start's own output stays, alpha^D of it, and the error is its square",
            ),
        ],
    )


def draw(data, n) -> Drawing:
    """Test error against alpha^D, with and without doubling."""
    end = float(medians(data.error, data, n).sel(doubling=0.0).isel(alpha=-1, depth=-1))
    top = float(data.alpha[-1]) ** int(data.depth[-1])
    law = Slope("alpha^(2D)", [top / 100, top], (top, end), 2.0)
    return Drawing(
        panels=[
            Panel([*curves(data.error, data, n, unbiased=1.0), law], x=SCALE, y=Axis("test error", scale="log")),
        ],
        columns=1,
        caption="Mean squared error over the circle of ReLU nets fitted to ten points of a teacher with three units; medians and "
        "quartiles over draws. Small starts err less. A doubled start ends at the error of its kernel, a start alone keeps its "
        "own output off the data.",
    )


CLAIM = Claim(
    kind="figure",
    title="ReLU nets generalize better out of the kernel regime",
    says="The test error of ReLU nets on ten points of the circle grows with the scale alpha^D of the start. With doubling it "
    "ends at the error of the tangent kernel; without, it goes on growing like alpha^(2D).",
    source="woodworth2020, figure 6a",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"growth": 2.0},
    control=Control(
        "errors that grow like the output itself and not its square",
        changes={"growth": 1.0},
        breaks=("slope in alpha^D at the top, alone",),
    ),
    least={"alpha": 2},
    seconds={"quick": 25, "paper": 900},
)

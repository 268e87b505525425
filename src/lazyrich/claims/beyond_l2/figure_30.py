"""Figure 30: from a small start without penalty two factors find the truth with the data, three abruptly, one never."""

import numpy as np

from ...lab.settings.hadamard import SMALL
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Drawing
from .depth import curves, far_from_edge, found, half_rows, one_factor, prompt, several


def abruptness(run):
    """The share of the fall of log error until the fit that lies in the steepest tenth of its steps; NaN without a fit."""
    import xarray as xr

    def one(step, train, fits):
        if not np.isfinite(fits):
            return np.nan
        until = np.diff(step) * (step[1:] <= fits)
        fall = -np.diff(np.log(train))[until > 0]
        wide = until[until > 0]
        steepest = np.argsort(-fall / wide)
        return fall[steepest][np.cumsum(wide[steepest]) <= 0.1 * fits].sum() / fall.sum()

    return xr.apply_ufunc(
        one, run.steps, run.train, run.fits, input_core_dims=[["t"], ["t"], []], vectorize=True, output_dtypes=[float]
    )


def judge(data, d) -> Evidence:
    """Who finds the truth from half of the rows, when, and how steeply."""
    deep = half_rows(several(data), d)
    two, three = deep.isel(depth=0), deep.isel(depth=1)
    ratio = (three.finds / three.fits).where(np.isfinite(three.fits))
    steep = abruptness(deep).median("trial")
    return Evidence(
        sound=[far_from_edge(data)],
        holds=[
            *one_factor(data, d),
            at_least(
                "share of draws that two factors find, from half of the rows",
                found(two).mean(),
                0.8,
                why="the paper: they recover; entries off the support are left at a power of the start",
            ),
            prompt(two),
            at_least(
                "share of draws that three factors find, from half of the rows",
                found(three).mean(),
                0.6,
                why="the paper: they recover; a draw whose truth has a small entry may not end in time",
            ),
            at_most(
                "time of recovery over that of the fit with three factors, less one, the median draw",
                abs(ratio - 1).median(),
                0.5,
                why="the paper: the delay disappears; an entry takes long to wake, and a tenth of that to grow, or a third where "
                "most draws have a small entry",
            ),
            at_least(
                "share of the fall of log error in the steepest tenth of steps: three factors less two, the median draw",
                float(steep.isel(depth=1) - steep.isel(depth=0)),
                0.1,
                why="the paper: ever more abrupt, by steps and plateaus; two factors wake in a logarithm of the start, more in "
                "a power of it",
            ),
        ],
    )


def draw(data, depth, n) -> Drawing:
    """Errors of one draw over time, for each depth."""
    return Drawing(
        curves(data, depth, n),
        columns=3,
        caption="One draw from a small start without penalty. One factor fits and never finds; two find when they fit; "
        "more find and fit together, by steps and plateaus, and later.",
    )


CLAIM = Claim(
    kind="figure",
    title="Depth finds the truth when it fits the data",
    says="From a small start without penalty one factor fits the data and misses the truth, two factors find it at about the "
    "time of the fit, and more find it just then, more abruptly and by steps.",
    source="beyond_l2, figure 30",
    simulation=SMALL,
    judge=judge,
    draw=draw,
    least={"depth": 3, "n": 2},
    control=Control(
        "a start that is not small",
        size="quick",  # deeper ones and more rows are at the edge of stability from there
        changes={"start": 3.0},
        breaks=(
            "share of draws that two factors find, from half of the rows",
            "share of draws that two factors find at 0.6 to 1.2 of the time of the fit, from half of the rows",
        ),
    ),
    seconds={"quick": 20, "paper": 500},
)

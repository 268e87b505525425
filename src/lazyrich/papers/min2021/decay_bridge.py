r"""A linear net that groks: with decay the part that no input sees is gone at $(\log\alpha + c)/\lambda$, long after the fit."""

import numpy as np

from ...lab.settings.linear_net_decay import SHARE, SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Points, Rule, Slope
from ..labelled import farthest, last_power, spread


def judge(data, alpha, decay, power) -> Evidence:
    """The time at which the unseen part is gone, less log(alpha)/decay; the time of the fit; and what the imbalance does."""
    offset = decay * data.gone - power * np.log(alpha)
    fall = last_power(data.fits, "alpha").median("trial")
    return Evidence(
        sound=[
            at_least(
                "share of runs whose unseen part is gone by the end",
                (data.gone < np.inf).mean(),
                1,
                why="times are compared only where there are times",
            )
        ],
        holds=[
            at_most(
                "spread of decay * t - log(alpha) over the starts, the largest",
                spread(offset, "alpha").max(),
                0.01,
                why="after the fit the flow depends on the start through alpha exp(-decay t) alone, up to alpha^-2 of a number "
                "of order one that the fit leaves behind: a hundredth at alpha = 8 and less",
            ),
            near(
                "power of alpha at which the time of the fit falls",
                farthest(fall, 2),
                2,
                0.1,
                why="rates are squares of weights; the targets' part of the motion is alpha^-2",
            ),
            at_least(
                "time at which the unseen part is gone, over that of the fit, the least",
                (data.gone / data.fits).min(),
                100,
                why="1/decay against 1/alpha^2: the map is fitted long before it is the right one",
            ),
            at_most(
                "imbalance less exp(-2 decay t) of the first, over the squared weights, the largest",
                data.drift.max(),
                1e-4,
                why="a law of the flow; the solver's tolerance is 1e-7 and its steps are some hundreds",
            ),
        ],
    )


def draw(data, alpha, decay) -> Drawing:
    """Errors of one run; distances of all starts on the shifted clock; and the two times against the start."""
    one = data.isel(trial=0, decay=0)
    rate = float(decay[0])
    last = one.isel(alpha=-1)
    shifted = []
    for at, a in enumerate(alpha.values):
        part = one.isel(alpha=at)
        clock = (rate * part.time - np.log(a)).values
        late = clock > -1.5
        shifted.append(Line(f"alpha = {a:g}", clock[late], part.distance.values[late], role=SERIES[at % 3]))
    gone, fits = ((rate * part).isel(decay=0).median("trial") for part in (data.gone, data.fits))
    return Drawing(
        [
            Panel(
                [
                    Line(
                        "training error, over the first", last.time[1:], (last.error / last.error[0])[1:], role="second"
                    ),
                    Line("distance from least norm, relative", last.time[1:], last.distance[1:]),
                ],
                x=Axis("time", scale="log"),
                y=Axis("error", scale="log"),
                title=f"Fitted at once, right much later (alpha = {float(alpha[-1]):g})",
            ),
            Panel(
                [*shifted, Rule("gone", SHARE)],
                x=Axis("decay * time - log(alpha)"),
                y=Axis("distance from least norm, relative", scale="log"),
                title="One curve for all starts",
            ),
            Panel(
                [
                    Points("unseen part gone", alpha, gone.values),
                    Points("fitted", alpha, fits.values, role="second"),
                    Slope("alpha^-2", alpha, (float(alpha[-1]), float(fits[-1])), -2),
                ],
                x=Axis("alpha", scale="log"),
                y=Axis("decay * time", scale="log"),
                title="Two clocks",
            ),
        ],
        columns=3,
        caption=f"Decay {rate:g}, one draw. The larger the start, the sooner the fit and the later the understanding: what "
        "inputs do not see of the start dies with the weights that hold it, at log(alpha)/decay.",
    )


CLAIM = Claim(
    kind="derived",
    title="A linear net that groks",
    says="With decay and weights of size alpha at the start, the net fits in a time like alpha^(-2), while the part of its "
    "map that no input sees falls like alpha^2 exp(-2 decay t), and like alpha exp(-decay t) once the rest is small: the error "
    "drops at (log(alpha) + c)/decay with a c that no start changes, and the imbalance is exp(-2 decay t) times the first.",
    source="min2021, section 4 with the decay of lyu2024",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("bridges/grokking_linear_net",),
    constants={"power": 1.0},
    least={"alpha": 2},
    control=Control(
        "a shift of 1.05 log(alpha)",
        changes={"power": 1.05},
        breaks=("spread of decay * t - log(alpha) over the starts, the largest",),
    ),
    seconds={"quick": 20, "paper": 200},
)

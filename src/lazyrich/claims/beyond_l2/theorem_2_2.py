r"""Theorem 2.2: near least squares after $t_1$, at the truth after $\Delta t\propto1/\alpha\beta_*$, whatever the method."""

import numpy as np

from ...lab.settings.nuclear_descent import COMPLETION, METHODS
from ..axes import side_by_side
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Points
from ..labelled import spread
from .nuclear_limits import enough, readable, slow
from .slow_flow import pace


def times_of(data):
    """The slow times of recovery, all methods side by side."""
    return side_by_side([data[f"{method}_finds"] for method in METHODS], "method")


def held(data, rate, strength, n, slack):
    r"""What known entries miss over $\rho^t$ times what they missed at first plus $\alpha\beta_*n^{1/p}(1-\rho^t)/(1-\rho)$."""
    import xarray as xr

    shrink = abs(1 - rate) ** data.steps
    ends = xr.DataArray(n ** np.array([1.0, 0.5, 0.0]), dims="p")
    settled = rate * strength * (1 - shrink) / (1 - abs(1 - rate)) * ends
    return data.subgradient_misses / (shrink * data.subgradient_misses.isel(t=0) + slack * settled)


def judge(data, told, rate, strength, n, reach, power, slack) -> Evidence:
    """The bound on known entries at all times, and times of recovery in units of rate x strength^power."""
    good = readable(told, reach)
    ratio = (times_of(data) * strength ** (power - 1) / told["finds"]).where(good, drop=True)
    weakest = ratio.isel(strength=-1)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                "what known entries miss over the bound, p = 1, 2 and infinity, the largest",
                held(data, rate, strength, n, slack).where(data.steps > 0).max(),
                1 + 1e-9,
                why="the theorem where it is no void: on known entries the data term contracts by |1 - rate| in every "
                "norm, and an entry of the polar factor is at most one; rounding",
            ),
            at_most(
                "time of recovery over the slow flow's, less one, the farthest at the least strength",
                abs(weakest - 1).max(skipna=False),
                0.03,
                why="the bias of the penalty, a few strengths, over the level, 0.03, times the share of the time spent there",
            ),
            at_most(
                "spread between the three methods over the slow flow's time, the largest at the least strength",
                spread(weakest, "method").max(skipna=False),
                0.03,
                why="one flow for all, up to the same terms",
            ),
            at_most(
                "power of rate and strength in the number of steps, plus one, the median draw",
                max(float(abs(pace(ratio, axis)).median("trial").max()) for axis in ("rate", "strength")),
                0.05,
                why="steps are T/(rate x strength); three times the bias over a factor of three is 0.05",
            ),
        ],
    )


def draw(data, told, reach) -> Drawing:
    """The error of one draw in slow time by each method, and the times of all draws beside the flow's."""
    good = readable(told, reach).values
    first = int(np.argmax(good))
    plain = data.isel(rate=0, strength=-1)
    one = plain.isel(trial=first)
    shown = one.slow.values > 0
    roles = ("measured", "second", "control")
    times = told["finds"].values[good]
    ends = [float(f(times)) for f in (np.min, np.max)] if good.any() else []
    told_time = [Event("slow flow", float(told["finds"].values[first]))] if good.any() else []
    return Drawing(
        [
            Panel(
                [
                    *(
                        Line(method, one.slow.values[shown], one[f"{method}_recovery"].values[shown], role=role)
                        for method, role in zip(METHODS, roles, strict=True)
                    ),
                    *told_time,
                ],
                x=Axis("rate x strength x steps", scale="log"),
                y=Axis("relative error of recovery", scale="log"),
                title="One draw",
            ),
            Panel(
                [
                    *(
                        Points(method, times, plain[f"{method}_finds"].values[good], role=role)
                        for method, role in zip(METHODS, roles, strict=True)
                    ),
                    Line("equal", ends, ends, role="theory"),
                ],
                x=Axis("time that the slow flow tells", scale="log"),
                y=Axis("time of recovery", scale="log"),
                title="All draws",
            ),
        ],
        caption="Completion with a small nuclear penalty. Left: three methods fit the known entries in their own time and then "
        "run as one. Right: the truth is found when the slow flow of the nuclear norm says, draw by draw.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Low rank is found in 1/(rate x strength) steps",
    says="Known entries come within alpha beta n^(1/p)/(1 - rho) of their values and stay; the truth is found after T/(alpha "
    "beta) steps, T the time of the slow flow of the nuclear norm, for subgradient, proximal and projected descent alike.",
    source="beyond_l2, theorem 2.2",
    simulation=COMPLETION,
    refer=slow,
    judge=judge,
    draw=draw,
    constants={"power": 1.0, "slack": 1.0},
    least={"rate": 2, "strength": 2},
    control=Control(
        "the root of the strength in the place of the strength, and a hundredth of it in the bound",
        changes={"power": 0.5, "slack": 0.01},
        breaks=(
            "what known entries miss over the bound, p = 1, 2 and infinity, the largest",
            "time of recovery over the slow flow's, less one, the farthest at the least strength",
            "power of rate and strength in the number of steps, plus one, the median draw",
        ),
    ),
    seconds={"quick": 20, "paper": 3600},
)

"""Figure 2c: more decay makes modular addition generalize earlier, and too much keeps it from fitting at all."""

import numpy as np

from ...lab.settings.modular_addition import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import Axis, Drawing, Panel, Points, Slope
from .addition import family, instruments


def judge(data, decay, power) -> Evidence:
    """The power of the decay in the time of half the test accuracy, and who fits in the end."""
    one = data.isel(alpha=0)
    early, late = one.t50.isel(decay=0).mean("trial"), one.t50.isel(decay=1).mean("trial")
    slope = np.log(late / early) / np.log(decay[1] / decay[0])
    train = one.train.isel(t=-1)
    return Evidence(
        sound=instruments(data),
        holds=[
            near(
                "power of the decay in the time of half the test accuracy, of the two least",
                slope,
                power,
                0.3,
                why="time goes in units of 1/decay; what the size of the held margins adds is logarithmic, 0.1 to 0.2",
            ),
            at_least(
                "training accuracy at the end, the two least decays, the least",
                train.isel(decay=slice(0, 2)).min(),
                0.99,
                why="small decays do not hinder the fit",
            ),
            at_most(
                "training accuracy at the end at the largest decay, the largest",
                train.isel(decay=-1).max(),
                0.5,
                why="beyond a threshold the weights cannot be held and training accuracy collapses",
            ),
        ],
    )


def draw(data, decay) -> Drawing:
    """Test and training accuracy against time for each decay, and the times of half the test accuracy."""
    one = data.isel(alpha=0)
    half = one.t50.transpose("decay", "trial")
    x = np.repeat(decay.values, half.sizes["trial"])
    y = half.values.ravel()
    met = np.isfinite(y)
    through = (float(decay[0]), float(half.isel(decay=0).median()))
    panels = [
        family(one, "decay", "decay"),
        family(one, "decay", "decay", train=True),
        Panel(
            [
                Points("each draw that gets there", x[met], y[met]),
                Slope("1/decay", [float(x[met].min()), float(x[met].max())], through, -1),
            ]
            if met.any()
            else [],
            x=Axis("decay", scale="log"),
            y=Axis("time of half the test accuracy", scale="log"),
            title="Half the test accuracy",
        ),
    ]
    return Drawing(
        panels,
        columns=3,
        caption="Modular addition at several decays: the jump of the test accuracy comes earlier in proportion to 1/decay, until "
        "the decay is so large that nothing is fitted.",
    )


CLAIM = Claim(
    kind="figure",
    title="More decay, earlier grokking, then collapse",
    says="From a He start the jump of the test accuracy on modular addition comes earlier with more decay, about like 1/decay; "
    "beyond a threshold the training accuracy collapses.",
    source="lyu2024, figure 2c",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"power": -1.0},
    sizes={
        "smoke": {"decay": (1e-3, 3e-3, 1e-1)},
        "quick": {"decay": (1e-4, 5e-4, 1e-2)},
        "paper": {"decay": (3e-5, 1e-4, 3e-4, 1e-3, 1e-2), "trials": 2},
    },
    least={"decay": 3},
    control=Control(
        "the same time at every decay",
        changes={"power": 0.0},
        breaks=("power of the decay in the time of half the test accuracy, of the two least",),
    ),
    seconds={"quick": 35, "paper": 200},
)

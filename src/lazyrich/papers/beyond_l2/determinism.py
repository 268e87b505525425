r"""No stochasticity is needed: descent from zero, without anything random, groks as descent from a small random start does."""

import jax.numpy as jnp
import numpy as np

from ...lab import Simulation
from ...lab.settings.sparse_phases import ONE, pose
from ..base import Claim, Control, Evidence, at_most
from ..drawing import Axis, Drawing, Event, Line, Panel, Points
from .phases import enough, judged, refer

WHOLE = ONE["subgradient"]


def simulate(key, problem, *, share, d, sparsity, start, rate, strength, steps, level, moments):
    """Two runs of one program on one draw, and a third from zero."""
    values = {"share": share, "d": d, "sparsity": sparsity, "rate": rate, "strength": strength, "steps": steps}
    values |= {"level": level, "moments": moments}
    first, again = (WHOLE.program(key, values | {"start": start}) for _ in range(2))
    still = WHOLE.program(key, values | {"start": 0.0})
    return {
        "apart": max(float(jnp.abs(first[name] - again[name]).max()) for name in ("train", "recovery", "end")),
        **{name: first[name] for name in ("step", "train", "recovery", "fits", "finds", "outcome")},
        **{f"{name}_from_zero": still[name] for name in ("train", "recovery", "fits", "finds")},
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    host=True,
    params=[param for param in WHOLE.params if param.name != "trials"],
    returns={
        "apart": "",
        **dict.fromkeys(("step", "train", "recovery", "train_from_zero", "recovery_from_zero"), "t"),
        **dict.fromkeys(("fits", "finds", "fits_from_zero", "finds_from_zero", "outcome"), ""),
    },
)


def judge(data, told, strength, level, reach) -> Evidence:
    """Two runs agree to the last bit, and a start at zero changes neither the delay nor its time."""
    good = judged(told, strength=strength, level=level, reach=reach)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                "largest difference of two runs of one draw",
                data.apart.max(),
                0,
                why="the same numbers in the same order: no bit may differ",
            ),
            at_most(
                "steps to fit over steps to find from zero, the largest",
                (data.fits_from_zero / data.finds_from_zero).where(good).max(),
                0.2,
                why="late recovery without anything random: one phase takes some multiples of 1/(rate x curvature), the "
                "other a time of order one over rate x strength",
            ),
            at_most(
                "logarithm of steps to find from a small random start over those from zero, the farthest",
                abs(np.log(data.finds / data.finds_from_zero)).where(good).max(),
                5e-3,
                why="starts of size 1e-6 part solutions by as much; readings are 3% apart in time, and times between them "
                "off by the square of that",
            ),
        ],
    )


def draw(data, told, rate, strength) -> Drawing:
    """One draw from a small random start and from zero."""
    one = data.isel(trial=0)
    shown = one.step.values > 0
    x = one.step.values[shown]
    found = float(told["finds"].isel(trial=0)) / (rate * strength)
    return Drawing(
        [
            Panel(
                [
                    Line("training", x, one.train.values[shown], role="second"),
                    Line("recovery", x, one.recovery.values[shown]),
                    Points("recovery, from zero", x[::20], one.recovery_from_zero.values[shown][::20], role="control"),
                    *([Event("slow flow", found)] if np.isfinite(found) else []),
                ],
                x=Axis("steps", scale="log"),
                y=Axis("relative error", scale="log"),
            )
        ],
        columns=1,
        caption="Subgradient descent on one draw, from a small random start and from zero: the same late recovery.",
    )


CLAIM = Claim(
    kind="statement",
    title="Nothing random is needed",
    says="Grokking of sparse recovery needs no stochasticity: full-batch descent from zero recovers as late as from a small "
    "random start, and two runs agree to the last bit.",
    source="beyond_l2, appendix A (grokking and stochasticity)",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    sizes={"paper": {"strength": 3e-5, "reach": 6.0}},
    control=Control(
        "a large random start",
        changes={"start": 10.0},
        breaks=("logarithm of steps to find from a small random start over those from zero, the farthest",),
    ),
    seconds={"quick": 10, "paper": 250},
)

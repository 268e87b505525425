r"""No stochasticity is needed: gradient descent from zero groks as gradient descent from a small random initialization does."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most
from ...claims.drawing import Drawing, Event, Points
from ...claims.marks import one_panel
from ...lab import Simulation
from .shared.phases import ERROR, STEPS, curve, enough, judged, predict
from .shared.times import memorized_first
from .simulations.sparse_phases import ONE, make_problem

WHOLE = ONE["subgradient"]


def simulate(key, problem, *, sampling_ratio, d, sparsity, init_scale, learning_rate, strength, steps, level, moments):
    """Two runs of one program on one trial, and a third one initialized at zero."""
    import jax.numpy as jnp

    values = {
        "sampling_ratio": sampling_ratio,
        "d": d,
        "sparsity": sparsity,
        "learning_rate": learning_rate,
        "strength": strength,
    }
    values |= {"steps": steps, "level": level, "moments": moments}
    first, again = (WHOLE.program(key, values | {"init_scale": init_scale}) for _ in range(2))
    still = WHOLE.program(key, values | {"init_scale": 0.0})
    return {
        "apart": max(float(jnp.abs(first[name] - again[name]).max()) for name in ("train", "recovery", "end")),
        **{name: first[name] for name in ("step", "train", "recovery", "memorization", "generalization", "outcome")},
        **{f"{name}_from_zero": still[name] for name in ("train", "recovery", "memorization", "generalization")},
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    host=True,
    params=[param for param in WHOLE.params if param.name != "trials"],
    returns={
        "apart": "",
        **dict.fromkeys(("step", "train", "recovery", "train_from_zero", "recovery_from_zero"), "t"),
        **dict.fromkeys(("memorization", "generalization", "memorization_from_zero", "generalization_from_zero", "outcome"), ""),
    },
)


def judge(data, theory, strength, level, reach) -> Evidence:
    """Two runs agree to the last bit, and an initialization at zero changes neither the delay nor its time."""
    good = judged(theory, strength=strength, level=level, reach=reach)
    ratio = (data.memorization_from_zero / data.generalization_from_zero).where(good).max()
    name, why = "largest difference between two runs of one trial", "the same operations in the same order: no bit may differ"
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(name, data.apart.max(), 0, key="bitwise", why=why),
            memorized_first(ratio, 0.2, "from zero, maximum", key="late"),
            at_most(
                "log of the recovery time from a small random initialization over that from zero, maximum",
                abs(np.log(data.generalization / data.generalization_from_zero)).where(good).max(),
                5e-3,
                key="same_time",
                why="initializations of size 1e-6 move solutions by as much; interpolated times are accurate to the square of 3%",
            ),
        ],
    )


def draw(data, theory, learning_rate, strength) -> Drawing:
    """One trial from a small random initialization and from zero."""
    one = data.isel(trial=0)
    zero = curve("recovery, from zero", one.step, one.recovery_from_zero)
    found = float(theory["generalization"].isel(trial=0)) / (learning_rate * strength)
    marks = [
        curve("training", one.step, one.train, role="second"),
        curve("recovery", one.step, one.recovery),
        Points(zero.name, zero.x[::20], zero.y[::20], role="control"),
        *([Event("slow flow", found)] if np.isfinite(found) else []),
    ]
    caption = "Subgradient descent on one trial, from a small random initialization and from zero: the same late recovery."
    return one_panel(marks, STEPS, ERROR, caption)


CLAIM = Claim(
    id="beyond_l2/determinism",
    kind="statement",
    title="Grokking needs no randomness",
    says="Grokking of sparse recovery needs no stochasticity: full-batch gradient descent from zero recovers the ground truth as "
    "late as from a small random initialization, and two runs agree to the last bit.",
    source="beyond_l2, appendix A (grokking and stochasticity)",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    sizes={"paper": {"strength": 3e-5, "reach": 6.0}},
    controls=[Control("a large random initialization", changes={"init_scale": 10.0}, breaks=("same_time",))],
    seconds={"quick": 10, "paper": 250},
)

r"""After memorization the test error is one function of $\alpha\beta t$, for each of four penalties."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, slug
from ...claims.drawing import Drawing, Panel, Rule
from ...claims.marks import log_axis
from .relu_students import fell, instrument
from .shared.phases import curve
from .simulations.teacher_student import PENALTIES, SIMULATION, USUAL

# A training error that still falls moves the outputs by its square root: by 1% of the test error's at 1e-4 of it.
FITTED = 1e-4
GRID = 40


def spreads(data, strength, clock):
    """Per penalty and trial: the largest relative distance between the curves of all runs, and by how much they fall."""
    shape = [data.sizes[axis] for axis in ("penalty", "trial")]
    apart, fallen = np.full(shape, np.nan), np.ones(shape)
    for place in np.ndindex(*shape):
        one = data.isel(penalty=place[0], trial=place[1])
        runs = [
            _since_fit(one.isel(learning_rate=i, strength=j), float(strength[j]) ** (clock - 1))
            for i, j in np.ndindex(data.sizes["learning_rate"], data.sizes["strength"])
        ]
        low, high = max(x.min(initial=np.inf) for x, _ in runs), min(x.max(initial=-np.inf) for x, _ in runs)
        if low < high:
            grid = np.linspace(low, high, GRID)
            tests = np.array([np.interp(grid, x, y) for x, y in runs])
            each = np.exp(tests[:, (tests > 0).all(axis=0)])  # where all are above the best constant predictor
            if each.size:
                apart[place] = (each.max(axis=0) / each.min(axis=0)).max() - 1
                fallen[place] = each.max() / each.min()
    return apart, fallen


def _since_fit(run, unit: int | float):
    """Logarithms of the rescaled time and of the test error, from memorization on."""
    fitted = np.logical_or.accumulate(run.train.values <= FITTED * run.test.values)
    return np.log(run.slow.values[fitted] * unit), np.log(run.test.values[fitted])


def judge(data, strength, method, clock) -> Evidence:
    r"""Test errors of all learning rates and strengths against $\alpha\beta t$, from memorization on."""
    apart, fallen = spreads(data, strength, clock)
    return Evidence(
        sound=[
            *instrument(data, method),
            at_least("factor by which errors fall, minimum", fallen.min(), 2, key="fall", why="constant curves always coincide"),
        ],
        holds=[
            fell(data),
            *(
                at_most(
                    f"largest over smallest test error at one rescaled time, minus one, {PENALTIES[int(which)]} penalty, median",
                    np.median(apart[at]),
                    0.03,
                    key=f"collapse_{slug(PENALTIES[int(which)])}",
                    why=r"one slow flow, up to what is left of the training error, 1% twice, and terms of order $\beta$ and "
                    r"$\alpha$; single trials are farther off, where a unit becomes active at another step",
                )
                for at, which in enumerate(data.penalty.values)
            ),
        ],
    )


def draw(data, learning_rate, strength) -> Drawing:
    """The test errors of one trial against rescaled time, every learning rate and strength, a panel for each penalty."""
    x, y, panels = log_axis(r"rescaled time $\alpha\beta t$"), log_axis("test error / variance of the teacher"), []
    for at, which in enumerate(data.penalty.values):
        lines = []
        for i, j in np.ndindex(data.sizes["learning_rate"], data.sizes["strength"]):
            run = data.isel(penalty=at, learning_rate=i, strength=j, trial=0)
            name = rf"$\alpha$ = {float(learning_rate[i]):g}, $\beta$ = {float(strength[j]) * USUAL[int(which)]:g}"
            lines.append(curve(name, run.slow, run.test))
        panels.append(Panel([*lines, Rule("best constant predictor", 1.0)], x, y, title=f"{PENALTIES[int(which)]} penalty"))
    return Drawing(
        panels,
        caption=r"Test errors of a ReLU student, one trial. The curves differ during memorization, which takes place in time "
        r"$\alpha t$, and then collapse: the penalty acts in time $\alpha\beta t$.",
    )


CLAIM = Claim(
    id="beyond_l2/penalty_collapse",
    kind="derived",
    title="Four penalties, one rescaled time",
    says=r"After memorization, the test error of a ReLU student depends on the learning rate $\alpha$, the regularization "
    r"strength $\beta$ and the step $t$ through $\alpha\beta t$ alone: with an $\ell_1$, $\ell_2$, nuclear-norm or Sobolev "
    "penalty, to 3% as long as it is above that of the best constant predictor.",
    source="beyond_l2, section 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"clock": 1.0},
    # At six times the usual strength l1 deviates by 5%, at three times by 1.6%: in proportion to the strength.
    sizes={"paper": {"strength": (1.5, 3.0)}},
    least={"learning_rate": 2, "strength": 2},
    controls=[
        Control(r"rescaled time $\alpha\sqrt{\beta}\,t$", {"clock": 0.5}, [f"collapse_{slug(name)}" for name in PENALTIES])
    ],
    seconds={"quick": 45, "paper": 1_300},
)

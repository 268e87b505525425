r"""After the fit the test error is one function of rate x strength x steps, for each of four penalties."""

import numpy as np

from ...lab.settings.teacher_student import PENALTIES, SIMULATION, USUAL
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Rule
from .student import fell, instrument

# A training error that still falls moves outputs by its root: 1% of the test error's where it is 1e-4 of it.
FITTED = 1e-4
GRID = 40


def spreads(data, strength, clock):
    """Of each penalty and draw: how far the curves of all runs are apart, relative, and by how much they fall meanwhile."""
    shape = [data.sizes[axis] for axis in ("penalty", "trial")]
    apart, fallen = np.full(shape, np.nan), np.ones(shape)
    for place in np.ndindex(*shape):
        one = data.isel(penalty=place[0], trial=place[1])
        runs = [
            _since_fit(one.isel(rate=i, strength=j), float(strength[j]) ** (clock - 1))
            for i in range(data.sizes["rate"])
            for j in range(data.sizes["strength"])
        ]
        low, high = max(x.min(initial=np.inf) for x, _ in runs), min(x.max(initial=-np.inf) for x, _ in runs)
        if low < high:
            grid = np.linspace(low, high, GRID)
            tests = np.array([np.interp(grid, x, y) for x, y in runs])
            kept = tests[:, (tests > 0).all(axis=0)]
            if kept.shape[1]:
                each = np.exp(kept)
                apart[place] = (each.max(axis=0) / each.min(axis=0)).max() - 1
                fallen[place] = each.max() / each.min()
    return apart, fallen


def _since_fit(run, unit: float):
    """Logarithms of the clock and of the test error, from the fit on."""
    fitted = np.cumsum(run.train.values <= FITTED * run.test.values) > 0
    return np.log(run.slow.values[fitted] * unit), np.log(run.test.values[fitted])


def name_of(which) -> str:
    """The reading of one penalty."""
    return (
        f"largest over smallest test error at one time of the clock, less one, {PENALTIES[int(which)]}, the median draw"
    )


def judge(data, strength, method, clock) -> Evidence:
    """Curves of all rates and strengths against rate x strength x steps, from the fit until the error is that of a constant."""
    apart, fallen = spreads(data, strength, clock)
    return Evidence(
        sound=[
            *instrument(data, method),
            at_least(
                "fall of the error over the times compared, the least",
                fallen.min(),
                2,
                why="curves that do not fall agree on any clock",
            ),
        ],
        holds=[
            fell(data),
            *(
                at_most(
                    name_of(which),
                    np.median(apart[at]),
                    0.03,
                    why="one slow flow, up to what is left of the fit, 1% twice, and terms of the order of the "
                    "strength and of the rate; single draws are farther off, where a unit switches sides at another step",
                )
                for at, which in enumerate(data.penalty.values)
            ),
        ],
    )


def draw(data, rate, strength) -> Drawing:
    """The test errors of one draw on the clock, every rate and strength, a panel for each penalty."""
    panels = []
    for at, which in enumerate(data.penalty.values):
        lines = []
        for i, j in np.ndindex(data.sizes["rate"], data.sizes["strength"]):
            run = data.isel(penalty=at, rate=i, strength=j, trial=0)
            shown = run.step.values > 0
            name = f"rate {float(rate[i]):g}, strength {float(strength[j]) * USUAL[int(which)]:g}"
            lines.append(Line(name, run.slow.values[shown], run.test.values[shown]))
        panels.append(
            Panel(
                [*lines, Rule("best constant", 1.0)],
                x=Axis("rate x strength x steps", scale="log"),
                y=Axis("test error / variance", scale="log"),
                title=f"{PENALTIES[int(which)]} penalty",
            )
        )
    return Drawing(
        panels,
        caption="Test errors of a ReLU student, one draw. The curves part while the data are fitted, by a clock of rate x steps, "
        "and then run as one: the penalty's clock is rate x strength x steps.",
    )


CLAIM = Claim(
    kind="derived",
    title="Four penalties, one clock",
    says="Once the data are fitted, the test error of a ReLU student depends on rate, strength and steps through their product "
    "alone: with an l1, l2, nuclear or Sobolev penalty, to 3% while it is above that of the best constant.",
    source="beyond_l2, section 3",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"clock": 1.0},
    # At six times the usual strength l1 is 5% off, at three times 1.6%: in proportion to the strength.
    sizes={"paper": {"strength": (1.5, 3.0)}},
    least={"rate": 2, "strength": 2},
    control=Control(
        "the root of the strength on the clock",
        changes={"clock": 0.5},
        breaks=tuple(name_of(which) for which in range(len(PENALTIES))),
    ),
    seconds={"quick": 45, "paper": 1_300},
)

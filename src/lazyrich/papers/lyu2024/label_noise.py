"""Label noise: a net fits at once, and noise on the labels carries it to the sparse answer after 1/rate^2 steps."""

import numpy as np

from ...lab.settings.label_noise import SIMULATION
from ..base import Claim, Control, Evidence, at_least, at_most, near
from ..drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from .drift import recovers

# The plateau in slow time: long after the fit, long before the drift shows.
PLATEAU = (0.002, 0.01)


def refer(problem):
    r"""The end of the drift: the least $\sum_km_k|w_k|$ among interpolants, $m_k$ the mean square of input $k$."""
    from ...predictors import MinL1

    late = MinL1(weights=(problem.train.x**2).mean(0)).solve(problem.train)
    return {"late": late, "late_loss": np.sum((late.effective - np.asarray(problem.truth)) ** 2)}


def law(data, rate, noise):
    """The population loss that theory says: that of the drift, and what the noise adds around it."""
    return data.told + rate * noise**2 * data.flutter


def judge(data, told, rate, noise, span) -> Evidence:
    """Fit at once, stay where the flow without noise ends, follow the drift, end at the sparse answer."""
    finest = int(np.argmin(rate.values))
    theory = law(data, rate, noise)
    off = (data.test - theory).where(data.clock >= PLATEAU[0] * span).mean("trial").isel(rate=finest)
    early = (data.clock >= PLATEAU[0] * span) & (data.clock <= PLATEAU[1] * span)
    plateau = (data.test.where(early).mean("t") / theory.where(early).mean("t")).mean("trial").isel(rate=finest)
    return Evidence(
        sound=[
            recovers(told),
        ],
        holds=[
            at_most(
                "time to fit over the whole time",
                (data.fits / span).median("trial").max(),
                0.01,
                why="fitted in n/(rate x curvature) steps, a few dozen, of the 1/rate^2 that the drift takes",
            ),
            near(
                "population loss once fitted, over that of theory",
                plateau,
                1,
                0.25,
                why="the gradient flow's limit, and what the noise adds to first order in rate x curvature, here 0.3 on a "
                "third of the loss; the rest is the noise of 16 runs",
            ),
            at_most(
                "population loss against theory, root mean square over time",
                (off**2).mean("t") ** 0.5,
                0.05,
                why="second order in rate x curvature: a tenth of a loss of 0.5; the noise of 16 runs is below half of that",
            ),
            at_most(
                "population loss at the end, the median",
                data.test.isel(rate=finest, t=-1).median("trial"),
                0.05,
                why="the sparse truth to 5%: the noise leaves 4 rate |w|_1, less than 0.02",
            ),
            at_least(
                "population loss of the gradient flow's limit, the median",
                data.told.isel(rate=finest, t=0).median("trial"),
                0.15,
                why="half of the unknowns are not seen: a kernel misses 1 - n/d of the truth; a start this small some less",
            ),
        ],
    )


def draw(data, rate, noise) -> Drawing:
    """One draw of the data: losses against steps, and the same curves on the clock of the drift."""
    panels = []
    for title, unit in (
        ("In steps: the later the smaller the rate", False),
        ("On the clock of the drift: one curve", True),
    ):
        marks = []
        for at, each in enumerate(rate.values):
            one = data.sel(rate=each).isel(trial=0, t=slice(1, None))
            x = (one.clock if unit else one.clock / each**2).values
            role = SERIES[at % 3]
            marks.append(Line(f"population loss, rate {each:g}", x, one.test.values, role=role))
            if not unit and each == rate.values.min():
                marks.append(Line(f"training loss, rate {each:g}", x, one.train.values, role="control"))
            theory = law(data, rate, noise).sel(rate=each).isel(trial=0, t=slice(1, None))
            marks.append(Line(f"theory, rate {each:g}", x, theory.values, role="theory"))
        settled = float(data.told.isel(trial=0, rate=0, t=0))
        axis = Axis("rate^2 x steps") if unit else Axis("steps", scale="log")
        y = Axis("loss", low=0.0, high=1.0) if unit else Axis("loss", scale="log", low=3e-3, high=2.0)
        panels.append(Panel([*marks, Rule("limit of the gradient flow", settled)], x=axis, y=y, title=title))
    return Drawing(
        panels=panels,
        caption="Noise on the labels moves a fitted net along its interpolants as a decay would, of a strength in proportion to "
        "the rate and to the mean square of each input: the loss may rise before it falls to that of the sparse truth. "
        "Dashed: this drift with what the noise adds around it, told beforehand.",
    )


CLAIM = Claim(
    kind="figure",
    title="Grokking by label noise: flatter, hence sparser",
    says="With fresh noise on each label a diagonal net fits within some 1/rate steps and then has the population loss of the "
    "gradient flow's limit; after some 1/rate^2 steps it falls to that of the sparse truth, along a curve of rate^2 x steps.",
    source="lyu2024, appendix B.2",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    control=Control(
        "a tenth of the noise over as many steps",
        changes={"noise": 0.1, "rate": (5e-3,)},
        breaks=("population loss at the end, the median",),
    ),
    seconds={"quick": 15, "paper": 450},
)

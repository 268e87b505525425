"""Figure 4: without weight decay modular addition is learned too, at times that are powers of ten with large exponents."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import Axis, Band, Drawing, Line
from ...claims.marks import one_panel
from .shared.readings import at_chance, final_accuracy
from .simulations.addition_without_decay import SIMULATION

STOPPED = r"stopped near $t = 10^4$, where with weight decay the transition is over"


def instruments(data) -> list[Reading]:
    """How often a step raised the loss, after which steps are shorter."""
    name, raised = "fraction of steps that raised the loss, largest over trials", (data.rises / data.taken.isel(t=-1)).max()
    why = "each shortens all later steps by a factor of 0.7; more would not approximate a flow"
    return [at_most(name, raised, 0.1, key="rises", why=why)]


def judge_a(data, modulus) -> Evidence:
    """Fit early with test accuracy near chance; 10% after exponentially more time; test accuracy still climbing."""
    return Evidence(
        sound=instruments(data),
        holds=[
            at_most(
                r"$\log_{10}$ of the time to fit, largest over trials",
                data.memorization.max(),
                4,
                key="memorization",
                why=r"the loss falls at a rate of order 1/100 from He initialization; the paper's curve is at 1 by $10^4$",
            ),
            at_chance(data, modulus),
            at_least(
                r"$\log_{10}t$ at 10% test accuracy over $\log_{10}t$ at the fit, median over trials",
                (data.t10.clip(max=data.log_time.isel(t=-1)) / data.memorization).median(),
                2,
                key="delay",
                why="exponentially longer: at least the square of the time to fit until 10%",
            ),
            final_accuracy(data, 0.5, why="the same implicit bias without weight decay: test accuracy climbs towards 1"),
        ],
    )


def judge_b(data, growth) -> Evidence:
    """How far apart in log t test accuracies of 10% and 50% are, and how the loss depends on time."""
    last = data.isel(t=-1)
    early, late = (data[name].clip(max=last.log_time) for name in ("t10", "t50"))
    slope = -last.loss / np.log(10) / last.log_time
    return Evidence(
        sound=instruments(data),
        holds=[
            at_least(
                r"$\log_{10}t$ at 50% test accuracy over $\log_{10}t$ at 10%, median over trials",
                (late / early).median(),
                1.5,
                key="width",
                why=r"not sharp: $\log t$ grows by half and more; with weight decay $t$ itself does not grow tenfold",
            ),
            near(
                r"final $\log_{10}(1/\mathcal{L})$ over $\log_{10}t$, median over trials",
                slope.median(),
                growth,
                0.15,
                key="loss",
                why=r"$\mathcal{L}$ is $1/t$ up to powers of $\log t$: two or three decades in tens",
            ),
        ],
    )


def draw(data, scale, caption) -> Drawing:
    """Train and test accuracy of the first trial against log10 of time, and the range of all trials at the same step."""
    one = data.isel(trial=0)
    shown = one.log_time.values > 1
    time, test = one.log_time.values[shown], data.test.isel(t=shown)
    marks = [
        Line("train accuracy", time, one.train.values[shown], role="second"),
        Band("test accuracy, all trials at the same step", time, test.min("trial").values, test.max("trial").values),
        Line("test accuracy", time, one.test.values[shown]),
    ]
    return one_panel(marks, Axis(r"$\log_{10}t$", scale=scale), Axis("accuracy", low=0.0, high=1.04), caption)


AT_LENGTH = (
    r"Modular addition without weight decay, by gradient descent with learning rate $\eta/\mathcal{L}$: time is the sum of "
    "all learning rates. The net generalizes, but only over tens of powers of ten."
)
NOT_SHARP = (
    r"Modular addition without weight decay against $\log_{10}t$, itself on a logarithmic axis: the climb of test accuracy "
    "takes a good part of it. With weight decay it takes less than a factor of ten in time itself."
)
figure = partial(Claim, kind="figure", simulation=SIMULATION, sizes={"paper": {"trials": 2}}, seconds={"quick": 20, "paper": 150})
CLAIMS = (
    figure(
        id="lyu2024/figure_4a",
        title="Without weight decay grokking takes exponentially long",
        says="Without weight decay the net of figure 2 fits its training pairs by $t = 10^4$ with test accuracy at chance; test "
        r"accuracy then climbs towards 1 all the same, while $\log t$ itself grows by orders of magnitude.",
        source="lyu2024, figure 4a",
        judge=judge_a,
        draw=partial(draw, scale="linear", caption=AT_LENGTH),
        aliases=("figure_4",),
        controls=[Control(STOPPED, changes={"steps": 300}, breaks=("delay", "final"), size="quick")],
    ),
    figure(
        id="lyu2024/figure_4b",
        title="Without weight decay the transition is not sharp",
        says=r"Without weight decay test accuracy on modular addition climbs slowly even in $\log\log t$: from 10% to 50% "
        r"$\log t$ grows by a factor of 1.5 or more; the loss meanwhile falls like $1/t$.",
        source="lyu2024, figure 4b",
        judge=judge_b,
        draw=partial(draw, scale="log", caption=NOT_SHARP),
        constants={"growth": 1.0},
        controls=[Control(STOPPED, changes={"steps": 300}, breaks=("width",), size="quick")],
    ),
)

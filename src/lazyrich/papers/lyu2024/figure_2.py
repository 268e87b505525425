"""Figure 2: a two-layer ReLU net with small weight decay groks modular addition."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import SERIES, Axis, Drawing, Line, Panel, Rule
from ...claims.marks import log_axis, one_panel
from ...lab.simulations.modular_addition import ENOUGH, SIMULATION
from .shared.marks import TIME, accuracies, each_trial
from .shared.readings import at_chance, final_accuracy

ACCURACY = Axis("accuracy", low=0.0, high=1.04)
HALF = "Time of 50% test accuracy"


def instruments(data) -> list[Reading]:
    """How well the flow keeps what it conserves, whatever the data."""
    size = (data.length.isel(t=-1) / data.length.max("t")) ** 2
    name = "error of the conserved quantities, over the largest squared norm"
    why = "at most a tenth of the tolerance: errors of many steps and weights do not add up"
    return [at_most(name, (size * data.conservation).max(), 0.02, key="conservation", why=why)]


def judge_a(data, weight_decay, modulus) -> Evidence:
    """Fit early with test accuracy near chance; half of the test set at a few times 1/weight_decay; nearly all in the end."""
    return Evidence(
        sound=instruments(data),
        holds=[
            at_most(
                "time to fit over time of 50% test accuracy, median over trials",
                (data.memorization / np.minimum(data.t50, data.time.isel(t=-1))).median(),
                0.1,
                key="memorization",
                why=r"the paper: $10^6$ steps against $10^7$",
            ),
            at_chance(data, modulus),
            near(
                r"$\lambda t$ of 50% test accuracy, median over trials",
                (data.t50 * weight_decay).median(),
                3,
                2,
                key="t50",
                why=r"the norm decays like $e^{-\lambda t}$: the transition takes a few units of $1/\lambda$ on any data",
            ),
            final_accuracy(data, 0.9, why="the paper's curve ends at 1; runs end at 0.98"),
        ],
    )


def judge_b(data, alpha, weight_decay, factor) -> Evidence:
    """50% test accuracy comes later with every scale, at the largest ones by the logarithm of their ratio."""
    slow = (data.t50 * weight_decay).isel(weight_decay=0)
    shift = (slow.isel(alpha=-1) - slow.isel(alpha=-2)).mean("trial") / np.log(alpha[-1] / alpha[-2])
    return Evidence(
        sound=instruments(data),
        holds=[
            at_least(
                r"smallest delay between neighboring $\alpha$, in units of $1/\lambda$, median over trials",
                slow.median("trial").diff("alpha").min(),
                0.2,
                key="delay",
                why=r"at least a fifth of $\log 3$ for a factor of 3 and more, even where $\alpha$ is not yet large",
            ),
            near(
                r"delay between the two largest $\alpha$ over that of $\log\alpha$, mean over trials",
                shift,
                factor,
                0.4,
                key="shift",
                why=r"$\alpha$ enters by $\alpha e^{-\lambda t}$ once it is large; 0.4 is two standard errors of four trials",
            ),
            final_accuracy(data, 0.85, why="generalization is delayed, not prevented: every curve ends near 1"),
        ],
    )


def judge_c(data, weight_decay, power) -> Evidence:
    """The power of the weight decay in the time of 50% test accuracy, and which runs fit in the end."""
    one = data.isel(alpha=0)
    early, late = (one.t50.isel(weight_decay=at).mean("trial") for at in (0, 1))
    slope = np.log(late / early) / np.log(weight_decay[1] / weight_decay[0])
    train = one.train.isel(t=-1)
    return Evidence(
        sound=instruments(data),
        holds=[
            near(
                r"exponent of $\lambda$ in the time of 50% test accuracy, two smallest $\lambda$",
                slope,
                power,
                0.3,
                key="exponent",
                why=r"time scales as $1/\lambda$; the size of the margins adds a logarithm, 0.1 to 0.2",
            ),
            at_least(
                r"final train accuracy at the two smallest $\lambda$, smallest over trials",
                train.isel(weight_decay=slice(0, 2)).min(),
                0.99,
                key="memorization",
                why="small weight decay does not prevent the fit",
            ),
            at_most(
                r"final train accuracy at the largest $\lambda$, largest over trials",
                train.isel(weight_decay=-1).max(),
                0.5,
                key="collapse",
                why="beyond a threshold the weights cannot be sustained and train accuracy collapses",
            ),
        ],
    )


def draw_a(data, modulus) -> Drawing:
    """Accuracies against time."""
    shown = data.isel(weight_decay=0, alpha=0, t=slice(1, None))
    curves = accuracies(shown.time.isel(trial=0).values, shown.train, shown.test)
    return one_panel(
        [*curves, Rule("chance", 1 / modulus)],
        TIME,
        ACCURACY,
        "Addition modulo a prime by a two-layer ReLU net with weight decay: the training pairs are memorized early, the "
        f"test pairs are predicted much later. Each run stops at a test accuracy of {ENOUGH:.0%}.",
    )


def curves(data, axis: str, label: str, *, train: bool = False) -> Panel:
    """Accuracies of the median trial against time, one curve for each value of an axis, at most as many as look apart."""
    members = data[axis].values
    chosen = members if members.size <= len(SERIES) else members[[0, members.size // 2, -1]]
    marks = []
    for value, role in zip(chosen, SERIES, strict=False):
        one = data.sel({axis: value}).isel(t=slice(1, None))
        curve = (one.train if train else one.test).median("trial")
        marks.append(Line(f"{label} = {value:g}", one.time.isel(trial=0).values, curve.values, role=role))
    return Panel([*marks, Rule("50%", 0.5)], TIME, ACCURACY, title="Training" if train else "Test")


def draw_b(data, alpha, weight_decay) -> Drawing:
    """Test accuracy against time for each scale, and the times of 50% against the scale."""
    slow = (data.t50 * weight_decay).isel(weight_decay=0).transpose("alpha", "trial")
    x = np.repeat(alpha.values, slow.sizes["trial"])
    through = (float(alpha[-1]), float(np.exp(slow.isel(alpha=-1).median())))
    marks = each_trial(x, np.exp(slow.values.ravel()), r"proportional to $\alpha$", 1, through)
    axes = log_axis(r"$\alpha$"), log_axis(r"$e^{\lambda t}$ at 50% test accuracy")
    return Drawing(
        [curves(data.isel(weight_decay=0), "alpha", r"$\alpha$"), Panel(marks, *axes, title=HALF)],
        caption=r"Modular addition with the first layer at $\alpha$ times its He initialization and the last layer at zero: a "
        r"larger initialization delays the transition, at large $\alpha$ by $\log(\alpha)/\lambda$.",
    )


def draw_c(data, weight_decay) -> Drawing:
    """Test and train accuracy against time for each weight decay, and the times of 50% test accuracy."""
    one = data.isel(alpha=0)
    half = one.t50.transpose("weight_decay", "trial")
    x, y = np.repeat(weight_decay.values, half.sizes["trial"]), half.values.ravel()
    met = np.isfinite(y)
    through, name = (float(weight_decay[0]), float(half.isel(weight_decay=0).median())), "each trial that reaches 50%"
    marks = each_trial(x[met], y[met], r"$1/\lambda$", -1, through, name) if met.any() else []
    panels = [curves(one, "weight_decay", r"$\lambda$", train=train) for train in (False, True)]
    return Drawing(
        [*panels, Panel(marks, log_axis(r"weight decay $\lambda$"), log_axis("time of 50% test accuracy"), title=HALF)],
        columns=3,
        caption="Modular addition at several values of weight decay: test accuracy jumps after a time proportional to "
        r"$1/\lambda$, until weight decay is so large that the net does not even fit its training data.",
    )


figure = partial(Claim, kind="figure", simulation=SIMULATION)
CLAIMS = (
    figure(
        id="lyu2024/figure_2a",
        title="Grokking of modular addition",
        says="A two-layer ReLU net with He initialization and small weight decay fits its training pairs long before its test "
        r"accuracy is better than chance; at a few times $1/\lambda$ test accuracy jumps to 1.",
        source="lyu2024, figure 2a",
        judge=judge_a,
        draw=draw_a,
        aliases=("figure_2",),
        controls=[
            Control(
                "100 times the weight decay, which prevents the fit", {"weight_decay": (1e-2,)}, ("t50", "final"), size="quick"
            )
        ],
        sizes={"paper": {"trials": 4}},
        seconds={"quick": 30, "paper": 40},
    ),
    figure(
        id="lyu2024/figure_2b",
        title="A larger initialization delays the grokking of modular addition",
        says=r"With the last layer at zero and the first at $\alpha$ times its He initialization, test accuracy jumps later for "
        r"every larger $\alpha$ from 1 to 100; at large $\alpha$ a factor $c$ delays the jump by $\log(c)/\lambda$.",
        source="lyu2024, figure 2b",
        judge=judge_b,
        draw=draw_b,
        constants={"factor": 1.0},
        sizes={
            "smoke": {"alpha": (1.0, 4.0), "last": 0.0},
            "quick": {"alpha": (1.0, 4.0, 16.0), "last": 0.0},
            "paper": {"alpha": (1.0, 3.0, 10.0, 30.0, 100.0), "last": 0.0, "trials": 2},
        },
        least={"alpha": 2},
        controls=[Control(r"twice the delay, as if outputs had to shrink by $\alpha$, not weights", {"factor": 2.0}, ("shift",))],
        seconds={"quick": 45, "paper": 240},
    ),
    figure(
        id="lyu2024/figure_2c",
        title="More weight decay: earlier grokking, then collapse",
        says="From He initialization, test accuracy on modular addition jumps earlier with more weight decay, about like "
        r"$1/\lambda$; beyond a threshold train accuracy collapses.",
        source="lyu2024, figure 2c",
        judge=judge_c,
        draw=draw_c,
        constants={"power": -1.0},
        sizes={
            "smoke": {"weight_decay": (1e-3, 3e-3, 1e-1)},
            "quick": {"weight_decay": (1e-4, 5e-4, 1e-2)},
            "paper": {"weight_decay": (3e-5, 1e-4, 3e-4, 1e-3, 1e-2), "trials": 2},
        },
        least={"weight_decay": 3},
        controls=[Control("the same time at every weight decay", changes={"power": 0.0}, breaks=("exponent",))],
        seconds={"quick": 35, "paper": 200},
    ),
)

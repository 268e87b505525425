r"""An $\ell_1$ penalty passed through Adam: the recovery time hardly depends on its strength."""

import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most, near
from ...claims.drawing import SERIES, Drawing, Panel, Points, Slope
from ...claims.marks import log_axis
from ...dynamics.optimizers import MOMENTUM
from .shared.limits import SAME, slow
from .shared.phases import STEPS, curve
from .shared.scaling import power
from .simulations.optimizer_clock import SIMULATION

NAMES = {"descent": "gradient descent", "adamw": "Adam, decoupled penalty", "adam": "Adam, penalty in the gradient"}
IN_THE_GRADIENT = (
    "after memorization Adam divides the penalty by its own size, which gives exponent 0; before, its averages still contain "
    "the data gradient"
)


def predict(problem, level):
    """The slow flow from the least-squares solution."""
    return slow(problem, level)


def judged(data, theory, reach):
    """Trials whose ground truth the slow flow recovers before the horizon."""
    return (theory["recovery_error"] < SAME) & (theory["generalization"] < 0.8 * reach)


def times(data, good, name: str):
    """Recovery times of one optimizer in the trials in which it recovers the ground truth at every strength."""
    generalization = data[f"{name}_generalization"]
    return generalization.where(good & np.isfinite(generalization).all("strength"))


def middle(data, good, name: str) -> float:
    """The exponent of the strength in the recovery time of one optimizer, median over trials."""
    return float(power(times(data, good, name), "strength").median("trial"))


def exponent(data, good, name: str, target: int | float, tolerance: int | float, why: str, of: str = "") -> Reading:
    """That exponent for one optimizer, or for another in its place."""
    says = f"exponent of the strength in the recovery time of {NAMES.get(name, name)}, median"
    return near(says, middle(data, good, of or name), target, tolerance, key=name, why=why)


def judge(data, theory, reach, fed) -> Evidence:
    """The exponent of the strength in the recovery time, for each optimizer; and the rescaled time of momentum."""
    good = judged(data, theory, reach)
    ratio = (data.momentum_generalization / (1 - MOMENTUM) / data.descent_generalization).isel(strength=-1).where(good)
    apart = np.isfinite(data.adamw_generalization).all("strength").where(good).mean()
    timely, late = "fraction of trials that the slow flow recovers in time", "the other trials have no recovery time"
    flow = "below one gradient descent overshoots along no direction and follows gradient flow"
    adamw = "fraction of these trials in which Adam with a decoupled penalty recovers the ground truth"
    path = "its path along the interpolants differs and need not end at the ground truth; half is enough"
    bias = r"$T/(\alpha\beta_1)$ steps; the penalty's bias changes $T$ by a tenth at most"
    return Evidence(
        sound=[
            at_least(timely, good.mean(), 0.5, key="testable", why=late),
            at_most("learning rate times sharpness, gradient descent", data.edge.max(), 1, key="edge", why=flow),
            at_least(adamw, apart, 0.5, key="adamw_recovers", why=path),
        ],
        holds=[
            exponent(data, good, "descent", -1, 0.06, bias),
            exponent(data, good, "momentum", -1, 0.1, r"$\alpha\beta_1/(1-m)$ a step; the same bias, and tens of steps to fit"),
            at_most(
                "recovery time of momentum over $1 - m$ relative to gradient descent, minus one, smallest strength, median",
                abs(ratio - 1).median(),
                0.05,
                key="momentum_time",
                why=r"one slow flow in rescaled time $\alpha\beta_1t/(1-m)$; memorization takes tens of steps, recovery 1,000",
            ),
            exponent(data, good, "adamw", -1, 0.2, r"$\alpha\beta_1$ a step, along a path that Adam bends"),
            exponent(data, good, "adam", -0.3, 0.2, IN_THE_GRADIENT, of=fed),
        ],
    )


def draw(data, theory, strength, reach) -> Drawing:
    """Recovery time against strength, median over trials; and errors of one trial at the smallest strength."""
    good, marks, lines, x = judged(data, theory, reach), [], [], strength.values
    one = data.isel(trial=int(np.argmax(good.values)), strength=-1)
    for role, (name, words) in zip(SERIES, NAMES.items(), strict=True):
        y = times(data, good, name).median("trial").values
        exponent = float(np.log(y[-1] / y[0]) / np.log(x[-1] / x[0]))
        fitted = f"slope {middle(data, good, name):.2f}"
        marks += [Points(words, x, y, role=role), Slope(fitted, [x.min(), x.max()], (float(x[0]), float(y[0])), exponent)]
        # A run that has recovered the ground truth stops there.
        end = 1 + int(np.argmin(one[f"{name}_recovery"].values))
        lines.append(curve(words, one[f"{name}_step"][:end], one[f"{name}_recovery"][:end], role=role))
    return Drawing(
        [
            Panel(marks, log_axis(r"strength $\beta_1$"), log_axis("recovery time (steps)"), title="Median over trials"),
            Panel(lines, STEPS, log_axis("relative recovery error"), title=rf"One trial, $\beta_1$ = {float(x[-1]):g}"),
        ],
        caption=r"Sparse recovery with an $\ell_1$ penalty. Gradient descent, and Adam with a decoupled penalty, need a time "
        r"proportional to $1/\beta_1$; with the penalty in its gradient Adam hardly depends on $\beta_1$.",
    )


CLAIM = Claim(
    id="beyond_l2/adam_breaks_the_law",
    kind="derived",
    title=r"Adam breaks the law of $\alpha\beta_1$",
    says=r"The recovery time under a small $\ell_1$ penalty of strength $\beta_1$ scales as $1/(\alpha\beta_1)$ for gradient "
    r"descent with learning rate $\alpha$, as $(1-m)/(\alpha\beta_1)$ with momentum $m$, and as $1/\beta_1$ for Adam with a "
    r"decoupled penalty. With the penalty in Adam's gradient it scales as a power near $\beta_1^{-0.3}$.",
    source="beyond_l2, theorem 2.1",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"fed": "adam"},
    least={"strength": 2},
    controls=[Control("Adam with a decoupled penalty instead", changes={"fed": "adamw"}, breaks=("adam",))],
    seconds={"quick": 20, "paper": 400},
)

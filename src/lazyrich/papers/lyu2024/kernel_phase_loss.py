"""The training loss in the kernel regime of classification, between explicit bounds (lemmas C.4 and C.7)."""

import numpy as np

from ...claims.base import Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Panel, Rule
from ...claims.marks import family, log_axis
from .shared.kernel_phase import Phase, by_depth, ended, kernel_phase, log_inverse, loss_panel, normalized, shown
from .shared.marks import NORMALIZED

PROVEN = "proven with explicit constants"


def upper_bound(phase, data, theory, depth, fraction):
    r"""The logarithm of the right side of (8), with the fraction $s = 1/4$ of $\gamma^2$ that the proof keeps.

    The larger of $1/(1 + s\gamma^2A(1 - e^{-2(D-1)\lambda t})/(4(D-1)))$ and
    $e^{2(D-1)\lambda t}/(F^{-1}(s\gamma^2A/(2D)) - 1)$.
    """
    scale = np.log(fraction * theory["margin"] ** 2) + phase.log_a
    fall = np.log(-np.expm1(-2 * (depth - 1) * data.slow).where(data.slow > 0))
    early = -np.logaddexp(0, (scale - np.log(4 * (depth - 1)) + fall).fillna(-np.inf))
    late = 2 * (depth - 1) * data.slow - np.log(np.expm1(log_inverse(scale - np.log(2 * depth))))
    return np.maximum(early, late)


def lower_bound(phase, reach, *, depth, n, weight_decay, printed=False):
    r"""The logarithm of the right side of (17), $\min\{1/(nF^{-1}(B)), e^{1-4(D-1)/D}/n\}$.

    Here $B = 2G^2Ae^{-2(D-1)\lambda t}/(nD)$. Printed are $n/F^{-1}(B)$ and $e^{1-2(D-1)\lambda}/n$. The proof bounds
    $F(1/(n\mathcal L))$ by $B$, which gives a $1/n$; and where that fails $1 + \log\frac1{n\mathcal L}\leq 4(D-1)/D$, since
    $\frac D2(1 + \log\frac1{n\mathcal L})$ meets the rate $2(D-1)$ of $B$.
    """
    top = phase.log_reach + np.log(2 * reach**2 / (n * depth))
    first = (np.log(n) if printed else -np.log(n)) - log_inverse(top)
    return np.minimum(first, 1 - (2 * weight_decay if printed else 4 / depth) * (depth - 1) - np.log(n))


def over(phase, reach, *, log_alpha, depth, power, n, form="corrected"):
    """The loss over its lower bound, while the regime lasts."""
    weight_decay, printed = np.exp(-power * log_alpha), form == "printed"
    bound = lower_bound(phase, reach, depth=depth, n=n, weight_decay=weight_decay, printed=printed)
    return np.exp(phase.log_loss - bound).where(phase.inside)


def judge_upper(data, theory, log_alpha, depth, power, fraction) -> Evidence:
    """Both inequalities at every moment of the regime: the worst over moments, scales and trials."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    slowest = fraction * theory["margin"] ** 2 * phase.push + depth * phase.log_loss
    room = (phase.fall - slowest) / (data.force**2 * phase.push - depth * phase.log_loss)
    ratio = np.exp(phase.log_loss - upper_bound(phase, data, theory, depth, fraction)).where(data.slow > 0)
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least(
                "smallest slack of (7), relative to its terms",
                room.where(phase.inside).min(),
                0,
                key="rate",
                why="proven: gradients turn by less than half the tangent margin",
            ),
            at_most("largest loss over the bound (8)", ratio.where(phase.inside).max(), 1, key="bound", why=PROVEN),
        ],
    )


def judge_lower(data, theory, log_alpha, depth, power, n, length) -> Evidence:
    """Both inequalities at every moment of the regime: the worst over moments, scales and trials."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    reach = theory["reach"] if length == "reach" else theory["margin"] / 2
    fastest = reach**2 * phase.push + depth * (phase.log_loss + np.log(n))
    room = (fastest - phase.fall) / (reach**2 * phase.push - depth * phase.log_loss)
    ratio = over(phase, reach, log_alpha=log_alpha, depth=depth, power=power, n=n)
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least(
                "smallest slack of (16), relative to its terms",
                room.where(phase.inside).min(),
                0,
                key="rate",
                why=r"proven: no gradient is longer than $G$, and $\sum_i r_i\log(1/r_i) \geq "
                r"n\mathcal{L}\log(1/(n\mathcal{L}))$",
            ),
            at_least("smallest loss over the bound (17) with corrected constants", ratio.min(), 1, key="bound", why=PROVEN),
        ],
    )


def judge_constants(data, theory, log_alpha, depth, power, n, form) -> Evidence:
    """The smallest loss over the bound, over all moments of the regime, and in each trial by itself."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    least = over(phase, theory["reach"], log_alpha=log_alpha, depth=depth, power=power, n=n, form=form).min("t")
    return Evidence(
        sound=[ended(phase)],
        holds=[
            at_least("smallest loss over the bound", least.min(), 1, key="bound", why=PROVEN),
            at_least("fraction of runs within the bound", (least >= 1).mean(), 1, key="runs", why="it is stated for all of them"),
        ],
    )


def draw_upper(data, theory, log_alpha, depth, power, fraction) -> Drawing:
    """The loss along the regime under its bound, and the slack between them."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    bound = upper_bound(phase, data, theory, depth, fraction)
    room = np.exp(shown((bound - phase.log_loss).where(phase.inside)).median("trial"))
    lines = family("depth {}", normalized(data), room, "depth")
    return Drawing(
        [
            loss_panel(data, phase, bound, "upper bound (8)"),
            Panel(lines, NORMALIZED, log_axis("bound / loss"), title="How loose the bound is"),
        ],
        caption=r"The training loss in the kernel regime at the largest scale, $\lambda = \alpha^{-p}$ for the first $p$: it "
        "never exceeds the bound, whose slack is a factor that grows along the regime.",
    )


def draw_lower(data, theory, log_alpha, depth, power, n) -> Drawing:
    """The loss along the regime above its bound."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)
    bound = lower_bound(phase, theory["reach"], depth=depth, n=n, weight_decay=np.exp(-power * log_alpha))
    return Drawing(
        [loss_panel(data, phase, bound, "lower bound (17)")],
        columns=1,
        caption=r"The training loss in the kernel regime at the largest scale, $\lambda = \alpha^{-p}$ for the first $p$: it "
        "never falls below the bound.",
    )


def draw_constants(data, theory, log_alpha, depth, power, n) -> Drawing:
    """The loss over the two bounds along the regime."""
    phase = Phase.of(data, theory, depth=depth, log_alpha=log_alpha, power=power)

    def ratio(form):
        found = over(phase, theory["reach"], log_alpha=log_alpha, depth=depth, power=power, n=n, form=form)
        return shown(found).median("trial")

    curves = {form: ratio(form) for form in ("corrected", "printed")}
    return Drawing(
        by_depth(data, curves, ("measured", "control"), log_axis("loss / bound"), Rule("satisfied above 1", 1.0)),
        caption=f"The training loss over the lower bound (17) along the kernel regime, median over trials of {int(n)} samples: "
        "as printed the bound is $n^2$ times as high, and the loss falls below it.",
    )


CLAIMS = (
    kernel_phase(
        id="lyu2024/lemma_c_4",
        kind="lemma",
        title="The loss falls fast in the kernel regime",
        says=r"While tangent features move by less than half the tangent margin $\gamma$, $d\mathcal{L}/dt \leq "
        r"-\frac{\gamma^2}{4}\alpha^{2(D-1)}e^{-2(D-1)\lambda t}\mathcal{L}^2 + \lambda D\mathcal{L}\log(1/\mathcal{L})$, and "
        r"$\mathcal{L}$ is at most the larger of $1/(1 + \gamma^2A(1 - e^{-2(D-1)\lambda t})/(16(D-1)))$ and $e^{2(D-1)\lambda "
        r"t}/(F^{-1}(\gamma^2A/(8D)) - 1)$, where $F(x) = x\log x$ and $A = \alpha^{2(D-1)}/\lambda$.",
        source="lyu2024, lemma C.4",
        judge=judge_upper,
        draw=draw_upper,
        constants={"fraction": 0.25},
        controls=[
            Control(
                r"16 times the force: $4\gamma^2$ in place of $\gamma^2/4$", changes={"fraction": 4.0}, breaks=("rate", "bound")
            )
        ],
    ),
    kernel_phase(
        id="lyu2024/lemma_c_7",
        kind="lemma",
        title="The loss falls no faster than gradients allow",
        says=r"In the kernel regime, with $G$ the length of the longest gradient there, $d\mathcal{L}/dt \geq "
        r"-G^2\alpha^{2(D-1)}e^{-2(D-1)\lambda t}\mathcal{L}^2 + \lambda D\mathcal{L}\log(1/(n\mathcal{L}))$, and $\mathcal{L}$ "
        r"is at least the smaller of $1/(nF^{-1}(2G^2Ae^{-2(D-1)\lambda t}/(nD)))$ and $e^{1-4(D-1)/D}/n$; the constants of the "
        "second inequality are corrected, those in print are an erratum of their own.",
        source="lyu2024, lemma C.7",
        judge=judge_lower,
        draw=draw_lower,
        constants={"length": "reach"},
        controls=[
            Control("half the tangent margin in place of the longest gradient", {"length": "half margin"}, ("rate", "bound"))
        ],
    ),
    kernel_phase(
        id="lyu2024/bound_17",
        kind="erratum",
        title="The lower bound on the loss is $n^2$ times lower",
        says=r"In the kernel regime $\mathcal{L} \geq \min\{1/(nF^{-1}(B)), e^{1-4(D-1)/D}/n\}$ with $B = "
        r"2G^2Ae^{-2(D-1)\lambda t}/(nD)$; printed are $n/F^{-1}(B)$ and $e^{1-2(D-1)\lambda}/n$, and the loss falls below that.",
        source="lyu2024, equation 17",
        judge=judge_constants,
        draw=draw_constants,
        constants={"form": "corrected"},
        controls=[Control("the bound as printed", changes={"form": "printed"}, breaks=("bound", "runs"))],
    ),
)

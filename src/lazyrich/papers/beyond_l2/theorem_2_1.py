r"""Theorem 2.1 and its errata: least squares after $t_1$, the ground truth $\Theta(1/\alpha\beta_1)$ steps later."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Drawing, Line, Panel, Rule
from ...claims.labelled import farthest, norm
from ...claims.marks import log_axis, one_panel
from ...lab.simulations.l1_descent import METHODS
from .shared import phases
from .shared.memorization import contraction, latest, radius, stable
from .shared.phases import STEPS, curve, predict
from .shared.scaling import against_product, enough, last_error, power, settled
from .simulations.sparse_phases import ENDS, MEASURED, SCALED


def memorized(data, learning_rate, strength, d):
    r"""The theorem's radius along the measured directions, and which steps are at $t_1$ or later."""
    sizes = {"learning_rate": learning_rate, "strength": strength, "d": d}
    rho = contraction(data, learning_rate)
    return radius(rho, **sizes), data.step >= latest(data.near.isel(t=0), rho, **sizes)


def judge_delay(data, theory, learning_rate, strength, level, reach, d, clock) -> Evidence:
    """The first half along measured directions; the exponents of the delay, its minimum, and that the ground truth is kept."""
    good = settled(theory, strength=strength, level=level, reach=reach)
    bound, late = memorized(data, learning_rate, strength, d)
    delay = (data.generalization - data.memorization).where(good)
    least = theory["l2"] * (theory["least_squares"] - level) / np.sqrt(d)
    unit = last_error(data) * theory["l2"] / (strength * np.sqrt(d))
    return Evidence(
        sound=[stable(data, learning_rate), enough(good)],
        holds=[
            at_most(
                r"$\|V^\top(b^{(t)}-\hat b)\|_2$ / bound for $t\geq t_1$, maximum",
                (data.near / bound).where(late).max(),
                1,
                key="memorization",
                why=r"a contraction and at most $\alpha\beta_1\sqrt{n}$ per step: the sum of a geometric series, no tolerance",
            ),
            at_most(
                r"exponent of $\alpha$ and of $\beta_1$ in the delay, plus one, maximum",
                max(float(abs(power(delay, axis) + clock).max()) for axis in ("learning_rate", "strength")),
                0.1,
                key="powers",
                why=r"$T/(\alpha\beta_1)$ minus the time of the fit, at most a fifth at the largest strength: 0.2/log(10)",
            ),
            at_least(
                r"delay / delay of a straight path at the maximal speed $\alpha\beta_1\sqrt{n}$, minimum",
                ((learning_rate * strength * data.generalization) / least).where(good).min(),
                1,
                key="speed",
                why="the slow flow is no faster than the norm of a vector of signs",
            ),
            at_most(
                "recovery error after recovery over the level, maximum",
                (data.recovery.where(data.step > 1.02 * data.generalization).max("t") / level).where(good).max(),
                1,
                key="kept",
                why="recovered and kept: the converse",
            ),
            at_most(
                r"final error / $(\beta_1\sqrt{n})$, largest over smallest between strengths, maximum",
                (unit.max("strength") / unit.min("strength")).where(good).max(),
                1.1,
                key="constant",
                why=r"one constant $C$ for all strengths at one learning rate; oscillations have a random phase",
            ),
        ],
    )


def draw_delay(data, theory, strength, level, reach) -> Drawing:
    """The delay and the final error against learning rate x strength."""
    good = settled(theory, strength=strength, level=level, reach=reach)
    delay, error = data.generalization - data.memorization, last_error(data)
    return Drawing(
        [
            against_product(delay, good, name="steps from fit to recovery", exponent=-1),
            against_product(error, good, name="final relative error", exponent=1),
        ],
        caption="Subgradient descent, medians over trials: the delay between fit and recovery, and the final error.",
    )


def judge_radius(data, theory, learning_rate, strength, level, reach, d, part) -> Evidence:
    """Distances from least squares after the theorem's time, over its radius; and the whole distance at the end."""
    good = settled(theory, strength=strength, level=level, reach=reach)
    bound, late = memorized(data, learning_rate, strength, d)
    over = (data[part] / bound).where(late)
    apart = data.far.isel(t=-1) / (theory["least_squares"] * theory["l2"])
    return Evidence(
        sound=[stable(data, learning_rate), enough(good)],
        holds=[
            at_most(
                r"distance from $\hat b$ / bound for $t\geq t_1$, maximum",
                over.max(),
                1,
                key="bound",
                why=r"along the measured directions a contraction and at most $\alpha\beta_1\sqrt{n}$ per step: no tolerance",
            ),
            at_least(
                r"maximal distance from $\hat b$ / bound for $t\geq t_1$, median",
                over.max("t").median(),
                0.02,
                key="tightness",
                why="tightness: the bound takes the whole penalty gradient along the flattest measured direction; at least the "
                "ratio of smallest to largest curvature of it lies there",
            ),
            near(
                r"final $\|b-\hat b\|_2/\|b^*-\hat b\|_2$, farthest from one",
                farthest(apart.where(good, 1), 1),
                1,
                0.02,
                key="apart",
                why="the end is the ground truth, up to the level: the two halves of the printed theorem exclude each other",
            ),
        ],
    )


def draw_radius(data, learning_rate, strength, d) -> Drawing:
    """Both distances of one trial over time beside the bound."""
    at = {"trial": 0, "learning_rate": -1, "strength": -1}
    one, bound = data.isel(at), float(memorized(data, learning_rate, strength, d)[0].isel(at))
    x = one.step.values
    return one_panel(
        [
            curve("along the measured directions", x, one.near),
            curve("in all directions: as printed", x, one.far, role="control"),
            Line("bound", [x[x > 0][0], x[-1]], [bound, bound], role="theory"),
        ],
        STEPS,
        log_axis("distance from least squares"),
        caption="One trial: within the bound along the measured directions; along the others it goes to the ground truth.",
    )


def predict_ends(problem, level, strength):
    """The slow flow, and the lasso of this strength: the loss as half a sum of squares."""
    from ...predictors import Lasso

    return {**predict(problem, level), "lasso": Lasso(strength, "half_sum").solve(problem.train)}


def settled_everywhere(theory, **sizes):
    """The settled trials, by what does not depend on the strength."""
    return settled({name: part.isel(strength=0, drop=True) for name, part in theory.items() if name != "lasso"}, **sizes)


def judge_error(data, theory, strength, level, reach, in_rate) -> Evidence:
    """Exponents of strength and learning rate in each method's final error, and the proximal limit beside the lasso."""
    good = settled_everywhere(theory, strength=strength, level=level, reach=reach)
    errors = {method: data[f"{method}_error"].where(good) for method in METHODS}
    of_learning_rate = (
        ("proximal", in_rate, 0.02, "its fixed point is the lasso, whatever the learning rate"),
        ("projected", 1, 0.15, r"it fits the data and has no bias: only oscillations, of size $\alpha\beta_1$ and random phase"),
        ("subgradient", 0.3, 0.3, r"bias, independent of $\alpha$, and oscillations, proportional to it: between 0 and 0.6"),
    )
    lasso = theory["lasso"].effective
    apart = norm(data.end - lasso) / norm(data.truth - lasso)
    return Evidence(
        sound=[enough(good)],
        holds=[
            at_most(
                r"exponent of $\beta_1$ in the final error, minus one, maximum over methods of medians",
                max(float(abs(power(one, "strength").median() - 1)) for one in errors.values()),
                0.1,
                key="strength",
                why="at a fixed learning rate the final error is proportional to the strength, up to oscillations of random "
                "phase: at most a fifth of the projected error, over a factor of ten",
            ),
            *(
                near(
                    rf"exponent of $\alpha$ in the final error of {method} descent",
                    power(errors[method], "learning_rate").median(),
                    exponent,
                    tolerance,
                    key=method,
                    why=why,
                )
                for method, exponent, tolerance, why in of_learning_rate
            ),
            at_most(
                r"distance of the proximal limit from the lasso / $\|b_{\mathrm{lasso}}-b^*\|$, maximum",
                apart.where(good).max(),
                1e-3,
                key="lasso",
                why="the fixed point is reached at a geometric rate, thousands of steps before the end",
            ),
        ],
    )


def draw_error(data, theory, strength, level, reach) -> Drawing:
    """The final errors of three methods against learning rate x strength."""
    good = settled_everywhere(theory, strength=strength, level=level, reach=reach)
    return Drawing(
        [against_product(data[f"{one}_error"], good, name=f"final error, {one}", exponent=1) for one in METHODS],
        columns=3,
        caption=r"Medians over trials. Dashed: an error proportional to $\alpha\beta_1$, as printed. Only projected descent "
        r"follows it; the others keep the bias of the lasso, proportional to $\beta_1$, whatever $\alpha$.",
    )


def slow_phase(data):
    """The steps from well after the fit to recovery, or to the end."""
    return (data.step > 5 * data.memorization) & (data.step < 0.95 * np.minimum(data.generalization, data.step.isel(t=-1)))


def judge_ratio(data, theory, learning_rate, strength, level, reach, sampling_ratio, factor) -> Evidence:
    """The ratio of the two gradients beside what the measured part of the signs predicts."""
    good = phases.judged(theory, strength=strength, level=level, reach=reach)
    ratio = data.ratio.where(slow_phase(data) & (sampling_ratio < 1))
    held = (ratio * data.held).median("t").where(good)
    return Evidence(
        sound=[stable(data, learning_rate), phases.enough(good)],
        holds=[
            near(
                r"$\|\beta_1h\|/\|G\|$ times the measured fraction of $h$, median",
                (held / factor).median(),
                1,
                0.15,
                key="ratio",
                why="in equilibrium along the measured directions the gradient of the loss cancels the measured part of the "
                "penalty's, averaged over entries that oscillate: a few hundredths more",
            ),
            at_most(
                r"$\|\beta_1h\|/\|G\|$ in the slow phase, median over time, maximum",
                ratio.median("t").where(good).max(),
                2,
                key="largest",
                why=r"least squares lies along the measured directions, and so do $2/\pi$ of its squared signs: 1.25; later less",
            ),
        ],
    )


def draw_ratio(data, d) -> Drawing:
    """The ratio over time and its prediction by the signs, one trial, for few and many measurements."""
    panels = []
    for at in (0, min(2, data.sampling_ratio.size - 1)):
        one = data.isel(sampling_ratio=at, trial=0)
        marks = [
            curve("descent", one.step, one.ratio),
            curve("prediction by the signs", one.step, 1 / one.held, role="theory"),
            Rule("ten times: dominates", 10.0, role="control"),
        ]
        y, count = log_axis("penalty gradient / loss gradient"), round(float(data.sampling_ratio[at]) * d)
        panels.append(Panel(marks, STEPS, y, title=f"$N = {count}$ of {d}"))
    return Drawing(
        panels,
        caption="Subgradient descent, one trial. After the fit the gradient of the loss does not vanish: it cancels the "
        "penalty along the measured directions, so that the other directions move freely.",
    )


scaled = partial(Claim, simulation=SCALED["subgradient"], predict=predict, seconds={"quick": 10, "paper": 220})
CLAIMS = (
    scaled(
        id="beyond_l2/theorem_2_1",
        kind="theorem",
        title="Memorization first, generalization later",
        says=r"For $t\geq t_1$ the iterate is within $2\alpha\beta_1\sqrt{n}/(1-\rho)$ of the least-squares solution along the "
        r"measured directions; after a delay of order $1/(\alpha\beta_1)$ it is near the ground truth, and stays.",
        source="beyond_l2, theorem 2.1",
        judge=judge_delay,
        draw=draw_delay,
        constants={"clock": 1.0},
        least={"learning_rate": 2, "strength": 2},
        controls=[Control(r"a delay of order $1/\sqrt{\alpha\beta_1}$", changes={"clock": 0.5}, breaks=("powers",))],
    ),
    scaled(
        id="beyond_l2/theorem_2_1_radius",
        kind="erratum",
        title="Only the measured directions stay at least squares",
        says=r"For $N<n$ without weight decay $\rho_2=1$ and the printed radius is infinite. With the contraction along the "
        r"measured directions it bounds the distance from $\hat b$ along those for $t\geq t_1$; printed is the whole distance.",
        source="beyond_l2, theorem 2.1",
        judge=judge_radius,
        draw=draw_radius,
        constants={"part": "near"},
        controls=[Control("the whole distance, as printed", changes={"part": "far"}, breaks=("bound",))],
    ),
    Claim(
        id="beyond_l2/error_law",
        kind="erratum",
        title="A smaller learning rate does not help: the final error is that of the lasso",
        says=r"Printed is a final error proportional to $\alpha\beta_1$. Proximal descent converges to the lasso, with an error "
        r"of order $\beta_1$ for any $\alpha$; subgradient descent adds oscillations; only projected descent is as printed.",
        source="beyond_l2, theorem 2.1 and figure 1",
        simulation=ENDS,
        predict=predict_ends,
        judge=judge_error,
        draw=draw_error,
        constants={"in_rate": 0.0},
        sizes={"quick": {"strength": (1e-3, 1e-4), "level": 0.05}},
        least={"learning_rate": 2, "strength": 2},
        controls=[Control("an error proportional to the learning rate, as printed", {"in_rate": 1.0}, ("proximal",))],
        seconds={"quick": 12, "paper": 900},
    ),
    Claim(
        id="beyond_l2/domination",
        kind="erratum",
        title="After the fit both gradients are of the same size",
        says=r"In the slow phase $\|\beta_1h\|$ is $\|G\|$ divided by the measured fraction of the signs $h$, 1 to 2 times "
        r"$\|G\|$; printed is that it dominates. The loss gradient cancels the measured part of $\beta_1h$; the rest moves the "
        "iterate.",
        source="beyond_l2, figure 2 and section 2",
        simulation=MEASURED["subgradient"],
        predict=predict,
        judge=judge_ratio,
        draw=draw_ratio,
        constants={"factor": 1.0},
        controls=[Control(r"$10\|G\|$: dominates, as printed", changes={"factor": 10.0}, breaks=("ratio",))],
        seconds={"quick": 8, "paper": 240},
    ),
)

r"""Minimizers and saddles of matrix completion with weight decay: theorem 3.12, property F.2, theorem F.5."""

from dataclasses import replace

import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, Reading, at_least, at_most
from ...claims.drawing import Axis, Drawing, Panel, Points, Slope
from ...claims.labelled import last_power
from ...claims.marks import equal, log_axis, one_panel
from ...lab import Param, Simulation
from .shared.marks import each_trial
from .simulations.completion_minima import SIMULATION
from .simulations.symmetric_completion import make_problem

CURVATURE = Axis(r"$\lambda_{\min}(\nabla^2\mathcal{L}_\lambda)/\lambda$")


def simulate_truth(key, problem, *, d):
    """The size of the ground truth: nothing is trained here, the solutions are those of the convex problem."""
    values = jnp.linalg.eigvalsh(problem.truth)
    return {"frobenius": jnp.sqrt(jnp.sum(values**2)), "nuclear": jnp.sum(jnp.abs(values))}


DECAYS = (1e-5, 1e-4, 1e-3, 1e-2)
TRUTH = Simulation(
    simulate_truth,
    make_problem=make_problem,
    params=[
        Param("weight_decay", DECAYS[1:], DECAYS, smoke=(1e-3, 1e-2), low=1e-7, high=1.0, unit="weight decay"),
        Param("d", 12, 30, smoke=6, low=2, high=60, unit="rows", static=True),
        Param("rank", 1, 2, smoke=1, low=1, high=20, unit="rank of the ground truth", static=True),
        Param("negative", 0, low=0, high=20, unit="negative eigenvalues of the ground truth", static=True),
        Param("train_fraction", 0.7, 0.5, smoke=0.8, low=0.01, high=1.0, unit="observed fraction", static=True),
    ],
    returns=dict.fromkeys(("frobenius", "nuclear"), ""),
)


def least_value(problem, weight_decay):
    r"""$\min_W\frac1n\sum(W_{ij} - y)^2 + \frac\lambda2\|W\|_*$ over symmetric matrices, its minimizer row by row.

    Measurements are made symmetric; then a matrix and its symmetric part fit alike, and the latter has the smaller norm.
    """
    from ...predictors import NuclearLasso
    from ...problems import Split

    data = problem.train
    rows, cols = np.asarray(data.rows), np.asarray(data.cols)
    x = np.zeros((rows.size, *data.shape))
    each = np.arange(rows.size)
    x[each, rows, cols] += 0.5
    x[each, cols, rows] += 0.5
    found = NuclearLasso(weight_decay / 2, "mean").solve(Split(jnp.asarray(x), data.y))
    return replace(found, effective=found.effective.ravel())


def predict(problem, weight_decay):
    """The minimum of the convex problem."""
    return {"least": least_value(problem, weight_decay)}


def predict_error(problem, weight_decay):
    """The minimizer, and its distance from the ground truth."""
    least = least_value(problem, weight_decay)
    return {"least": least, "error": np.linalg.norm(least.effective - np.ravel(problem.truth))}


def at_rest(data, level, why: str) -> Reading:
    """Whether runs have converged."""
    name = r"final $\|\nabla\mathcal{L}_\lambda\|/(\lambda\|\theta\|)$, largest"
    return at_most(name, data.gradient.max(), level, key="gradient", why=why)


def digits(name: str, number, most, key: str, why: str) -> Reading:
    """The logarithm of a number that is at most zero in theory, and of the flow's own tolerance at least."""
    largest = np.log10(np.maximum(number.max(), 1e-9))
    return at_most(rf"$\log_{{10}}$ of {name}", largest, most, key=key, why=why)


def judge_minimum(data, theory) -> Evidence:
    """The final objective against the convex optimum; dual feasibility, balance and curvature there."""
    gap = abs(data["value"] / theory["least"].value - 1)
    certified = "minima are certified to 1e-6; the square of the remaining gradient is less"
    remains = "at a minimizer; ten times the gradient that may remain"
    cancel = r"zero at a minimizer: no part of $UU^\top$ and $VV^\top$ cancels"
    return Evidence(
        sound=[
            at_rest(data, 1e-4, why="the theorem is about limits; dual values are then as accurate, objectives to its square"),
        ],
        holds=[
            digits("the relative excess over the minimum, largest", gap, -6, "objective", certified),
            digits(r"$\|M\|_{\mathrm{op}}/\lambda - 1$, largest", data.price - 1, -3, "dual", f"not positive {remains}"),
            at_most(r"$(\|U\|_F^2 + \|V\|_F^2)/\|W\|_* - 1$, largest", data.balance.max(), 1e-6, key="balance", why=cancel),
            digits(
                r"the most negative curvature over $\lambda$",
                -data.curvature,
                -3,
                "curvature",
                f"no negative curvature {remains}",
            ),
        ],
    )


def judge_saddles(data, theory, steep) -> Evidence:
    """At critical points of narrow factors, which are saddles of the wide ones: curvature against the proof's direction."""
    gap = data["value"] / theory["least"].value - 1
    saddle = gap > 0.01
    falls = data.curvature / (steep * (1 - data.price))
    size, name = data.length.min(), "fraction of critical points more than one percent above the minimum"
    return Evidence(
        sound=[
            at_least(name, saddle.mean(), 0.25, key="saddles", why="where one column is enough there is no saddle to check"),
            at_rest(data, 1e-2, why="the property is about points where the gradient is zero"),
            at_least("norm of the parameters, smallest", size, 0.1, key="nonzero", why="saddles other than zero"),
        ],
        holds=[
            at_least(
                r"$\log_{10}$ of the steepest negative curvature at saddles over $\lambda$, smallest",
                np.log10(np.maximum(-data.curvature, 1e-9)).where(saddle).min(),
                np.log10(0.02),
                key="curvature",
                why=r"negative at every saddle; a gradient of $\lambda/100$ leaves an uncertainty as large",
            ),
            at_least(
                "steepest negative curvature over that of the proof's direction, smallest",
                falls.where(saddle).min(),
                0.99,
                key="direction",
                why=r"an empty column moved along the top eigenvector of $M$ has curvature $\lambda - \|M\|$; a hundredth for "
                "the gradient left",
            ),
        ],
    )


def judge_recovery(data, theory, weight_decay, d) -> Evidence:
    """The power of weight decay in the error, and the error over the theorem's scale."""
    error = theory["error"]
    power = -last_power(error.isel(weight_decay=slice(None, 2)), "weight_decay")
    scale = weight_decay**0.5 * data.nuclear * np.log(d)
    return Evidence(
        holds=[
            at_least(
                r"power of $\lambda$ in the error, median over trials",
                power.median("trial"),
                0.5,
                key="power",
                why=r"the theorem's own power; without noise the error is linear in $\lambda$, power 1",
            ),
            at_most(
                r"error over $\sqrt{\lambda}\|X^*\|_*\log d$, largest",
                (error / scale).max(),
                1,
                key="bound",
                why="the theorem's bound with incoherence and constant one, which only make it larger",
            ),
            at_most(
                r"relative error at the smallest $\lambda$, median over trials",
                (error / data.frobenius).isel(weight_decay=0).median("trial"),
                0.05,
                key="error",
                why=r"recovery: the error is about $n\lambda$, 1e-2 of the entries of the ground truth",
            ),
        ]
    )


def draw_minimum(data, theory) -> Drawing:
    """Final objectives against the convex optimum."""
    x, y = (part.transpose("weight_decay", "trial").values for part in (theory["least"].value, data["value"]))
    marks = [Points(rf"$\lambda = {value:g}$", x[at], y[at]) for at, value in enumerate(data.weight_decay.values)]
    return one_panel(
        [*marks, equal(x)],
        log_axis("minimum of the convex problem"),
        log_axis("final objective"),
        r"Matrix completion by $UU^\top - VV^\top$ with weight decay from a noisy identity: every run converges to the "
        "minimum of the convex problem with the nuclear norm.",
    )


def draw_saddles(data, theory) -> Drawing:
    """The smallest curvature against the height above the minimum."""
    parts = data["value"] / theory["least"].value - 1, data.curvature, 1 - data.price
    gap, y, price = (part.transpose("weight_decay", "trial").values.ravel() for part in parts)
    proof = [Points("each critical point", price, y), equal(min(price.min(), y.min()), 0.0)]
    excess = Axis("relative excess over the minimum")
    return Drawing(
        [
            Panel([Points("each critical point", gap, y)], excess, CURVATURE, title="Descent directions"),
            Panel(proof, Axis(r"$1 - \|M\|/\lambda$"), CURVATURE, title="The proof's direction"),
        ],
        caption="Critical points of factors with one column, as points of the full problem: each that is above the minimum has "
        "a direction of negative curvature, at least as steep as that of the proof.",
    )


def draw_recovery(data, theory, weight_decay) -> Drawing:
    """The error against weight decay."""
    error = (theory["error"] / data.frobenius).transpose("weight_decay", "trial")
    x, through = np.repeat(weight_decay.values, error.sizes["trial"]), (float(weight_decay[0]), float(error.median("trial")[0]))
    marks = each_trial(x, error.values.ravel(), "power 1", 1, through)
    ends = [float(x.min()), float(x.max())]
    return one_panel(
        [*marks, Slope("power 1/2, the theorem's", ends, through, 0.5, role="control")],
        log_axis(r"weight decay $\lambda$"),
        log_axis("distance from the ground truth, relative"),
        "The global minimizer of matrix completion with weight decay against the ground truth. The theorem allows an "
        r"error of $\sqrt{\lambda}$; without noise the error is proportional to $\lambda$.",
    )


CLAIMS = (
    Claim(
        id="lyu2024/theorem_3_12",
        kind="theorem",
        title="Completion with weight decay converges to a global minimizer",
        says=r"From $\alpha I$ with noise the flow of the mean squared loss of entries of $UU^\top - VV^\top$ with weight decay "
        r"converges to a global minimizer: the minimum of the convex problem with $\frac{\lambda}{2}\|W\|_*$. There "
        r"$\|M\|_{\mathrm{op}} \leq \lambda$, $\|U\|_F^2 + \|V\|_F^2 = \|W\|_*$, and no curvature is negative.",
        source="lyu2024, theorem 3.12 and theorem F.3",
        simulation=SIMULATION,
        predict=predict,
        judge=judge_minimum,
        draw=draw_minimum,
        aliases=("theorem_f_3",),
        controls=[
            Control("factors of one column, which cannot reach every matrix", {"width": 1}, ("objective", "dual", "curvature"))
        ],
        seconds={"quick": 30, "paper": 120},
    ),
    Claim(
        id="lyu2024/property_f_2",
        kind="statement",
        title="Saddles of completion are strict",
        says="At every critical point of matrix completion with weight decay that is no global minimizer the Hessian has a "
        r"negative eigenvalue, at most $\lambda - \|M\|_{\mathrm{op}}$: checked at saddles other than zero, the critical points "
        "of factors with one column.",
        source="lyu2024, property F.2",
        simulation=SIMULATION,
        predict=predict,
        judge=judge_saddles,
        draw=draw_saddles,
        sizes={name: {"width": 1} for name in ("smoke", "quick", "paper")},
        constants={"steep": 1.0},
        controls=[Control("twice the curvature of the proof's direction", changes={"steep": 2.0}, breaks=("direction",))],
        seconds={"quick": 30, "paper": 120},
    ),
    Claim(
        id="lyu2024/recovery_f_5",
        kind="theorem",
        title="Minimizers recover the ground truth as weight decay vanishes",
        says=r"With enough observed entries of an incoherent low-rank matrix, the global minimizer with weight decay $\lambda$ "
        r"is within $O(\sqrt{\lambda}\|X^*\|_*\mu^2\log d)$ of the ground truth. Without noise the distance is linear in "
        r"$\lambda$.",
        source="lyu2024, theorem F.5",
        simulation=TRUTH,
        predict=predict_error,
        judge=judge_recovery,
        draw=draw_recovery,
        least={"weight_decay": 2},
        controls=[
            Control(
                "a tenth of the entries, too few to determine the matrix",
                changes={"train_fraction": 0.1},
                breaks=("power", "error"),
            )
        ],
        seconds={"quick": 20, "paper": 60},
    ),
)

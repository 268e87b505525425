r"""Theorem 1 and footnote 2: gradient flow from scale $\alpha$ converges to the minimum-$Q_\alpha$ interpolant, biased or not."""

from functools import partial

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Panel, Points, Rule, Slope
from ...claims.labelled import last_power, norm, relative_distance
from ...claims.marks import log_axis, one_panel
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_regression import begin, interpolate, make_problem
from .shared.readings import at_prediction, fitted
from .simulations.diagonal_inits import RELATIVE_LOSS, SIMULATION

# So small a scale is out of reach for gradient flow, but not for the prediction, with which the flow is shown to agree.
TINY = 1e-100
ALPHA, DISTANCE = log_axis(r"$\alpha$"), log_axis("relative distance")


def simulate(key, problem, *, d, alpha, until):
    """The end of the flow."""
    path = interpolate(problem, begin(d, alpha=alpha), until=until, relative_loss=1e-18)
    return {
        "end": path.reads["effective"][-1],
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
        "truth": problem.truth,
    }


SCALES = (1e-3, 1e-2, 0.1, 0.3, 1.0, 10.0)
FLAT = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", SCALES, smoke=(0.1, 1.0), low=1e-6, high=1e3, unit="initial weights"),
        Param("n", 20, 50, smoke=5, low=1, high=2_000, unit="samples", static=True),
        Param("d", 60, 200, smoke=15, low=2, high=20_000, unit="dimension", static=True),
        Param("sparsity", 3, 5, low=1, high=1_000, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", 1e6, low=1e-3, high=1e12, unit="time"),
    ],
    returns={"end": "d", "loss": "", "outcome": "", "steps": "", "truth": "d"},
)


def predict_flat(problem, alpha, entropy_scale):
    r"""The minimum-$Q_\alpha$ interpolant, and its two limits for the drawing."""
    from ...predictors import MinHyperbolicEntropy, MinL1, MinL2

    entropy = MinHyperbolicEntropy(entropy_scale * alpha).solve(problem.train)
    return {"entropy": entropy, "l1": MinL1().solve(problem.train), "l2": MinL2().solve(problem.train)}


def judge_flat(data, theory) -> Evidence:
    """The distance of the gradient flow solution to the prediction, the largest over scales and trials."""
    why = "the flow is followed to 1e-8 per step; times 1000 for its length and the condition number of the dual"
    return Evidence(
        sound=[fitted(data, 1e-16, "the theorem is about interpolating limits; 100 times the level at which runs stop")],
        holds=[at_prediction(data.end, theory["entropy"], 1e-5, why)],
    )


def bounded(alpha, distance, bound: int | float) -> Panel:
    """The largest distance to the prediction over trials, with its bound."""
    marks = [Points("gradient flow", alpha, distance.values), Rule("bound", bound, role="control")]
    return Panel(marks, ALPHA, DISTANCE, title="Gradient flow solution to prediction", legend=False)


def draw_flat(data, theory, alpha) -> Drawing:
    """The solution between the two limits, and its distance to the prediction."""
    l1, l2, distance = (relative_distance(data.end, theory[name].effective) for name in ("l1", "l2", "entropy"))
    error, expected = (norm(part - data.truth).mean("trial").values for part in (data.end, theory["entropy"].effective))
    x = alpha.values
    marks = [
        Points("gradient flow, to the ground truth", x, error),
        Line("prediction, to the ground truth", x, expected, role="theory"),
        Line(r"gradient flow, to minimum $\ell_1$", x, l1.mean("trial").values, role="second"),
        Line(r"gradient flow, to minimum $\ell_2$", x, l2.mean("trial").values, role="second"),
    ]
    left = Panel(marks, ALPHA, Axis("distance", low=0), title=r"From minimum $\ell_1$ to minimum $\ell_2$")
    return Drawing(
        [left, bounded(x, distance.max("trial"), 1e-5)],
        caption="Left: the gradient flow solution as the initialization scale grows. The prediction (dashed) is computed without "
        "training. Right: the solution is the predicted interpolant, in the worst of the trials.",
    )


def predict_shaped(problem, alpha, depth, known):
    """The minimum entropy at this scale and at a tiny one, and both limits; `known` is 1 where the shape enters correctly."""
    from ...predictors import MinHyperbolicEntropy, MinL1, MinL2

    shape = np.asarray(problem.shape) ** known
    return {
        "entropy": MinHyperbolicEntropy(alpha, depth=depth, shape=shape).solve(problem.train),
        "tiny": MinHyperbolicEntropy(TINY, depth=depth, shape=np.asarray(problem.shape)).solve(problem.train),
        "l1": MinL1(np.asarray(problem.shape) ** (2 * known - 2)).solve(problem.train),
        "l2": MinL2(shape**-2.0).solve(problem.train),
    }


def near_l1(theory):
    r"""The prediction at a tiny scale against minimum $\ell_1$."""
    rich = relative_distance(theory["tiny"].effective, theory["l1"].effective).median()
    why = r"it falls like $\alpha^{2 - 2\rho}$, $\rho$ the largest $|X^\top \nu|$ off the support: 1e-2 for $\rho = 0.99$"
    return at_most(r"distance to minimum $\ell_1$ at $\alpha = 10^{-100}$", rich, 0.05, key="rich", why=why)


def judge_shaped(data, theory) -> Evidence:
    r"""The solution against the prediction; how it approaches weighted $\ell_2$; that the tiny scale is near plain $\ell_1$."""
    lazy = last_power(relative_distance(data.end, theory["l2"].effective), "scale")
    return Evidence(
        sound=[fitted(data, 10 * RELATIVE_LOSS)],
        holds=[
            at_prediction(data.end, theory["entropy"]),
            near(
                r"power of $\alpha^{-2}$ at which the distance to minimum weighted $\ell_2$ falls",
                lazy.median(),
                2,
                0.15,
                key="lazy_power",
                why=r"$q(z) = z^2/4 - z^4/192 + \ldots$ at $z = \beta/(\alpha w)^2$: the ratio of the first two terms; the next "
                r"one and the residual of the run, 1e-8 against a distance of 1e-6, are some hundredths",
            ),
            near_l1(theory),
        ],
    )


def draw_shaped(data, theory, scale) -> Drawing:
    """The solution between the limits, and its distance to the prediction, with and without the shape."""
    alpha, names = scale.values**0.5, ("l1", "l2", "entropy")
    rich, lazy, distance = (relative_distance(data.end, theory[name].effective).isel(depth=0) for name in names)
    lazy = lazy.median("trial").values
    marks = [
        Points(r"to minimum weighted $\ell_2$", alpha, lazy),
        Line(r"to minimum $\ell_1$", alpha, rich.median("trial").values, role="second"),
        Slope(r"$\alpha^{-4}$", alpha[-3:], (float(alpha[-1]), float(lazy[-1])), -4),
    ]
    left = Panel(marks, ALPHA, DISTANCE, title=r"From $\ell_1$ to weighted $\ell_2$")
    return Drawing(
        [left, bounded(alpha, distance.max("trial"), 1e-6)],
        caption=r"Initializations of random shape. Left: median distances to the two limits; the $\ell_2$ norm is weighted by "
        r"the shape, $\ell_1$ is not. Right: the solution is the predicted interpolant, in the worst of the trials.",
    )


def predict_biased(problem, alpha, known):
    r"""The minimum shifted entropy at this scale and at a tiny one; minimum $\ell_1$; `known` is 1 if theory knows the bias."""
    from ...predictors import MinL1, MinShiftedEntropy

    square, theta = np.asarray(problem.shape) ** 2, np.asarray(problem.theta)
    return {
        "shifted": MinShiftedEntropy(alpha**2 * square, known * theta).solve(problem.train),
        "tiny": MinShiftedEntropy(TINY**2 * square, theta).solve(problem.train),
        "l1": MinL1(np.exp((1 - known) * theta)).solve(problem.train),
    }


def judge_biased(data, theory) -> Evidence:
    r"""The solution against the prediction, and the prediction at a tiny scale against minimum $\ell_1$."""
    holds = [at_prediction(data.end, theory["shifted"]), near_l1(theory)]
    return Evidence(sound=[fitted(data, 10 * RELATIVE_LOSS)], holds=holds)


def draw_biased(data, theory, scale) -> Drawing:
    """The solution against the predictions with and without the bias."""
    alpha = scale.values**0.5
    shifted, rich = (relative_distance(data.end, theory[name].effective).isel(depth=0) for name in ("shifted", "l1"))
    return one_panel(
        [
            Points("to the minimum shifted entropy, worst trial", alpha, shifted.max("trial").values),
            Line(r"to minimum $\ell_1$, median", alpha, rich.median("trial").values, role="second"),
            Rule("bound", 1e-6, role="control"),
        ],
        ALPHA,
        log_axis("relative distance of the gradient flow solution"),
        "Initializations with random ratios $u(0)/v(0)$: the bias enters the prediction as a linear term, and its influence "
        "vanishes with the scale.",
    )


general = partial(Claim, simulation=SIMULATION, constants={"known": 1.0}, seconds={"quick": 15, "paper": 30})

CLAIMS = (
    Claim(
        id="woodworth2020/theorem_1",
        kind="theorem",
        title=r"Gradient flow converges to the minimum-$Q_\alpha$ interpolant",
        says=r"For every $\alpha > 0$, if the gradient flow of the depth-2 diagonal net from $u = v = \alpha \mathbf{1}$ "
        r"interpolates, it converges to $\arg\min_\beta \sum_i \alpha^2 q(\beta_i/\alpha^2)$ subject to $X \beta = y$, with "
        r"$q'(z) = \operatorname{arcsinh}(z/2)$.",
        source="woodworth2020, theorem 1",
        simulation=FLAT,
        predict=predict_flat,
        judge=judge_flat,
        draw=draw_flat,
        constants={"entropy_scale": 1.0},
        controls=[Control("the entropy of a third of the scale", {"entropy_scale": 1 / 3}, breaks=("distance",))],
        seconds={"quick": 15, "paper": 60},
    ),
    general(
        id="woodworth2020/theorem_1_general",
        kind="theorem",
        title=r"The shape of the initialization weights the entropy, and $\ell_2$, but not $\ell_1$",
        says=r"For every shape $w_0$, if the gradient flow from $u = v = \alpha w_0$ interpolates, it converges to "
        r"$\arg\min_\beta \sum_i \alpha^2 w_{0,i}^2 q(\beta_i/(\alpha w_{0,i})^2)$ subject to $X \beta = y$: as $\alpha \to "
        r"\infty$ to the minimum $\ell_2$ norm with weights $1/w_{0,i}^2$ (eq. 6), as $\alpha \to 0$ to the minimum $\ell_1$ "
        r"norm, whatever the shape (eq. 7).",
        source="woodworth2020, theorem 1, equations 5 to 7",
        predict=predict_shaped,
        judge=judge_shaped,
        draw=draw_shaped,
        sizes={size: {"spread": 3.0} for size in ("smoke", "quick", "paper")},
        least={"scale": 2},
        controls=[Control(r"the shape in $\ell_1$ and nowhere else", {"known": 0.0}, breaks=("distance", "lazy_power", "rich"))],
    ),
    general(
        id="woodworth2020/biased_start",
        kind="statement",
        title="Biased initializations shift the entropy",
        says=r"For all positive $u(0)$ and $v(0)$, if the gradient flow of the depth-2 diagonal net interpolates, it converges "
        r"to $\arg\min_\beta \sum_i [c_i q(\beta_i/c_i) - \theta_i \beta_i]$ subject to $X \beta = y$ with $c = u(0) v(0)$ and "
        r"$\theta = \log(u(0)/v(0))$; as the scale vanishes this is still the minimum $\ell_1$ norm.",
        source="woodworth2020, footnote 2",
        predict=predict_biased,
        judge=judge_biased,
        draw=draw_biased,
        # At large scales the initial map is far larger than the labels, whose last digits are then out of reach.
        sizes={size: {"tilt": 2.0, "spread": 2.0, "scale": (1e-3, 1e-2, 0.1, 1.0)} for size in ("smoke", "quick", "paper")},
        controls=[Control(r"the bias in $\ell_1$ and not in the entropy", {"known": 0.0}, breaks=("distance", "rich"))],
    ),
)

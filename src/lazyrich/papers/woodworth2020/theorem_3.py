r"""Theorem 3: nets of depth $D \geq 3$ converge to the minimum-$Q^D_\alpha$ interpolant, and keep the shape in the rich limit."""

from collections.abc import Callable

import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import SERIES, Drawing, Line, Mark, Panel, Points, Rule
from ...claims.labelled import farthest, last_power, relative_distance
from ...claims.marks import family, log_axis
from .shared.readings import at_prediction, fitted
from .simulations.diagonal_inits import RELATIVE_LOSS, SIMULATION

# The prediction here is the rich limit up to a fraction of alpha^(D-2).
TINY = 1e-4


def power_excess(effective, alpha, depth):
    r"""$\frac D2\alpha^{D-2}\sum_i|\beta_i|^{2/D}$: by how much $\sum_iw_i^{2-D}|\beta_i|$ can exceed its minimum, $D\ge 3$.

    Since $1 - h_D^{-1}(z)\le z^{2/D-1}$, the entropy $q_D(z)$ lies between $|z| - \frac D2|z|^{2/D}$ and $|z|$.
    """
    return depth / 2 * alpha ** (depth - 2) * (abs(effective) ** (2 / depth)).sum("d")


def predict_depth(problem, scale, depth, shift):
    """The minimum entropy of this depth, or of another at the same scale, and the two limits."""
    from ...predictors import MinHyperbolicEntropy, MinL1, MinL2

    layers = depth + shift
    return {
        "entropy": MinHyperbolicEntropy(scale ** (1 / layers), depth=layers).solve(problem.train),
        "l1": MinL1().solve(problem.train),
        "l2": MinL2().solve(problem.train),
    }


def judge_depth(data, theory, depth, alpha) -> Evidence:
    """The gradient flow solution against the prediction, and the rates at which it approaches the two limits."""
    lazy = last_power(relative_distance(data.end, theory["l2"].effective), "scale").median("trial")
    excess = abs(data.end).sum("d") - theory["l1"].value
    return Evidence(
        sound=[fitted(data, 10 * RELATIVE_LOSS)],
        holds=[
            at_prediction(data.end, theory["entropy"]),
            near(
                r"power of $\alpha^{-D}$ at which the distance to minimum $\ell_2$ falls",
                farthest(lazy, 2),
                2,
                0.15,
                key="lazy_power",
                why=r"$q_D(z) = cz^2 + O(z^4)$ with $z = \beta/\alpha^D$ at every depth $D$; the next term and the residual of "
                "the run, 1e-8 against a distance of 1e-6, are some hundredths",
            ),
            at_most(
                r"excess $\ell_1$ norm over its bound $\frac{D}{2} \alpha^{D-2} \sum_i |\beta_i|^{2/D}$",
                (excess / power_excess(data.end, alpha, depth)).max(),
                1,
                key="l1_excess",
                why=r"$|z| - \frac{D}{2} |z|^{2/D} \leq q_D(z) \leq |z|$; it vanishes with $\alpha$",
            ),
        ],
    )


def draw_depth(data, theory, scale, depth, alpha) -> Drawing:
    """Distances to both limits and to the prediction against the scale, one line for each depth."""
    lazy, distance = (relative_distance(data.end, theory[name].effective) for name in ("l2", "entropy"))
    least, first = theory["l1"].value, int(depth.values[0])
    excess = (abs(data.end).sum("d") / least - 1).median("trial")
    bound = (power_excess(data.end, alpha, depth) / least).median("trial").sel(depth=first)

    def curves(values, mark: Callable[..., Mark] = Line):
        return family("depth {}", scale.values, values, "depth", mark=mark, roles=SERIES)

    rich = [*curves(excess), Line(f"bound, depth {first}", scale.values, bound.values, role="theory")]
    exact = [*curves(distance.max("trial"), Points), Rule("bound", 1e-6)]
    x, y = log_axis(r"$\alpha^D$"), log_axis("relative distance")
    return Drawing(
        panels=[
            Panel(rich, x, log_axis(r"$\|\beta\|_1$ over its minimum, less 1"), title="To the rich limit"),
            Panel(curves(lazy.median("trial")), x, y, title=r"To minimum $\ell_2$, like $\alpha^{-2D}$"),
            Panel(exact, x, y, title="Gradient flow solution to prediction"),
        ],
        columns=3,
        caption=r"Deeper nets at the same scale $\alpha^D$: the excess of the $\ell_1$ norm falls like a power of $\alpha$, the "
        r"distance to minimum $\ell_2$ like $\alpha^{-2D}$, and the gradient flow solution is always the predicted one.",
    )


def predict_shaped(problem, alpha, depth, weighted):
    r"""The minimum entropy at this scale and at a tiny one; minimum $\ell_1$ with the shape's weights, and without."""
    from ...predictors import MinHyperbolicEntropy, MinL1

    shape = np.asarray(problem.shape)
    return {
        "entropy": MinHyperbolicEntropy(alpha, depth=depth, shape=shape**weighted).solve(problem.train),
        "tiny": MinHyperbolicEntropy(TINY, depth=depth, shape=shape).solve(problem.train),
        "weighted": MinL1(shape ** (weighted * (2.0 - depth))).solve(problem.train),
        "plain": MinL1().solve(problem.train),
    }


def judge_shaped(data, theory, depth, weighted) -> Evidence:
    r"""The solution against the prediction, that at a tiny scale against the weighted norm, and against plain $\ell_1$."""
    tiny, weights = theory["tiny"].effective, data["shape"] ** (weighted * (2 - depth))
    excess = (abs(tiny) * weights).sum("d") - theory["weighted"].value
    plain = abs(tiny).sum("d") - theory["plain"].value
    granted = power_excess(tiny, TINY, depth)
    return Evidence(
        sound=[fitted(data, 10 * RELATIVE_LOSS)],
        holds=[
            at_prediction(data.end, theory["entropy"]),
            at_most(
                r"excess of the weighted $\ell_1$ norm at $\alpha = 10^{-4}$, in decades above its bound",
                np.log10((excess / granted).max()),
                0,
                key="weighted_excess",
                why=r"the bound of theorem 3, $\frac{D}{2} \alpha^{D-2} \sum_i |\beta_i|^{2/D}$: the shape drops out of it",
            ),
            at_least(
                r"excess of the plain $\ell_1$ norm at $\alpha = 10^{-4}$, in decades above that bound",
                np.log10(plain.mean("trial") / granted.mean("trial")).min(),
                1,
                key="plain_excess",
                why="10 times what the scale accounts for: another limit",
            ),
        ],
    )


def draw_shaped(data, theory, scale, depth) -> Drawing:
    """Excesses of both norms of the solution against the scale, by depth."""
    panels = []
    weights = data["shape"] ** (2 - depth)
    own = ((abs(data.end) * weights).sum("d") / theory["weighted"].value - 1).median("trial")
    plain, limit = ((abs(part).sum("d") / theory["plain"].value - 1) for part in (data.end, theory["tiny"].effective))
    for k in depth.values:
        marks = [
            Points("weighted by $w^{2-D}$", scale.values, own.sel(depth=k).values),
            Line(r"plain $\ell_1$", scale.values, plain.median("trial").sel(depth=k).values, role="second"),
            Rule(r"plain $\ell_1$ in the limit", float(limit.sel(depth=k).median())),
        ]
        panels.append(Panel(marks, log_axis(r"$\alpha^D$"), log_axis("norm over its minimum, less 1"), title=f"Depth {int(k)}"))
    return Drawing(
        panels=panels,
        caption=r"Initializations of random shape, medians over trials: as the scale vanishes the gradient flow solution "
        r"approaches the minimum weighted $\ell_1$ norm, and not the minimum plain one.",
    )


CLAIMS = (
    Claim(
        id="woodworth2020/theorem_3",
        kind="theorem",
        title=r"Deeper nets converge to the minimum-$Q^D_\alpha$ interpolant",
        says=r"For every $\alpha > 0$ and $D \geq 3$, if the gradient flow of $u^D - v^D$ from $u = v = \alpha \mathbf{1}$ "
        r"interpolates, it converges to $\arg\min_\beta \sum_i \alpha^D q_D(\beta_i/\alpha^D)$ subject to $X \beta = y$, with "
        r"$q_D'$ the inverse of $(1-p)^{-D/(D-2)} - (1+p)^{-D/(D-2)}$: minimum $\ell_1$ as $\alpha \to 0$, $\ell_2$ as "
        r"$\alpha \to \infty$.",
        source="woodworth2020, theorem 3",
        simulation=SIMULATION,
        predict=predict_depth,
        judge=judge_depth,
        draw=draw_depth,
        constants={"shift": 0},
        sizes={
            "smoke": {"depth": (3,)},
            "quick": {"depth": (3, 4)},
            "paper": {"depth": (3, 4, 5, 10), "scale": (1e-3, 1e-2, 0.1, 1.0, 10.0)},
        },
        least={"scale": 2},
        controls=[Control("the entropy of a net with one layer less", changes={"shift": -1}, breaks=("distance",))],
        seconds={"quick": 35, "paper": 90},
    ),
    Claim(
        id="woodworth2020/shape_survives_depth_3",
        kind="derived",
        title="Beyond depth 2 the shape of the initialization survives in the rich limit",
        says=r"From $u = v = \alpha w_0$ the gradient flow of a net of depth $D \geq 3$ converges to $\arg\min_\beta \sum_i "
        r"\alpha^D w_{0,i}^2 q_D(\beta_i/(\alpha w_{0,i})^D)$ subject to $X \beta = y$, which tends to the minimum of $\sum_i "
        r"|\beta_i|/w_{0,i}^{D-2}$ as $\alpha \to 0$: a weighted $\ell_1$ norm, unlike at depth 2.",
        source="woodworth2020, theorem 3 with the shape of theorem 1",
        simulation=SIMULATION,
        predict=predict_shaped,
        judge=judge_shaped,
        draw=draw_shaped,
        constants={"weighted": 1.0},
        sizes={
            "smoke": {"depth": (3,), "spread": 2.0},
            "quick": {"depth": (3, 4), "spread": 2.0},
            "paper": {"depth": (3, 4, 5), "spread": 2.0},
        },
        controls=[Control("a shape without influence, as at depth 2", {"weighted": 0.0}, breaks=("distance", "weighted_excess"))],
        seconds={"quick": 30, "paper": 60},
    ),
)

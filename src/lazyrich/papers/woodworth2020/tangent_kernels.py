r"""Sections 3 and 4: how the tangent kernel scales with $\alpha$, and how far it moves during training."""

import numpy as np

from ... import models
from ...claims.base import Claim, Control, Evidence, at_least, at_most, near
from ...claims.drawing import Axis, Drawing, Line, Points, Slope
from ...claims.labelled import farthest, last_power
from ...claims.marks import family, log_axis, one_panel
from .shared.marks import in_turn
from .simulations.diagonal_inits import SIMULATION as DIAGONAL
from .simulations.kernel_scaling import MODELS, SIMULATION


def judge_scaling(data, less) -> Evidence:
    """Powers against twice the degree less one, for every model of the library."""
    seen, kinds = {type(model) for model in MODELS.values()}, sum(not kind.read_only for kind in models.ALL)
    nonzero, off = data.power.notnull().mean(), abs(data.power - 2 * (data.degree - less)).max()
    every = "the statement is about every model of the library; each read-only model represents one of these"
    dead = "a ReLU net of five layers of five units can be dead at all inputs"
    identity = r"an identity: rounding error of kernels over $\log\alpha$, with room for sums over layers"
    name = "largest deviation of a diagonal net's kernel from its closed form"
    closed = r"$8 \alpha^2 \langle x, x' \rangle$ at depth 2 and shape 1, and its form at other depths: up to rounding error"
    return Evidence(
        sound=[
            at_least("kinds of models checked, without read-only ones", len(seen), kinds, key="kinds", why=every),
            at_least("fraction of nonzero kernels", nonzero, 0.9, key="nonzero", why=dead),
        ],
        holds=[
            at_most("largest deviation of a power from $2(D - 1)$", off, 1e-9, key="power", why=identity),
            at_most("largest rotation of a kernel", data.turn.max(), 1e-12, key="rotation", why="none, up to rounding error"),
            at_most(name, data.closed.max(), 1e-12, key="closed_form", why=closed),
        ],
    )


def draw_scaling(data, less) -> Drawing:
    """The power of each model against its degree."""
    degree = data.degree.isel(alpha=0, trial=0).values
    ends = np.array([degree.min(), degree.max()])
    return one_panel(
        [
            Points("models", degree, data.power.median(("alpha", "trial")).values),
            Line("$2(D - 1)$", ends, 2 * (ends - less), role="theory"),
        ],
        Axis("degree $D$", low=0),
        Axis(r"power of $\alpha$ in the kernel", low=-0.5),
        rf"The power of $\alpha$ by which tangent kernels grow when all weights are multiplied by it: {', '.join(MODELS)}.",
    )


def predict(problem, scale, depth, fraction):
    r"""The relative change of $\sum_im_ix_ix_i'$ with $m_i$ the metric at the predicted price, times `fraction`."""
    from ...numerics.entropy_links import link_of
    from ...predictors import MinHyperbolicEntropy

    x = np.asarray(problem.train.x)
    theory = MinHyperbolicEntropy(scale ** (1 / depth), depth=depth).solve(problem.train)
    link = link_of(depth)
    price = fraction * link.price(link.sigma(theory.effective, np.full(x.shape[1], np.log(scale))))
    if depth == 2:
        grown = 2 * np.sinh(price / 2) ** 2
    else:
        power = -2 * (depth - 1) / (depth - 2)
        grown = (np.expm1(power * np.log1p(-price)) + np.expm1(power * np.log1p(price))) / 2
    return {"entropy": theory, "change": np.linalg.norm((x * grown) @ x.T) / np.linalg.norm(x @ x.T)}


def judge_change(data, theory, order) -> Evidence:
    """The change of the kernel, by automatic differentiation before and after training, against the prediction."""
    apart = abs(data.change / theory["change"] - 1).max()
    slope = last_power(data.change, "scale").median("trial")
    why = "quadratic in a solution with error 1e-7, with the squared condition number of the inputs"
    return Evidence(
        holds=[
            at_most("change of the kernel over the predicted one, less 1", apart, 1e-5, key="change", why=why),
            near(
                r"power of $\alpha^{-D}$ at which the change falls",
                farthest(slope, order),
                order,
                0.15,
                key="power",
                why=r"$p^2/2 = \beta^2/(8 \alpha^4)$ at depth 2, $\alpha^{-2D}$ at all; the next term is 1% at these scales",
            ),
        ]
    )


def draw_change(data, theory, scale, depth) -> Drawing:
    """The change of the kernel against the initialization scale, by depth."""
    alpha = scale ** (1 / depth)
    found, expected = (part.median("trial") for part in (data.change, theory["change"]))
    points = family("depth {}", alpha, found, "depth", mark=Points)
    laws = [
        Slope(rf"$\alpha^{{-{2 * int(k)}}}$", one.x[-3:], (float(one.x[-1]), float(one.y[-1])), -2 * int(k))
        for k, one in zip(depth.values, points, strict=True)
    ]
    return one_panel(
        in_turn(points, family("theory, depth {}", alpha, expected, "depth", roles=("theory",)), laws),
        log_axis(r"$\alpha$"),
        log_axis(r"$\|K(\infty) - K(0)\|/\|K(0)\|$"),
        r"Relative change of the kernel on the samples during training, median over trials: like $\alpha^{-2D}$ at large scale.",
    )


CLAIMS = (
    Claim(
        id="woodworth2020/kernel_scaling",
        kind="statement",
        title=r"Tangent kernels scale as $\alpha^{2(D-1)}$",
        says=r"For a model of degree $D$, $K_{\alpha w} = \alpha^{2(D-1)} K_w$, here for every model of the library by automatic "
        r"differentiation; the diagonal net at $u = v = \alpha w_0$ has $2 D^2 \alpha^{2D-2} \sum_i w_{0,i}^{2D-2} x_i x'_i$, "
        r"which is $8 \alpha^2 \langle x, x' \rangle$ at depth 2.",
        source="woodworth2020, sections 3 and 4",
        simulation=SIMULATION,
        judge=judge_scaling,
        draw=draw_scaling,
        constants={"less": 1.0},
        controls=[Control("the power $2D$", changes={"less": 0.0}, breaks=("power",))],
        seconds={"quick": 16, "paper": 16},
    ),
    Claim(
        id="woodworth2020/kernel_limit",
        kind="statement",
        title="The kernel stops moving as the scale grows",
        says=r"During training the tangent kernel of a diagonal net changes from $K(0)$ by a factor in each coordinate: "
        r"$\cosh(\operatorname{arcsinh}(\beta_i/(2 \alpha^2)))$ at depth 2, the mean of $(1 \mp p_i)^{-2(D-1)/(D-2)}$ at depth "
        r"$D$. The relative change falls like $\alpha^{-4}$ at depth 2, like $\alpha^{-2D}$ in general.",
        source="woodworth2020, section 3",
        simulation=DIAGONAL,
        predict=predict,
        judge=judge_change,
        draw=draw_change,
        constants={"fraction": 1.0, "order": 2.0},
        sizes={"smoke": {"depth": (2,)}, "quick": {"depth": (2, 3)}, "paper": {"depth": (2, 3, 4)}},
        least={"scale": 2},
        controls=[Control("half the exponent; a first-order change", {"fraction": 0.5, "order": 1.0}, ("change", "power"))],
        seconds={"quick": 25, "paper": 60},
    ),
)

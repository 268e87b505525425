r"""The gradient flow solution is not the interpolant nearest to the initialization; that one is where a depth-4 net converges."""

import diffrax as dfx
import jax.numpy as jnp
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Drawing, Line, Points
from ...claims.labelled import relative_distance
from ...claims.marks import log_axis, one_panel
from ...dynamics import GradientFlow
from ...lab import Param, Simulation
from ...lab.simulations.diagonal_regression import begin, interpolate, make_problem
from ...models import Linear
from ...numerics.weight_distance import weight_distance
from .simulations.entropy_curves import entropy

# Problems this small are not stiff. Losses fall to 1e-14 of that of zero: residuals of 1e-7, thirty times the tolerance and more.
FLOW, RELATIVE_LOSS = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-11, max_steps=1_000_000), 1e-14


def shape(d: int) -> np.ndarray:
    """Sizes of weights from a third to three, in no order."""
    return np.exp(np.log(3.0) * np.sin(1.0 + 2.0 * np.arange(d)))


def simulate(key, problem, *, d, alpha, until):
    r"""Gradient flow solutions: a plain linear model from an initialization that is not flat, depth 4 from $\sqrt\alpha$."""
    nets = {"linear": Linear(alpha * jnp.asarray(shape(d))), "deep": begin(d, alpha=jnp.sqrt(alpha), depth=4)}
    paths = {name: interpolate(problem, net, until=until, relative_loss=RELATIVE_LOSS, flow=FLOW) for name, net in nets.items()}
    ends = {name: path.reads["effective"][-1] for name, path in paths.items()}
    return {**ends, "outcome": jnp.stack([path.outcome.code for path in paths.values()]).max()}


SCALES = (0.1, 0.3, 1.0, 10.0), (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("alpha", *SCALES, smoke=(0.3, 1.0), low=1e-2, high=100.0, unit="initialization scale"),
        Param("n", 8, 20, smoke=3, low=1, high=100, unit="samples", static=True),
        Param("d", 24, 60, smoke=8, low=2, high=300, unit="dimension", static=True),
        Param("sparsity", 2, 3, smoke=1, low=1, high=100, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", 1e6, low=1e-3, high=1e12, unit="time"),
    ],
    returns={"linear": "d", "deep": "d", "outcome": ""},
)


def distance(effective, init) -> np.ndarray:
    r"""$R(\beta) = \min_{u^2-v^2=\beta}\|u-s\|^2+\|v-s\|^2$ along the last axis, by search in each coordinate."""
    return (init**2 * weight_distance(effective / init**2)).sum(-1)


def predict(problem, alpha, d):
    """The depth-2 solution by theorem 1, and the nearest interpolants: of the net, shaped and flat, and of the linear model."""
    from ...predictors import MinDistance, MinHyperbolicEntropy, MinL2
    from ...problems import Split

    init = alpha * shape(d)
    step = MinL2().solve(Split(problem.train.x, problem.train.y - problem.train.x @ jnp.asarray(init)))
    return {
        "end": MinHyperbolicEntropy(alpha, shape=shape(d)).solve(problem.train),
        "nearest": MinDistance(alpha, shape=shape(d)).solve(problem.train),
        "flat": MinDistance(alpha).solve(problem.train),
        "step": step,
        "linear": init + step.effective,
    }


def departure(data, theory, model):
    """The distance of the gradient flow solution to the nearest interpolant, relative."""
    if model == "linear":
        return relative_distance(data.linear, theory["linear"])
    return relative_distance(theory["end"].effective, theory["nearest"].effective)


def judge(data, theory, alpha, d, model) -> Evidence:
    """Solution and nearest interpolant apart at depth 2 and equal at depth 4; R by search; r as q_4."""
    z = np.logspace(-6, 8, 141)
    apart, net = (departure(data, theory, name).median("trial") for name in (model, "diagonal"))
    deep = relative_distance(data.deep, theory["flat"].effective).max()
    error = np.abs(weight_distance(z) / entropy(z, 4) - 1).max()
    late, init = net.isel(alpha=-1) / net.max("alpha"), np.outer(alpha.values, shape(d))
    lazy = r"both tend to minimum weighted $\ell_2$: the distance falls like $\alpha^{-4}$ once $\alpha > 1$"
    found, other = (
        theory["nearest"].value.copy(data=distance(part.transpose("trial", "alpha", "d").values, init).T)
        for part in (theory["nearest"].effective, theory["end"].effective)
    )
    name = "squared distance of the gradient flow solution over that of the nearest interpolant, minimum"
    return Evidence(
        holds=[
            at_least(
                "distance from the gradient flow solution to the nearest interpolant, largest over scales",
                apart.max("alpha"),
                0.02,
                key="apart",
                why="two regularizers with the same limits differ in between by order 0.1; solutions have error 1e-5",
            ),
            at_most(
                "depth 2: distance to the nearest interpolant at the largest scale over its maximum",
                late,
                0.05,
                key="large_scale",
                why=lazy,
            ),
            at_most(
                r"depth 4 from $\sqrt{\alpha}$: distance from the gradient flow solution to the nearest interpolant",
                deep,
                1e-5,
                key="depth_4",
                why="$R$ is $Q$ of depth 4; residuals end at 1e-7, times 100 for the condition number of the dual",
            ),
            at_most(
                "squared distance of the nearest interpolant by search over the weights, against $R$",
                abs(found / theory["nearest"].value - 1).max(),
                1e-9,
                key="search",
                why="the search is exact up to rounding error; $R$ is a sum of $d$ terms of one sign",
            ),
            at_least(name, (other / found).min(), 1 - 1e-9, key="nearest", why="no interpolant is nearer, up to rounding error"),
            at_most("$r$ against $q_4$, relative", error, 1e-12, key="r", why="equal up to rounding error"),
        ]
    )


def draw(data, theory, alpha) -> Drawing:
    """Distances to the nearest interpolant against the scale."""
    deep = relative_distance(data.deep, theory["flat"].effective).max("trial").values
    net, linear = (departure(data, theory, model) for model in ("diagonal", "linear"))
    return one_panel(
        [
            Line("depth 2", alpha.values, net.median("trial").values),
            Points(r"depth 4, from $\sqrt{\alpha}$", alpha.values, deep, role="second"),
            Points("linear model", alpha.values, linear.max("trial").values, role="control"),
        ],
        log_axis(r"$\alpha$"),
        log_axis("relative distance to the nearest interpolant"),
        "Distance of the gradient flow solution to the interpolant whose weights are nearest to the initialization. A linear "
        "model converges to it; a depth-2 net does not; a depth-4 net converges to the nearest interpolant of depth 2.",
    )


CLAIM = Claim(
    id="woodworth2020/distance_regularizer",
    kind="statement",
    title="The distance to the initialization does not explain the implicit bias",
    says=r"The smallest squared distance to the initialization is $R = \sum_i c_i r(\beta_i/c_i)$ with $c_i = \alpha^2 "
    r"w_{0,i}^2$ and $r = q_4$. For $w_0 = \mathbf{1}$ its minimizer is the gradient flow solution of a depth-4 net from "
    r"$\sqrt{\alpha}$. It is not that of the depth-2 net unless $\alpha$ is large. For a linear model the gradient flow solution "
    "is the nearest interpolant.",
    source="woodworth2020, equations 8 and 9",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"model": "diagonal"},
    controls=[Control("a linear model, which converges to the nearest interpolant", {"model": "linear"}, breaks=("apart",))],
    seconds={"quick": 15, "paper": 90},
)

r"""One scale for three papers: $s = h^{1-2a} = 2\alpha^2$, and squared weights $\sqrt{s^2 + \theta^2}$ at the end of training."""

import diffrax as dfx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import SERIES, Drawing, Line, Points
from ...claims.labelled import spread
from ...claims.marks import log_axis, one_panel
from ...dynamics import GradientFlow, loss_below
from ...inits import bartlett
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import DiagonalNet, SymmetricNet
from ...objective import Objective
from ...problems import Split, low_rank_matrix
from ..min2021.simulations.linear_net_flow import Reduced

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-9, atol=1e-12, reduce=None)
TOLERANCE = 1e-6
"""Runs stop at this error, relative to the targets."""


def follow(objective: Objective, init, until):
    """Gradient flow until the loss is `TOLERANCE` squared of that of zero."""
    level = TOLERANCE**2 * objective.weight * jnp.sum(objective.data.y**2)
    return FLOW.run(objective, init, jnp.array([0.0, 1.0]) * until, read={}, stop=loss_below(objective, level))


def simulate(key, *, n, d, outputs, scale, width, until):
    r"""Effective sizes and squared weights at the end of three flows, over the scale $s$ of the initialization.

    A linear network with weights $N(0, h^{-2a})$, $h^{1-2a} = s$: the singular values of its predictor and the eigenvalues of
    $VV^\top$. A diagonal network at $\alpha$, $2\alpha^2 = s$: $\beta$ and $u^2 + v^2$. Symmetric factors at $\alpha I$: the
    eigenvalues of $UU^\top - VV^\top$ and those of $UU^\top + VV^\top$.
    """
    inputs, truth, init = jr.split(jr.fold_in(key, 0), 3)
    x = jr.normal(inputs, (n, d)) / jnp.sqrt(d)
    reach = until * (1 + 1 / scale)

    data = Reduced.of(Split(x, x @ jr.normal(truth, (d, outputs)) / jnp.sqrt(n)))
    net = bartlett(init, dim=n, outputs=outputs, width=width, scale=jnp.sqrt(scale / width))
    linear = follow(data.objective(), net, reach)

    alpha = jnp.sqrt(scale / 2)
    vector = Objective(Split(x, x @ jr.normal(truth, (d,)) / jnp.sqrt(n)), Squared(), reduction="half_sum")
    diagonal = follow(vector, DiagonalNet.at_scale(alpha, dim=d), reach)

    entries = Objective(low_rank_matrix(inputs, d=n, rank=2, negative=1, train_fraction=0.5).train, Squared(), reduction="sum")
    symmetric = follow(entries, SymmetricNet.at_scale(alpha, dim=n), reach)
    u, v = symmetric.end.u, symmetric.end.v
    _, frame = jnp.linalg.eigh(symmetric.end.effective())

    def along(matrix):
        return jnp.diag(frame.T @ matrix @ frame)

    codes = [run.outcome.code for run in (linear, diagonal, symmetric)]
    return {
        "linear_map": jnp.linalg.svd(linear.end.effective(), compute_uv=False)[:outputs] / scale,
        "linear_weights": jnp.linalg.eigvalsh(linear.end.v @ linear.end.v.T)[::-1] / scale,
        "diagonal_map": diagonal.end.effective() / scale,
        "diagonal_weights": (diagonal.end.u**2 + diagonal.end.v**2) / scale,
        "symmetric_map": along(u @ u.T - v @ v.T) / scale,
        "symmetric_weights": along(u @ u.T + v @ v.T) / scale,
        "outcome": jnp.max(jnp.stack(codes)),
        "unfitted": jnp.sum(jnp.stack([jnp.where(code == 1, 0, 1) for code in codes])),
        "steps": linear.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    params=[
        Param("scale", (0.03, 0.3, 3.0, 30.0), smoke=(0.3, 3.0), low=1e-3, high=1e3, unit="$s$ of the initialization"),
        Param("width", (1e6, 1e8), smoke=(1e6, 1e8), low=1, high=1e12, unit="hidden units of the linear network"),
        Param("n", 4, 8, smoke=3, low=2, high=50, unit="samples, and rows of the symmetric matrix", static=True),
        Param("d", 10, 40, smoke=6, low=3, high=500, unit="inputs", static=True),
        Param("outputs", 2, 4, low=1, high=20, static=True),
        Param("until", 1e4, low=1.0, high=1e9, unit="maximum time"),
    ],
    returns={
        **dict.fromkeys(("linear_map", "linear_weights"), "k"),
        **dict.fromkeys(("diagonal_map", "diagonal_weights"), "d"),
        **dict.fromkeys(("symmetric_map", "symmetric_weights"), "r"),
        **dict.fromkeys(("outcome", "unfitted", "steps"), ""),
    },
)


NETS = {"linear": "linear network", "diagonal": "diagonal network", "symmetric": "symmetric factors"}


def off(data, net, factor):
    r"""Relative distance of squared weights to $\sqrt{s^2 + \theta^2}$ with $s$ = `factor` $\cdot \alpha^2$, 1 for `linear`."""
    ratio = 1.0 if net == "linear" else factor / 2
    return abs(data[f"{net}_weights"] / np.hypot(ratio, data[f"{net}_map"]) - 1)


def judge(data, factor) -> Evidence:
    """The distance of each network to the curve, and that between networks of one scale and two widths."""
    sizes = [abs(data[f"{net}_map"]) for net in NETS]
    rich, lazy = min(float(part.max()) for part in sizes), max(float(part.isel(scale=-1).max()) for part in sizes)
    widths = spread(np.log(data.linear_weights), "width").max()
    curve = r"squared weights, relative distance to $\sqrt{s^2 + \theta^2}$, maximum"
    one = "log of the squared weights of linear networks of one scale, largest spread over the width"
    return Evidence(
        sound=[
            at_most("runs without a fit", data.unfitted.max(), 0, key="fit", why="the curve is that of interpolants"),
            at_least(r"largest $|\theta|/s$, minimum over the networks", rich, 3, key="rich", why="the rich end of the curve"),
            at_most(r"$|\theta|/s$ at the largest scale, maximum", lazy, 0.5, key="lazy", why="the lazy end of the curve"),
        ],
        holds=[
            *(
                at_most(f"{NETS[net]}: {curve}", off(data, net, factor).max(), bound, key=net, why=why)
                for net, bound, why in (
                    ("linear", 0.02, "$h^{-1/2}$, a thousandth, for each of six rows, with some reserve"),
                    ("diagonal", 1e-5, r"$u \odot v$ is conserved, up to a solver tolerance of 1e-9 over some thousand steps"),
                    ("symmetric", 1e-5, "the product of the factors is conserved, up to the same tolerance"),
                )
            ),
            at_most(one, widths, 0.02, key="width", why="they differ by $h^{-1/2}$ of the smaller width"),
        ],
    )


def draw(data) -> Drawing:
    """All limits on one curve."""
    points = []
    for (net, name), role in zip(NETS.items(), SERIES, strict=True):
        x = abs(data[f"{net}_map"]).values.ravel()
        y = data[f"{net}_weights"].transpose(*data[f"{net}_map"].dims).values.ravel()
        points.append(Points(name, np.maximum(x, 1e-3), y, role=role))
    fine = np.geomspace(1e-3, max(float(part.x.max()) for part in points), 80)
    return one_panel(
        [*points, Line(r"$\sqrt{1 + (\theta/s)^2}$", fine, np.hypot(1, fine), role="theory")],
        log_axis(r"effective size $|\theta|/s$"),
        log_axis("squared weights$/s$"),
        "Every point is a direction of a network at the end of training. Left: the lazy end, where the weights stay at "
        "initialization; right: the rich end, where the predictor alone determines them. The scale is $s = h^{1-2a}$ for a "
        r"linear network of width $h$ with weights $N(0, h^{-2a})$, and $s = 2\alpha^2$ for the other two.",
        title="Three networks, all scales, one curve",
    )


CLAIM = Claim(
    id="bridges/one_scale",
    kind="derived",
    title="One scale of initialization for three papers",
    says=r"With $s = h^{1-2a}$ for wide linear networks and $s = 2\alpha^2$ for diagonal networks and symmetric factors, a "
    r"direction of effective size $\theta$ converges to squared weights $\sqrt{s^2 + \theta^2}$: $\theta/s$ alone determines how "
    "lazy or rich it is.",
    source="bridges: min2021 section 4, woodworth2020 theorem 1, lyu2024 corollary 3.11",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    constants={"factor": 2.0},
    least={"scale": 2, "width": 2},
    controls=[Control(r"$s = \alpha^2$", changes={"factor": 1.0}, breaks=("diagonal", "symmetric"))],
    seconds={"quick": 25, "paper": 120},
)

r"""Theorem 4: under diagonal measurements a wide factorization converges to the minimum-$Q_\mu$ interpolant."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...claims.base import Claim, Control, Evidence, near
from ...claims.drawing import Drawing, Panel, Points, Rule, Slope
from ...claims.labelled import norm, relative_distance
from ...claims.marks import RAMP, family, log_axis
from ...dynamics import GradientFlow
from ...inits import bartlett
from ...lab import Param, Simulation
from ...losses import Squared
from ...models import WideParallel
from ...objective import Objective
from ...problems import Split, sparse_recovery
from .shared.readings import at_prediction, fitted, power

FLOW = GradientFlow(rtol=1e-8, atol=1e-10)


class WideProblem(eqx.Module):
    """Data, and the net at initialization: the prediction at a finite width depends on both."""

    train: Split
    init: WideParallel


def make_problem(key, n, d, sparsity, noise, width, mu) -> WideProblem:
    r"""Sparse recovery, and factors of $N(0, \alpha^2)$ entries with $\alpha^2k = 2\mu^2$, drawn at width $2d$ in law."""
    data = sparse_recovery(jr.fold_in(key, 0), n=n, d=d, sparsity=sparsity, noise=noise, test=0).train
    scale = mu * jnp.sqrt(2 / width)
    drawn = bartlett(jr.fold_in(key, 1), dim=d, outputs=d, width=width, scale=scale)
    return WideProblem(data, WideParallel(u=drawn.u, v=drawn.v))


def simulate(key, problem, *, until):
    r"""Gradient flow of the summed squared loss: the diagonal of $UV^\top$ at its end, and how large the rest of it is."""
    objective = Objective(problem.train, Squared(), reduction="sum")
    size = jnp.sum(problem.train.y**2)
    read = {"effective": lambda net: net.effective(), "loss": lambda net: objective(net) / size}
    times = jnp.array([0.0, 1.0]) * until
    path = FLOW.run(objective, problem.init, times, read=read, stop=lambda net: objective(net) < 1e-18 * size)
    product = path.end.u @ path.end.v.T
    return {
        "end": path.reads["effective"][-1],
        "rest": jnp.sqrt(jnp.sum(product**2) - jnp.sum(jnp.diag(product) ** 2)) / product.shape[0],
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


WIDTHS = (64.0, 512.0, 4096.0, 32768.0), (128.0, 1e3, 1e4, 1e5, 1e6, 1e7)
SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("width", *WIDTHS, smoke=(64.0, 512.0), low=2, high=1e12, unit="units per coordinate"),
        Param("mu", (0.1, 0.3, 1.0), (0.03, 0.1, 0.3, 1.0), smoke=(0.3,), low=1e-4, high=30, unit=r"$\alpha \sqrt{k/2}$"),
        Param("n", 12, 30, smoke=5, low=1, high=500, unit="samples", static=True),
        Param("d", 30, 60, smoke=12, low=2, high=1_000, unit="dimension", static=True),
        Param("sparsity", 3, low=1, high=100, unit="nonzeros of the ground truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", 1e6, low=1e-3, high=1e12, unit="time"),
    ],
    returns={"end": "d", "rest": "", "loss": "", "outcome": "", "steps": ""},
)


def predict(problem, mu, halves):
    """The limit of infinite width, and the interpolant at this one: both without training."""
    from ...predictors import MinHyperbolicEntropy, MinShiftedEntropy

    net = problem.init.symmetric()
    u, v = np.asarray(net.u), np.asarray(net.v)
    return {
        "limit": MinHyperbolicEntropy(mu * np.sqrt(halves)).solve(problem.train),
        "finite": MinShiftedEntropy(u * v, np.log(u / v)).solve(problem.train),
    }


def judge(data, theory, width, mu) -> Evidence:
    """Exactly the prediction at every width, and its limit at the rate of the law of large numbers."""
    limit = theory["limit"].effective
    away = relative_distance(data.end, limit)
    rate, off_diagonal = (power(part.median("trial"), width, "width").mean() for part in (away, data.rest))
    size = np.sqrt(2 + 4 * data.sizes["d"] * mu**4 / norm(limit) ** 2)
    rows = r"products of independent rows: $\alpha^2 \sqrt{k} = 2 \mu^2/\sqrt{k}$, over all $d^2$ entries"
    why = "exact at every width; the flow is followed to 1e-8 per step, times 1000 for its length"
    return Evidence(
        sound=[fitted(data, 1e-16, "the theorem is about interpolating limits; 100 times the level at which runs stop")],
        holds=[
            at_prediction(data.end, theory["finite"], 1e-5, why),
            near(
                r"exponent in the width of the distance to minimum $Q_\mu$",
                rate,
                -0.5,
                0.12,
                key="rate",
                why=r"the Gram matrix fluctuates by $k^{-1/2}$; a median of four trials moves by a factor 1.5, $\log 1.5$ over "
                r"the 6 units of $\log k$ is 0.07, and the narrowest net adds terms of order $1/k$",
            ),
            near(
                r"distance to minimum $Q_\mu$ times $\sqrt{k}$, over $\sqrt{2 + 4 d \mu^4/\|\beta\|^2}$",
                (away * np.sqrt(width) / size).median("trial").mean(),
                0.9,
                0.5,
                key="constant",
                why=r"$\log c$ and $\theta$ deviate by $1/\sqrt{k}$ each, which moves $\beta$ by $(2\|\beta\|^2 + 4 d \mu^4)/k$, "
                r"squared: 1, less what the data's $n$ of $d$ directions remove; a median of four trials moves by a third",
            ),
            near("exponent in the width of the off-diagonal entries", off_diagonal, -0.5, 0.12, key="off_diagonal", why=rows),
        ],
    )


def draw(data, theory, width) -> Drawing:
    """The distance to both predictions against the width."""
    away = relative_distance(data.end, theory["limit"].effective).median("trial")
    exact = relative_distance(data.end, theory["finite"].effective).max("trial")
    k, name = width.values, r"$\mu = {}$"
    rate = Slope("$k^{-1/2}$", k, (float(k[0]), float(away.median("mu").isel(width=0))), -0.5)
    left = [*family(name, k, away, "mu", roles=RAMP), rate]
    right = [*family(name, k, exact, "mu", mark=Points, roles=RAMP), Rule("bound", 1e-5, role="control")]
    rows = ((r"To minimum $Q_\mu$, the limit", left), ("To the minimum shifted entropy of this width", right))
    x, y = log_axis("width $k$"), log_axis("relative distance")
    return Drawing(
        [Panel(marks, x, y, title=title) for title, marks in rows],
        caption=r"The gradient flow solution of a wide parallel net from Gaussian factors. Left: it approaches the "
        r"minimum-$Q_\mu$ interpolant, $\mu^2 = \alpha^2 k/2$, like $k^{-1/2}$. Right: at every width it has the minimum shifted "
        r"entropy.",
    )


CLAIM = Claim(
    id="woodworth2020/theorem_4",
    kind="theorem",
    title=r"A wide factorization converges to the minimum-$Q_\mu$ interpolant",
    says=r"From factors with $N(0, \alpha^2)$ entries and $\alpha^2 k = 2 \mu^2$ the diagonal of $U V^\top$ under diagonal "
    r"measurements tends, as $k \to \infty$, to $\arg\min Q_\mu$ subject to the data, at the rate $k^{-1/2}$; at every finite "
    r"$k$ it minimizes $\sum_i [c_i q(\beta_i/c_i) - \theta_i \beta_i]$, with $c$ and $\theta$ read from the initialization.",
    source="woodworth2020, theorem 4",
    simulation=SIMULATION,
    predict=predict,
    judge=judge,
    draw=draw,
    constants={"halves": 1.0},
    least={"width": 2},
    controls=[Control(r"$\mu^2 = \alpha^2 k$ in place of its half", changes={"halves": 2.0}, breaks=("rate",))],
    seconds={"quick": 15, "paper": 60},
)

r"""Theorem 4: a wide factorization under diagonal measurements ends at the interpolant of least $Q_\mu$, $2\mu^2 = \alpha^2k$."""

import jax.numpy as jnp
import numpy as np

from ...lab import Param, Simulation
from ...lab.settings.wide_parallel import interpolate, pose
from ..base import Claim, Control, Evidence, at_most, near
from ..drawing import Axis, Drawing, Line, Panel, Points, Rule, Slope
from ..labelled import norm, relative_distance


def simulate(key, problem, *, until):
    r"""The end of the flow: the diagonal of $UV^\top$, and how large the rest of it is."""
    path = interpolate(problem, until=until, miss=1e-18)
    product = path.end.u @ path.end.v.T
    diagonal = path.reads["effective"][-1]
    return {
        "end": diagonal,
        "rest": jnp.sqrt(jnp.sum(product**2) - jnp.sum(jnp.diag(product) ** 2)) / product.shape[0],
        "loss": path.reads["loss"][-1],
        "outcome": path.outcome.code,
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param(
            "width",
            (64.0, 512.0, 4096.0, 32768.0),
            (128.0, 1e3, 1e4, 1e5, 1e6, 1e7),
            smoke=(64.0, 512.0),
            low=2,
            high=1e12,
            unit="units a coordinate",
        ),
        Param("mu", (0.1, 0.3, 1.0), (0.03, 0.1, 0.3, 1.0), smoke=(0.3,), low=1e-4, high=30, unit="alpha sqrt(k / 2)"),
        Param("n", 12, 30, smoke=5, low=1, high=500, unit="samples", static=True),
        Param("d", 30, 60, smoke=12, low=2, high=1_000, unit="unknowns", static=True),
        Param("sparsity", 3, low=1, high=100, unit="entries of the truth", static=True),
        Param("noise", 0.1, low=0.0, high=10.0, unit="standard deviation", static=True),
        Param("until", 1e6, low=1e-3, high=1e12, unit="time"),
    ],
    returns={"end": "d", "rest": "", "loss": "", "outcome": "", "steps": ""},
)


def refer(problem, mu, halves):
    """The limit of infinite width, and the answer at this one: both without training."""
    from ...predictors import MinHyperbolicEntropy, MinShiftedEntropy

    net = problem.start.symmetric()
    u, v = np.asarray(net.u), np.asarray(net.v)
    return {
        "limit": MinHyperbolicEntropy(mu * np.sqrt(halves)).solve(problem.train),
        "finite": MinShiftedEntropy(u * v, np.log(u / v)).solve(problem.train),
    }


def exponent(values, width):
    """The slope of the median over draws against the width, in logarithms."""
    logs = np.log(values.median("trial"))
    x = np.log(width) - np.log(width).mean()
    return (logs * x).sum("width") / (x**2).sum()


def judge(data, told, width, mu) -> Evidence:
    """Exactly theory's answer at every width, and its limit at the rate of the law of large numbers."""
    exact = relative_distance(data.end, told["finite"].effective)
    limit = told["limit"].effective
    away = relative_distance(data.end, limit)
    size = np.sqrt(2 + 4 * data.sizes["d"] * mu**4 / norm(limit) ** 2)
    return Evidence(
        sound=[
            at_most(
                "loss at the end over the loss of zero",
                data.loss.max(),
                1e-16,
                why="the theorem speaks of interpolating limits; a hundred times the stopping level",
            )
        ],
        holds=[
            at_most(
                "relative distance from the least shifted entropy, at every width",
                exact.max(),
                1e-5,
                why="exact at every width; the flow is followed to 1e-8 a step, a thousand times that for its length",
            ),
            near(
                "exponent of the distance from least Q_mu against the width",
                exponent(away, width).mean(),
                -0.5,
                0.12,
                why="fluctuations of the Gram matrix are k^-1/2; a median of four draws moves by a factor 1.5, "
                "log(1.5) over the 6 units of log(k) is 0.07, and the narrowest net adds terms of order 1/k",
            ),
            near(
                "distance from least Q_mu times sqrt(k), over sqrt(2 + 4 d mu^4 / |beta|^2)",
                (away * np.sqrt(width) / size).median("trial").mean(),
                0.9,
                0.5,
                why="log c and theta deviate by 1/sqrt(k) each, which moves beta by |beta|^2 + |beta|^2 + 4 d "
                "mu^4 over k, squared: 1, "
                "less what the data's n of d directions take away; a median of four draws moves by a third",
            ),
            near(
                "exponent of the entries off the diagonal against the width",
                exponent(data.rest, width).mean(),
                -0.5,
                0.12,
                why="they are products of independent rows: alpha^2 sqrt(k) = 2 mu^2 / sqrt(k), over all d^2 entries",
            ),
        ],
    )


def draw(data, told, width) -> Drawing:
    """The distance from both answers against the width."""
    away = relative_distance(data.end, told["limit"].effective).median("trial")
    exact = relative_distance(data.end, told["finite"].effective).max("trial")
    k = width.values
    shown = [(f"mu = {float(m):g}", m) for m in data.mu.values]
    middle = float(away.median("mu").isel(width=0))
    across = Axis("width k", scale="log")
    return Drawing(
        panels=[
            Panel(
                [
                    *(Line(name, k, away.sel(mu=m).values) for name, m in shown),
                    Slope("k^(-1/2)", k, (float(k[0]), middle), -0.5),
                ],
                x=across,
                y=Axis("relative distance", scale="log"),
                title="From least Q_mu, the limit",
            ),
            Panel(
                [
                    *(Points(name, k, exact.sel(mu=m).values) for name, m in shown),
                    Rule("bound", 1e-5, role="control"),
                ],
                x=across,
                y=Axis("relative distance", scale="log"),
                title="From the least shifted entropy of this width",
            ),
        ],
        caption="The end of the flow of a wide parallel net from Gaussian factors. Left: it nears the interpolant of least Q_mu, "
        "mu^2 = alpha^2 k / 2, like k^(-1/2). Right: at every width it is the interpolant of least shifted entropy.",
    )


CLAIM = Claim(
    kind="theorem",
    title="Width makes the entropy: a wide factorization ends at least Q_mu",
    says="From factors with N(0, alpha^2) entries and alpha^2 k = 2 mu^2 the diagonal of U V^T under diagonal measurements "
    "tends, as k grows, to argmin Q_mu subject to the data, at the rate k^(-1/2); at every finite k it is the interpolant of "
    "least sum c q(beta / c) - theta beta, with c and theta read from the start.",
    source="woodworth2020, theorem 4",
    simulation=SIMULATION,
    refer=refer,
    judge=judge,
    draw=draw,
    constants={"halves": 1.0},
    least={"width": 2},
    control=Control(
        "mu^2 = alpha^2 k in place of its half",
        changes={"halves": 2.0},
        breaks=("exponent of the distance from least Q_mu against the width",),
    ),
    seconds={"quick": 15, "paper": 60},
)

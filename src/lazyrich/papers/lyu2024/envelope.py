r"""Equation (44) and lemma F.4: $\min_{UU^\top - VV^\top = W}\|U\|^2 + \|V\|^2 = \|W\|_*$, and that norm's subgradients."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...lab import Param, Simulation
from ..base import Claim, Control, Evidence, at_least, at_most
from ..drawing import Axis, Drawing, Line, Panel, Points


def pose(key, d, rank, radius):
    r"""A symmetric matrix of this rank, eigenvalues of both signs, and a subgradient $LR^\top + E$ with $\|E\|$ = `radius`."""
    frame, _ = jnp.linalg.qr(jr.normal(jr.fold_in(key, 0), (d, d)))
    values = jr.normal(jr.fold_in(key, 1), (rank,))
    inside, outside = frame[:, :rank], frame[:, rank:]
    rest = jr.normal(jr.fold_in(key, 2), (d - rank, d - rank))
    rest = (rest + rest.T) / jnp.linalg.norm(rest + rest.T, 2)
    return inside, values, outside @ (radius * rest) @ outside.T


def simulate(key, problem, *, d, rank, tries):
    """Costs of factorizations and slacks of the subgradient's inequality, over many tries."""
    inside, values, extra = problem
    matrix = (inside * values) @ inside.T
    plus, minus = ((inside * jnp.maximum(sign * values, 0.0)) @ inside.T for sign in (1, -1))
    norm = jnp.sum(jnp.abs(values))
    slope = (inside * jnp.sign(values)) @ inside.T + extra
    top, left = jnp.linalg.eigh(extra)
    worst = left[:, jnp.argmax(jnp.abs(top))]
    steepest = jnp.sign(top[jnp.argmax(jnp.abs(top))]) * jnp.outer(worst, worst)

    def nuclear(a):
        return jnp.sum(jnp.linalg.svd(a, compute_uv=False))

    def one(at):
        own = jr.fold_in(jr.fold_in(key, 4), at)
        shared = jr.normal(jr.fold_in(own, 0), (d, d)) * jnp.exp(jr.normal(jr.fold_in(own, 1)) - 2)
        shared = shared @ shared.T
        step = jr.normal(jr.fold_in(own, 2), (d, d)) * jnp.exp(2 * jr.normal(jr.fold_in(own, 3)) - 2)
        step = jnp.where(at == 0, steepest, step)
        factors = [jnp.linalg.cholesky(part + shared + 1e-13 * jnp.eye(d)) for part in (plus, minus)]
        cost = sum(jnp.sum(part**2) for part in factors)
        missed = factors[0] @ factors[0].T - factors[1] @ factors[1].T - matrix
        slack = nuclear(matrix + step) - norm - jnp.sum(slope * step)
        return cost / norm, jnp.max(jnp.abs(missed)), slack / jnp.linalg.norm(step), 2 * jnp.trace(shared) / norm

    costs, missed, slacks, shares = jax.lax.map(one, jnp.arange(tries))
    halves = [inside * jnp.sqrt(jnp.maximum(sign * values, 0.0)) for sign in (1, -1)]
    return {
        "split": sum(jnp.sum(part**2) for part in halves) / norm,
        "missed": jnp.max(jnp.abs(halves[0] @ halves[0].T - halves[1] @ halves[1].T - matrix)) + jnp.max(missed),
        "costs": costs,
        "shares": shares,
        "slacks": slacks,
    }


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("d", 8, 20, smoke=4, low=2, high=100, unit="rows", static=True),
        Param("rank", 4, 8, smoke=2, low=1, high=99, unit="rank, below d", static=True),
        Param("radius", 1.0, low=0.0, high=10.0, unit="norm of the free part of a subgradient"),
        Param("tries", 200, 1_000, smoke=20, low=2, high=100_000, unit="factorizations and steps", static=True),
    ],
    returns={**dict.fromkeys(("costs", "shares", "slacks"), "t"), **dict.fromkeys(("split", "missed"), "")},
)


def judge(data) -> Evidence:
    """The split by signs reaches the norm, no other factorization is below it, and no step breaks the inequality."""
    return Evidence(
        sound=[
            at_most(
                "largest miss of a factorization",
                data.missed.max(),
                1e-6,
                why="rounding of products, and 1e-13 on the diagonal",
            ),
            at_most(
                "cheapest other factorization over the nuclear norm, less 1",
                data.costs.min() - 1,
                0.5,
                why="tries come near the least cost, or the bound below it is empty",
            ),
        ],
        holds=[
            at_most(
                "cost of the split by signs over the nuclear norm, less 1",
                abs(data.split - 1).max(),
                1e-12,
                why="an identity, to rounding",
            ),
            at_least(
                "cost of other factorizations over the nuclear norm, the least",
                data.costs.min(),
                1 - 1e-9,
                why="the triangle inequality of the nuclear norm",
            ),
            at_least(
                "slack of the subgradient's inequality over the step's length, the least",
                data.slacks.min(),
                -1e-9,
                why="convexity, for a free part of norm one at most: zero along its own largest direction, to rounding",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Costs against what both squares share; slacks of steps, smallest first."""
    x, y = data.shares.values.ravel(), data.costs.values.ravel()
    order = x.argsort()
    slacks = sorted(data.slacks.values.ravel())
    return Drawing(
        panels=[
            Panel(
                [
                    Points("factorizations", x[order], y[order]),
                    Line("1 + what is shared", x[order], 1 + x[order], role="theory"),
                ],
                x=Axis("part shared by both squares / nuclear norm", scale="log"),
                y=Axis("cost / nuclear norm", scale="log"),
                title="No factorization is cheaper than the norm",
            ),
            Panel(
                [Line("steps, by their slack", jnp.arange(len(slacks)), slacks)],
                x=Axis("steps"),
                y=Axis("slack / length of the step"),
                title="The subgradient's inequality",
            ),
        ],
        caption="The least |U|^2 + |V|^2 with U U^T - V V^T = W is the nuclear norm of W, reached by the split into positive and "
        "negative eigenvalues; and L R^T + E with |E| <= 1 across is a subgradient of it.",
    )


CLAIM = Claim(
    kind="statement",
    title="The nuclear norm is the least squared length",
    says="The least |U|^2 + |V|^2 over U U^T - V V^T = W is the nuclear norm of W; its subgradients at W = L S R^T are L R^T + E "
    "with |E| <= 1 and E across both.",
    source="lyu2024, equation (44) and lemma F.4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("lemma_f_4",),
    control=Control(
        "a free part of norm 1.5",
        changes={"radius": 1.5},
        breaks=("slack of the subgradient's inequality over the step's length, the least",),
    ),
    seconds={"quick": 8, "paper": 20},
)

r"""Equation (44) and lemma F.4: $\min_{UU^\top - VV^\top = W}\|U\|^2 + \|V\|^2 = \|W\|_*$, and that norm's subgradients."""

import jax
import jax.numpy as jnp
import jax.random as jr

from ...claims.base import Claim, Control, Evidence, at_least, at_most
from ...claims.drawing import Axis, Drawing, Line, Panel, Points
from ...claims.marks import log_axis
from ...lab import Param, Simulation


def make_problem(key, d, rank, radius):
    r"""A symmetric matrix of this rank, eigenvalues of both signs, and a subgradient $LR^\top + E$ with $\|E\|$ = `radius`."""
    frame, _ = jnp.linalg.qr(jr.normal(jr.fold_in(key, 0), (d, d)))
    values = jr.normal(jr.fold_in(key, 1), (rank,))
    inside, outside = frame[:, :rank], frame[:, rank:]
    rest = jr.normal(jr.fold_in(key, 2), (d - rank, d - rank))
    rest = (rest + rest.T) / jnp.linalg.norm(rest + rest.T, 2)
    return inside, values, outside @ (radius * rest) @ outside.T


def simulate(key, problem, *, d, rank, tries):
    """Costs of factorizations and slacks of the subgradient inequality, over many random tries."""
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
        residual = factors[0] @ factors[0].T - factors[1] @ factors[1].T - matrix
        slack = nuclear(matrix + step) - norm - jnp.sum(slope * step)
        return cost / norm, jnp.max(jnp.abs(residual)), slack / jnp.linalg.norm(step), 2 * jnp.trace(shared) / norm

    costs, residual, slacks, shares = jax.lax.map(one, jnp.arange(tries))
    halves = [inside * jnp.sqrt(jnp.maximum(sign * values, 0.0)) for sign in (1, -1)]
    return {
        "split": sum(jnp.sum(part**2) for part in halves) / norm,
        "residual": jnp.max(jnp.abs(halves[0] @ halves[0].T - halves[1] @ halves[1].T - matrix)) + jnp.max(residual),
        "costs": costs,
        "shares": shares,
        "slacks": slacks,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param("d", 8, 20, smoke=4, low=2, high=100, unit="rows", static=True),
        Param("rank", 4, 8, smoke=2, low=1, high=99, unit="rank, below $d$", static=True),
        Param("radius", 1.0, low=0.0, high=10.0, unit="norm of the free part of a subgradient"),
        Param("tries", 200, 1_000, smoke=20, low=2, high=100_000, unit="factorizations and steps", static=True),
    ],
    returns={**dict.fromkeys(("costs", "shares", "slacks"), "t"), **dict.fromkeys(("split", "residual"), "")},
)


def judge(data) -> Evidence:
    """The split by signs attains the norm, no other factorization is below it, and no step violates the inequality."""
    split, residual, others = abs(data.split - 1).max(), data.residual.max(), data.costs.min()
    empty = "random tries must come near the minimum, or the bound below it is empty"
    attained = "cost of the split by signs over the nuclear norm, minus 1"
    no_cheaper = "cost of other factorizations over the nuclear norm, smallest"
    return Evidence(
        sound=[
            at_most("largest error of a factorization", residual, 1e-6, key="error", why="rounding, and 1e-13 on the diagonal"),
            at_most("cheapest other factorization over the nuclear norm, minus 1", others - 1, 0.5, key="cheapest", why=empty),
        ],
        holds=[
            at_most(attained, split, 1e-12, key="split", why="an identity, up to rounding error"),
            at_least(no_cheaper, others, 1 - 1e-9, key="others", why="the triangle inequality of the nuclear norm"),
            at_least(
                "slack of the subgradient inequality over the norm of the step, smallest",
                data.slacks.min(),
                -1e-9,
                key="slack",
                why="convexity, for a free part of norm at most one: zero along its top singular vectors, up to rounding",
            ),
        ],
    )


def draw(data) -> Drawing:
    """Costs against the part that both squares share; slacks of steps, smallest first."""
    x, y = data.shares.values.ravel(), data.costs.values.ravel()
    order, slacks = x.argsort(), sorted(data.slacks.values.ravel())
    costs = [Points("factorizations", x[order], y[order]), Line("1 + shared part", x[order], 1 + x[order], role="theory")]
    steps = [Line("steps, by their slack", jnp.arange(len(slacks)), slacks)]
    across, up = log_axis("part shared by both squares / nuclear norm"), log_axis("cost / nuclear norm")
    return Drawing(
        [
            Panel(costs, across, up, title="No factorization is cheaper than the norm"),
            Panel(steps, Axis("steps"), Axis("slack / norm of the step"), title="The subgradient inequality"),
        ],
        caption=r"The minimum of $\|U\|_F^2 + \|V\|_F^2$ subject to $UU^\top - VV^\top = W$ is $\|W\|_*$, attained by the split "
        r"into positive and negative eigenvalues; and $LR^\top + E$ with $\|E\| \leq 1$ on the orthogonal complements is a "
        "subgradient of it.",
    )


CLAIM = Claim(
    id="lyu2024/envelope",
    kind="statement",
    title="The nuclear norm is the minimum squared parameter norm",
    says=r"The minimum of $\|U\|_F^2 + \|V\|_F^2$ subject to $UU^\top - VV^\top = W$ is $\|W\|_*$; the subgradients of "
    r"$\|\cdot\|_*$ at $W = LSR^\top$ are $LR^\top + E$ with $\|E\| \leq 1$ and $E$ orthogonal to both $L$ and $R$.",
    source="lyu2024, equation (44) and lemma F.4",
    simulation=SIMULATION,
    judge=judge,
    draw=draw,
    aliases=("lemma_f_4",),
    controls=[Control("a free part of norm 1.5", changes={"radius": 1.5}, breaks=("slack",))],
    seconds={"quick": 8, "paper": 20},
)

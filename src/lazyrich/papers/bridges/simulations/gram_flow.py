r"""Matrix factorization through the closed flow of its Gram matrix: row and entry measurements, symmetric factors."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

from ....dynamics import GradientFlow
from ....lab.params import Param
from ....lab.simulation import Simulation
from ....losses import Squared
from ....models import Sensing, SymmetricNet
from ....objective import Objective
from ....problems import Entries, Split
from ....regularizers import L2

RTOL, ATOL = 1e-10, 1e-13
FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=RTOL, atol=ATOL, reduce=None)
ROWS, ENTRIES, SYMMETRIC = range(3)
KINDS = ("rows", "entries", "symmetric entries with weight decay")


def follow_gram(probes, labels, gram, weight_decay, times, force_factor):
    r"""$\dot G = AG + GA - 2\lambda G$, $A = [[0, F^\top], [F, 0]]$ and $F = \sum_i(y_i - \langle X_i, M\rangle)X_i$.

    $G$ is the Gram matrix of $[V; U]$, $M = UV^\top$ its lower left block; any linear measurements $X_i$, any width.
    `force_factor` multiplies $F$; it is 1.
    """
    cols = probes.shape[2]

    def field(t, state, args):
        residual = labels - jnp.einsum("nij,ij->n", probes, state[cols:, :cols])
        force = force_factor * jnp.einsum("n,nij->ij", residual, probes)
        half = jnp.concatenate([force.T @ state[cols:], force @ state[:cols]])
        return half + half.T - 2 * weight_decay * state

    found = dfx.diffeqsolve(
        dfx.ODETerm(field),
        dfx.Tsit5(),
        times[0],
        times[-1],
        None,
        gram,
        saveat=dfx.SaveAt(ts=times),
        stepsize_controller=dfx.PIDController(rtol=RTOL, atol=ATOL),
        max_steps=100_000,
        throw=False,
    )
    assert found.ys is not None, "every time was asked for"
    return found.ys


def stacked(first, second):
    """The Gram matrix of the rows of both factors."""
    rows = jnp.concatenate([first, second])
    return rows @ rows.T


def make_problem(key, d, cols, rank):
    r"""Measurements of a low-rank matrix, equally many of each kind: random combinations of its rows, or single entries.

    Also entries of a symmetric matrix, each as the mean of the entry and the transposed one.
    """
    left, right, mix, places = (jr.fold_in(jr.fold_in(key, 0), at) for at in range(4))
    a, b = jr.normal(left, (d, rank)), jr.normal(right, (cols, rank))
    count = (d // 2) * cols
    chosen = jr.permutation(places, d * cols)[:count]
    entry = jnp.zeros((count, d * cols)).at[jnp.arange(count), chosen].set(1.0).reshape(count, d, cols)
    inputs = jr.normal(mix, (d // 2, d)) / jnp.sqrt(d)
    row = jnp.einsum("id,jk->ijdk", inputs, jnp.eye(cols)).reshape(count, d, cols)
    both = (entry + jnp.swapaxes(entry, 1, 2)) / 2
    truths = jnp.stack([a @ b.T, a @ b.T, a @ a.T - b @ b.T]) / jnp.sqrt(1.0 * rank)
    probes = jnp.stack([row, entry, both])
    return {"probes": probes, "labels": jnp.einsum("qnij,qij->qn", probes, truths), "chosen": chosen}


def simulate(key, problem, *, d, cols, width, alpha, weight_decay, force_factor, until, moments):
    r"""$M(t)$ from gradient flow on the factors and from the flow of the Gram matrix, for three kinds of measurement.

    Rows and entries are fitted by $UV^\top$ with orthogonal initial rows of length $\alpha$, symmetric entries by
    $UU^\top - VV^\top$ from $\alpha I$ with weight decay, where $U - V$ and $U + V$ are the two factors. `kept` is the change of
    $\mathrm{tr}((JG)^2)$, the second moment of the spectrum of the imbalance, beyond $e^{-4\lambda t}$, over $\|G\|_F^2$.
    """
    times = jnp.linspace(0.0, until, moments)
    turn = jnp.linalg.qr(jr.normal(jr.fold_in(key, 1), (width, d + cols)))[0].T
    init = Sensing(u=alpha * turn[cols:], v=alpha * turn[:cols])

    def direct(at):
        objective = Objective(Split(problem["probes"][at], problem["labels"][at]), Squared(), reduction="half_sum")
        path = FLOW.run(objective, init, times, read={"matrix": lambda net: net.matrix()})
        return path.reads["matrix"], path.outcome.code

    maps, codes = jax.lax.map(direct, jnp.array([ROWS, ENTRIES]))
    chosen = problem["chosen"]
    known = Entries(chosen // cols, chosen % cols, problem["labels"][SYMMETRIC], (d, cols))
    objective = Objective(known, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    square = SymmetricNet.at_scale(alpha, dim=d)
    path = FLOW.run(objective, square, times, read={"matrix": lambda net: net.effective()})

    wide, even = stacked(init.v, init.u), stacked(square.u - square.v, square.u + square.v)
    grams = jnp.stack([wide, wide, even])
    weight_decays = jnp.stack([0.0 * weight_decay, 0.0 * weight_decay, weight_decay])
    # W = UU^T - VV^T is the mean of the product of the two factors and its transpose; their forces are twice those of W.
    forces = jnp.array([1.0, 1.0, 2.0]) * force_factor

    def followed_by(one):
        probes, labels, gram, rate, force = one
        return follow_gram(probes, labels, gram, rate, times, force)

    followed = jax.lax.map(followed_by, (problem["probes"], problem["labels"], grams, weight_decays, forces))
    blocks = followed[:, :, cols:, :cols]
    blocks = blocks.at[SYMMETRIC].set((blocks[SYMMETRIC] + jnp.swapaxes(blocks[SYMMETRIC], 1, 2)) / 2)
    signs = jnp.concatenate([-jnp.ones(cols), jnp.ones(d)])
    second = jnp.einsum("i,qtij,j,qtij->qt", signs, followed, signs, followed)
    left = jnp.exp(-4 * weight_decays[:, None] * times[None])
    sizes = jnp.sum(followed**2, axis=(2, 3))
    return {
        "time": times,
        "factors": jnp.concatenate([maps, path.reads["matrix"][None]]).reshape(3, moments, -1),
        "gram": blocks.reshape(3, moments, -1),
        "kept": jnp.abs(second - left * second[:, :1]) / sizes,
        "outcome": jnp.maximum(jnp.max(codes), path.outcome.code),
        "steps": path.outcome.steps,
    }


SIMULATION = Simulation(
    simulate,
    make_problem=make_problem,
    params=[
        Param(
            "alpha",
            (0.03, 0.5, 5.0),
            (0.003, 0.03, 0.3, 1.0, 5.0),
            smoke=(0.3, 3.0),
            low=1e-6,
            high=30.0,
            unit="initial norm of every row",
        ),
        Param("d", 6, 12, smoke=4, low=2, high=50, unit="rows", static=True),
        Param("cols", "=d", low=2, high=50, unit="columns", static=True),
        Param("rank", 1, 2, low=1, high=10, unit="rank of the ground truth", static=True),
        Param("width", 40, 200, smoke=12, low=4, high=5_000, unit="columns of a factor", static=True),
        Param("weight_decay", 0.02, low=0.0, high=1.0, unit="weight decay of the symmetric entries"),
        Param("force_factor", 1.0, low=0.0, high=2.0, unit="factor on the force in the Gram flow"),
        Param("until", 30.0, 100.0, smoke=3.0, low=0.1, high=1e5, unit="time"),
        Param("moments", 31, 61, smoke=7, low=3, high=1_000, unit="saved times", static=True),
    ],
    returns={"time": "t", "factors": "q t e", "gram": "q t e", "kept": "q t", "outcome": "", "steps": ""},
)

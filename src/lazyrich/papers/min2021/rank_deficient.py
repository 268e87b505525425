"""A linear net followed weight by weight, on inputs of less than full rank, from two starts that differ in their hidden units."""

import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr

from ...dynamics import GradientFlow
from ...inits import balanced
from ...losses import HALF_SUM, Squared
from ...models import LinearNet
from ...numerics.imbalance import difference
from ...objective import Objective
from ...problems import Split
from ...regularizers import L2
from ..params import Param
from ..simulation import Simulation

FLOW = GradientFlow(solver=dfx.Tsit5(), rtol=1e-10, atol=1e-13, reduce=None)


def pose(key, n, d, rank, outputs) -> Split:
    """Inputs of this rank with unit singular values, and answers that no map fits."""
    left, right, answers = jr.split(jr.fold_in(key, 0), 3)
    frames = [jnp.linalg.qr(jr.normal(one, (size, rank)))[0] for one, size in ((left, n), (right, d))]
    return Split(frames[0] @ frames[1].T, jr.normal(answers, (n, outputs)))


def printed(key, problem: Split, effective, width: int) -> LinearNet:
    r"""$U = \Theta M^{-1/4}Q^\top$, $V = M^{1/4}Q^\top$ with $M = \Theta^\top\Phi_1\Phi_1^\top\Theta$, as the paper writes it."""
    seen = problem.x @ effective  # unit singular values: the norms of X Theta are those of the seen part
    values, turn = jnp.linalg.eigh(seen.T @ seen)
    root = jnp.sqrt(jnp.sqrt(values))
    frame = jnp.linalg.qr(jr.normal(key, (width, effective.shape[1])))[0]
    return LinearNet(u=effective @ (turn / root) @ turn.T @ frame.T, v=(turn * root) @ turn.T @ frame.T)


def simulate(key, problem, *, rank, outputs, width, imbalance, decay, until, moments):
    """Both losses, the part that no input sees, the excess and the imbalance along the flows of two turned starts."""
    d = problem.x.shape[1]
    wide = jr.normal(jr.fold_in(key, 1), (2, max(d, outputs), width)) / jnp.sqrt(width)
    effective = wide[0, :d] @ wide[1, :outputs].T
    first = balanced(jr.fold_in(key, 2), effective, width=width, imbalance=jnp.asarray(imbalance), x=problem.x)
    second = printed(jr.fold_in(key, 3), problem, effective, width)
    goal = Objective(problem, Squared(), factor=HALF_SUM, penalties=[(L2(), decay)])
    left, _, right = jnp.linalg.svd(problem.x, full_matrices=False)
    w, frame = left[:, :rank], right[:rank]
    least = jnp.sum((problem.y - w @ (w.T @ problem.y)) ** 2) / 2

    def unseen(net):
        return net.u - frame.T @ (frame @ net.u)

    def loss(net):
        return jnp.sum((problem.y - problem.x @ net.effective()) ** 2) / 2

    def run(start):
        rest = unseen(start)
        read = {
            "loss": loss,
            "excess": lambda net: jnp.sum((w.T @ (problem.y - problem.x @ net.effective())) ** 2) / 2,
            "moved": lambda net: jnp.linalg.norm(unseen(net) - rest) / jnp.linalg.norm(rest),
            "imbalance_size": lambda net: jnp.linalg.norm(difference(frame @ net.u, net.v)) / jnp.sum(net.v**2),
            "miss": lambda net: jnp.linalg.norm(net.effective() - effective) / jnp.linalg.norm(effective),
        }
        path = FLOW.run(goal, start, jnp.linspace(0.0, until, moments), read=read)
        return path.reads, path.outcome.code

    reads, codes = jax.vmap(run)(jax.tree.map(lambda *parts: jnp.stack(parts), first, second))
    return {"time": jnp.linspace(0.0, until, moments), **reads, "least": least, "outcome": codes.max()}


SIMULATION = Simulation(
    simulate,
    pose=pose,
    params=[
        Param("n", 8, 40, smoke=5, low=2, high=500, unit="samples", static=True),
        Param("d", 10, 60, smoke=6, low=2, high=500, unit="inputs", static=True),
        Param("rank", 5, 20, smoke=3, low=1, high=500, unit="of the inputs", static=True),
        Param("outputs", 3, 5, smoke=2, low=1, high=100, static=True),
        Param("width", 7, 40, smoke=4, low=1, high=1_000, unit="hidden units", static=True),
        Param("imbalance", 0.0, low=-10.0, high=10.0, unit="of the first of the two starts"),
        Param("decay", 0.0, low=0.0, high=10.0, unit="strength of L2"),
        Param("until", 8.0, low=0.1, high=1e3, unit="time"),
        Param("moments", 21, 101, smoke=5, low=3, high=1_000, unit="times", static=True),
    ],
    returns={
        "time": "t",
        **dict.fromkeys(("loss", "excess", "moved", "imbalance_size", "miss"), "q t"),
        "least": "",
        "outcome": "",
    },
)

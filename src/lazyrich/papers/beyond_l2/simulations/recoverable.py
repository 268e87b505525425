"""Which observed entries determine a low-rank matrix: whether it has minimum nuclear norm among all interpolants."""

from functools import partial

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ....lab.params import Param
from ....lab.simulation import Simulation
from ....problems import Entries, Problem, local_coherence, orthogonal_matrix
from ....problems.orthogonal_matrix import coherent_places


def make_problem(key, rows, cols, rank, spread, spike, n, coherence, order) -> Problem[Entries]:
    """Distinct entries, a fraction of them where local coherences are largest, or smallest for an `order` of -1."""
    truth, scores = _drawn(jr.fold_in(key, 0), spread, spike, shape=(int(rows), int(cols), int(rank)))
    n = min(round(float(n)), truth.size)
    places = coherent_places(jr.fold_in(key, 1), order * scores, n, coherence)
    return _known(truth, np.asarray(places)[:n])


def make_local(key, rows, cols, rank, spread, spike, factor, local) -> Problem[Entries]:
    r"""Every entry by itself with probability $\min(1, c(\mu_i+\nu_j)r\log^2(m+n)/\min(m, n))$; their mean, if not `local`."""
    truth, scores = _drawn(jr.fold_in(key, 0), spread, spike, shape=(int(rows), int(cols), int(rank)))
    chance = jnp.minimum(factor * scores * rank * np.log(rows + cols) ** 2 / min(rows, cols), 1.0)
    chance = chance if local else jnp.full_like(chance, jnp.mean(chance))
    drawn = jr.uniform(jr.fold_in(key, 1), truth.shape)
    # At least one entry is observed.
    seen = (drawn < chance) | (drawn == jnp.min(drawn))
    return _known(truth, np.flatnonzero(seen))


def _known(truth, places) -> Problem[Entries]:
    """The problem of these entries, made on the host: their number varies over trials, and would compile anew."""
    matrix = np.asarray(truth)
    rows, cols = np.divmod(places, matrix.shape[1])
    train = Entries(*(jnp.asarray(part) for part in (rows, cols, matrix[rows, cols])), shape=matrix.shape)
    return Problem(train, None, truth, None)


@partial(jax.jit, static_argnames="shape")
def _drawn(key, spread, spike, *, shape: tuple[int, int, int]):
    r"""A random matrix of low rank, and $\mu_i+\nu_j$ at each of its entries."""
    left, sizes, right = orthogonal_matrix(
        key, rows=shape[0], cols=shape[1], rank=shape[2], spread=jnp.asarray(spread), spike=jnp.asarray(spike)
    )
    return (left * sizes) @ right.T, local_coherence(left)[:, None] + local_coherence(right)


def recover(key, problem: Problem[Entries], *, rank):
    r"""The recovery error of the minimum-nuclear-norm interpolant, whether it is certified, and the coherences.

    $\mu_0$ is the largest local coherence, $\mu_1$ the largest entry of $UV^\top$ times $\sqrt{mn/r}$.
    """
    from ....predictors import MinNuclear

    data, truth = problem.train, np.asarray(problem.truth)
    found = MinNuclear().solve(data)
    left, _, right = np.linalg.svd(truth)
    frames = left[:, : int(rank)], right[: int(rank)].T
    tops = [float(local_coherence(jnp.asarray(frame)).max()) for frame in frames]
    return {
        "recovery_error": np.linalg.norm(found.effective - truth) / np.linalg.norm(truth),
        "certified": np.asarray(float(found.ok)),
        "known": np.asarray(float(data.n)),
        "mu0": np.asarray(max(tops)),
        "mu1": np.abs(frames[0] @ frames[1].T).max() * np.sqrt(truth.size / int(rank)),
    }


RETURNS: dict[str, str] = dict.fromkeys(("recovery_error", "certified", "known", "mu0", "mu1"), "")
MATRIX = (
    Param("rows", 7, 14, smoke=5, low=2, high=200, unit="rows"),
    Param("cols", 6, 12, smoke=4, low=2, high=200, unit="columns"),
    Param("rank", 1, smoke=1, low=1, high=50, unit="rank"),
    Param("spread", 1.0, low=1.0, high=1e3, unit="condition number"),
    Param("spike", 0.0, low=0.0, high=0.99, unit="0: random singular vectors, near 1: coordinate axes"),
)
CHOSEN = (
    Param("coherence", 0.0, low=0.0, high=1.0, unit="fraction at the largest local coherences"),
    Param("order", 1, low=-1, high=1, unit="1: largest coherence first, -1: smallest"),
)
TRIALS = Param("trials", 12, 30, smoke=2, low=1, high=10_000, unit="trials", static=True)


def masks(*params: Param) -> Simulation:
    """Simulations with a given number of entries, and some parameters described anew."""
    given = {param.name for param in params}
    usual = [param for param in (*MATRIX, *CHOSEN, TRIALS) if param.name not in given]
    return Simulation(recover, make_problem=make_problem, params=[*params, *usual], returns=RETURNS, host=True)


LOCAL = Simulation(
    recover,
    make_problem=make_local,
    params=[
        Param(
            "spike",
            (0.0, 0.4, 0.7),
            smoke=(0.0, 0.5),
            low=0.0,
            high=0.99,
            unit="0: random singular vectors, near 1: coordinate axes",
        ),
        Param("rank", (1, 2), (1, 2, 3), smoke=(1,), low=1, high=50, unit="rank"),
        Param("factor", 0.35, 0.3, low=1e-3, high=100.0, unit="$c$ of the probabilities"),
        Param("local", 1, low=0, high=1, unit="1: by local coherence, 0: uniform"),
        Param("rows", 12, 24, smoke=6, low=2, high=200, unit="rows"),
        Param("cols", 10, 20, smoke=5, low=2, high=200, unit="columns"),
        Param("spread", 2.0, low=1.0, high=1e3, unit="condition number"),
        Param("trials", 8, 30, smoke=2, low=1, high=10_000, unit="trials", static=True),
    ],
    returns=RETURNS,
    host=True,
)

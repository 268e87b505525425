"""Which known entries tell a matrix of low rank: whether it has the least nuclear norm among all that fit them."""

from functools import partial

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from ...problems import Entries, Problem, local_coherence, orthogonal_matrix
from ...problems.orthogonal_matrix import coherent_places
from ..params import Param
from ..simulation import Simulation


def pose(key, rows, cols, rank, spread, spike, n, coherence, order) -> Problem:
    """So many distinct entries, a share of them where local coherences are largest, or least for an `order` of -1."""
    truth, scores = _drawn(jr.fold_in(key, 0), spread, spike, shape=(int(rows), int(cols), int(rank)))
    n = min(round(float(n)), truth.size)
    places = coherent_places(jr.fold_in(key, 1), order * scores, n, coherence)
    return _known(truth, np.asarray(places)[:n])


def pose_local(key, rows, cols, rank, spread, spike, factor, local) -> Problem:
    r"""Every entry by itself with probability $\min(1, c(\mu_i+\nu_j)r\log^2(m+n)/\min(m, n))$; their mean, if not `local`."""
    truth, scores = _drawn(jr.fold_in(key, 0), spread, spike, shape=(int(rows), int(cols), int(rank)))
    chance = jnp.minimum(factor * scores * rank * np.log(rows + cols) ** 2 / min(rows, cols), 1.0)
    chance = chance if local else jnp.full_like(chance, jnp.mean(chance))
    drawn = jr.uniform(jr.fold_in(key, 1), truth.shape)
    # Of a matrix without any known entry nothing can be asked.
    seen = (drawn < chance) | (drawn == jnp.min(drawn))
    return _known(truth, np.flatnonzero(seen))


def _known(truth, places) -> Problem:
    """The problem of these places, made by the host: their number changes from draw to draw, and programs would too."""
    matrix = np.asarray(truth)
    rows, cols = np.divmod(places, matrix.shape[1])
    train = Entries(*(jnp.asarray(part) for part in (rows, cols, matrix[rows, cols])), shape=matrix.shape)
    return Problem(train, None, truth, None)


@partial(jax.jit, static_argnames="shape")
def _drawn(key, spread, spike, *, shape: tuple[int, int, int]):
    r"""A random matrix of low rank, and $\mu_i+\nu_j$ at each of its places."""
    left, sizes, right = orthogonal_matrix(
        key, rows=shape[0], cols=shape[1], rank=shape[2], spread=jnp.asarray(spread), spike=jnp.asarray(spike)
    )
    return (left * sizes) @ right.T, local_coherence(left)[:, None] + local_coherence(right)


def recover(key, problem: Problem, *, rank):
    r"""How far the fit of least nuclear norm is from the truth, whether it is certified, and how coherent the truth is.

    $\mu_0$ is the largest local coherence, $\mu_1$ the largest entry of $UV^\top$ times $\sqrt{mn/r}$.
    """
    from ...predictors import MinNuclear

    data, truth = problem.train, np.asarray(problem.truth)
    assert isinstance(data, Entries), "entries of a matrix were asked for"
    found = MinNuclear().solve(data)
    left, _, right = np.linalg.svd(truth)
    frames = left[:, : int(rank)], right[: int(rank)].T
    tops = [float(local_coherence(jnp.asarray(frame)).max()) for frame in frames]
    return {
        "missed": np.linalg.norm(found.effective - truth) / np.linalg.norm(truth),
        "certified": np.asarray(float(found.ok)),
        "known": np.asarray(float(data.n)),
        "mu0": np.asarray(max(tops)),
        "mu1": np.abs(frames[0] @ frames[1].T).max() * np.sqrt(truth.size / int(rank)),
    }


RETURNS: dict[str, str] = dict.fromkeys(("missed", "certified", "known", "mu0", "mu1"), "")
MATRIX = (
    Param("rows", 7, 14, smoke=5, low=2, high=200, unit="rows"),
    Param("cols", 6, 12, smoke=4, low=2, high=200, unit="columns"),
    Param("rank", 1, smoke=1, low=1, high=50, unit="rank of the truth"),
    Param("spread", 1.0, low=1.0, high=1e3, unit="largest over least singular value of the truth"),
    Param("spike", 0.0, low=0.0, high=0.99, unit="share of the first unit vectors in singular vectors"),
)
CHOSEN = (
    Param("coherence", 0.0, low=0.0, high=1.0, unit="share of entries that is chosen"),
    Param("order", 1, low=-1, high=1, unit="1: the most coherent first, -1: the least"),
)
TRIALS = Param("trials", 12, 30, smoke=2, low=1, high=10_000, unit="draws", static=True)


def masks(*params: Param) -> Simulation:
    """Entries in a given number, with some parameters of one's own."""
    given = {param.name for param in params}
    usual = [param for param in (*MATRIX, *CHOSEN, TRIALS) if param.name not in given]
    return Simulation(recover, pose=pose, params=[*params, *usual], returns=RETURNS, host=True)


LOCAL = Simulation(
    recover,
    pose=pose_local,
    params=[
        Param("spike", (0.0, 0.4, 0.7), smoke=(0.0, 0.5), low=0.0, high=0.99, unit="share of the first unit vectors"),
        Param("rank", (1, 2), (1, 2, 3), smoke=(1,), low=1, high=50, unit="rank of the truth"),
        Param("factor", 0.35, 0.3, low=1e-3, high=100.0, unit="c of the probabilities"),
        Param("local", 1, low=0, high=1, unit="1: by local coherence, 0: everywhere alike"),
        Param("rows", 12, 24, smoke=6, low=2, high=200, unit="rows"),
        Param("cols", 10, 20, smoke=5, low=2, high=200, unit="columns"),
        Param("spread", 2.0, low=1.0, high=1e3, unit="largest over least singular value of the truth"),
        Param("trials", 8, 30, smoke=2, low=1, high=10_000, unit="draws", static=True),
    ],
    returns=RETURNS,
    host=True,
)

"""Problems shared by the tests of predictors."""

import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.problems import Entries, Split


@pytest.fixture(scope="session")
def split():
    """A Split of numpy arrays."""
    return lambda x, y: Split(jnp.asarray(np.asarray(x, float)), jnp.asarray(np.asarray(y, float)))


@pytest.fixture(scope="session")
def planted(split):
    """Gaussian inputs, a sparse truth of ones, and noise: (data, x, y)."""

    def make(seed=0, n=8, d=20, sparsity=3, noise=0.0):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(n, d))
        y = x[:, :sparsity].sum(axis=1) + noise * rng.normal(size=n)
        return split(x, y), x, y

    return make


@pytest.fixture(scope="session")
def labeled(split):
    """Gaussian inputs labeled by a dense direction: (data, x, y)."""

    def make(seed=0, n=8, d=20):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(n, d))
        y = np.where(x @ rng.normal(size=d) >= 0, 1.0, -1.0)
        return split(x, y), x, y

    return make


@pytest.fixture(scope="session")
def completion():
    """Some entries of a matrix of low rank, with noise: (data, truth)."""

    def make(seed=0, shape=(8, 8), rank=1, share=0.5, noise=0.0):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1])) + noise * rng.normal(size=shape)
        places = rng.permutation(truth.size)[: round(share * truth.size)]
        rows, cols = places // shape[1], places % shape[1]
        return Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.asarray(truth[rows, cols]), shape), truth

    return make


@pytest.fixture(scope="session")
def sensing():
    """Gaussian measurements of a matrix of low rank: (data, truth)."""

    def make(seed=0, shape=(5, 6), rank=1, n=12):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
        x = rng.normal(size=(n, *shape))
        return Split(jnp.asarray(x), jnp.asarray(np.tensordot(x, truth, 2))), truth

    return make


@pytest.fixture(scope="session")
def cone():
    """The least value of a nuclear norm, plus squares where a strength is given, by a cone program."""

    def solve(data, strength=None, weight=1.0):
        import cvxpy as cp

        shape = data.shape if isinstance(data, Entries) else data.x.shape[1:]
        matrix, y = cp.Variable(shape), np.asarray(data.y)
        if isinstance(data, Entries):
            read = matrix[np.asarray(data.rows), np.asarray(data.cols)]
        else:
            read = np.asarray(data.x).reshape(data.n, -1) @ cp.vec(matrix, order="C")
        if strength is None:
            task = cp.Problem(cp.Minimize(cp.normNuc(matrix)), [read == y])
        else:
            task = cp.Problem(cp.Minimize(weight * cp.sum_squares(read - y) + strength * cp.normNuc(matrix)))
        return task.solve(solver=cp.CLARABEL), matrix.value

    return solve

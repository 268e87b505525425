"""Problems shared by the tests of predictors."""

import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.problems import Split


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

import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import Matrix, entries, outputs


def test_it_is_its_own_map():
    w = np.arange(6.0).reshape(2, 3)
    model = Matrix(jnp.asarray(w))
    np.testing.assert_array_equal(outputs(model, jnp.eye(2)), w)
    np.testing.assert_array_equal(model(jnp.array([1.0, 2.0])), [6, 9, 12])
    np.testing.assert_array_equal(entries(model, jnp.array([1]), jnp.array([2]), (2, 3)), [5])
    np.testing.assert_array_equal(Matrix.at_scale(0.5, shape=(2, 3)).w, np.full((2, 3), 0.5))
    assert model.degree == 1 and model.parameters() is model.w


def test_a_vector_is_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match=r"shape \(d, k\)"):
        Matrix(jnp.ones(3))

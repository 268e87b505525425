import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.models import Linear


def test_by_hand():
    model = Linear(jnp.array([2.0, -1.0]))
    assert model(jnp.array([1.0, 4.0])) == -2.0 and model.degree == 1
    np.testing.assert_array_equal(model.effective(), model.parameters())
    np.testing.assert_array_equal(Linear.at_scale(0.3, dim=3).w, [0.3] * 3)


def test_a_matrix_is_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match=r"w of shape \(d,\)"):
        Linear(jnp.ones((2, 2)))

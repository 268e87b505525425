import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent, GradientFlow
from lazyrich.dynamics.base import moments
from lazyrich.errors import BadInput
from lazyrich.models import DiagonalNet

DYNAMICS = [GradientFlow(), GradientDescent(0.1)]
BAD = {
    "not from 0": [1.0, 2.0],
    "negative": [-1.0, 0.0, 1.0],
    "decreasing": [0.0, 2.0, 1.0],
    "repeated": [0.0, 1.0, 1.0],
    "not a number": [0.0, float("nan"), 1.0],
    "endless": [0.0, float("inf")],
    "empty": [],
    "one alone": [0.0],
    "a table": [[0.0, 1.0], [2.0, 3.0]],
    "a number": 3.0,
}


@pytest.mark.parametrize("dynamics", DYNAMICS, ids=lambda dynamics: type(dynamics).__name__)
@pytest.mark.parametrize("when", BAD.values(), ids=BAD.keys())
def test_moments_must_increase_from_zero(objective, dynamics, when):
    with pytest.raises(BadInput, match=f"{type(dynamics).__name__} takes .*moments"):
        dynamics.run(objective, DiagonalNet.at_scale(0.5, dim=20), when)


@pytest.mark.parametrize("dynamics", DYNAMICS, ids=lambda dynamics: type(dynamics).__name__)
def test_float32_is_refused_with_the_cure(objective, dynamics):
    init = DiagonalNet.at_scale(0.5, dim=20)
    with jax.enable_x64(False), pytest.raises(BadInput) as error:
        dynamics.run(objective, init, [0.0, 1.0])
    assert type(dynamics).__name__ in error.value.needed and "float32" in error.value.given
    assert '`import jax; jax.config.update("jax_enable_x64", True)`' in error.value.cure


def test_lists_and_traced_moments_are_welcome():
    np.testing.assert_array_equal(moments([0, 1, 5], "Anything"), [0, 1, 5])
    np.testing.assert_array_equal(jax.jit(lambda when: moments(when, "Anything"))(jnp.array([0.0, 2.0])), [0, 2])

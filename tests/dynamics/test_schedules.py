import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent, InverseTime, LabelNoiseSGD, OneSAM
from lazyrich.dynamics.schedules import rate_at
from lazyrich.errors import BadInput


def test_inverse_time_is_its_formula_and_has_batch_axes():
    counts = jnp.arange(4)
    np.testing.assert_allclose(InverseTime(3.0, 2.0)(counts), [1.5, 1.0, 0.75, 0.6], rtol=1e-15)
    many = jax.vmap(lambda a: InverseTime(a, 2)(1))(jnp.array([3.0, 6.0]))
    np.testing.assert_allclose(many, [1.0, 2.0], rtol=1e-15)


def test_a_rate_is_a_number_or_a_schedule():
    assert rate_at(0.1, 7) == 0.1 and rate_at(lambda count: 2 * count, 7) == 14


@pytest.mark.parametrize("bad", [0.0, -1.0, float("nan"), float("inf")])
def test_numbers_that_are_not_positive_are_refused_by_name(bad):
    key = jax.random.key(0)
    with pytest.raises(BadInput, match="GradientDescent needs a learning_rate > 0"):
        GradientDescent(bad)
    with pytest.raises(BadInput, match="LabelNoiseSGD needs a noise > 0"):
        LabelNoiseSGD(key, 0.1, bad)
    with pytest.raises(BadInput, match="OneSAM needs a radius > 0"):
        OneSAM(key, 0.1, bad)

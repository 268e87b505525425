import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lazyrich import Objective, Split
from lazyrich.errors import BadInput
from lazyrich.losses import CrossEntropy, Logistic
from lazyrich.models import PairNet

LOSS = CrossEntropy()
OUTPUTS = arrays(float, (2, 4), elements=st.floats(-30, 30))
CLASSES = arrays(float, (2,), elements=st.sampled_from([0.0, 1.0, 2.0, 3.0]))


@given(f=OUTPUTS, y=CLASSES)
def test_it_is_minus_the_logarithm_of_the_softmax(f, y):
    expected = -jax.nn.log_softmax(jnp.asarray(f))[jnp.arange(2), y.astype(int)]
    # Where the class leads by e^30 the softmax has lost the digits that the loss keeps.
    np.testing.assert_allclose(LOSS.value(jnp.asarray(f), jnp.asarray(y)), expected, rtol=1e-12, atol=1e-14)


@given(f=OUTPUTS, y=CLASSES, log_scale=st.floats(-5, 5))
def test_the_slope_is_the_derivative(f, y, log_scale):
    slope = jax.grad(lambda f: LOSS.value(f, jnp.asarray(y)).sum())(jnp.asarray(f))
    found = LOSS.scaled_slope(jnp.asarray(f), jnp.asarray(y), log_scale)
    np.testing.assert_allclose(found, np.exp(log_scale) * slope, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(found.sum(-1), 0, rtol=0, atol=1e-13 * np.exp(log_scale))


@given(margin=st.floats(-30, 1e6))
def test_two_classes_are_logistic(margin):
    f, one = jnp.array([0.0, margin]), jnp.asarray(1.0)
    for method in ("value", "log_value"):
        mine, theirs = getattr(LOSS, method)(f, one), getattr(Logistic(), method)(jnp.asarray(margin), one)
        np.testing.assert_allclose(mine, theirs, rtol=1e-14)


def test_the_logarithm_outlives_the_value():
    f = jnp.array([2000.0, 0.0, -1.0])
    assert LOSS.value(f, jnp.asarray(0.0)) == 0
    np.testing.assert_allclose(LOSS.log_value(f, jnp.asarray(0.0)), -2000 + np.log1p(np.exp(-1)), rtol=1e-15)


@pytest.mark.parametrize("y", [[0.5, 1.0], [-1.0, 1.0]])
def test_answers_that_are_no_classes_are_refused(y):
    with pytest.raises(BadInput, match="one class a sample"):
        Objective(Split(jnp.zeros((2, 2)), jnp.array(y)), LOSS, reduction="mean")


def test_an_objective_of_classes():
    net = PairNet(jnp.ones((3, 2)), jnp.ones((3, 2)), jnp.zeros(2), jnp.eye(2, 3))
    objective = Objective(Split(jnp.array([[0.0, 1.0], [2.0, 2.0]]), jnp.array([0.0, 2.0])), LOSS, reduction="mean")
    total = np.log(2 * np.exp(2) + 1)
    np.testing.assert_allclose(objective(net), ((total - 2) + total) / 2, rtol=1e-14)
    np.testing.assert_allclose(objective.log_data_loss(net), np.log(objective(net)), rtol=1e-14)

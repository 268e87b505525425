"""A function as a model: called, trained and measured like the net of the same parameters."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

import lazyrich as lz
from lazyrich.errors import BadInput
from lazyrich.models import Difference, Function, PowerNet, measured_degrees, outputs, parameters, tangent

X = jr.normal(jr.key(0), (5, 3))
INNER, OUTER = jr.normal(jr.key(1), (3, 4)), jr.normal(jr.key(2), (4,))


def squares(weights, x):
    return weights["outer"] @ (x @ weights["inner"]) ** 2


FUNCTION = Function({"inner": INNER, "outer": OUTER}, squares)
NET = PowerNet(INNER, OUTER)


def test_it_is_the_net_of_the_same_parameters():
    np.testing.assert_allclose(outputs(FUNCTION, X), outputs(NET, X), rtol=1e-13)
    np.testing.assert_allclose(tangent.kernel(FUNCTION, X), tangent.kernel(NET, X), rtol=1e-12)
    np.testing.assert_allclose(measured_degrees(FUNCTION, X, 2.0), 3, rtol=1e-12)
    assert len(jax.tree.leaves(parameters(FUNCTION))) == 2
    assert not np.asarray(outputs(Difference.of(FUNCTION), X)).any()


def test_it_descends_like_that_net():
    objective = lz.Objective(lz.Split(X, jnp.ones(5)), lz.losses.Squared(), reduction="mean")
    ends = [lz.dynamics.GradientDescent(1e-3).run(objective, model, jnp.array([0, 20])).end for model in (FUNCTION, NET)]
    np.testing.assert_allclose(ends[0].parameters["inner"], ends[1].inner, rtol=1e-11)
    assert np.abs(ends[1].inner - INNER).max() > 1e-3


@pytest.mark.parametrize("odd", [{"a": 3.0}, {"a": jnp.arange(3)}, {}, {"a": jnp.ones(2), "b": "name"}])
def test_what_would_not_move_is_refused(odd):
    with pytest.raises(BadInput, match="floating-point arrays"):
        Function(odd, squares)

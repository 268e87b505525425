"""The closed form of descent with decay is what descent does."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent
from lazyrich.losses import Squared
from lazyrich.models import Linear
from lazyrich.objective import Objective
from lazyrich.papers.beyond_l2.simulations.l2_alone import closed_form
from lazyrich.problems import Split, compressed_sensing
from lazyrich.regularizers import L2


@pytest.mark.parametrize("weight_decay", [0.0, 0.03])
@pytest.mark.parametrize("learning_rate", [0.1, 0.7])  # the second alternates in sign along the largest direction
def test_closed_form_is_descent(weight_decay, learning_rate):
    data = compressed_sensing(jr.key(3), n=8, d=15, sparsity=2).train
    assert isinstance(data, Split)
    init = jr.normal(jr.key(4), (15,))
    when = jnp.array([0.0, 1.0, 2.0, 7.0, 300.0])
    expected, _, _ = closed_form(data, init, when, learning_rate=learning_rate, weight_decay=weight_decay)
    objective = Objective(data, Squared(), reduction="half_sum", penalties=[(L2(), weight_decay)])
    path = GradientDescent(learning_rate).run(objective, Linear(init), when, read={"w": lambda model: model.w})
    np.testing.assert_allclose(expected, path.reads["w"], atol=1e-12)

"""Named optimizers: plain descent is descent, and a steady pull moves each as fast as its clock says."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import GradientDescent
from lazyrich.dynamics.optimizers import NAMES, clock, optimizer
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import Linear
from lazyrich.objective import Objective
from lazyrich.problems import Split
from lazyrich.regularizers import L1

WHEN = jnp.array([0.0, 100.0, 200.0])


def pulled(strength: float) -> Objective:
    """A sample that asks nothing of the second weight, which the penalty alone moves."""
    return Objective(Split(jnp.array([[1.0, 0.0]]), jnp.ones(1)), Squared(), reduction="half_sum", penalties=[(L1(), strength)])


def moved(name, strength: float) -> float:
    init = Linear(jnp.array([1.0, 9.0]))
    path = optimizer(name, 0.01, jr.key(0)).run(pulled(strength), init, WHEN, read={"w": lambda model: model.w[1]})
    return float(path.reads["w"][1] - path.reads["w"][2]) / 100


@pytest.mark.parametrize("name", [name for name in NAMES if name != "adam"])
@pytest.mark.parametrize("strength", [0.1, 0.3])
def test_a_steady_pull_moves_by_the_clock(name, strength):
    # Momentum forgets its start like 0.9^100.
    np.testing.assert_allclose(moved(name, strength), strength * clock(name, 0.01), rtol=1e-3)


def test_adam_moves_alike_at_any_strength_and_has_no_clock():
    assert clock("adam", 0.01) is None
    np.testing.assert_allclose([moved("adam", strength) for strength in (0.1, 0.3)], 0.01, rtol=1e-3)


def test_plain_descent_is_gradient_descent():
    init = Linear(jnp.array([0.3, -2.0]))
    one, two = (
        dynamics.run(pulled(0.2), init, WHEN, read={"w": lambda model: model.w})
        for dynamics in (optimizer("descent", 0.05, jr.key(0)), GradientDescent(0.05))
    )
    np.testing.assert_allclose(one.reads["w"], two.reads["w"], rtol=1e-14, atol=1e-15)  # one weight ends at zero


@pytest.mark.parametrize("ask", [lambda: optimizer("lion", 0.1, jr.key(0)), lambda: clock("lion", 0.1)])
def test_an_unknown_name_is_refused(ask):
    with pytest.raises(BadInput, match="adamw"):
        ask()

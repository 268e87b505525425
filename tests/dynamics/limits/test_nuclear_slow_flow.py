"""The nuclear slow flow is the limit of proximal descent with a weak nuclear penalty."""

import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics import ProximalDescent
from lazyrich.dynamics.limits import NuclearSlowFlow
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import Linear, Matrix
from lazyrich.objective import Objective
from lazyrich.problems import Entries
from lazyrich.regularizers import L1, Nuclear

RNG = np.random.default_rng(1)
TRUTH = np.outer(RNG.normal(size=4), RNG.normal(size=4))
ROWS, COLS = np.nonzero(RNG.random((4, 4)) < 0.7)
DATA = Entries(jnp.asarray(ROWS), jnp.asarray(COLS), jnp.asarray(TRUTH[ROWS, COLS]), (4, 4))
START = Matrix(jnp.asarray(0.3 * RNG.normal(size=(4, 4))))


def objective(strength, penalty=None):
    return Objective(DATA, Squared(), reduction="half_sum", penalties=[(penalty or Nuclear(), strength)])


def test_proximal_descent_tends_to_it():
    learning_rate, slow, errors = 0.5, jnp.array([0.0, 0.2, 0.5, 1.0]), []
    expected = NuclearSlowFlow().run(objective(1.0), START, slow)
    assert expected.outcome.ok and expected.certificates["feasibility"] < 1e-12 and expected.certificates["error"] < 0.01
    for strength in (4e-3, 1e-3):
        counts = jnp.round(slow / (learning_rate * strength)).astype(int)
        found = ProximalDescent(learning_rate).run(objective(strength), START, counts)
        errors.append(np.abs(found.models.w[1:] - expected.models.w[1:]).max())
    assert errors[1] < 0.4 * errors[0] and errors[1] < 2e-2  # linear in the strength


def test_times_scale_with_the_strength():
    strong, weak = (NuclearSlowFlow().run(objective(s), START, [0.0, 0.4 / s], read={"w": lambda m: m.w}) for s in (1.0, 1e-5))
    np.testing.assert_allclose(strong.reads["w"], weak.reads["w"], atol=1e-12)


@pytest.mark.parametrize(
    ("given", "init", "why"),
    [
        (objective(1.0), Linear(jnp.ones(4)), "not a Matrix"),
        (objective(1.0), Matrix(jnp.ones((4, 3))), "of its shape"),
        (objective(1.0, L1()), START, "not the nuclear norm alone"),
        (objective(0.0), START, "strength of the penalty is 0"),
    ],
)
def test_what_it_does_not_fit_is_refused(given, init, why):
    with pytest.raises(BadInput, match=why):
        NuclearSlowFlow().run(given, init, [0.0, 1.0])

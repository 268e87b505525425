"""The KKT measure with all constraints at once, against the exact one with few."""

import jax
import jax.numpy as jnp
import jax.random as jr
import pytest

from lazyrich.dynamics import RescaledDescent
from lazyrich.errors import BadInput
from lazyrich.inits import he_pairs
from lazyrich.losses import CrossEntropy
from lazyrich.measures import margin_kkt
from lazyrich.measures.cone import rival_cone
from lazyrich.objective import Objective
from lazyrich.problems import modular_addition


@pytest.fixture(scope="module")
def trained():
    problem = modular_addition(jr.key(0), modulus=5, train_fraction=0.6)
    objective = Objective(problem.train, CrossEntropy(), reduction="mean")
    init = he_pairs(jr.key(1), symbols=5, width=8)
    path = RescaledDescent(0.3, 1.0, until=-2.0).run(objective, init, jnp.array([0, 500]), read={})
    return path.end, problem.train


def test_multipliers_are_those_of_nonnegative_least_squares(trained):
    net, data = trained
    found, expected = rival_cone(net, data, steps=3_000), margin_kkt(net, data)
    assert float(found.stationarity) == pytest.approx(float(expected.stationarity), abs=1e-6)
    assert float(found.slackness) == pytest.approx(float(expected.slackness), abs=1e-6)
    assert 0 < float(found.least) and float(found.stationarity) < 0.9


def test_no_scale_matters(trained):
    net, data = trained
    large = jax.tree.map(lambda part: 1e3 * part, net)
    one, other = (rival_cone(each, data, steps=50) for each in (net, large))
    assert float(one.stationarity) == pytest.approx(float(other.stationarity), rel=1e-9)
    assert float(one.least) == pytest.approx(float(other.least), rel=1e-9)


def test_more_points_leave_no_more(trained):
    net, data = trained
    alone, many = rival_cone(net, data, steps=2_000), rival_cone(net, data, steps=2_000, around=4, key=jr.key(2))
    assert float(many.stationarity) <= float(alone.stationarity) + 1e-3


def test_points_around_need_a_key(trained):
    net, data = trained
    with pytest.raises(BadInput, match="by a key"):
        rival_cone(net, data, around=3)

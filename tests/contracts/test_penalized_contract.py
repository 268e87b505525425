"""Every penalized predictor and every function of one variable: certified, indifferent to order, refuses bad data."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.predictors import ALL, FUNCTIONS, PENALIZED
from lazyrich.problems import Entries, Split, sparse_recovery

VECTORS = sparse_recovery(jr.key(0), n=8, d=20, sparsity=3, test=0).train
NUMBERS = Split(jnp.array([[-1.2], [0.8], [-0.2], [0.3], [-0.7], [1.3]]), jnp.array([0.3, 0.5, 0.4, -0.3, -0.5, -0.2]))


def named(predictor) -> str:
    return type(predictor).__name__


def posed(predictor) -> Split:
    return NUMBERS if predictor in FUNCTIONS else VECTORS


each = pytest.mark.parametrize("predictor", PENALIZED + FUNCTIONS, ids=named)


def test_all_are_listed():
    assert set(PENALIZED + FUNCTIONS) <= set(ALL)


@each
def test_certified(predictor):
    data = posed(predictor)
    reference = predictor.solve(data)
    assert reference.ok and 0 <= reference.certificate.feasibility <= 1e-8 and 0 <= reference.certificate.gap <= 1e-6
    assert reference.certificate.infeasibility is None
    assert np.isfinite(reference.value) and reference.value > 0 and reference.dual.shape == (data.n,)
    fitted = reference.predict(data.x)
    assert fitted.shape == (data.n,) and np.isfinite(fitted).all()
    exact = bool(np.abs(fitted - np.asarray(data.y)).max() < 1e-9)
    assert exact == (predictor in FUNCTIONS)


@each
def test_the_same_data_in_another_order(predictor):
    data, order = posed(predictor), np.random.default_rng(0).permutation(posed(predictor).n)
    again = predictor.solve(Split(data.x[order], data.y[order]))
    np.testing.assert_allclose(again.value, predictor.solve(data).value, rtol=1e-9)
    np.testing.assert_allclose(again.predict(data.x), predictor.solve(data).predict(data.x), atol=1e-9)


@each
def test_zero_answers_cost_nothing(predictor):
    data = posed(predictor)
    reference = predictor.solve(Split(data.x, jnp.zeros(data.n)))
    assert reference.ok and reference.value == 0 and not reference.predict(data.x).any()


@each
def test_one_sample(predictor):
    reference = predictor.solve(Split(posed(predictor).x[:1], jnp.array([2.0])))
    assert reference.ok


@each
def test_bad_data_are_refused(predictor):
    data = posed(predictor)
    name = type(predictor).__name__
    # A Split refuses NaN itself; this one has it slipped in afterwards.
    with pytest.raises(BadInput, match=f"given to {name} must hold finite numbers"):
        predictor.solve(eqx.tree_at(lambda split: split.x, data, data.x.at[0, 0].set(jnp.nan)))
    with pytest.raises(BadInput, match="one target a sample"):
        predictor.solve(Split(data.x, jnp.stack([data.y, data.y], axis=1)))
    with pytest.raises(BadInput, match="takes a Split"):
        predictor.solve(Entries(jnp.array([0]), jnp.array([0]), jnp.array([1.0]), (2, 2)))
    with jax.enable_x64(False), pytest.raises(BadInput, match="double precision"):
        predictor.solve(data)


@each
def test_predictions_take_inputs_of_the_same_dimension(predictor):
    data = posed(predictor)
    reference = predictor.solve(data)
    assert reference.predict(np.ones((3, data.d))).shape == (3,)
    with pytest.raises(BadInput, match="predict takes"):
        reference.predict(np.ones((3, data.d + 1)))

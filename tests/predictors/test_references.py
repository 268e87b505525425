import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.predictors import INTERPOLATING, SEPARATING, Certificate, Reference


def test_nothing_not_finite_is_ok():
    assert Certificate(0.0, 0.0).ok
    assert not Certificate(np.nan, 0.0).ok
    assert not Certificate(0.0, np.nan).ok
    assert not Certificate(0.0, 0.0, np.ones(1)).ok


def test_predict_takes_one_input_or_many():
    reference = Reference(np.array([1.0, 2.0]), 3.0, Certificate(0.0, 0.0))
    assert reference.predict([1.0, 1.0]) == 3
    np.testing.assert_array_equal(reference.predict(np.eye(2)), [1, 2])
    with pytest.raises(BadInput, match="one input of 2 numbers"):
        reference.predict(np.ones(3))


@pytest.mark.parametrize("predictor", INTERPOLATING + SEPARATING, ids=repr)
def test_every_ready_predictor_solves_and_certifies(predictor, planted, labeled):
    data, x, _ = labeled() if predictor.signs_only else planted(noise=0.1)
    reference = predictor.solve(data)
    assert reference.ok and reference.dual.shape == (8,) and np.isfinite(reference.value)
    assert reference.predict(x).shape == (8,)

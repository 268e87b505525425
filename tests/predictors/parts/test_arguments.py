import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.predictors import MaxMargin, MinHyperbolicEntropy, MinL1, MinL2, certify_margin


@pytest.mark.parametrize("alpha", [0.0, -1.0, float("nan"), float("inf"), 1e101, 1e-301, np.array([1.0, 2.0])])
def test_a_scale_must_be_positive(alpha):
    with pytest.raises(BadInput, match="alpha must be a number"):
        MinHyperbolicEntropy(alpha)


@pytest.mark.parametrize("alpha", [1, np.float32(1), jnp.asarray(1.0)])
def test_a_scale_may_be_any_number(alpha):
    assert isinstance(MinHyperbolicEntropy(alpha).alpha, float)


@pytest.mark.parametrize("depth", [1, 0, -3, True])
def test_depths_are_whole_numbers_from_two(depth):
    with pytest.raises(BadInput, match="depth must be a whole number from 2"):
        MinHyperbolicEntropy(0.1, depth=depth)
    assert MinHyperbolicEntropy(0.1, depth=7).depth == 7


@pytest.mark.parametrize("depth, alpha", [(2, 1e101), (10, 1e21), (2, 1e-301), (3, 0.0), (3, float("nan"))])
def test_scales_stay_within_the_range_of_floats(depth, alpha):
    with pytest.raises(BadInput, match="alpha must be a number from 1e-300 to"):
        MinHyperbolicEntropy(alpha, depth=depth)


@pytest.mark.parametrize("shape", [[1.0, 0.0], [], [[1.0]], [np.nan, 1.0], "ab"])
def test_a_shape_has_no_zeros(shape):
    with pytest.raises(BadInput, match="shape must be a vector of finite nonzero"):
        MinHyperbolicEntropy(0.1, shape=shape)


@pytest.mark.parametrize("kind", [MinL1, MinL2])
@pytest.mark.parametrize("weights", [[1.0, 0.0], [1.0, -1.0], [np.inf, 1.0], [[1.0, 2.0]]])
def test_weights_are_positive(kind, weights):
    with pytest.raises(BadInput, match="weights must be a vector of finite positive"):
        kind(weights=weights)


@pytest.mark.parametrize(
    "predictor", [MinL1(weights=[1.0, 2.0]), MinL2(weights=[1.0, 2.0]), MinHyperbolicEntropy(1.0, shape=[1.0, 2.0])]
)
def test_a_wrong_length_is_refused_at_solve(planted, predictor):
    with pytest.raises(BadInput, match="one entry for each of the 20 inputs"):
        predictor.solve(planted()[0])


@pytest.mark.parametrize("norm", ["l3", "", "L1"])
def test_a_norm_is_l1_or_l2(norm):
    with pytest.raises(BadInput, match="norm must be one of l1, l2"):
        MaxMargin(norm)


@pytest.mark.parametrize("effective", [np.ones(3), np.full(20, np.nan), np.ones((20, 1))])
def test_a_candidate_fits_the_data(labeled, effective):
    with pytest.raises(BadInput, match="effective must hold 20 finite numbers"):
        certify_margin(labeled()[0], effective, "l1")
    with pytest.raises(BadInput, match="effective must hold 20 finite numbers"):
        MinHyperbolicEntropy(1.0).stationarity(labeled()[0], effective)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_labels_are_signs(planted, norm):
    data = planted()[0]
    with pytest.raises(BadInput, match="needs labels in"):
        MaxMargin(norm).solve(data)
    with pytest.raises(BadInput, match="needs labels in"):
        certify_margin(data, np.ones(20), norm)


def test_a_path_checks_its_scales(planted):
    with pytest.raises(BadInput, match="alpha must be a number"):
        MinHyperbolicEntropy(1.0).path(planted()[0], [1.0, -1.0])

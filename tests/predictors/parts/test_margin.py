import numpy as np
import pytest

from lazyrich.predictors.parts.margin import lower_bound, margin_reference, separation


def data(seed=0, n=10, d=4):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    return x, np.where(x @ np.ones(d) >= 0, 1.0, -1.0)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_every_weight_bounds_every_separator_from_below(norm):
    x, y = data()
    rng = np.random.default_rng(1)
    separator = np.ones(4) / (y * x.sum(axis=1)).min()
    size = np.linalg.norm(separator, {"l1": 1, "l2": 2}[norm])
    for _ in range(50):
        assert lower_bound(x, y, rng.normal(size=10), norm=norm) <= size


def test_a_direction_that_does_not_separate_is_never_ok():
    x, y = data()
    reference = margin_reference(x, y, -np.ones(4), np.ones(10), norm="l1")
    assert not reference.ok and reference.value == np.inf and reference.certificate.gap == np.inf


@pytest.mark.parametrize(("n", "d"), [(3, 8), (30, 8)])
def test_the_multipliers_make_the_direction(n, d):
    x, y = data(n, n, d)
    direction, multipliers, proof = separation(x, y)
    assert proof is None
    np.testing.assert_allclose((y * multipliers) @ x, direction, atol=1e-10)
    margins = y * (x @ direction)
    assert margins.min() == pytest.approx(1, abs=1e-10)
    np.testing.assert_allclose(multipliers * (margins - 1), 0, atol=1e-8)

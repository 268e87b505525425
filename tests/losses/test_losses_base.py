import pytest

from lazyrich.losses import HALF_SUM, MEAN, SUM, Factor


@pytest.mark.parametrize(("factor", "weight"), [(SUM, 1.0), (MEAN, 0.2), (HALF_SUM, 0.5)])
def test_weights_of_the_factors(factor, weight):
    assert factor.weight(5) == weight


def test_there_are_three_factors():
    assert set(Factor) == {SUM, MEAN, HALF_SUM}

import pytest

from lazyrich.losses import REDUCTIONS, sample_weight


@pytest.mark.parametrize(("reduction", "weight"), [("sum", 1.0), ("mean", 0.2), ("half_sum", 0.5)])
def test_weights_of_the_reductions(reduction, weight):
    assert sample_weight(reduction, 5) == weight


def test_there_are_three_reductions():
    assert set(REDUCTIONS) == {"sum", "mean", "half_sum"}

import numpy as np
import pytest

from lazyrich.papers.woodworth2020.simulations.entropy_curves import entropy, entropy_by_quadrature


@pytest.mark.parametrize(("depth", "value"), [(3, 1.36661179), (4, 1.88747606), (5, 2.15736794), (10, 2.61583342)])
def test_known_values(depth, value):
    assert entropy(5.0, depth) == pytest.approx(value, abs=5e-9)
    assert entropy_by_quadrature(np.array([5.0]), depth)[0] == pytest.approx(value, abs=5e-9)


def test_depth_two_and_the_scale():
    assert entropy(3.0, 2) == pytest.approx(1.97873838, abs=5e-9)
    z = np.linspace(-4, 4, 9)
    for depth in (2, 3, 7):
        assert np.allclose(entropy(z, depth, np.log(0.3)), 0.3 * entropy(z / 0.3, depth), rtol=1e-13)

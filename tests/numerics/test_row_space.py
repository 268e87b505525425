import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.numerics.row_space import row_space

RNG = np.random.default_rng(0)
WIDE = RNG.standard_normal((3, 5))


@pytest.mark.parametrize("matrix", [WIDE, WIDE.T, np.stack([WIDE[0], WIDE[1], WIDE[0] + WIDE[1]]), np.zeros((2, 3))])
def test_it_projects_onto_the_rows(matrix):
    rows = row_space(jnp.asarray(matrix))
    assert rows.shape == (min(matrix.shape), matrix.shape[1])
    np.testing.assert_allclose(rows.T @ rows, np.linalg.pinv(matrix) @ matrix, rtol=0, atol=1e-13)

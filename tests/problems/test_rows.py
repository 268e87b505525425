import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import Split, compressed_sensing
from lazyrich.problems.rows import first_rows


def square():
    return compressed_sensing(jr.key(0), n=20, d=20, sparsity=3)


def test_rows_are_the_first_and_plain_ones_come_before():
    whole, few = square(), first_rows(square(), 10, 0.3)
    assert isinstance(few.train, Split) and isinstance(whole.train, Split)
    np.testing.assert_array_equal(few.train.x[:3], np.eye(20)[:3])
    np.testing.assert_array_equal(few.train.x[3:10], whole.train.x[3:10])
    assert not few.train.x[10:].any()
    np.testing.assert_allclose(few.train.y, few.train.x @ whole.truth, atol=1e-14)


def test_it_can_be_compiled_and_has_the_same_rows_then():
    plain, compiled = first_rows(square(), 7, 0.5), jax.jit(first_rows)(square(), 7, 0.5)
    np.testing.assert_array_equal(plain.train.x, compiled.train.x)
    assert jnp.isnan(jax.jit(first_rows)(square(), 21, 0.0).train.x).all()


@pytest.mark.parametrize(("n", "coherence"), [(0, 0.0), (21, 0.0), (5, -0.1), (5, 1.1)])
def test_rows_that_are_not_there_are_refused(n, coherence):
    with pytest.raises(BadInput, match="rows are there"):
        first_rows(square(), n, coherence)

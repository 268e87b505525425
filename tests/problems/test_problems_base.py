import jax
import jax.numpy as jnp
import jaxtyping
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import Entries, Split
from lazyrich.problems.base import require_count


def test_a_split_counts_its_rows_and_columns():
    split = Split(jnp.ones((2, 3)), jnp.ones(2))
    assert (split.n, split.d) == (2, 3)


@pytest.mark.parametrize(
    ("x", "y"), [((2, 3), (3,)), ((3,), (3,)), ((2, 3), (2, 1, 1)), ((0, 3), (0,)), ((2, 0), (2,)), ((2, 3), ())]
)
def test_shapes_that_do_not_fit_are_refused(monkeypatch, x, y):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it, without our shape checks
    with pytest.raises(BadInput, match="x of shape .n, d. and y of shape .n,.") as error:
        Split(jnp.ones(x), jnp.ones(y))
    assert str(x) in error.value.given and str(y) in error.value.given


@pytest.mark.parametrize("bad", [jnp.nan, jnp.inf, -jnp.inf])
def test_numbers_that_are_not_finite_are_refused_by_place(bad):
    with pytest.raises(BadInput, match="x of a Split must hold finite numbers; got 1 of 6"):
        Split(jnp.ones((2, 3)).at[1, 2].set(bad), jnp.ones(2))
    with pytest.raises(BadInput, match="y of a Split must hold finite numbers; got 2 of 2"):
        Split(jnp.ones((2, 3)), jnp.full(2, bad))


def test_a_split_is_made_inside_a_compiled_program():
    assert jax.jit(lambda x, y: Split(x, y))(jnp.ones((2, 3)), jnp.ones(2)).n == 2


def test_counts():
    require_count("n", 1)
    require_count("test", 0, least=0)
    for bad in (0, -3):
        with pytest.raises(BadInput, match="n must be a whole number of at least 1"):
            require_count("n", bad)


def test_entries_stand_at_their_places():
    entries = Entries(jnp.array([0, 1]), jnp.array([2, 0]), jnp.array([3.0, 4.0]), (2, 3))
    assert entries.n == 2


@pytest.mark.parametrize(
    ("rows", "cols", "said"),
    [([0, 2], [0, 0], "every row .* 0 to 1"), ([0, 1], [0, -1], "every column"), ([0], [0], "one shape")],
)
def test_entries_outside_the_matrix_are_refused(monkeypatch, rows, cols, said):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match=said):
        Entries(jnp.array(rows), jnp.array(cols), jnp.ones(2), (2, 3))

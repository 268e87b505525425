"""The nuclear slow flow against small projected steps, a closed form and a cone solver."""

import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.numerics.nuclear_path import nuclear_path


def masked(seed, shape=(4, 5), share=0.6, rank=1):
    """Entries of a matrix of low rank as measurements, the mask, the truth and a start."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
    mask = rng.random(shape) < share
    places = np.argwhere(mask)
    x = np.zeros((len(places), *shape))
    x[np.arange(len(places)), places[:, 0], places[:, 1]] = 1.0
    return x, truth[mask], mask, 0.5 * rng.normal(size=shape)


def test_one_free_entry_of_a_diagonal_matrix_falls_at_unit_speed():
    # diag(2, m) with m free: the norm is 2 + |m|, so m falls at speed one and rests at zero.
    x = np.zeros((3, 2, 2))
    x[0, 0, 0] = x[1, 0, 1] = x[2, 1, 0] = 1.0
    path = nuclear_path(x, np.array([2.0, 0.0, 0.0]), np.diag([0.0, 0.7]))
    assert path.finished and path.extinction == pytest.approx(0.7, abs=1e-4)
    np.testing.assert_allclose(path.at(np.array([0.3]))[0], np.diag([2, 0.4]), atol=1e-6)
    np.testing.assert_allclose(path.end, np.diag([2.0, 0.0]), atol=1e-7)


@pytest.mark.parametrize("seed", [0, 1])
def test_small_projected_steps_follow_it(seed):
    x, y, mask, start = masked(seed)
    path = nuclear_path(x, y, start)
    position, rate = np.where(mask, 0.0, start), 1e-3
    position[mask] = y
    until = min(path.times[-1], 3.0)
    for step in range(int(until / rate)):
        if step % 500 == 0:
            # One step of the descent moves an entry by its rate, and so does its oscillation where a value rests at zero.
            expected = path.at(np.array([step * rate]))[0]
            assert np.abs(expected - position).max() < 5 * rate
        left, _, right = np.linalg.svd(position, full_matrices=False)
        position = position - rate * np.where(mask, 0.0, left @ right)


def test_a_looser_tolerance_is_off_by_no_more_than_it_says():
    x, y, _, start = masked(2)
    loose, tight = nuclear_path(x, y, start, tolerance=1e-3), nuclear_path(x, y, start, tolerance=5e-5)
    moments = np.linspace(0, 1.0, 11)
    size = np.linalg.norm(tight.positions[0])
    off = np.linalg.norm(loose.at(moments) - tight.at(moments), axis=(1, 2)).max() / size
    assert 0 < off <= loose.error and tight.error < 0.5 * loose.error


def test_it_ends_at_the_least_nuclear_norm():
    import cvxpy as cp

    x, y, mask, start = masked(3)
    path = nuclear_path(x, y, start, tolerance=1e-4)
    assert path.finished and path.feasibility < 1e-12 and path.gap < 1e-6
    unknown = cp.Variable(mask.shape)
    least = cp.Problem(cp.Minimize(cp.normNuc(unknown)), [unknown[mask] == y]).solve(solver="CLARABEL")
    assert np.linalg.norm(path.end, "nuc") == pytest.approx(least, rel=1e-6)
    norms = [np.linalg.norm(position, "nuc") for position in path.positions]
    assert (np.diff(norms) <= 1e-9).all()


def test_all_that_is_zero_rests_and_a_cut_path_says_so():
    x, y, _, start = masked(4)
    still = nuclear_path(x, 0 * y, 0 * start)
    assert still.finished and still.extinction == 0 and not still.end.any()
    cut = nuclear_path(x, y, start, max_steps=3)
    assert not cut.finished and np.isinf(cut.extinction) and np.isnan(cut.at(np.array([1e9]))).all()


def test_contradictions_are_refused():
    x, y, _, start = masked(5)
    with pytest.raises(BadInput, match="equations with a solution"):
        nuclear_path(np.concatenate([x, x[:1]]), np.append(y, y[0] + 1), start)

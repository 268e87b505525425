import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.problems import local_coherence, orthogonal_completion, orthogonal_matrix, orthogonal_sensing

SIZES = {"rows": 7, "cols": 6, "rank": 2, "n": 30}


def test_singular_vectors_and_values_are_as_asked():
    left, sizes, right = orthogonal_matrix(jr.key(0), rows=7, cols=6, rank=3, spread=2.0)
    np.testing.assert_allclose(left.T @ left, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(right.T @ right, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(sizes, [1, 1.5, 2])


def test_frames_have_no_preferred_direction():
    frames = [orthogonal_matrix(jr.key(seed), rows=3, cols=3, rank=1)[0][:, 0] for seed in range(400)]
    # A mean of 400 coordinates of variance 1/3, and of their squares.
    np.testing.assert_allclose(np.mean(frames, axis=0), 0, atol=4 * np.sqrt(1 / 1200))
    np.testing.assert_allclose(np.mean(np.square(frames), axis=0), 1 / 3, atol=4 * 0.3 / 20)


def test_local_coherences_are_one_on_average_and_a_spike_raises_the_first():
    plain, spiky, flat = (
        local_coherence(orthogonal_matrix(jr.key(0), rows=20, cols=8, rank=2, spike=spike)[0]) for spike in (0.0, 0.9, -1.0)
    )
    for scores in (plain, spiky, flat):
        np.testing.assert_allclose(scores.mean(), 1)
    assert spiky[:2].min() > 9 and flat.max() < 2 and 2 < plain.max() < 6
    np.testing.assert_allclose(local_coherence(orthogonal_matrix(jr.key(0), rows=9, cols=8, rank=1, spike=-1.0)[0]), 1)


@pytest.mark.parametrize(("coherence", "chosen"), [(0.0, 0), (0.5, 15), (1.0, 30)])
def test_coherent_entries_come_first_and_none_twice(coherence, chosen):
    problem = orthogonal_completion(jr.key(3), **SIZES, coherence=coherence)
    left, _, right_t = jnp.linalg.svd(problem.truth)
    scores = np.asarray(local_coherence(left[:, :2])[:, None] + local_coherence(right_t[:2].T))
    known = problem.train
    mine = scores[known.rows, known.cols]
    np.testing.assert_allclose(mine[:chosen], np.sort(scores.ravel())[::-1][:chosen])
    places = np.concatenate([data.rows * 6 + data.cols for data in (known, problem.test)])
    assert sorted(places) == list(range(42))
    np.testing.assert_array_equal(known.y, problem.truth[known.rows, known.cols])


def test_sensing_reads_the_truth_and_coherent_probes_its_singular_vectors():
    problem = orthogonal_sensing(jr.key(1), **SIZES, coherence=0.1)
    np.testing.assert_allclose(problem.train.y, np.einsum("nij,ij->n", problem.train.x, problem.truth), atol=1e-14)
    # The first two probes are singular pairs of value one, up to a sign of both; the third is outside.
    np.testing.assert_allclose(np.abs(problem.train.y[:3]), [1, 1, 0], atol=1e-12)
    many = orthogonal_sensing(jr.key(1), rows=7, cols=6, rank=2, n=2000)
    # A product of two Gaussian numbers has a fourth moment of nine.
    assert abs(float(jnp.mean(many.train.x**2)) * 42 - 1) < 4 * np.sqrt(8 / (2000 * 42))


@pytest.mark.parametrize("make", [orthogonal_completion, orthogonal_sensing])
@pytest.mark.parametrize("bad", [{"rank": 7}, {"rank": 0}, {"n": 0}, {"coherence": 1.1}, {"coherence": -0.1}], ids=str)
def test_sizes_that_make_no_sense_are_refused(make, bad):
    with pytest.raises(BadInput, match=next(iter(bad))):
        make(jr.key(0), **(SIZES | bad))


def test_more_entries_than_there_are_are_refused():
    with pytest.raises(BadInput, match="42"):
        orthogonal_completion(jr.key(0), **(SIZES | {"n": 43}))

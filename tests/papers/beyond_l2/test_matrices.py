"""The formulas of their own that claims on matrices of low rank are judged by."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np

from lazyrich.papers.beyond_l2.matrix_rip import farthest_of_rank
from lazyrich.papers.beyond_l2.shared.nuclear_limits import least_norm
from lazyrich.papers.beyond_l2.simulations import coherent_completion, recoverable


def test_the_farthest_of_rank_one_is_that_of_all_pairs_of_directions():
    off = jr.normal(jr.key(0), (4, 4))
    off = (off + off.T) / 2
    starts = jax.vmap(jnp.outer)(*jr.normal(jr.key(1), (2, 6, 2)))
    starts = starts / jnp.linalg.norm(starts, axis=(1, 2), keepdims=True)
    found = farthest_of_rank(off, starts, 1, 500)
    angles = np.linspace(0, np.pi, 400)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    pairs = np.einsum("ai,bj->abij", circle, circle).reshape(-1, 4)
    # The grid misses a maximum by the square of half its spacing, 1.5e-5, times the curvature.
    np.testing.assert_allclose(found, np.abs(((pairs @ np.asarray(off)) * pairs).sum(1)).max(), rtol=1e-3)


def test_repeated_entries_are_the_same_problem():
    problem = coherent_completion.make_problem(jr.key(2), 6, 5, 1, 20, 0.5, 1)
    known = {(int(i), int(j)) for i, j in zip(problem.train.rows, problem.train.cols, strict=True)}
    assert len(known) == 20 and problem.train.n == 30
    once = recoverable.make_problem(jr.key(2), 6, 5, 1, 1.0, 0.0, 20, 0.5, 1)
    assert known == {(int(i), int(j)) for i, j in zip(once.train.rows, once.train.cols, strict=True)}
    np.testing.assert_allclose(once.truth, problem.truth, atol=1e-14)
    np.testing.assert_allclose(least_norm(problem)["recovery_error"], least_norm(once)["recovery_error"], atol=1e-6)


def test_entries_are_drawn_where_coherences_are():
    drawn = [recoverable.make_local(jr.key(seed), 6, 5, 1, 1.0, 0.7, 0.15, 1) for seed in range(40)]
    plain = [recoverable.make_local(jr.key(seed), 6, 5, 1, 1.0, 0.7, 0.15, 0) for seed in range(40)]
    first = [np.mean([0 in np.asarray(p.train.rows)[np.asarray(p.train.cols) == 0] for p in ps]) for ps in (drawn, plain)]
    # The first place carries the matrix: it is known nearly always by its coherence, and as seldom as any other without.
    assert first[0] > 0.7 and first[1] < 0.5

import jax.random as jr
import numpy as np
import pytest

from lazyrich.predictors import MaxMargin, certify_margin
from lazyrich.problems import sparse_classification


@pytest.mark.parametrize("seed", range(5))
def test_the_teacher_of_signs_is_certified(seed):
    problem = sparse_classification(jr.key(seed), n=128, d=5_000, test=0)
    reference = certify_margin(problem.train, 7 * problem.truth, "l1")
    assert reference.ok and reference.certificate.gap < 1e-9
    assert reference.value == pytest.approx(3, rel=1e-14)
    np.testing.assert_allclose(reference.effective, problem.truth, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_a_teacher_that_is_not_optimal_is_not_certified(seed):
    problem = sparse_classification(jr.key(seed), n=24, d=500, test=0)
    best = MaxMargin("l1").solve(problem.train)
    reference = certify_margin(problem.train, problem.truth, "l1")
    assert best.ok and best.value < 2.9
    assert not reference.ok and reference.value == pytest.approx(3, rel=1e-14)
    assert reference.value * (1 - reference.certificate.gap) <= best.value * (1 + 1e-12)


@pytest.mark.parametrize("norm", ["l1", "l2"])
@pytest.mark.parametrize("kind", ["normal", "signs", "integers"])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_direction_is_certified_again(split, norm, kind, seed):
    rng = np.random.default_rng(seed)
    x = {
        "normal": lambda: rng.normal(size=(12, 30)),
        "signs": lambda: rng.choice([-1.0, 1.0], size=(12, 30)),
        "integers": lambda: rng.integers(-1, 2, size=(12, 30)) + 0.0,
    }[kind]()
    data = split(x, np.where(x @ rng.normal(size=30) >= 0, 1.0, -1.0))
    best = MaxMargin(norm).solve(data)
    again = certify_margin(data, 0.3 * best.effective, norm)
    assert again.ok and again.value == pytest.approx(best.value, rel=1e-12)
    bent = best.effective + 0.1 * best.value * rng.normal(size=30) / 30
    assert not certify_margin(data, bent, norm).ok


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_a_candidate_that_does_not_separate(labeled, norm):
    data, _, _ = labeled()
    reference = certify_margin(data, -MaxMargin(norm).solve(data).effective, norm)
    assert not reference.ok and reference.value == np.inf


def test_a_dense_candidate_is_bounded_honestly(labeled):
    data, _, _ = labeled(0, n=10, d=60)
    lazy, rich = MaxMargin("l2").solve(data), MaxMargin("l1").solve(data)
    reference = certify_margin(data, lazy.effective, "l1")
    assert not reference.ok and reference.value > rich.value
    assert 0 < reference.value * (1 - reference.certificate.gap) <= rich.value * (1 + 1e-12)


@pytest.mark.slow
def test_the_teacher_at_the_size_of_the_paper():
    problem = sparse_classification(jr.key(0), n=256, d=100_000, test=0)
    assert certify_margin(problem.train, problem.truth, "l1").ok

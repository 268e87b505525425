import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.predictors import MinNuclear, planted_is_minimizer
from lazyrich.predictors.base import Certificate, Reference
from lazyrich.predictors.parts import planted


def test_enough_entries_recover(completion):
    data, truth = completion(0, (20, 20), rank=1, share=0.6)
    found = planted_is_minimizer(data, truth)
    assert found.verdict == "yes" and found.reference.ok
    assert found.norm == pytest.approx(np.linalg.norm(truth, "nuc"), rel=1e-14)


def test_too_few_do_not(completion):
    data, truth = completion(0, (20, 20), rank=3, share=0.3)
    found = planted_is_minimizer(data, truth)
    assert found.verdict == "no" and found.reference.value < found.norm * (1 - 1e-4)


def test_a_matrix_that_was_not_measured(completion):
    data, truth = completion(0, (20, 20), rank=1, share=0.6)
    assert planted_is_minimizer(data, truth + 0.01).verdict == "no"
    # Less than the least norm is no proof: it misses the measurements.
    assert planted_is_minimizer(data, np.zeros((20, 20))).verdict == "no"


def test_the_answer_itself_is_one(completion, sensing):
    for data in (completion(1, (6, 8), rank=2, share=0.5)[0], sensing(1, (4, 5), rank=2, n=9)[0]):
        assert planted_is_minimizer(data, MinNuclear().solve(data).effective).verdict == "yes"


def test_an_open_gap_decides_nothing(completion, monkeypatch):
    data, truth = completion(0, (20, 20), rank=1, share=0.6)
    solution = MinNuclear().solve(data)
    open_gap = Reference(solution.effective, solution.value, Certificate(0.0, 1e-3), solution.dual)
    monkeypatch.setattr(planted.MinNuclear, "solve", lambda self, data: open_gap)
    assert planted_is_minimizer(data, truth).verdict == "undecided"


def test_shapes_and_nan(completion):
    data, truth = completion(0, (6, 5), rank=1)
    for bad in (truth.T, truth[0], np.full((6, 5), np.nan)):
        with pytest.raises(BadInput, match="truth must be a matrix of 6 x 5"):
            planted_is_minimizer(data, bad)

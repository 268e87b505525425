import numpy as np
import pytest
from sklearn.linear_model import lars_path

from lazyrich.predictors.parts.lasso_path import lasso_path


def drawn(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n)


@pytest.mark.parametrize("careful", [False, True])
@pytest.mark.parametrize(("n", "d"), [(1, 5), (8, 20), (20, 8)])
def test_it_is_the_path_of_scikit_learn(n, d, careful):
    a, t = drawn(n, d)
    penalties, _, path = lars_path(a, t, method="lasso")
    pieces = list(lasso_path(a, t, np.ones(d), careful=careful))
    assert pieces[0].high == pytest.approx(penalties[0] * n, rel=1e-12) and pieces[-1].low == 0
    for penalty, expected in zip(penalties * n, path.T, strict=True):
        piece = next(piece for piece in pieces if piece.low <= penalty * (1 + 1e-9))
        np.testing.assert_allclose(piece.solution(penalty, d), expected, atol=1e-9)


@pytest.mark.parametrize("ridged", [False, True])
def test_every_piece_is_optimal_at_both_ends(ridged):
    a, t = drawn(8, 20, seed=1)
    weights, ridge = np.exp(np.random.default_rng(0).normal(size=20)), np.full(20, 0.3 if ridged else 0.0)
    for piece in lasso_path(a, t, weights, ridge=ridge):
        for penalty in (piece.high, piece.low):
            b = piece.solution(penalty, 20)
            pull = a.T @ (t - a @ b) - ridge * b
            assert (np.abs(pull) <= penalty * weights + 1e-11).all()
            np.testing.assert_allclose(pull[piece.support], penalty * weights[piece.support] * piece.signs, atol=1e-11)
            assert (b[piece.support] * piece.signs >= -1e-12).all()


def test_pieces_join_up():
    a, t = drawn(8, 20, seed=2)
    pieces = list(lasso_path(a, t, np.ones(20)))
    for before, after in zip(pieces, pieces[1:], strict=False):
        assert before.low == after.high
        np.testing.assert_allclose(before.solution(before.low, 20), after.solution(after.high, 20), atol=1e-13)


def test_infinite_weights_leave_columns_out_and_zero_targets_have_no_path():
    a, t = drawn(8, 20)
    weights = np.where(np.arange(20) < 10, 1.0, np.inf)
    assert all((piece.support < 10).all() for piece in lasso_path(a, t, weights))
    assert list(lasso_path(a, np.zeros(8), np.ones(20))) == []

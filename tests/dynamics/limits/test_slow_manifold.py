"""The slow manifold is the limit of the reduced flow: its error is of first order in the decay."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.dynamics import ALL, GradientFlow, Outcome, Trajectory
from lazyrich.dynamics.limits import SlowManifold
from lazyrich.errors import BadInput
from lazyrich.losses import Logistic, Squared
from lazyrich.models import DiagonalNet, LogDiagonalNet, SymmetricMap, SymmetricNet
from lazyrich.objective import Objective
from lazyrich.predictors import MinL1
from lazyrich.problems import Entries, Split, low_rank_matrix, sparse_classification, sparse_recovery
from lazyrich.regularizers import L1, L2

TAUS = jnp.array([0.0, 0.25, 0.5, 1.0, 2.0])
MATRIX = low_rank_matrix(jr.key(0), d=5, rank=2, negative=1, train_fraction=0.4).train
VECTOR = sparse_recovery(jr.key(0), n=4, d=8, sparsity=2, test=0).train
NET = DiagonalNet(0.8 + 0.05 * jnp.arange(8.0), jnp.full(8, 0.8))


def objective(data, weight_decay=1e-3, reduction="mean") -> Objective:
    return Objective(data, Squared(), reduction=reduction, penalties=[(L2(), weight_decay)])


@jax.jit
def complete(rows, cols, y, alpha, taus, weight_decay) -> Trajectory:
    """One compiled program for every matrix below."""
    data = Entries(rows, cols, y, (5, 5))
    return SlowManifold().run(objective(data, weight_decay), SymmetricMap.at_scale(alpha, dim=5), taus)


@jax.jit
def regress(y, taus, weight_decay) -> Trajectory:
    """One compiled program for every diagonal net below."""
    return SlowManifold().run(objective(Split(VECTOR.x, y), weight_decay), NET, taus)


@pytest.fixture(scope="module")
def matrices() -> Trajectory:
    return complete(MATRIX.rows, MATRIX.cols, MATRIX.y, 1.2, TAUS, 1e-3)


@pytest.fixture(scope="module")
def vectors() -> Trajectory:
    return regress(VECTOR.y, TAUS, 1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["matrices", "vectors"])
def test_the_reduced_flow_approaches_it_at_first_order_in_the_decay(request, which):
    slow = request.getfixturevalue(which)
    data, init = (MATRIX, SymmetricNet.at_scale(1.2, dim=5)) if which == "matrices" else (VECTOR, NET)
    read = {"w": lambda net: net.effective()}
    flow = jax.jit(
        lambda weight_decay: GradientFlow(reduce=True).run(objective(data, weight_decay), init, TAUS / weight_decay, read=read)
    )
    limit = np.stack([slow.at(index).effective() for index in range(TAUS.size)])
    errors = []
    for weight_decay in (2e-3, 1e-3):
        path = flow(weight_decay)
        assert path.outcome.ok
        errors.append(np.abs(path.reads["w"] - limit).reshape(TAUS.size, -1).max(axis=1)[1:])
    # Halving up to the next order, a share of the decay. The residual is the error of the known entries at the last time.
    np.testing.assert_allclose(errors[0] / errors[1], 2.0, rtol=0.02)
    assert errors[1].max() < 2 * slow.certificates["residual"] < 0.01


@pytest.mark.parametrize("which", ["matrices", "vectors"])
def test_it_says_what_it_is_and_holds_the_answers(request, which):
    path, data = request.getfixturevalue(which), {"matrices": MATRIX, "vectors": VECTOR}[which]
    assert path.outcome.code == Outcome.END and "slow manifold" in path.outcome.how and "slow time" in path.outcome.how
    np.testing.assert_array_equal(path.times, TAUS)
    for index in range(TAUS.size):
        # Settled to the tolerance of the flow without decay.
        np.testing.assert_allclose(objective(data).outputs(path.at(index)), data.y, rtol=0, atol=1e-8)
    assert path.certificates["violation"] < 1e-8 and 0 < path.certificates["residual"] < 0.1


def test_kappa_decays_in_slow_time(matrices, vectors):
    assert isinstance(matrices.end, SymmetricMap) and isinstance(vectors.end, LogDiagonalNet)
    np.testing.assert_allclose(matrices.models.kappa, 1.44 * np.exp(-2 * TAUS), rtol=1e-12)
    expected = NET.u * NET.v * np.exp(-2 * TAUS)[:, None]
    np.testing.assert_allclose(np.exp(2 * vectors.models.middle), expected, rtol=1e-12)


def test_the_decay_does_not_matter_but_for_the_residual_it_leaves(matrices):
    other = complete(MATRIX.rows, MATRIX.cols, MATRIX.y, 1.2, TAUS, 1e-5)
    np.testing.assert_array_equal(other.end.w, matrices.end.w)
    np.testing.assert_allclose(other.certificates["residual"], matrices.certificates["residual"] / 100, rtol=1e-12)


def test_a_large_start_begins_at_the_kernel_answer():
    # Zero filling for the matrix, up to |W|^3 / 24 kappa^2.
    alpha = 30.0
    first = complete(MATRIX.rows, MATRIX.cols, MATRIX.y, alpha, TAUS, 1e-3).at(0).w
    filled = np.zeros((5, 5))
    filled[MATRIX.rows, MATRIX.cols] = filled[MATRIX.cols, MATRIX.rows] = MATRIX.y
    np.testing.assert_allclose(first, filled, rtol=0, atol=np.linalg.norm(filled, 2) ** 3 / (24 * alpha**4))


def test_a_diagonal_net_begins_at_least_entropy_and_ends_at_least_l1():
    y = jnp.array([1.0, -0.5, 2.0, 0.7])  # no sparse vector's: four weights stay
    path, expected = regress(y, 20 * TAUS, 1e-3), MinL1().solve(Split(VECTOR.x, y))
    assert path.outcome.ok and (np.abs(expected.effective) > 1e-6).sum() == 4
    np.testing.assert_allclose(path.end.effective(), expected.effective, rtol=0, atol=1e-3)
    # From u = v it would be 2 kappa sinh(X^T nu); from another start the half of it that grew is in the span of the inputs.
    grown = path.at(0).half - jnp.log(NET.u / NET.v) / 2
    nu = jnp.linalg.lstsq(VECTOR.x.T, grown)[0]
    np.testing.assert_allclose(nu @ VECTOR.x, grown, rtol=0, atol=1e-7)


def test_pairs_known_twice_are_held_at_their_mean():
    low, high, y = jnp.array([0, 0, 1, 3, 4]), jnp.array([1, 2, 3, 3, 2]), jnp.array([0.8, -0.6, 0.4, 1.0, 0.3])
    twice = jnp.concatenate([low, low]), jnp.concatenate([high, high]), jnp.concatenate([y, y])
    apart = jnp.concatenate([low, high]), jnp.concatenate([high, low]), jnp.concatenate([y - 0.2, y + 0.2])
    expected, found = (complete(*places, 1.2, TAUS, 1e-3) for places in (twice, apart))
    assert expected.outcome.ok and np.abs(expected.end.w[low, high] - y).max() < 1e-8
    np.testing.assert_allclose(found.end.w, expected.end.w, rtol=0, atol=1e-8)
    assert found.certificates["violation"] < 1e-8


def test_it_is_never_chosen():
    assert SlowManifold not in ALL


SIGNS = sparse_classification(jr.key(0), n=4, d=8, test=0).train
FAILING = {
    "loss": (Objective(SIGNS, Logistic(), reduction="sum", penalties=[(L2(), 0.1)]), NET, "squared loss"),
    "no decay": (Objective(VECTOR, Squared(), reduction="sum"), NET, "a weight decay of 0.0"),
    "penalty": (Objective(VECTOR, Squared(), reduction="sum", penalties=[(L1(), 0.1)]), NET, "another penalty"),
    "depth": (objective(VECTOR), DiagonalNet.at_scale(1.0, dim=8, depth=3), "the depth is 3, not 2"),
    "rank": (
        objective(Split(jnp.concatenate([VECTOR.x, VECTOR.x]), jnp.concatenate([VECTOR.y, VECTOR.y]))),
        NET,
        "the 8 inputs are not independent",
    ),
    "init": (objective(MATRIX), SymmetricNet(jnp.eye(5), jnp.eye(5).at[0, 1].set(0.5)), "U^T V is not a multiple"),
}


@pytest.mark.parametrize(("objective", "init", "why"), FAILING.values(), ids=FAILING.keys())
def test_hypotheses_that_fail_are_named(objective, init, why):
    with pytest.raises(BadInput) as error:
        SlowManifold().run(objective, init, TAUS)
    assert why in str(error.value)

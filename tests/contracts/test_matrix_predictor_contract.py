"""Every predictor of matrices: certified, indifferent to order and turns, refuses bad data, proves contradictions."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.losses import sample_weight
from lazyrich.numerics.entropy import scaled_entropy
from lazyrich.predictors import MATRICES, MinFrobenius, MinSchattenEntropy, NuclearLasso
from lazyrich.problems import Entries, Split

each = pytest.mark.parametrize("predictor", MATRICES, ids=lambda predictor: type(predictor).__name__)
both = pytest.mark.parametrize("kind", ["entries", "arrays"])
SHAPE = (5, 7)


def truth() -> np.ndarray:
    rng = np.random.default_rng(0)
    return rng.normal(size=(5, 2)) @ rng.normal(size=(2, 7))


def entries(rows, cols, y, shape=SHAPE) -> Entries:
    return Entries(jnp.asarray(rows), jnp.asarray(cols), jnp.asarray(y), shape)


@pytest.fixture(scope="module")
def posed() -> dict[str, Split | Entries]:
    """Twenty entries of a matrix of rank two, and twenty Gaussian measurements of it."""
    rng = np.random.default_rng(1)
    places, x = rng.permutation(35)[:20], rng.normal(size=(20, *SHAPE))
    return {
        "entries": entries(places // 7, places % 7, truth().ravel()[places]),
        "arrays": Split(jnp.asarray(x), jnp.asarray(np.tensordot(x, truth(), 2))),
    }


def inputs(data) -> np.ndarray:
    """The measuring matrices themselves."""
    if isinstance(data, Split):
        return np.asarray(data.x)
    x = np.zeros((data.n, *data.shape))
    x[np.arange(data.n), np.asarray(data.rows), np.asarray(data.cols)] = 1.0
    return x


def objective(predictor, data, matrix) -> float:
    """What each predictor minimizes, written out again."""
    sizes = np.linalg.svd(matrix, compute_uv=False)
    if isinstance(predictor, MinFrobenius):
        return float(np.linalg.norm(matrix))
    if isinstance(predictor, MinSchattenEntropy):
        return float(scaled_entropy(jnp.asarray(sizes), 2 * np.log(float(predictor.mu))).sum())
    if isinstance(predictor, NuclearLasso):
        missed = np.tensordot(inputs(data), matrix, 2) - np.asarray(data.y)
        loss = sample_weight(predictor.reduction, data.n) * float(missed @ missed)
        return loss + float(predictor.strength) * float(sizes.sum())
    return float(sizes.sum())


@both
@each
def test_certified(predictor, kind, posed):
    data = posed[kind]
    reference = predictor.solve(data)
    assert reference.ok and 0 <= reference.certificate.gap <= 1e-6 and 0 <= reference.certificate.feasibility <= 1e-8
    assert reference.effective.shape == SHAPE and reference.dual.shape == (20,) and reference.certificate.infeasibility is None
    assert reference.value == pytest.approx(objective(predictor, data, reference.effective), rel=1e-10)
    missed = reference.predict(inputs(data)) - np.asarray(data.y)
    if not isinstance(predictor, NuclearLasso):
        assert np.linalg.norm(missed) <= 1e-8 * np.linalg.norm(data.y)


@both
@each
def test_the_value_is_least(predictor, kind, posed):
    # Each is at least as good at its own task as the others' answers, and as answers moved along the measurements.
    data, reference, rng = posed[kind], predictor.solve(posed[kind]), np.random.default_rng(2)
    rows = inputs(data).reshape(20, -1)
    free = np.linalg.svd(rows)[2][20:]
    others = [other.solve(data).effective for other in MATRICES[:3]]
    others += [reference.effective + 1e-3 * (rng.normal(size=15) @ free).reshape(SHAPE) for _ in range(5)]
    assert reference.value <= min(objective(predictor, data, other) for other in others) * (1 + 1e-9)


@both
@each
def test_the_same_data_in_another_order(predictor, kind, posed):
    data, order = posed[kind], np.random.default_rng(0).permutation(20)
    again = predictor.solve(jax.tree.map(lambda part: part[order], data))
    reference = predictor.solve(data)
    assert again.value == pytest.approx(reference.value, rel=2e-6)  # two gaps
    # The minimizers here are unique; the distance to them is about the root of the gap.
    np.testing.assert_allclose(again.effective, reference.effective, atol=1e-4)


@both
@each
def test_transposed(predictor, kind, posed):
    data, reference = posed[kind], predictor.solve(posed[kind])
    turned = (
        entries(data.cols, data.rows, data.y, SHAPE[::-1])
        if isinstance(data, Entries)
        else Split(data.x.transpose(0, 2, 1), data.y)
    )
    again = predictor.solve(turned)
    assert again.ok and again.value == pytest.approx(reference.value, rel=2e-6)
    np.testing.assert_allclose(again.effective.T, reference.effective, atol=1e-4)


@each
def test_rotated_from_both_sides(predictor, posed):
    data, rng = posed["arrays"], np.random.default_rng(3)
    left, right = (np.linalg.qr(rng.normal(size=(size, size)))[0] for size in SHAPE)
    reference = predictor.solve(data)
    again = predictor.solve(Split(jnp.asarray(left @ np.asarray(data.x) @ right), data.y))
    assert again.ok and again.value == pytest.approx(reference.value, rel=2e-6)
    np.testing.assert_allclose(left.T @ again.effective @ right.T, reference.effective, atol=1e-4)


@both
@each
def test_entries_are_measurements(predictor, kind, posed):
    data = posed[kind]
    same = Split(jnp.asarray(inputs(data)), data.y)
    assert predictor.solve(same).value == pytest.approx(predictor.solve(data).value, rel=2e-6)


@pytest.mark.parametrize("scale", [1e-90, 1e-30, 3.0, 1e30, 1e90])
@each
def test_the_units_of_the_answers(predictor, scale, posed):
    data, matching = posed["entries"], predictor
    if isinstance(predictor, MinSchattenEntropy):
        matching = MinSchattenEntropy(float(predictor.mu) * scale**0.5)
    if isinstance(predictor, NuclearLasso):
        matching = NuclearLasso(float(predictor.strength) * scale, "sum")
    reference, again = predictor.solve(data), matching.solve(eqx.tree_at(lambda part: part.y, data, scale * data.y))
    assert again.ok
    np.testing.assert_allclose(again.effective / scale, reference.effective, atol=1e-4)


@each
def test_nan_is_refused(predictor, posed):
    for data in posed.values():
        bad = eqx.tree_at(lambda part: part.y, data, data.y.at[0].set(jnp.nan))
        with pytest.raises(BadInput, match=f"y given to {type(predictor).__name__} must hold finite numbers"):
            predictor.solve(bad)
    bad = eqx.tree_at(lambda part: part.x, posed["arrays"], posed["arrays"].x.at[0, 0, 0].set(jnp.inf))
    with pytest.raises(BadInput, match=f"x given to {type(predictor).__name__} must hold finite numbers"):
        predictor.solve(bad)


@each
def test_vectors_and_several_answers_are_refused(predictor, posed):
    data = posed["arrays"]
    with pytest.raises(BadInput, match="whose inputs are matrices; got inputs of shape"):
        predictor.solve(Split(data.x[:, :, 0], data.y))
    with pytest.raises(BadInput, match="one target a sample"):
        predictor.solve(Split(data.x, data.y[:, None]))


@both
@each
def test_float32_is_refused(predictor, kind, posed):
    with jax.enable_x64(False), pytest.raises(BadInput, match="double precision"):
        predictor.solve(posed[kind])


@both
@each
def test_a_contradiction_is_proven(predictor, kind, posed):
    data = posed[kind]
    clash = jax.tree.map(lambda part: jnp.concatenate([part, part[:1]]), data)
    clash = eqx.tree_at(lambda part: part.y, clash, clash.y.at[-1].multiply(-1.0))
    reference = predictor.solve(clash)
    if isinstance(predictor, NuclearLasso):  # it need not fit
        assert reference.ok
        return
    proof = reference.certificate.infeasibility
    assert not reference.ok and reference.value == np.inf and proof is not None
    mixed = proof / (proof @ np.asarray(clash.y))  # a mix of the equations that reads 0 = 1
    np.testing.assert_allclose(np.tensordot(mixed, inputs(clash), 1), 0, atol=1e-10)


@both
@each
def test_given_twice(predictor, kind, posed):
    data = posed[kind]
    twice = jax.tree.map(lambda part: jnp.concatenate([part, part]), data)
    reference = predictor.solve(twice)
    # Fitting counts a sample twice; interpolating does not.
    once = NuclearLasso(float(predictor.strength) / 2, "sum") if isinstance(predictor, NuclearLasso) else predictor
    factor = 2 if isinstance(predictor, NuclearLasso) else 1
    assert reference.ok and reference.value == pytest.approx(factor * once.solve(data).value, rel=2e-6)


@both
@each
def test_zeros(predictor, kind, posed):
    data = posed[kind]
    reference = predictor.solve(eqx.tree_at(lambda part: part.y, data, jnp.zeros(20)))
    assert reference.ok and reference.value == 0 and not reference.effective.any()


@each
def test_one_entry(predictor):
    reference = predictor.solve(entries([3], [2], [-4.0]))
    expected = np.zeros(SHAPE)
    # For the lasso (m - 4)^2 + |m| / 10 is least at 3.95.
    expected[3, 2] = -3.95 if isinstance(predictor, NuclearLasso) else -4.0
    assert reference.ok
    np.testing.assert_allclose(reference.effective, expected, atol=1e-12)


@each
def test_all_entries(predictor):
    rows, cols = np.divmod(np.arange(35), 7)
    reference = predictor.solve(entries(rows, cols, truth().ravel()))
    left, sizes, right = np.linalg.svd(truth(), full_matrices=False)
    # For the lasso every singular value shrinks by strength / 2.
    shrunk = np.maximum(sizes - 0.05, 0) if isinstance(predictor, NuclearLasso) else sizes
    assert reference.ok
    np.testing.assert_allclose(reference.effective, (left * shrunk) @ right, atol=1e-9)


@each
def test_a_row_of_which_nothing_is_known_is_zero(predictor):
    rows, cols = np.divmod(np.arange(28), 7)
    reference = predictor.solve(entries(rows, cols, truth()[:4].ravel()))
    assert reference.ok
    np.testing.assert_allclose(reference.effective[4], 0, atol=1e-12)


@pytest.mark.parametrize("predictor", MATRICES[:3], ids=lambda predictor: type(predictor).__name__)
def test_symmetric_data_have_a_symmetric_answer(predictor):
    rng = np.random.default_rng(4)
    half = rng.normal(size=(6, 2))
    places = np.array([(i, j) for i in range(6) for j in range(i + 1) if rng.random() < 0.7])
    both_ways = np.concatenate([places, places[places[:, 0] != places[:, 1]][:, ::-1]])
    reference = predictor.solve(entries(*both_ways.T, (half @ half.T)[tuple(both_ways.T)], (6, 6)))
    assert reference.ok
    np.testing.assert_allclose(reference.effective, reference.effective.T, atol=1e-4)

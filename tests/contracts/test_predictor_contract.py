"""Every predictor: certified on a well-posed problem, refuses bad data, proves that there is no answer."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.predictors import INTERPOLATING, SEPARATING, MinL1
from lazyrich.problems import Split, sparse_classification, sparse_recovery


def named(predictor) -> str:
    return type(predictor).__name__ + (f"-{predictor.norm}" if hasattr(predictor, "norm") else "")


each = pytest.mark.parametrize("predictor", INTERPOLATING + SEPARATING, ids=named)


@pytest.fixture(scope="module")
def posed() -> dict[bool, Split]:
    """A solvable problem for predictors of labels, and one for those of real answers."""
    return {
        True: sparse_classification(jr.key(0), n=8, d=20, test=0).train,
        False: sparse_recovery(jr.key(0), n=8, d=20, sparsity=3, test=0).train,
    }


@each
def test_certified(predictor, posed):
    data = posed[predictor.signs_only]
    reference = predictor.solve(data)
    assert reference.ok and reference.certificate.ok
    assert 0 <= reference.certificate.feasibility <= 1e-8 and 0 <= reference.certificate.gap <= 1e-6
    assert reference.certificate.infeasibility is None
    assert np.isfinite(reference.value) and reference.value > 0 and reference.effective.shape == (20,)
    fitted = reference.predict(data.x)
    # The constraints themselves, without the certificate's help.
    if predictor.signs_only:
        assert (np.asarray(data.y) * fitted >= 1 - 1e-8).all()
    else:
        np.testing.assert_allclose(fitted, data.y, rtol=0, atol=1e-8 * np.linalg.norm(data.y))


@each
def test_the_same_data_in_another_order(predictor, posed):
    data, order = posed[predictor.signs_only], np.random.default_rng(0).permutation(8)
    reference, again = predictor.solve(data), predictor.solve(Split(data.x[order], data.y[order]))
    np.testing.assert_allclose(again.value, reference.value, rtol=2e-6)  # two gaps


@each
def test_the_value_is_least(predictor, posed):
    # Every predictor here minimizes something else: each is at least as good at its own task as any other's answer.
    data = posed[predictor.signs_only]
    reference, norm = predictor.solve(data), getattr(predictor, "norm", None)
    others = [other.solve(data).effective for other in (SEPARATING if predictor.signs_only else INTERPOLATING)]
    if norm is not None or isinstance(predictor, MinL1):
        order = 2 if norm == "l2" else 1
        np.testing.assert_allclose(reference.value, np.linalg.norm(reference.effective, order), rtol=1e-12)
        assert reference.value <= min(np.linalg.norm(other, order) for other in others) * (1 + 1e-6)


@each
def test_nan_is_refused(predictor, posed):
    data = posed[predictor.signs_only]
    # A Split refuses NaN itself; this one has it slipped in afterwards.
    for bad in (
        eqx.tree_at(lambda split: split.x, data, data.x.at[0, 0].set(jnp.nan)),
        eqx.tree_at(lambda split: split.y, data, data.y.at[0].set(jnp.inf)),
    ):
        with pytest.raises(BadInput, match=f"given to {type(predictor).__name__} must hold finite numbers"):
            predictor.solve(bad)


@each
def test_labels_other_than_signs(predictor, posed):
    data = posed[False]
    if predictor.signs_only:
        with pytest.raises(BadInput, match=r"needs labels in \{-1, \+1\}"):
            predictor.solve(data)
    else:
        assert predictor.solve(posed[True]).ok  # signs are real answers too


@each
def test_a_contradiction_is_proven(predictor, posed):
    data = posed[predictor.signs_only]
    clash = Split(jnp.concatenate([data.x, data.x[:1]]), jnp.concatenate([data.y, -data.y[:1]]))
    reference = predictor.solve(clash)
    assert not reference.ok
    proof = reference.certificate.infeasibility
    assert proof is not None
    if predictor.signs_only:  # weights on the samples that cancel
        assert (proof >= 0).all() and proof.sum() > 0
        np.testing.assert_allclose((np.asarray(clash.y) * proof) @ np.asarray(clash.x), 0, atol=1e-10 * proof.sum())
    else:  # a mix of the equations that reads 0 = 1
        mixed = proof / (proof @ np.asarray(clash.y))
        np.testing.assert_allclose(mixed @ np.asarray(clash.x), 0, atol=1e-10)


@each
def test_predictions_take_inputs_of_the_same_dimension(predictor, posed):
    reference = predictor.solve(posed[predictor.signs_only])
    assert np.isscalar(reference.predict(np.ones(20)).item()) and reference.predict(np.ones((3, 20))).shape == (3,)
    with pytest.raises(BadInput, match="predict takes one input of 20 numbers"):
        reference.predict(np.ones(19))


@each
def test_float32_is_refused(predictor, posed):
    with jax.enable_x64(False), pytest.raises(BadInput, match="double precision"):
        predictor.solve(posed[predictor.signs_only])

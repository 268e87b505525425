"""A model of the user's: judged where the theorems speak of it, else inconclusive with what was measured, or refused."""

import equinox as eqx
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
import xarray as xr

import lazyrich as lz
from lazyrich.claims import two_phases
from lazyrich.errors import BadInput
from lazyrich.inits import gaussian, he
from lazyrich.models import DiagonalNet, Difference, Doubled, Linear, PowerNet, ReluNet

N, D, H = 6, 10, 12


def two_classes(seed=0) -> lz.Split:
    labels = jnp.where(jnp.arange(N) % 2 == 0, 1.0, -1.0)
    return lz.Split(jr.normal(jr.key(seed), (N, D)) + labels[:, None] * jnp.eye(D)[0], labels)


def squares(rectified=False, seed=1) -> PowerNet:
    shape = PowerNet(jnp.zeros((D, H)), jnp.zeros(H), 2, rectified)
    return gaussian(jr.key(seed), shape, scale=(D**-0.5, H**-0.5))


@pytest.mark.slow
@pytest.mark.parametrize(
    "init",
    [Difference.of(squares()), Doubled.of(squares(rectified=True)), DiagonalNet.at_scale(1.0, dim=D)],
    ids=["quadratic, difference", "squared ReLU, doubled", "diagonal"],
)
def test_homogeneous_models_hold(init):
    result = lz.check_model(init, two_classes())
    assert result.verdict == "holds", [(r.name, r.value) for r in (*result.sound, *result.holds)]
    assert result.controls[0].verdict == "fails" and result.drawing is not None


@pytest.mark.slow
def test_samples_that_count_twice_are_named():
    data = two_classes()
    twice = lz.Split(jnp.concatenate([data.x, data.x[1:2]]), jnp.concatenate([data.y, data.y[1:2]]))
    result = lz.check_model(DiagonalNet.at_scale(1.0, dim=D), twice)
    assert result.verdict == "holds" and "at samples 1 and 6" in result.reason


def test_the_law_of_the_decay_is_read_where_half_of_the_way_is_gone():
    """Two curves that are one, moved by -log(q)/D; where none is left to go there is no such time."""
    clock, margins, degree = np.array(two_phases.CLOCK), np.array([10.0, 20.0]), 3
    place = clock[None] + np.log(margins / 10)[:, None] / degree
    gone = xr.DataArray(np.clip(place / 4, 0.0, 1.0), dims=("weight_decay", "t"))
    least = xr.DataArray(np.repeat(margins[:, None], clock.size, axis=1), dims=("weight_decay", "t"))
    when, margin = two_phases.crossed(gone, least)
    np.testing.assert_allclose(when, 2 - np.log(margins / 10) / degree, rtol=1e-12)
    np.testing.assert_allclose(margin, margins, rtol=1e-12)
    never = two_phases.crossed(0 * gone + 1, least)
    assert np.isnan(never[0]).all() and np.isnan(never[1]).all()


def inconclusive(init, data=None):
    result = lz.check_model(init, data or two_classes())
    assert result.verdict == "inconclusive" and result.data is None and not result.holds
    assert result.as_json()["controls"] == []
    return result


def test_an_output_at_the_start_is_measured():
    net, data = squares(), two_classes()
    result = inconclusive(net)
    expected = np.abs(jnp.stack([net(x) for x in data.x])).max()
    (found,) = [r.value for r in result.sound if "output" in r.name]
    longest = np.linalg.norm(np.asarray(lz.models.tangent.features(net, data.x)), axis=1).max()
    assert found == pytest.approx(expected / longest, rel=1e-10) and f"{found:.3g}" in result.reason
    assert "homogeneous" not in result.reason


def test_a_model_that_is_not_homogeneous_is_told_its_degrees():
    biased = ReluNet.at_zero((D, H, 1), bias="all")
    places = iter(range(9))
    drawn = [0.5 * jr.normal(jr.key(next(places)), part.shape) for part in (*biased.weights, *biased.biases)]
    init = Doubled.of(ReluNet(tuple(drawn[:2]), tuple(drawn[2:])))
    assert "measured degrees from" in inconclusive(init).reason
    tanh = eqx.nn.MLP(D, "scalar", H, 1, activation=jnp.tanh, dtype=jnp.float64, key=jr.key(0))
    assert "not homogeneous" in inconclusive(Difference.of(tanh)).reason


def test_a_linear_model_has_no_second_phase():
    assert "has degree 1" in inconclusive(Linear(jnp.zeros(D))).reason


def test_features_that_clash_are_named():
    data = two_classes()
    x = data.x.at[4].set(data.x[1])
    init = Doubled.of(squares())
    reason = inconclusive(init, lz.Split(x, data.y)).reason
    assert "do not separate" in reason and "samples 1 and 4" in reason
    # Squares do not see the sign of an input.
    assert "samples 1 and 4" in inconclusive(init, lz.Split(data.x.at[4].set(-data.x[1]), data.y)).reason
    silent = inconclusive(init, lz.Split(data.x.at[2].set(0.0), data.y)).reason
    assert "no gradient at sample 2" in silent and "samples" not in silent


@pytest.mark.parametrize(
    ("init", "data", "said"),
    [
        (squares(), lz.Split(jnp.ones((3, D)), jnp.arange(3.0)), "labels -1 and [+]1"),
        (he(jr.key(0), (D, H, 3)), two_classes(), "one number"),
        (Linear(jnp.zeros(D, "float32")), two_classes(), "jax_enable_x64"),
        (squares(), lz.Split(jnp.ones((3, 4)), jnp.ones(3)), "can be called on"),
    ],
    ids=["labels", "outputs", "precision", "shape"],
)
def test_what_cannot_be_asked_is_refused(init, data, said):
    with pytest.raises(BadInput, match=said):
        lz.check_model(init, data)


def test_parameters_out_of_range_are_refused_before_any_work():
    with pytest.raises(BadInput, match="weight_decay"):
        lz.check_model(Doubled.of(squares()), two_classes(), weight_decay=(1.0, 2.0))
    with pytest.raises(BadInput, match="width"):
        lz.check_model(Doubled.of(squares()), two_classes(), width=3)

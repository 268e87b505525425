"""Waves modulo p, against tables and nets made of known waves, noise, and sums written out."""

import jax
import jax.numpy as jnp
import jax.random as jr
import jaxtyping
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.measures import (
    excluded_loss,
    frequency_fraction,
    pair_outputs,
    restricted,
    restricted_loss,
    spectrum,
    strongest,
    sum_fraction,
    sum_spectrum,
)
from lazyrich.models import Function, PairNet, outputs
from lazyrich.problems import Split, modular_addition

P = 11
WAVES = {2: 3.0, 5: 1.0}


def rotations(p: int, waves: dict[int, float]) -> Function:
    """Adds by turning: a number is a point on one circle a frequency, and a class is asked for how near it is."""
    turns = 2 * np.pi * np.outer(np.arange(p), list(waves)) / p
    sizes = jnp.asarray(list(waves.values()))

    def call(circles, x):
        (ca, cb), (sa, sb) = (part[x.astype(int)] for part in (circles["cos"], circles["sin"]))
        turned, across = ca * cb - sa * sb, sa * cb + ca * sb
        return (circles["cos"] * turned + circles["sin"] * across) @ sizes

    return Function({"cos": jnp.cos(turns), "sin": jnp.sin(turns)}, call)


NET = rotations(P, WAVES)
OUTPUTS = pair_outputs(NET, P)
DATA = modular_addition(jr.key(0), modulus=P).train


@pytest.mark.parametrize("p", [11, 12])
def test_powers_are_the_squares_of_projections_and_add_up(p):
    table = np.random.default_rng(0).normal(size=(p, 3))
    turns = 2 * np.pi * np.outer(np.arange(p), np.arange(p // 2 + 1)) / p
    expected = np.zeros(p // 2 + 1)
    for j in range(p // 2 + 1):
        basis, _ = np.linalg.qr(np.stack([np.cos(turns[:, j]), np.sin(turns[:, j])], axis=1)[:, : 1 if j in (0, p / 2) else 2])
        expected[j] = (np.square(basis.T @ table)).sum()
    found = spectrum(jnp.asarray(table))
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    assert found.sum() == pytest.approx((table**2).sum(), rel=1e-13)


def test_a_table_of_few_waves_has_all_its_power_in_them():
    table = jnp.concatenate([NET.parameters["cos"], NET.parameters["sin"]], axis=1) + 7.0  # a constant changes nothing
    assert sorted(np.asarray(strongest(spectrum(table), 2)).tolist()) == sorted(WAVES)
    assert frequency_fraction(table, count=2) == pytest.approx(1, abs=1e-13)
    assert frequency_fraction(table, count=1) == pytest.approx(0.5, abs=1e-13)
    assert frequency_fraction(jnp.full((P, 2), 0.1), count=1) == 0


@pytest.mark.parametrize("count", [1, 3, 15])
def test_noise_has_its_power_everywhere(count):
    p, columns = 31, 20_000
    share = frequency_fraction(jr.normal(jr.key(1), (p, columns)), count=count)
    # One frequency's power has a spread of columns**-0.5 = 0.7%; the strongest of 15 lie within three of these.
    assert share == pytest.approx(2 * count / (p - 1), rel=0.021)


def test_multiplying_all_numbers_permutes_frequencies():
    table = jr.normal(jr.key(2), (P, 4))
    times = spectrum(table[(3 * np.arange(P)) % P])
    places = [min(3 * j % P, -3 * j % P) for j in range(P // 2 + 1)]
    np.testing.assert_allclose(np.asarray(times)[places], spectrum(table), rtol=1e-12)


def test_outputs_on_all_pairs_are_in_the_order_of_the_table():
    net = PairNet(*(jr.normal(jr.key(i), shape) for i, shape in enumerate([(P, 3), (P, 3), (3,), (3, P)])))
    np.testing.assert_allclose(pair_outputs(net, P)[4, 7], net(jnp.array([4.0, 7.0])), rtol=1e-12)
    with pytest.raises(BadInput, match="modulo 5 are read off models with 5 outputs"):
        pair_outputs(net, 5)


def test_a_net_that_adds_by_rotations():
    a, b, c = np.ogrid[:P, :P, :P]
    by_hand = sum(size * np.cos(2 * np.pi * j * (a + b - c) / P) for j, size in WAVES.items())
    np.testing.assert_allclose(OUTPUTS, by_hand, atol=1e-13)
    power = sum_spectrum(OUTPUTS)
    expected = np.zeros(P // 2 + 1)
    for j, size in WAVES.items():
        expected[j] = size**2 * P**3 / 2  # the square of a cosine is a half in the mean
    np.testing.assert_allclose(power, expected, atol=1e-9)
    assert sum_fraction(OUTPUTS) == pytest.approx(1, abs=1e-13)
    assert sum_fraction(OUTPUTS, count=1) == pytest.approx(9 / 10, abs=1e-13)
    # Anything that is the same for all classes is not seen by a softmax.
    assert sum_fraction(OUTPUTS + 5 * jr.normal(jr.key(3), (P, P, 1))) == pytest.approx(1, abs=1e-12)
    assert sum_fraction(jnp.ones((P, P, P))) == 0


def test_noise_is_seldom_a_wave_of_the_sum():
    p = 13
    shares = [sum_fraction(jr.normal(jr.key(i), (p, p, p))) for i in range(20)]
    # Each is a sum of p - 1 squares: a spread of (2/(p - 1))**0.5 = 41%, over the root of 20 draws 9%.
    assert np.mean(shares) == pytest.approx(1 / p**2, rel=0.3)


def test_restricted_is_the_projection_on_waves():
    noise = jr.normal(jr.key(4), (P, P, P))
    kept = restricted(noise, jnp.array([2, 5]))
    a, b, c = np.ogrid[:P, :P, :P]
    rest = np.asarray(noise - kept)
    for j in range(P // 2 + 1):
        for wave in (np.cos, np.sin):
            direction = wave(2 * np.pi * j * (a + b - c) / P)
            part = np.sum((rest if j in (2, 5) else np.asarray(kept)) * direction)
            assert abs(part) < 1e-10
    np.testing.assert_allclose(restricted(kept, jnp.array([5, 2])), kept, atol=1e-14)
    assert np.abs(kept).max() > 0.01


def test_losses_with_some_waves_and_without():
    whole = restricted_loss(NET, DATA, frequencies=jnp.array([2, 5]))
    scores = np.asarray(outputs(NET, DATA.x))
    own = scores[np.arange(DATA.n), np.asarray(DATA.y, int)]
    assert whole == pytest.approx(np.mean(np.log(np.exp(scores).sum(axis=1)) - own), rel=1e-12)
    assert excluded_loss(NET, DATA, frequencies=jnp.array([2, 5])) == pytest.approx(np.log(P), rel=1e-12)
    assert excluded_loss(NET, DATA, frequencies=jnp.array([1])) == pytest.approx(float(whole), rel=1e-12)


def test_they_are_read_along_a_run():
    """Compiled and mapped over nets, with frequencies found on the way."""

    def read(size):
        net = Function(jax.tree.map(lambda part: size * part, NET.parameters), NET.call)
        expected = pair_outputs(net, P)
        return restricted_loss(net, DATA, frequencies=strongest(sum_spectrum(expected), 2)), sum_fraction(expected, count=2)

    losses, shares = jax.jit(jax.vmap(read))(jnp.array([0.5, 1.0, 1.5]))
    assert losses[0] > losses[1] > losses[2]
    np.testing.assert_allclose(shares, 1, atol=1e-13)


@pytest.mark.parametrize("count", [0, 6])
def test_there_are_so_many_frequencies(count):
    with pytest.raises(BadInput, match="frequencies"):
        frequency_fraction(jnp.ones((P, 2)), count=count)


def test_places_that_are_not_there_are_refused(monkeypatch):
    with pytest.raises(BadInput, match="a frequency is from 0 to 5; got 2 to 6"):
        restricted(OUTPUTS, jnp.array([2, 6]))
    with pytest.raises(BadInput, match="a number of a pair is from 0 to 10; got 3 to 11"):
        excluded_loss(NET, Split(jnp.array([[3.0, 11.0]]), jnp.array([3.0])), frequencies=jnp.array([2]))
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(BadInput, match="read off outputs of shape"):
        sum_fraction(jnp.ones((4, 4, 3)))

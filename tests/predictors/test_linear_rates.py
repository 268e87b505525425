"""Rates of two-layer linear nets against gradients and flows."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyrich.dynamics import GradientFlow
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import LinearNet
from lazyrich.objective import Objective
from lazyrich.predictors import LinearNetRates, width_distance
from lazyrich.problems import Split


def posed(seed, *, n=5, d=9, k=2, width=12, scales=(1.0, 1.0)):
    rng = np.random.default_rng(seed)
    data = Split(jnp.asarray(rng.normal(size=(n, d)) / np.sqrt(d)), jnp.asarray(rng.normal(size=(n, k))))
    u, v = rng.normal(size=(d, width)) / np.sqrt(width), rng.normal(size=(k, width)) / np.sqrt(width)
    return data, LinearNet(u=jnp.asarray(scales[0] * u), v=jnp.asarray(scales[1] * v))


@pytest.mark.parametrize("reduction", ["sum", "mean", "half_sum"])
def test_the_momentary_rate_is_that_of_the_gradient(reduction):
    data, start = posed(0)
    reference = LinearNetRates.of(data, start, reduction=reduction)
    objective = Objective(data, Squared(), reduction=reduction)
    gradient = jax.grad(objective)(start)
    square = sum(float(jnp.sum(part**2)) for part in jax.tree.leaves(gradient))
    assert reference.excess == pytest.approx(float(objective(start)), rel=1e-12)  # these data can be fitted exactly
    assert reference.momentary == pytest.approx(square / reference.excess, rel=1e-10)


@given(seed=st.integers(0, 1000), n=st.integers(1, 6), k=st.integers(1, 4), width=st.integers(1, 12), ratio=st.floats(0.1, 10))
@settings(max_examples=15)
def test_the_bounds_are_in_order(seed, n, k, width, ratio):
    data, start = posed(seed, n=n, k=k, width=width, scales=(ratio, 1 / ratio))
    reference = LinearNetRates.of(data, start, reduction="half_sum")
    slack = 1e-9 * reference.momentary
    assert reference.momentary >= reference.lemma_7 - slack
    assert reference.lemma_7 >= reference.proposition_1 - slack
    assert reference.asymptotic >= reference.guaranteed - slack >= -2 * slack
    assert reference.proposition_1 >= reference.guaranteed - slack
    least = np.linalg.svd(np.asarray(data.x), compute_uv=False)[-1] ** 2
    assert reference.guaranteed >= 2 * least * reference.level - slack


def test_the_imbalance_is_that_of_the_full_matrix():
    data, start = posed(3)
    reference = LinearNetRates.of(data, start, reduction="sum")
    x, u, v = (np.asarray(part) for part in (data.x, start.u, start.v))
    seen = np.linalg.svd(x, full_matrices=False)[2] @ u
    values = np.sort(np.linalg.eigvalsh(seen.T @ seen - v.T @ v))[::-1]
    np.testing.assert_allclose(reference.positive, (values[0], values[4]), rtol=1e-10)
    np.testing.assert_allclose(reference.negative, (-values[-1], -values[-2]), rtol=1e-10)
    assert reference.level == pytest.approx(values[4] - values[-2])


@pytest.mark.slow
def test_the_flow_keeps_the_guarantee():
    data, start = posed(1, width=40, scales=(3.0, 0.2))
    reference = LinearNetRates.of(data, start, reduction="half_sum")
    assert reference.guaranteed > 0
    objective = Objective(data, Squared(), reduction="half_sum")
    times = jnp.linspace(0.0, reference.time_to(1e-3), 8)
    path = GradientFlow().run(objective, start, times, read={"loss": objective})
    losses = np.asarray(path.reads["loss"])
    assert bool(path.outcome.ok) and (losses <= reference.excess_at_most(times) * (1 + 1e-6)).all()
    assert losses[-1] <= 1e-3 * losses[0] * (1 + 1e-6)


def test_no_guarantee_is_an_infinite_time():
    data, start = posed(0, width=1)
    reference = LinearNetRates.of(data, start, reduction="sum")
    assert reference.guaranteed == 0 and reference.time_to(0.1) == np.inf


def test_an_unseen_part_is_the_defect():
    data, start = posed(0)
    frame = np.linalg.svd(np.asarray(data.x), full_matrices=False)[2]
    seen = LinearNet(u=jnp.asarray(frame.T @ (frame @ np.asarray(start.u))), v=start.v)
    assert LinearNetRates.of(data, start, reduction="sum").defect > 0.1
    assert LinearNetRates.of(data, seen, reduction="sum").defect < 1e-14


def test_the_width_law_has_its_two_slopes():
    data, _ = posed(0)

    def slope(exponent):
        far = width_distance(data, width=10**12, exponent=exponent)
        return np.log10(far / width_distance(data, width=10**10, exponent=exponent)) / 2

    assert slope(0.3) == pytest.approx(0.5 - 0.6, abs=1e-3)
    assert slope(0.9) == pytest.approx(-0.9, abs=1e-3)
    answer = np.linalg.pinv(np.asarray(data.x)) @ np.asarray(data.y)
    sizes = np.linalg.svd(answer, compute_uv=False)
    # At a = 1/2 the scale is one at every width.
    assert width_distance(data, width=100, exponent=0.5) == pytest.approx(
        0.1 * np.sqrt(4 * np.sqrt(1 + sizes**2).sum()), rel=1e-10
    )


def test_a_net_for_other_data_is_refused():
    data, _ = posed(0)
    _, other = posed(0, k=3)
    with pytest.raises(BadInput, match="as many outputs"):
        LinearNetRates.of(data, other, reduction="sum")

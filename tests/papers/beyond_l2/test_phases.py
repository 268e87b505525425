"""The shared mathematics of the two phases: problems of one shape, theorem C.8's bound, the draws that are judged."""

import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest
import xarray as xr

from lazyrich.claims import check, find
from lazyrich.errors import BadInput
from lazyrich.papers.beyond_l2.shared.memorization import contraction, latest, radius
from lazyrich.papers.beyond_l2.shared.phases import once, predict, quartiles
from lazyrich.papers.beyond_l2.simulations.sparse_phases import follow, make_problem
from lazyrich.predictors import MinL1
from lazyrich.problems import Problem, Split

RUN = {"init_scale": 1e-6, "learning_rate": 0.3, "strength": 1e-3, "steps": 2000.0, "level": 1e-2, "moments": 60}


def test_rows_of_zeros_measure_nothing():
    """A run on masked rows is one on the rows that are left."""
    key = jr.key(3)
    masked = make_problem(key, 0.5, 20, 2)
    assert isinstance(masked.train, Split)
    assert int((jnp.abs(masked.train.x).sum(1) > 0).sum()) == 10
    plain = Problem(Split(masked.train.x[:10], masked.train.y[:10]), None, masked.truth, None)
    for method in ("subgradient", "proximal", "projected"):
        one, other = (jax.jit(lambda p, m=method: follow(key, p, m, **RUN))(p) for p in (masked, plain))
        for name in ("train", "recovery", "held", "near", "far", "top", "bottom", "scale"):
            np.testing.assert_allclose(one[name], other[name], rtol=1e-8, atol=1e-12, err_msg=f"{method} {name}")


def test_more_measurements_are_the_same_ones_and_others():
    few, many = (make_problem(jr.key(1), sampling_ratio, 20, 3) for sampling_ratio in (0.3, 0.7))
    assert isinstance(few.train, Split) and isinstance(many.train, Split)
    np.testing.assert_array_equal(few.train.x[:6], many.train.x[:6])
    np.testing.assert_array_equal(few.truth, many.truth)
    assert int((few.truth != 0).sum()) == 3


@pytest.mark.parametrize("least", [1.0, 0.0])
def test_the_latest_step_is_where_the_series_is_within_the_radius(least):
    """The recursion of lemma C.7 in its worst case, step by step."""
    sizes = {"learning_rate": 0.2, "strength": 1e-3, "d": 30}
    data = xr.Dataset({"top": 2.0, "bottom": 0.3})
    rho = float(contraction(data, 0.2))
    assert rho == pytest.approx(0.94)
    push, distance = 0.2 * 1e-3 * np.sqrt(30), 5.0
    named = int(latest(distance, rho, **sizes, least=least))
    for _ in range(named):
        distance = rho * distance + push
    assert distance <= float(radius(rho, **sizes))
    before = 5.0
    for _ in range(named // 2):
        before = rho * before + push
    assert before > float(radius(rho, **sizes))


def test_theory_ends_at_the_least_l1_norm():
    problem = make_problem(jr.key(5), 0.6, 20, 2)
    expected = predict(problem, 1e-2)
    least = np.asarray(MinL1().solve(problem.train).effective)
    truth = np.asarray(problem.truth)
    assert expected["recovery_error"] == pytest.approx(np.linalg.norm(least - truth) / np.linalg.norm(truth), abs=1e-6)
    assert expected["generalization"] <= expected["extinction"]
    assert np.hypot(expected["last_inside"], expected["last_outside"]) == pytest.approx(np.linalg.norm(least), rel=1e-6)


def test_places_where_nothing_happened_are_left_out():
    times = xr.DataArray([[np.inf, np.inf], [3.0, np.inf], [1.0, 2.0]], dims=("sampling_ratio", "trial"))
    marks = quartiles("t", [10, 20, 30], times)
    np.testing.assert_array_equal(marks.x, [20, 30])
    np.testing.assert_allclose(marks.y, [3.0, 1.5])


def test_once_reads_the_first_step_at_or_after_a_time():
    step = xr.DataArray([0.0, 1.0, 2.0, 4.0], dims="t")
    assert float(once(step * 10, step, 1.5)) == 20


@pytest.mark.parametrize(
    "changes",
    [{"sparsity": 21}, {"sparsity": 0}, {"sampling_ratio": 0.0}, {"sampling_ratio": 1.5}, {"learning_rate": 0.6}, {"d": 10}],
)
def test_impossible_sizes_are_refused_by_their_range(changes):
    with pytest.raises(BadInput, match=next(iter(changes))):
        check(find("beyond_l2/figure_13"), changes=changes)

"""The parts of a forecast: reading a switch off curves, early and late levels, clocks."""

import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

import lazyrich as lz
from lazyrich.errors import BadInput
from lazyrich.forecast import levels, widths
from lazyrich.forecast.forecast import _why_not
from lazyrich.forecast.hypotheses import Measured, measured
from lazyrich.forecast.pace import pace
from lazyrich.forecast.pilot import counts, moments
from lazyrich.forecast.transition import apart, leaves, seen
from lazyrich.inits import he_pairs
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet, Factorization, LinearNet, SymmetricNet
from lazyrich.regularizers import L2

TIMES = np.linspace(0.0, 100.0, 101)


def step(at, before, after):
    return np.where(at > TIMES, before, after)


def test_a_switch_is_read_off_curves():
    train = step(5, 0.6, 1.0)
    found = seen(TIMES, train, step(60, 0.7, 0.9), "accuracy")
    assert found.switched and found.fit == 5 and abs(found.time - 59.5) < 1e-9 and not found.lost
    np.testing.assert_allclose((found.early, found.late), (0.3, 0.1))
    assert seen(TIMES, train, step(60, 0.9, 0.7), "accuracy").switched  # for the worse
    assert not seen(TIMES, train, step(60, 0.70, 0.74), "accuracy").switched  # too little
    assert not seen(TIMES, train, step(8, 0.7, 0.9), "accuracy").switched  # while it fits
    assert not seen(TIMES, 0 * TIMES, step(60, 0.7, 0.9), "accuracy").switched  # never fitted
    assert seen(TIMES, step(50, 1.0, 0.5), step(60, 0.7, 0.9), "accuracy").lost


def test_the_last_time_on_the_early_side():
    curve = np.interp(TIMES, [0, 50, 70, 100], [1.0, 1.0, 0.0, 0.0])
    np.testing.assert_allclose(leaves(TIMES, curve, 1.0, 0.0), 60.0)
    np.testing.assert_allclose(leaves(TIMES, curve, 1.0, 0.0, 0.9), 68.0)
    assert leaves(TIMES, curve, 1.0, -1.5) == np.inf and leaves(TIMES, 0 * curve, 1.0, 0.0) == 0
    assert apart(0.5, 0.44, "error") and not apart(0.9, 0.82, "error") and apart(0.9, 0.82, "accuracy")


def test_moments_are_as_many_for_steps_as_for_times():
    for steps in (10.0, 300.0, 1e6):
        found = counts(steps)
        assert found.size == moments(1.0).size and (np.diff(found) >= 1).all() and (found == found.round()).all()


def test_the_late_solution_is_the_optimum_that_decay_amounts_to():
    """Balanced nets of the solved map cost what the solver says, and random ones of the same shape cost more."""
    problem = lz.problems.sparse_recovery(jr.key(0), n=12, d=20, sparsity=2)
    objective = lz.Objective(problem.train, Squared(), reduction="sum", penalties=[(L2(), 0.1)])
    predictor, _ = levels._solvable(objective, DiagonalNet.at_scale(1.0, dim=20))
    solution = predictor.solve(problem.train)
    w = jnp.asarray(solution.effective)
    net = DiagonalNet(jnp.sqrt(jnp.maximum(w, 0)), jnp.sqrt(jnp.maximum(-w, 0)))
    np.testing.assert_allclose(objective(net), solution.value, rtol=1e-6)

    table = lz.problems.multiplication_table(jr.key(0), d=5, train_fraction=0.5)
    objective = lz.Objective(table.train, Squared(), reduction="sum", penalties=[(L2(), 0.01)])
    predictor, _ = levels._solvable(objective, SymmetricNet.at_scale(1.0, dim=5))
    matrix = predictor.solve(levels._both_ways(table.train)).effective
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-6)
    values, basis = np.linalg.eigh(matrix)
    parts = [jnp.asarray(basis * np.sqrt(np.maximum(sign * values, 0))) for sign in (1, -1)]
    least = objective(SymmetricNet(*parts))
    for seed in range(5):
        moved = [part + 1e-3 * jr.normal(jr.key(seed), part.shape) for part in parts]
        assert objective(SymmetricNet(*moved)) > least


def test_a_narrow_factorization_has_no_convex_solution():
    problem = lz.problems.low_rank_product(jr.key(1), rows=6, cols=5, rank=1, n=20)
    objective = lz.Objective(problem.train, Squared(), reduction="sum", penalties=[(L2(), 0.1)])
    for width in (4, 5):
        net = LinearNet.at_zero(dim=6, outputs=5, width=width)
        both = [levels._solvable(objective, one) for one in (net, Factorization.at_zero((6, 5), depth=2, width=width))]
        assert [one is not None for one in both] == [width == 5] * 2


def test_what_never_fitted_was_not_given_up():
    never = seen(TIMES, 0 * TIMES, step(60, 0.7, 0.9), "accuracy")
    assert never.lost and "does not fit" in _why_not(never, 1.0)


def test_a_kernel_that_is_too_large_is_taken_in_parts_and_says_so():
    problem = lz.problems.sparse_recovery(jr.key(0), n=20, d=30, sparsity=2)
    objective = lz.Objective(problem.train, Squared(), reduction="mean")
    init = DiagonalNet.at_scale(1.0, dim=30)
    whole, parts = (levels.early(objective, init, problem.test, rows=rows) for rows in (None, 10))
    assert whole.level.kind == "solved" and parts.level.kind == "bound" and "10 of 20" in parts.level.says
    assert parts.level.test_error > whole.level.test_error  # fewer samples generalize worse
    assert 0.5 < parts.move / whole.move < 2


def test_classes_with_many_rows_are_fitted_as_numbers():
    problem = lz.problems.modular_addition(jr.key(0), modulus=5, train_fraction=0.8)
    objective = lz.Objective(problem.train, lz.losses.CrossEntropy(), reduction="mean")
    net = he_pairs(jr.key(1), symbols=5, width=20, silent=True)
    exact, parts = (levels.early(objective, net, problem.test, rows=rows) for rows in (None, 50))
    assert exact.level.kind == "solved" and parts.level.kind == "bound"
    assert 0 <= parts.level.test_error <= 1 and parts.move > 0


def test_measured_hypotheses():
    problem = lz.problems.sparse_recovery(jr.key(0), n=6, d=4, sparsity=1)
    objective = lz.Objective(problem.train, Squared(), reduction="mean")
    found = measured(objective, DiagonalNet(2 * jnp.ones(4), jnp.ones(4), depth=3))
    np.testing.assert_allclose(found.degree, 3.0)
    assert found.departure < 1e-9 and found.output > 1
    with pytest.raises(BadInput, match="gradients"):
        measured(objective, DiagonalNet(jnp.zeros(4), jnp.zeros(4)))
    with pytest.raises(BadInput, match="double"):
        measured(objective, DiagonalNet(jnp.ones(4, jnp.float32), jnp.ones(4, jnp.float32)))


def test_clocks():
    assert pace().unit == "time" and pace(lz.dynamics.GradientFlow()).per_step == 1
    assert pace(lz.dynamics.ProximalDescent(0.1)).per_step == 0.1
    np.testing.assert_allclose(pace("momentum", 0.1).per_step, 1.0)
    assert pace("adam", 0.1).per_step is None and pace("adamw", 0.1).per_step == 0.1
    for given in (None, lz.dynamics.GradientFlow(), lz.dynamics.GradientDescent(0.1)):
        with pytest.raises(BadInput, match="rate of 0.01"):
            pace(given, 0.01)
    with pytest.raises(BadInput, match="schedule"):
        pace(lz.dynamics.GradientDescent(lambda count: 0.1))
    with pytest.raises(BadInput, match="clocks"):
        pace(LinearNet.at_zero(dim=1, outputs=1, width=1))


def test_widths_grow_with_what_is_not_as_theory_has_it():
    usual = Measured(2.0, 0.0, 0.0)

    def span(name="flow", measure="accuracy", found=usual, width=1.0, shift=2.0):
        low, middle, high = widths.Paced(name, measure, found).interval(3.0, width, shift)
        assert low < middle < high and middle == (3.0 if name == "adam" else 3.0 + shift)
        return high - low

    assert span(shift=0.0) < span() < span("descent") < span("momentum") < span("adam")
    assert span() < span(width=3.0) and span(measure="error") < span()
    assert span() < span(found=Measured(2.0, 0.2, 0.0)) and span() < span(found=Measured(2.0, 0.0, 0.5))

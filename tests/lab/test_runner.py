import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich.lab import Param, Params, Runner, Simulation
from lazyrich.lab.runner import trial_key
from lazyrich.predictors import MinL2
from lazyrich.problems import sparse_recovery

CALLS = []


def make_problem(key, n):
    return sparse_recovery(jr.fold_in(key, 0), n=n, d=6, sparsity=2, test=0)


def simulate(key, problem, *, alpha, power):
    CALLS.append("traced")
    return {"end": problem.train.y[0] * alpha * jnp.arange(3.0), "size": alpha**power}


def make(**changes):
    params = [Param("alpha", (1.0, 2.0, 4.0)), Param("power", 2.0), Param("n", 3, static=True), Param("unused", (1.0, 2.0))]
    simulation = Simulation(simulate, params, returns={"end": "m", "size": ""}, make_problem=make_problem)
    return simulation, Params.of(simulation.params, "quick", changes=changes)


def test_data_are_labelled_by_the_axes_asked_for():
    simulation, settings = make()
    data = Runner().simulate(simulation, settings, seed=0)
    assert data.end.dims == ("alpha", "trial", "m") and data.end.shape == (3, 4, 3)
    assert data["size"].sel(alpha=4.0).values.tolist() == [16.0] * 4
    again = make_problem(trial_key(0, 2), 3)
    np.testing.assert_allclose(data.end.sel(alpha=2.0).values[2], 2.0 * float(again.train.y[0]) * np.arange(3.0))


def test_draws_depend_on_seed_and_trial_and_not_on_axes():
    simulation, settings = make()
    data = Runner().simulate(simulation, settings, seed=0)
    ratio = data.end.sel(alpha=4.0).values[:, 1] / data.end.sel(alpha=1.0).values[:, 1]
    np.testing.assert_allclose(ratio, 4.0)
    other = Runner().simulate(simulation, settings, seed=1)
    assert not np.allclose(other.end.values, data.end.values)
    assert len(set(data.end.values[0, :, 1])) == 4


def test_what_is_known_is_not_run_again():
    done = []
    runner = Runner(lambda what, count, total: done.append(total))
    simulation, settings = make()
    runner.simulate(simulation, settings, seed=0)
    assert len(done) == 12
    runner.simulate(simulation, make(alpha=(2.0, 8.0))[1], seed=0)
    assert done[12:] == [4] * 4
    runner.simulate(simulation, make(unused=(3.0,))[1], seed=0)
    assert len(done) == 16


def test_references_are_stacked_over_the_axes_they_ask_for():
    simulation, settings = make()
    theory = Runner().predict(
        lambda problem, power, factor: {"l2": MinL2().solve(problem.train), "double": factor * power},
        simulation,
        settings,
        {"factor": 2.0},
        0,
    )
    assert theory["l2"].effective.dims == ("trial", "d") and bool(theory["l2"].ok.all())
    assert theory["double"].values.tolist() == [4.0] * 4


def test_mistakes_are_named_when_the_experiment_is_written():
    with pytest.raises(TypeError, match="asks for"):
        Simulation(simulate, [Param("alpha", 1.0)], returns={"end": "m"}, make_problem=make_problem)
    wrong = Simulation(lambda alpha: {"a": alpha}, [Param("alpha", 1.0)], returns={"b": ""}, random=False)
    with pytest.raises(TypeError, match="returned"):
        Runner().simulate(wrong, Params.of(wrong.params, "quick"), 0)
    taken = Simulation(lambda alpha: {"mean": alpha}, [Param("alpha", 1.0)], returns={"mean": ""}, random=False)
    with pytest.raises(TypeError, match="a method of that name"):
        Runner().simulate(taken, Params.of(taken.params, "quick"), 0)

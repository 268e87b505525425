"""Every named experiment, at tiny sizes: its shapes, its ranges, and that segments give the curves of one run."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.errors import BadInput
from lazyrich.forecast.experiments import EXPERIMENTS, every, find
from lazyrich.forecast.experiments.readings import steps, times
from lazyrich.measures import relative_error
from lazyrich.models import Linear, Matrix
from lazyrich.problems import Entries, Split

TINY = {
    "grokking": {"n": 6, "d": 10, "weight_decay": 0.05},
    "misgrokking": {"n": 6, "d": 20, "weight_decay": 0.05},
    "sparse_regression": {"n": 4, "d": 10, "sparsity": 1, "alpha": 0.5},
    "deep_regression": {"n": 4, "d": 10, "sparsity": 1, "weight_decay": 0.05, "alpha": 2.0},
    "matrix_completion": {"d": 4, "weight_decay": 0.05, "alpha": 2.0, "train_fraction": 0.5},
    "l1_recovery": {"n": 6, "d": 10, "sparsity": 1, "strength": 0.05},
    "linear_net": {"n": 3, "d": 4, "width": 3, "outputs": 1, "alpha": 0.5},
    "modular_addition": {"modulus": 3, "width": 4, "train_fraction": 0.6, "weight_decay": 0.05},
}


def test_every_experiment_is_named_and_has_ranges():
    assert set(TINY) == set(EXPERIMENTS)
    for one in every():
        assert one.name in EXPERIMENTS and one.title and one.says
        for param in one.params:
            assert param.low is not None and param.high is not None and param.low <= param.quick <= param.high
        with pytest.raises(BadInput, match="takes"):
            one.resolve({one.params[0].name: 1e9})


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_segments_give_the_curves_of_one_run(name):
    composed = find(name).at(TINY[name], seed=1)
    assert set(composed.read) == {"train", "test"} and composed.measure in ("accuracy", "error")
    assert jnp.all(jnp.diff(composed.when) > 0) and composed.when[0] == 0
    # Three segments of four moments, and one to the ends of all three: one shape, so one program.
    when = composed.when[::9][1:13]

    @eqx.filter_jit
    def segment(carry, part):
        return composed.dynamics.advance(composed.objective, composed.init, carry, part, composed.read, None)

    first = composed.dynamics.begin(composed.objective, composed.init)
    _, whole = segment(first, jnp.append(when[3::4], composed.when[-1]))
    carry, ends = first, []
    for part in when.reshape(3, 4):
        carry, reads = segment(carry, part)
        ends.append(reads)
    for curve in ("train", "test"):
        joined = np.array([part[curve][-1] for part in ends])
        assert np.isfinite(joined).all()
        # A flow's solver begins each segment anew, so its errors differ; labels flip one at a time, of 3 to 6 samples.
        apart = np.abs(joined - whole[curve][:3])
        assert apart.mean() <= 0.1 if composed.measure == "accuracy" else apart.max() <= 1e-2


def test_other_seeds_draw_other_problems_and_an_unknown_name_is_refused():
    one, two = (find("grokking").at(TINY["grokking"], seed=seed).objective.data.x for seed in (0, 1))
    assert not jnp.array_equal(one, two)
    with pytest.raises(BadInput, match="grokking"):
        find("groking")


def test_moments_are_even_in_the_logarithm_and_increase():
    log = np.log(np.asarray(times(1e-3, 1e3, 50))[1:])
    np.testing.assert_allclose(np.diff(log), np.diff(log)[0])
    counts = np.asarray(steps(1e4, 100))
    assert counts[0] == 0 and counts[-1] == 1e4 and (np.diff(counts) >= 1).all() and (counts == counts.round()).all()


def test_relative_error_is_the_share_of_squares_that_is_missed():
    data = Split(jnp.eye(2), jnp.array([3.0, 4.0]))
    assert relative_error(Linear(jnp.zeros(2)), data) == 1
    np.testing.assert_allclose(relative_error(Linear(jnp.array([3.0, 0.0])), data), 16 / 25)
    entries = Entries(jnp.array([0, 1]), jnp.array([1, 1]), jnp.array([1.0, 1.0]), (2, 2))
    np.testing.assert_allclose(relative_error(Matrix(jnp.eye(2)), entries), 0.5)
    with pytest.raises(BadInput, match="same shape"):
        relative_error(Matrix(jnp.zeros((2, 3))), data)

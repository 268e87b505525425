import jax.numpy as jnp
import numpy as np
import pytest

from lazyrich.dynamics import Outcome, Trajectory
from lazyrich.errors import BadInput


def outcome(code: int) -> Outcome:
    return Outcome(jnp.asarray(code), jnp.asarray(2.5), jnp.asarray(17), "by hand")


@pytest.mark.parametrize(
    ("code", "ok", "begins"),
    [
        (Outcome.END, True, "reached the last time asked for"),
        (Outcome.STOPPED, True, "met its stopping rule before the last time; later readings repeat the last one"),
        (Outcome.STEP_LIMIT, False, "ran out of steps; later readings are NaN"),
        (Outcome.NOT_FINITE, False, "met numbers that are not finite; later readings are NaN"),
    ],
)
def test_an_outcome_in_words(code, ok, begins):
    assert bool(outcome(code).ok) is ok
    assert outcome(code).sentence.startswith(begins)
    assert outcome(code).sentence.endswith("(at 2.5, 17 steps, by hand)")


def test_the_model_at_one_time():
    models = {"weights": jnp.arange(6.0).reshape(3, 2), "name": "net"}
    path = Trajectory(jnp.arange(3.0), models, {}, None, outcome(Outcome.END))
    np.testing.assert_array_equal(path.at(1)["weights"], [2.0, 3.0])
    np.testing.assert_array_equal(path.at(-1)["weights"], [4.0, 5.0])
    assert path.at(0)["name"] == "net"


def test_a_run_that_kept_no_models_says_so():
    path = Trajectory(jnp.arange(3.0), None, {"loss": jnp.arange(3.0)}, None, outcome(Outcome.END))
    with pytest.raises(BadInput):
        path.at(0)

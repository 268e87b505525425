import diffrax as dfx
import jax
import jax.numpy as jnp
import jax.random as jr
import numpy as np
import pytest

from lazyrich import Objective
from lazyrich.dynamics import GradientDescent, GradientFlow, LabelNoiseSGD, Outcome, in_segments, loss_below
from lazyrich.errors import BadInput
from lazyrich.losses import Squared
from lazyrich.models import DiagonalNet
from lazyrich.problems import sparse_recovery

PROBLEM = sparse_recovery(jr.key(0), n=5, d=8, sparsity=2)
START = DiagonalNet.at_scale(0.3, dim=8)
WHEN = jnp.array([0, 1, 3, 10, 30, 60, 100, 200, 300, 500, 700])


def objective(reduction="mean"):
    return Objective(PROBLEM.train, Squared(), reduction=reduction)


READ = {"loss": objective(), "effective": lambda net: net.effective()}
EACH = [GradientDescent(0.02), LabelNoiseSGD(jr.key(1), learning_rate=0.01), GradientFlow(dfx.Tsit5(), 1e-8, 1e-10)]


class Interrupted(Exception):
    pass


def interrupt_at(moment):
    def notify(done, total):
        if done >= moment:
            raise Interrupted

    return notify


@pytest.mark.parametrize("dynamics", EACH, ids=["descent", "noise", "flow"])
def test_segments_give_what_one_run_gives(dynamics, tmp_path):
    path = in_segments(dynamics, objective(), START, WHEN, READ, file=tmp_path / "run.npz", every=4)
    whole = jax.jit(lambda init: dynamics.run(objective(), init, WHEN, READ))(START)
    # A flow begins each segment with a step of its own: it agrees to its tolerance, not to rounding.
    rough = isinstance(dynamics, GradientFlow)
    for name in READ:
        np.testing.assert_allclose(path.reads[name], whole.reads[name], rtol=1e-12, atol=1e-6 if rough else 1e-14)
    assert int(path.outcome.code) == Outcome.END and float(path.outcome.reached) == pytest.approx(700)
    np.testing.assert_allclose(path.end.u, whole.end.u, rtol=1e-6 if rough else 1e-12)


@pytest.mark.parametrize("dynamics", EACH, ids=["descent", "noise", "flow"])
@pytest.mark.parametrize("moment", [3, 9])
def test_interrupted_runs_go_on_bit_for_bit(dynamics, moment, tmp_path):
    straight = in_segments(dynamics, objective(), START, WHEN, READ, file=tmp_path / "straight.npz", every=3)
    with pytest.raises(Interrupted):
        in_segments(dynamics, objective(), START, WHEN, READ, file=tmp_path / "run.npz", every=3, notify=interrupt_at(moment))
    seen = []
    path = in_segments(
        dynamics, objective(), START, WHEN, READ, file=tmp_path / "run.npz", every=3, notify=lambda done, _: seen.append(done)
    )
    assert min(seen) > moment, "what was done is not done again"
    for name in READ:
        np.testing.assert_array_equal(path.reads[name], straight.reads[name])
    np.testing.assert_array_equal(path.end.u, straight.end.u)


def test_a_finished_run_is_read_from_its_file(tmp_path):
    first = in_segments(EACH[0], objective(), START, WHEN, READ, file=tmp_path / "run.npz")
    again = in_segments(EACH[0], objective(), START, WHEN, READ, file=tmp_path / "run.npz", notify=interrupt_at(0))
    np.testing.assert_array_equal(first.reads["loss"], again.reads["loss"])


@pytest.mark.parametrize(
    "changed",
    [
        (GradientDescent(0.03), objective(), START, WHEN),
        (EACH[0], objective("sum"), START, WHEN),
        (EACH[0], objective(), DiagonalNet.at_scale(0.31, dim=8), WHEN),
        (EACH[0], objective(), START, WHEN[:-1]),
    ],
    ids=["learning_rate", "objective", "init", "moments"],
)
def test_the_segments_of_another_run_are_refused(changed, tmp_path):
    in_segments(EACH[0], objective(), START, WHEN, READ, file=tmp_path / "run.npz")
    with pytest.raises(BadInput, match="another objective"):
        in_segments(*changed, READ, file=tmp_path / "run.npz")


def test_a_broken_file_is_refused(tmp_path):
    (tmp_path / "run.npz").write_bytes(b"PK no archive")
    with pytest.raises(BadInput, match="cannot be read"):
        in_segments(EACH[0], objective(), START, WHEN, READ, file=tmp_path / "run.npz")


def test_a_rule_ends_the_run_and_readings_repeat(tmp_path):
    stop = loss_below(objective(), 1e-3)
    path = in_segments(EACH[0], objective(), START, WHEN, READ, stop, file=tmp_path / "run.npz", every=2)
    assert int(path.outcome.code) == Outcome.STOPPED and path.outcome.reached < 700
    assert path.reads["loss"].shape == WHEN.shape and path.reads["loss"][-1] == path.reads["loss"][-2] < 1e-3


def test_numbers_that_break_are_an_outcome(tmp_path):
    path = in_segments(GradientDescent(50.0), objective(), START, WHEN, READ, file=tmp_path / "run.npz", every=2)
    assert int(path.outcome.code) == Outcome.NOT_FINITE
    assert jnp.isnan(path.reads["loss"][-1]) and jnp.isfinite(path.reads["loss"][0])
